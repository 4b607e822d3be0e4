"""Document highlight: every occurrence of the name under the cursor, definitions as writes."""

from __future__ import annotations

from lsprotocol import types

from rui_lsp.features.symbol_at_cursor import symbol_at_cursor
from rui_lsp.server.server import RuiLanguageServer


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)(document_highlight)


def document_highlight(
    ls: RuiLanguageServer, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    """Every occurrence of the name: a definition is a write, a use is a read."""
    ls.observer.caret_moved(params.text_document.uri, params.position)  # Editors send the request when the caret rests.
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
