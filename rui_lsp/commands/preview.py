"""``rui.preview``: the document as the inspector shows it, with a wireframe, while it is written."""

from __future__ import annotations

import asyncio

from rui_common.json_values import JsonObject
from rui_lsp.commands.arguments import Arguments
from rui_lsp.preview.page import api_facts_of, render
from rui_lsp.server import RuiLanguageServer

PLACES = ("stylesheet", "script", "icon", "policy", "nonce")
"""The arguments about the page that contains the preview (see `rui_inspector.html.pages.PageHost`)."""


async def preview(ls: RuiLanguageServer, *values: object) -> JsonObject:
    """Preview a document: ``[uri]``, ``[{uri, show}]``, or ``[]`` for the one that was edited last.

    With an OpenAPI description, blocks show its operations, types and examples.

    For a client that shows the page itself: ``[{uri, stylesheet, script, icon, policy, nonce}]``.

    Returns:
        With a ``stylesheet``, ``{html}``: a page for the client to show, whose nodes have ``data-offset`` and
        ``data-end``, in code points. Without, ``{uri}``: a page on this machine that follows the text and the caret of
        the editor until the server ends. The browser opens it, too, unless ``show`` is false.
    """
    arguments = Arguments(values or [ls.edited_uri], "uri", flags=("show",), texts=PLACES)
    source = arguments.source(ls.documents)
    uri = arguments.text("uri")
    places = {name: arguments.text(name) for name in PLACES}
    if places["stylesheet"]:
        return {"html": await asyncio.to_thread(render, source, places, api_facts_of(ls, uri))}
    address = _address(ls, uri)
    if arguments.flag("show", default=True):
        await ls.show_address(address, "The preview")
    return {"uri": address}


def _address(ls: RuiLanguageServer, uri: str) -> str:
    from rui_lsp.preview.live import LivePreviews  # noqa: PLC0415  most sessions need none

    if not isinstance(ls.observer, LivePreviews):
        ls.observer = LivePreviews(ls)
    return ls.observer.address(uri)
