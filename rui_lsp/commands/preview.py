"""``rui.preview``: the document as the inspector shows it, with a wireframe, while it is written."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from rui_lsp.commands.arguments import Arguments
from rui_lsp.commands.show_in_client import name_of, show_address, temporary_folder, write_temporary_file
from rui_lsp.documents.offload import SMALL, run_in_worker
from rui_lsp.protocol.errors import RequestFailedError

if TYPE_CHECKING:
    from lsprotocol import types

    from rui_lsp.client.convert import Json
    from rui_lsp.server.server import RuiLanguageServer

PLACES = ("stylesheet", "script", "icon", "policy", "nonce")
"""The arguments about the page that contains the preview (see `rui_inspector.html.pages.Host`)."""

_FILES = {"stylesheet": "inspector.css", "script": "inspector.js", "icon": "inspector.svg"}
"""The same for a page in a temporary file."""


async def preview(ls: RuiLanguageServer, params: types.ExecuteCommandParams) -> Json:
    """Preview a document: ``[uri]``, or ``[{uri, show}]``, or ``[{uri, stylesheet, script, icon, policy, nonce}]``.

    Returns:
        With a ``stylesheet``, ``{html}``: a page for the client to show, whose nodes have ``data-offset`` and
        ``data-end``, in code points. Without, ``{uri}``: a temporary file with the page, which is also opened in the
        browser unless ``show`` is false.
    """
    arguments = Arguments(params.arguments, "uri", flags=("show",), texts=PLACES)
    source = arguments.source(ls.workspace)
    places = {name: arguments.text(name) for name in PLACES}
    if places["stylesheet"]:
        return {"html": await _render(source, places, listing=False)}
    page = await _render(source, _FILES, listing=True)
    uri = await asyncio.to_thread(_write_page, page, name_of(arguments.text("uri")))
    if arguments.flag("show", default=True):
        await show_address(ls, uri, "The preview")
    return {"uri": uri}


async def _render(source: str | bytes, places: dict[str, str], *, listing: bool) -> str:
    """The page of a text. The text is parsed again, as an open document must not be used in another thread."""
    if len(source) > SMALL:
        return await run_in_worker(_page, source, places, listing)
    return await asyncio.to_thread(_page, source, places, listing)


def _page(source: str | bytes, places: dict[str, str], listing: bool) -> str:
    try:
        from rui_inspector.html.pages import Host, document_page  # noqa: PLC0415  slow, and may be missing
    except ModuleNotFoundError as missing:
        raise RequestFailedError(
            f"The preview needs {missing.name}: pip install 'rui-toolkit[lsp]' installs it."
        ) from None
    return document_page(source, Host(**places), listing=listing)


def _write_page(page: str, name: str) -> str:
    """Write the page and the files that it needs; return its address."""
    from rui_inspector.html.pages import assets  # noqa: PLC0415

    for asset in assets():
        (temporary_folder() / asset.name).write_bytes(asset.content)
    return write_temporary_file(f"{name}.html", page)
