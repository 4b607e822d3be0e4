"""``rui.previewCursor``: where the author's caret is, for the live preview."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from rui_common.json_values import JsonObject
from rui_lsp.server import RuiLanguageServer


async def preview_cursor(ls: RuiLanguageServer, place: types.TextDocumentPositionParams | None = None) -> JsonObject:
    """Mark the node at the caret: ``[{textDocument: {uri}, position}]``, as in requests about a position.

    A client that requests document highlights when the caret rests does not need it.

    Returns:
        ``{}``.
    """
    if place is None:
        raise JsonRpcInvalidParams("rui.previewCursor needs a document and a position")
    ls.observer.caret_moved(place.text_document.uri, place.position)
    return {}
