"""Find references: all uses of the name under the cursor, and its definitions if the client wants them."""

from __future__ import annotations

from lsprotocol import types

from rui_lsp.features.symbol_at_cursor import symbol_at_cursor
from rui_lsp.server.server import RuiLanguageServer


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_REFERENCES)(references)


def references(ls: RuiLanguageServer, params: types.ReferenceParams) -> list[types.Location] | None:
    """Return the locations in text order."""
    symbol = symbol_at_cursor(ls, params)
    if symbol is None:
        return None
    return [
        types.Location(symbol.document.uri, symbol.range(path))
        for path in symbol.references()
        if params.context.include_declaration or not symbol.is_definition(path)
    ]
