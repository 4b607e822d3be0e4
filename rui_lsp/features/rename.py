"""Rename: changes every occurrence of a name; refused with a reason if the new one is not allowed."""

from __future__ import annotations

from lsprotocol import types

from rui_common.editing.rename import NameRefusedError
from rui_common.editing.rename import rename as rename_name
from rui_lsp.features.symbol_at_cursor import symbol_at_cursor
from rui_lsp.protocol.errors import RequestFailedError
from rui_lsp.server.server import RuiLanguageServer
from rui_lsp.server.workspace_edit import workspace_edit

NO_NAME = "There is no name here that can be renamed: put the cursor on an id, a key or a reference."


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)(prepare_rename)
    server.feature(types.TEXT_DOCUMENT_RENAME)(rename)


def prepare_rename(ls: RuiLanguageServer, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """Return the name under the cursor and its range; None if there is none."""
    symbol = symbol_at_cursor(ls, params)
    if symbol is None:
        return None
    return types.PrepareRenamePlaceholder(symbol.range(), symbol.name)


def rename(ls: RuiLanguageServer, params: types.RenameParams) -> types.WorkspaceEdit:
    """Return the edits of the document.

    Raises:
        JsonRpcException: there is no name under the cursor, or the new one is malformed or taken.
    """
    symbol = symbol_at_cursor(ls, params)
    if symbol is None:
        raise RequestFailedError(NO_NAME)
    try:
        edits = rename_name(symbol.document.analysis, symbol.path, params.new_name)
    except NameRefusedError as refusal:
        raise RequestFailedError(str(refusal)) from None
    return workspace_edit(ls, ls.documents.get(params.text_document), edits)
