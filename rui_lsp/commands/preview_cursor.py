"""``rui.previewCursor``: where the author's caret is, for the live preview."""

from __future__ import annotations

from lsprotocol import types

from rui_lsp.client.convert import Json
from rui_lsp.server.server import RuiLanguageServer


async def preview_cursor(ls: RuiLanguageServer, place: types.TextDocumentPositionParams) -> Json:
    """Mark the node at the caret: ``[{textDocument: {uri}, position}]``, as in requests about a position.

    A client that requests document highlights when the caret rests does not need it.

    Returns:
        ``{}``.
    """
    ls.observer.caret_moved(place.text_document.uri, place.position)
    return {}
