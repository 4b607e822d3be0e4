"""Find references: wherever the name under the cursor is used, and where it is defined if that is asked for."""

from __future__ import annotations

from rui_lsp.features.symbol_at_cursor import name_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import Workspace

METHOD = "textDocument/references"


def answer(workspace: Workspace, params: Json) -> list[Json] | None:
    """``textDocument/references``: the locations in text order."""
    here = name_here(workspace, params)
    if here is None:
        return None
    context = params.get("context")
    with_definition = isinstance(context, dict) and context.get("includeDeclaration") is True
    return [
        {"uri": here.opened.uri, "range": here.range(path)}
        for path in here.names.references(here.path)
        if with_definition or not here.names.is_definition(path)
    ]
