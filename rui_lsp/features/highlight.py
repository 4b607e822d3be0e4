"""Document highlight: every place of the name under the cursor, definitions apart from uses."""

from __future__ import annotations

from rui_common.names import names_of
from rui_lsp.convert import offset_from_lsp, range_to_lsp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.convert import Json
    from rui_lsp.workspace import Workspace

METHOD = "textDocument/documentHighlight"

_READ, _WRITE = 2, 3  # DocumentHighlightKind


def answer(workspace: Workspace, params: Json) -> list[Json] | None:
    """``textDocument/documentHighlight``: a definition is shown as a write, a use as a read."""
    opened = workspace.document_of(params)
    if opened is None:
        return None
    names = names_of(opened.document)
    here = names.path_at(offset_from_lsp(params.get("position"), opened.text))
    if here is None:
        return None
    return [
        {
            "range": range_to_lsp(names.span(path), opened.text),
            "kind": _WRITE if names.is_definition(path) else _READ,
        }
        for path in names.mentions(here)
    ]
