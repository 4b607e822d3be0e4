"""Showing documents and addresses in the editor or the browser."""

from __future__ import annotations

from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from rui_lsp.server.server import RuiLanguageServer


async def show(ls: RuiLanguageServer, uri: str, *, external: bool = False) -> bool:
    """Show a document in the editor, or outside of it; whether the client has done so."""
    if not ls.supports("window.show_document.support"):
        return False
    params = types.ShowDocumentParams(uri, external=external, take_focus=not external)
    try:
        result = await ls.window_show_document_async(params)
    except JsonRpcException:
        return False
    return result is not None and result.success


async def show_address(ls: RuiLanguageServer, address: str, what: str) -> None:
    """Show a web page, or a message with its address if the client cannot."""
    if not await show(ls, address, external=True):
        ls.show_message(types.MessageType.Info, f"{what}: {address}")


def name_of(uri: str) -> str:
    """The file name of an address, for messages."""
    return unquote(uri.rstrip("/").rpartition("/")[2]) or uri
