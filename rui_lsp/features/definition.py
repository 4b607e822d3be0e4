"""Go to definition: from a reference, or from the name itself, to where it is defined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from rui_lsp.client.convert import to_range
from rui_lsp.features.symbol_at_cursor import symbol_at_cursor

if TYPE_CHECKING:
    from rui_common.syntax.paths import Path
    from rui_lsp.features.symbol_at_cursor import SymbolAtCursor
    from rui_lsp.server.server import RuiLanguageServer


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_DEFINITION)(definition)


def definition(
    ls: RuiLanguageServer, params: types.DefinitionParams
) -> list[types.Location] | list[types.LocationLink] | None:
    """Every definition of the name under the cursor, as links for clients that support them, else as locations."""
    symbol = symbol_at_cursor(ls, params)
    if symbol is None:
        return None
    paths = symbol.names.definitions(symbol.path)
    if ls.supports("text_document.definition.link_support"):
        return [_link(symbol, path) for path in paths]
    return [types.Location(symbol.document.uri, symbol.range(path)) for path in paths]


def _link(symbol: SymbolAtCursor, path: Path) -> types.LocationLink:
    """A link that shows the whole object that has the name."""
    document = symbol.document
    selection_range = symbol.range(path)
    target_range = selection_range
    parent = document.document.find(path[:-1])
    if parent is not None and parent.span is not None:
        target_range = to_range(parent.span, document.text)
    return types.LocationLink(document.uri, target_range, selection_range, origin_selection_range=symbol.range())
