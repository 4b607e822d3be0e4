"""The previews of a session, at an address that only this machine reaches and only its author knows.

- The server listens on the loopback interface. A name in ``Host`` that a foreign site has pointed at it is refused (DNS
  rebinding), and so are requests that other sites send (``Origin``).
- The address contains a secret. The page has the inspector's content security policy and sends no ``Referer``.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
from contextlib import suppress
from functools import partial
from hmac import compare_digest
from http import HTTPStatus
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from rui_common.document_files import read_file
from rui_lsp.client.convert import to_position
from rui_lsp.documents.files_on_disk import path_from_uri
from rui_lsp.live_preview.http import Connection, HttpError, HttpServer, Request, Response
from rui_lsp.live_preview.preview import Preview
from rui_lsp.live_preview.rendering import differences_of, render
from rui_lsp.protocol.errors import RequestFailedError
from rui_lsp.server.observer import DocumentObserver
from rui_lsp.server.server import RuiLanguageServer

HOST = "127.0.0.1"
HOST_NAMES = frozenset({HOST, "localhost"})
"""The names of this machine in ``Host``, with any port: an author may forward the port."""

PAGES = {"stylesheet": "live.css", "script": "live.js", "icon": "inspector.svg", "refresh": "."}
"""The addresses in a page, relative to it (see `rui_inspector.html.pages.Host`)."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""The headers of every response."""

_ADDRESS = re.compile(
    r"http://127\.0\.0\.1:(?P<port>[1-9]\d{0,4})/(?P<secret>[\w-]{22})/(?P<number>\d{1,4})/", re.ASCII
)

_HTML = "text/html; charset=utf-8"


