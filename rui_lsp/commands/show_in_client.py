"""What commands show in the editor or the browser."""

from __future__ import annotations

from urllib.parse import unquote

from lsprotocol import types

from rui_lsp.server.server import RuiLanguageServer


async def show_address(ls: RuiLanguageServer, address: str, what: str) -> None:
    """Show a web page, or a message with its address if the client cannot."""
    if not await ls.show_document(types.ShowDocumentParams(address, external=True, take_focus=False)):
        ls.show_message(types.MessageType.Info, f"{what}: {address}")


def name_of(uri: str) -> str:
    """Return the file name of an address, for messages."""
    return unquote(uri.rstrip("/").rpartition("/")[2]) or uri
