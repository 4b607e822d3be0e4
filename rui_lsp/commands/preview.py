"""``rui.preview``: the document as the inspector shows it, while it is written."""

from __future__ import annotations

import asyncio

from rui_lsp.commands.arguments import Arguments
from rui_lsp.commands.show_in_client import name_of, show_address, temporary_folder
from rui_lsp.documents.offload import SMALL, elsewhere
from rui_lsp.protocol.errors import LspError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import Workspace

PLACES = ("stylesheet", "script", "icon", "policy", "nonce")
"""What a client says of the page that it shows the preview in (see `rui_inspector.html.pages.Host`)."""

_BESIDE = {"stylesheet": "inspector.css", "script": "inspector.js", "icon": "inspector.svg"}
"""Where these are for a page that is a file."""


async def run(workspace: Workspace, params: Json) -> Json:
    """Preview a document: ``[uri]``, or ``[{uri, show}]``, or ``[{uri, stylesheet, script, icon, policy, nonce}]``.

    Returns:
        With a ``stylesheet``, ``{html}``: a page for the client to show, whose nodes have ``data-offset`` and
        ``data-end``, in code points. Without, ``{uri}``: a file that the page was written to, which is also opened
        in the browser unless ``show`` is false; it is gone when the server is.
    """
    arguments = Arguments(params.get("arguments"), "uri", flags=("show",), texts=PLACES)
    source = arguments.source(workspace)
    places = {name: arguments.text(name) for name in PLACES}
    if places["stylesheet"]:
        return {"html": await _rendered(source, places, listing=False)}
    page = await _rendered(source, _BESIDE, listing=True)
    uri = await asyncio.to_thread(_file, page, name_of(arguments.text("uri")))
    if arguments.flag("show", default=True):
        await show_address(workspace.client, uri, "The preview")
    return {"uri": uri}


async def _rendered(source: str | bytes, places: dict[str, str], *, listing: bool) -> str:
    """The page of a text. That is read anew: a document reads on when it is asked, and only one thread may ask it."""
    if len(source) > SMALL:
        return await elsewhere(_page, source, places, listing)
    return await asyncio.to_thread(_page, source, places, listing)


def _page(source: str | bytes, places: dict[str, str], listing: bool) -> str:
    try:
        from rui_inspector.html.pages import Host, document_page  # noqa: PLC0415  slow, and seldom
    except ModuleNotFoundError as missing:
        raise LspError(f"The preview needs {missing.name}: pip install 'rui-toolkit[lsp]' brings it.") from None
    return document_page(source, Host(**places), listing=listing)


def _file(page: str, name: str) -> str:
    """The preview as a file, with what it needs beside it; its address."""
    import re  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    from rui_inspector.html.pages import assets  # noqa: PLC0415

    folder = Path(temporary_folder())
    for asset in assets():
        (folder / asset.name).write_bytes(asset.content)
    path = folder / (re.sub(r"[^\w. -]", "_", name) + ".html")
    path.write_text(page, encoding="utf-8", newline="\n")
    return path.as_uri()
