"""Document highlight: every place of the name under the cursor, definitions apart from uses."""

from __future__ import annotations

from rui_lsp.features.symbol_at_cursor import name_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import Workspace

METHOD = "textDocument/documentHighlight"

_READ, _WRITE = 2, 3  # DocumentHighlightKind


def answer(workspace: Workspace, params: Json) -> list[Json] | None:
    """``textDocument/documentHighlight``: a definition is shown as a write, a use as a read."""
    here = name_here(workspace, params)
    if here is None:
        return None
    return [
        {"range": here.range(path), "kind": _WRITE if here.names.is_definition(path) else _READ}
        for path in here.names.references(here.path)
    ]
