"""Showing documents, addresses and texts in the editor or the browser."""

from __future__ import annotations

import asyncio
import atexit
import re
import shutil
import tempfile
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
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


async def show_text(ls: RuiLanguageServer, name: str, text: str) -> None:
    """Show a text in a temporary file, if the client shows documents."""
    if ls.supports("window.show_document.support"):
        await show(ls, await asyncio.to_thread(write_temporary_file, name, text))


@cache
def temporary_folder() -> Path:
    """The folder of temporary files; it is deleted when the server ends."""
    folder = Path(tempfile.mkdtemp(prefix="rui-"))
    atexit.register(partial(shutil.rmtree, folder, ignore_errors=True))
    return folder


def write_temporary_file(name: str, text: str) -> str:
    """Write a text into a temporary file; return its address."""
    path = temporary_folder() / re.sub(r"[^\w. -]", "_", name)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path.as_uri()


def name_of(uri: str) -> str:
    """The file name of an address, for messages."""
    return unquote(uri.rstrip("/").rpartition("/")[2]) or uri