class LivePreviews(DocumentObserver):
    """The previews of one session. Their server starts with the first one."""

    def __init__(self, ls: RuiLanguageServer) -> None:
        self._ls = ls
        self._secret = secrets.token_urlsafe(16)
        self._server = HttpServer(self._handle, HEADERS)
        self._port = 0
        self._previews: dict[int, Preview] = {}  # by the number in the address
        self._starting = asyncio.Lock()

    async def start(self, uri: str, address: str = "") -> str:
        """Preview a document; return the address, the same for each call.

        Args:
            uri: the document.
            address: the address that a server which has ended gave; it is used again if its port is free.

        Raises:
            RequestFailedError: no port is available.
        """
        last = _ADDRESS.fullmatch(address)
        async with self._starting:
            if not self._port and last is not None:
                await self._resume(int(last["port"]), last["secret"])
            if not self._port:
                self._port = await self._listen()
        number = self._number_of(uri)
        if number is None:
            number = len(self._previews)
            if last is not None and last["secret"] == self._secret:
                number = int(last["number"])
            while number in self._previews:
                number += 1
            self._previews[number] = Preview(uri, partial(self._render, uri))
        return f"http://{HOST}:{self._port}/{self._secret}/{number}/"

    async def _resume(self, port: int, secret: str) -> None:
        """Use the address of a server that has ended, if its port is free."""
        with suppress(RequestFailedError, OverflowError):
            self._port = await self._listen(port)
            self._secret = secret

    async def _listen(self, port: int = 0) -> int:
        """Listen on a port, or on any free one; return it."""
        try:
            return await self._server.listen(HOST, port)
        except OSError as error:
            raise RequestFailedError(f"The preview cannot listen on {HOST}: {os.strerror(error.errno or 0)}.") from None

    def _number_of(self, uri: str) -> int | None:
        for number, preview in self._previews.items():
            if unquote(preview.uri) == unquote(uri):  # clients quote an address in different ways
                return number
        return None

    # The editor

    def changed(self, uri: str) -> None:
        """Update the preview of a document."""
        number = self._number_of(uri)
        if number is not None:
            self._previews[number].text_changed()

    def caret_moved(self, uri: str, offset: int) -> None:
        """Mark the node at the caret."""
        number = self._number_of(uri)
        if number is not None:
            self._previews[number].caret_moved(offset)

    async def close(self) -> None:
        """End all connections."""
        for preview in self._previews.values():
            preview.stop()
        await self._server.close()

    async def _render(self, uri: str) -> str:
        try:
            document = self._ls.workspace.find(uri)
            return await render(self._source(uri), PAGES, differences_of(document))
        except RequestFailedError as error:
            raise HttpError(HTTPStatus.SERVICE_UNAVAILABLE, error.message) from None

    def _source(self, uri: str) -> str | bytes:
        document = self._ls.workspace.find(uri)
        if document is not None:
            return document.source
        try:
            return read_file(path_from_uri(uri) or "")
        except (OSError, ValueError):
            raise HttpError(HTTPStatus.GONE, "The document is closed in the editor, and has no file.") from None

    async def _show(self, uri: str, offset: int) -> None:
        """Move the caret of the editor to an offset in code points."""
        document = self._ls.workspace.find(uri)
        if not self._ls.supports("window.show_document.support"):
            raise HttpError(HTTPStatus.NOT_IMPLEMENTED, "This editor does not let a preview move its cursor.")
        selection = None
        if document is not None:
            position = to_position(min(offset, len(document.text)), document.text)
            selection = types.Range(position, position)
        params = types.ShowDocumentParams(uri, take_focus=True, selection=selection)
        try:
            result = await self._ls.window_show_document_async(params)
        except JsonRpcException as error:
            raise HttpError(HTTPStatus.BAD_GATEWAY, f"The editor: {error.message}") from None
        if result is None or not result.success:
            raise HttpError(HTTPStatus.BAD_GATEWAY, "The editor could not show the document.")

    # The browser

    async def _handle(self, connection: Connection, request: Request) -> Response | None:
        _check_host(request)
        preview, name = self._find(request.path)
        if name == "clicked":
            _check_method(request, "POST")
            _check_origin(request)
            await self._show(preview.uri, _offset(request.body))
            return Response(b"", status=HTTPStatus.NO_CONTENT)
        _check_method(request, "GET", "HEAD")
        if name == "":
            page = await preview.page()
            return Response(page.encode("utf-8", "replace"), _HTML)
        if name == "events":
            await preview.send_events(connection)
            return None
        return _asset(name)

    def _find(self, path: str) -> tuple[Preview, str]:
        """The preview and the name in a path: ``/SECRET/NUMBER/NAME``."""
        parts = path.encode().split(b"/")
        if len(parts) == 4 and compare_digest(parts[1], self._secret.encode()):
            for number, preview in self._previews.items():
                if parts[2] == b"%d" % number:
                    return preview, parts[3].decode()
        raise HttpError(
            HTTPStatus.NOT_FOUND,
            "There is no preview at this address. Run the editor's preview command again.",
        )


def _check_host(request: Request) -> None:
    name, _, port = request.headers.get("host", "").partition(":")
    if name.lower() not in HOST_NAMES or not (port == "" or port.isdecimal()):
        raise HttpError(HTTPStatus.MISDIRECTED_REQUEST, f"The preview is at {HOST}, not at another name.")


def _check_origin(request: Request) -> None:
    if request.headers.get("origin") != f"http://{request.headers['host']}":
        raise HttpError(HTTPStatus.FORBIDDEN, "Only the preview itself moves the cursor of the editor.")


def _check_method(request: Request, *methods: str) -> None:
    if request.method not in methods:
        allowed = ", ".join(methods)
        raise HttpError(HTTPStatus.METHOD_NOT_ALLOWED, f"This address accepts {allowed}.", {"Allow": allowed})


def _offset(body: bytes) -> int:
    if body.isdigit() and len(body) <= 12:
        return int(body)
    raise HttpError(HTTPStatus.BAD_REQUEST, "The body is an offset in code points.")


def _asset(name: str) -> Response:
    from rui_inspector.html.pages import live_assets  # noqa: PLC0415  slow

    for asset in live_assets():
        if asset.name == name:
            return Response(asset.content, asset.media_type)
    raise HttpError(HTTPStatus.NOT_FOUND, "The preview has no such file.")
