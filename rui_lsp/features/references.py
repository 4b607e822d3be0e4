"""Find references: wherever the name under the cursor is used, and where it is defined if that is asked for."""

from __future__ import annotations

from rui_common.names import names_of
from rui_lsp.convert import offset_from_lsp, range_to_lsp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.convert import Json
    from rui_lsp.workspace import Workspace

METHOD = "textDocument/references"


def answer(workspace: Workspace, params: Json) -> list[Json] | None:
    """``textDocument/references``: the locations in text order."""
    opened = workspace.document_of(params)
    if opened is None:
        return None
    names = names_of(opened.document)
    here = names.path_at(offset_from_lsp(params.get("position"), opened.text))
    if here is None:
        return None
    context = params.get("context")
    with_definition = isinstance(context, dict) and context.get("includeDeclaration") is True
    return [
        {"uri": opened.uri, "range": range_to_lsp(names.span(path), opened.text)}
        for path in names.mentions(here)
        if with_definition or not names.is_definition(path)
    ]
