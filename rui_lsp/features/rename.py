"""Rename: changes every occurrence of a name or endpoint path; refused with a reason if the new one is not allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from rui_common.editing.endpoints import endpoint_at, endpoint_span, rename_endpoint
from rui_common.editing.references import NameRefusedError
from rui_common.syntax.paths import value_at
from rui_lsp.client.convert import to_offset, to_range
from rui_lsp.features.symbol_at_cursor import symbol_at_cursor
from rui_lsp.protocol.errors import RequestFailedError
from rui_lsp.server.workspace_edit import workspace_edit

if TYPE_CHECKING:
    from rui_common.editing.edits import Edit
    from rui_lsp.documents.document import OpenDocument
    from rui_lsp.server.server import RuiLanguageServer

NO_NAME = "There is no name here that can be renamed: put the cursor on an id, a key, a reference, or an endpoint."


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)(prepare_rename)
    server.feature(types.TEXT_DOCUMENT_RENAME)(rename)


def prepare_rename(ls: RuiLanguageServer, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """The name or endpoint path under the cursor and its range; None if there is none."""
    symbol = symbol_at_cursor(ls, params)
    if symbol is None:
        document = ls.workspace.get(params.text_document)
        parsed = document.document
        path = endpoint_at(parsed, to_offset(params.position, document.text))
        if path is None:
            return None
        name = str(value_at(parsed.value, path))
        return types.PrepareRenamePlaceholder(to_range(endpoint_span(parsed, path), document.text), name)
    return types.PrepareRenamePlaceholder(symbol.range(), symbol.names.name(symbol.path))


def rename(ls: RuiLanguageServer, params: types.RenameParams) -> types.WorkspaceEdit:
    """The edits of the document.

    Raises:
        JsonRpcException: there is no name under the cursor, or the new one is malformed or taken.
    """
    document = ls.workspace.get(params.text_document)
    try:
        edits = _edits(ls, params, document)
    except NameRefusedError as refusal:
        raise RequestFailedError(str(refusal)) from None
    return workspace_edit(ls, document, edits)


def _edits(ls: RuiLanguageServer, params: types.RenameParams, document: OpenDocument) -> list[Edit]:
    symbol = symbol_at_cursor(ls, params)
    if symbol is not None:
        return symbol.names.rename(symbol.path, params.new_name)
    path = endpoint_at(document.document, to_offset(params.position, document.text))
    if path is None:
        raise RequestFailedError(NO_NAME)
    return rename_endpoint(document.document, path, params.new_name)
