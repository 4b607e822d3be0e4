"""Document highlight: every occurrence of the name under the cursor, definitions as writes."""

from __future__ import annotations

from lsprotocol import types

from rui_lsp.commands.preview_cursor import on_caret
from rui_lsp.features.symbol_at_cursor import symbol_at_cursor
from rui_lsp.server.server import RuiLanguageServer


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)(on_document_highlight)


def on_document_highlight(
    ls: RuiLanguageServer, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    """Return the highlights. Mark the node in the preview, too: editors send the request when the caret rests."""
    on_caret(ls, params)
    return document_highlight(ls, params)


def document_highlight(
    ls: RuiLanguageServer, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    """Return every occurrence of the name: a definition is a write, a use is a read."""
    symbol = symbol_at_cursor(ls, params)
    if symbol is None:
        return None
    highlights = []
    for path in symbol.references():
        kind = types.DocumentHighlightKind.Read
        if symbol.is_definition(path):
            kind = types.DocumentHighlightKind.Write
        highlights.append(types.DocumentHighlight(symbol.range(path), kind))
    return highlights
