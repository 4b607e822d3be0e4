"""Go to definition: from a reference, or from the name itself, to where it is defined."""

from __future__ import annotations

from rui_common.names import names_of
from rui_lsp.convert import offset_from_lsp, range_to_lsp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.paths import Path
    from rui_lsp.convert import Json
    from rui_lsp.workspace import OpenDocument, Workspace

METHOD = "textDocument/definition"


def answer(workspace: Workspace, params: Json) -> list[Json] | None:
    """``textDocument/definition``: a link to every definition of the name under the cursor, several if it stands twice.

    Clients that do not know links get locations.
    """
    opened = workspace.document_of(params)
    if opened is None:
        return None
    names = names_of(opened.document)
    here = names.path_at(offset_from_lsp(params.get("position"), opened.text))
    if here is None:
        return None
    origin = range_to_lsp(names.span(here), opened.text)
    with_links = workspace.client.can("textDocument", "definition", "linkSupport")
    return [_target(opened, path, origin if with_links else None) for path in names.definitions(here)]


def _target(opened: OpenDocument, path: Path, origin: Json | None) -> Json:
    """A location, or a link that shows the whole object and points at its name."""
    names = names_of(opened.document)
    selection = range_to_lsp(names.span(path), opened.text)
    if origin is None:
        return {"uri": opened.uri, "range": selection}
    around = opened.document.find(path[:-1])
    whole = selection if around is None or around.span is None else range_to_lsp(around.span, opened.text)
    return {
        "originSelectionRange": origin,
        "targetUri": opened.uri,
        "targetRange": whole,
        "targetSelectionRange": selection,
    }
