"""Go to definition: from a reference, or from the name itself, to where it is defined."""

from __future__ import annotations

from rui_lsp.client.convert import range_to_lsp
from rui_lsp.features.symbol_at_cursor import name_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.syntax.paths import Path
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import Workspace
    from rui_lsp.features.symbol_at_cursor import NameHere

METHOD = "textDocument/definition"


def answer(workspace: Workspace, params: Json) -> list[Json] | None:
    """``textDocument/definition``: a link to every definition of the name under the cursor, several if it stands twice.

    Clients that do not know links get locations.
    """
    here = name_here(workspace, params)
    if here is None:
        return None
    with_links = workspace.client.can("textDocument", "definition", "linkSupport")
    return [_target(here, path, with_link=with_links) for path in here.names.definitions(here.path)]


def _target(here: NameHere, path: Path, *, with_link: bool) -> Json:
    """A location, or a link that shows the whole object and points at its name."""
    opened, selection = here.opened, here.range(path)
    if not with_link:
        return {"uri": opened.uri, "range": selection}
    around = opened.document.find(path[:-1])
    whole = selection if around is None or around.span is None else range_to_lsp(around.span, opened.text)
    return {
        "originSelectionRange": here.range(),
        "targetUri": opened.uri,
        "targetRange": whole,
        "targetSelectionRange": selection,
    }
