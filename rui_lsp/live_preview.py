"""The previews of a session in a browser, at an address that only this machine reaches and only its author knows.

- The server listens on the loopback interface. A name in ``Host`` that a foreign site has pointed at it is refused (DNS
  rebinding), and so are requests that other sites send (``Origin``).
- The address contains a secret. The page has the inspector's content security policy and sends no ``Referer``.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from hmac import compare_digest
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from rui_common.document_files import read_file
from rui_common.syntax.paths import Path
from rui_common.validation.diagnostics import is_error
from rui_lsp.client.convert import to_position
from rui_lsp.documents.files_on_disk import path_from_uri
from rui_lsp.protocol.errors import RequestFailedError
from rui_lsp.protocol.log import logger
from rui_lsp.server.observer import DocumentObserver
from rui_lsp.server.server import RuiLanguageServer

HOST = "127.0.0.1"
PLACES = {"stylesheet": "live.css", "script": "live.js", "icon": "inspector.svg", "refresh": "."}
"""The addresses in a page, relative to it (see `rui_inspector.html.pages.Host`)."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
PAUSE = 0.1
"""Seconds in which several changes are one event."""
KEEP_ALIVE = 15.0
"""Seconds after which a comment is sent to a browser."""

_OWN_HOST = re.compile(r"(127\.0\.0\.1|localhost)(:\d+)?", re.ASCII | re.IGNORECASE)  # any port: it may be forwarded
_ADDRESS = re.compile(r"http://127\.0\.0\.1:([1-9]\d{0,4})/([\w-]{22})/\d{1,4}/", re.ASCII)
_OFFSET = re.compile(r"\d{1,12}", re.ASCII)

FoundDifference = tuple[bool, str, Path, str, str]


def differences_of(ls: RuiLanguageServer, uri: str) -> list[FoundDifference]:
    """Where the bindings of an open document differ from its OpenAPI description, as plain data."""
    document = ls.documents.find(uri)
    if document is None:
        return []
    return [(is_error(one), one.code, one.path, one.message, one.hint) for one in document.api_diagnostics()]


def render(source: str | bytes, places: dict[str, str], differences: Sequence[FoundDifference]) -> str:
    """The page of a text or file. The text is parsed again, as an open document must not be used in another thread.

    Raises:
        RequestFailedError: a package that the page needs is missing.
    """
    try:
        from rui_inspector.html.pages import Host, preview_page  # noqa: PLC0415  slow, and may be missing
        from rui_inspector.model.problems import Difference  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        message = f"The preview needs {missing.name}: pip install 'rui-toolkit[lsp]' installs it."
        raise RequestFailedError(message) from None
    return preview_page(source, Host(**places), [Difference(*one) for one in differences])


class _Preview(threading.Condition):
    """The preview of one document. The threads of its browsers wait for changes."""

    def __init__(self, uri: str) -> None:
        super().__init__()
        self.uri = uri
        self.version = 0
        self.caret: int | None = None


class LivePreviews(DocumentObserver):
    """The previews of one session. Their server starts with the first one."""

    def __init__(self, ls: RuiLanguageServer) -> None:
        self.secret = secrets.token_urlsafe(16)
        self.previews: list[_Preview] = []
        self._ls = ls
        self._loop = asyncio.get_running_loop()
        self._server: ThreadingHTTPServer | None = None

    def start(self, uri: str, address: str = "") -> str:
        """Preview a document; return the address, the same for each call.

        Args:
            uri: the document.
            address: the address that a server which has ended gave; it is used again if its port is free.

        Raises:
            RequestFailedError: no port is available.
        """
        server = self._server or self._listen(address)
        preview = self._find(uri)
        if preview is None:
            preview = _Preview(uri)
            self.previews.append(preview)
        return f"http://{HOST}:{server.server_port}/{self.secret}/{self.previews.index(preview)}/"

    def _listen(self, address: str) -> ThreadingHTTPServer:
        class Handler(_Handler):
            previews = self

        last = _ADDRESS.fullmatch(address)
        with suppress(OSError, OverflowError):
            if last is not None:
                self._server = ThreadingHTTPServer((HOST, int(last[1])), Handler)
                self.secret = last[2]
        try:
            server = self._server or ThreadingHTTPServer((HOST, 0), Handler)
        except OSError as error:
            raise RequestFailedError(f"The preview cannot listen on {HOST}: {error.strerror}.") from None
        self._server = server
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server

    def _find(self, uri: str) -> _Preview | None:
        # Clients quote an address in different ways.
        return next((preview for preview in self.previews if unquote(preview.uri) == unquote(uri)), None)

    def changed(self, uri: str) -> None:
        """Update the preview of a document."""
        preview = self._find(uri)
        if preview is not None:
            with preview:
                preview.version += 1
                preview.notify_all()

    def caret_moved(self, uri: str, offset: int) -> None:
        """Mark the node at the caret."""
        preview = self._find(uri)
        if preview is not None:
            with preview:
                preview.caret = offset
                preview.notify_all()

    def close(self) -> None:
        """Stop the server. The threads of browsers end with the process."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def page(self, uri: str) -> str:
        """Render the page of a document; called in a thread of the HTTP server."""
        return render(*asyncio.run_coroutine_threadsafe(self._state(uri), self._loop).result())

    async def _state(self, uri: str) -> tuple[str | bytes, dict[str, str], list[FoundDifference]]:
        document = self._ls.documents.find(uri)
        source = document.source if document is not None else read_file(path_from_uri(uri) or "")
        return source, PLACES, differences_of(self._ls, uri)

    def show(self, uri: str, offset: int) -> bool:
        """Move the caret of the editor to an offset in code points; called in a thread of the HTTP server."""
        return asyncio.run_coroutine_threadsafe(self._show(uri, offset), self._loop).result()

    async def _show(self, uri: str, offset: int) -> bool:
        document = self._ls.documents.find(uri)
        if document is None or not self._ls.supports("window.show_document.support"):
            return False
        position = to_position(offset, document.positions)
        params = types.ShowDocumentParams(uri, take_focus=True, selection=types.Range(position, position))
        try:
            result = await self._ls.window_show_document_async(params)
        except JsonRpcException:
            return False
        return result is not None and result.success


class _Handler(BaseHTTPRequestHandler):
    """Answers one request. Each connection has a thread."""

    previews: LivePreviews
    timeout = 10  # seconds in which a client must send its request

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name in the standard library
        logger.debug(format, *args)

    def do_GET(self) -> None:
        """Send the page, a file of it, or events."""
        preview, name = self._find()
        if preview is None:
            return
        if name == "events":
            self._send_events(preview)
        elif name == "":
            self._send_page(preview)
        else:
            self._send_asset(name)

    def do_POST(self) -> None:
        """Move the caret of the editor to the offset in the body, if the page itself sends the request."""
        preview, name = self._find()
        if preview is None:
            return
        length = self.headers.get("Content-Length", "")
        body = self.rfile.read(int(length)).decode("latin-1") if re.fullmatch("[0-9]{1,2}", length) else ""
        if self.headers.get("Origin") != f"http://{self.headers['Host']}":
            self.send_error(HTTPStatus.FORBIDDEN)
        elif name != "clicked" or not _OFFSET.fullmatch(body):
            self.send_error(HTTPStatus.BAD_REQUEST)
        elif self.previews.show(preview.uri, int(body)):
            self._send("text/plain", b"")
        else:
            self.send_error(HTTPStatus.BAD_GATEWAY, "The editor could not show the document")

    def _find(self) -> tuple[_Preview | None, str]:
        """Return the preview and the name in the path ``/SECRET/NUMBER/NAME``; without one, send an error."""
        hosts = self.headers.get_all("Host", [])
        if len(hosts) != 1 or not _OWN_HOST.fullmatch(hosts[0]):
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
            return None, ""
        parts = self.path.partition("?")[0].encode("latin-1", "replace").split(b"/")
        if len(parts) == 4 and compare_digest(parts[1], self.previews.secret.encode()):
            for number, preview in enumerate(self.previews.previews):
                if parts[2] == b"%d" % number:
                    return preview, parts[3].decode("latin-1")
        self.send_error(HTTPStatus.NOT_FOUND, explain="Run the preview command of the editor again.")
        return None, ""

    def _send_page(self, preview: _Preview) -> None:
        try:
            page = self.previews.page(preview.uri)
        except (OSError, ValueError):
            self.send_error(HTTPStatus.GONE, explain="The document is closed in the editor, and has no file.")
        except RequestFailedError as error:
            self.send_error(HTTPStatus.SERVICE_UNAVAILABLE, explain=error.message)
        else:
            self._send("text/html; charset=utf-8", page.encode("utf-8", "replace"))

    def _send_asset(self, name: str) -> None:
        from rui_inspector.html.pages import live_assets  # noqa: PLC0415  slow

        for asset in live_assets():
            if asset.name == name:
                self._send(asset.media_type, asset.content)
                return
        self.send_error(HTTPStatus.NOT_FOUND)

    def _send(self, media_type: str, content: bytes) -> None:
        self._send_headers({"Content-Type": media_type, "Content-Length": str(len(content))})
        self.wfile.write(content)

    def _send_headers(self, headers: dict[str, str]) -> None:
        self.send_response(HTTPStatus.OK)
        for name, value in {**headers, **HEADERS}.items():
            self.send_header(name, value)
        self.end_headers()

    def _send_events(self, preview: _Preview) -> None:
        """Send events until the browser leaves. One that reads slowly gets only the last ones."""
        self._send_headers({"Content-Type": "text/event-stream"})
        version = -1
        caret: int | None = None
        with suppress(OSError):  # The browser has left.
            while True:
                with preview:
                    if (version, caret) == (preview.version, preview.caret):
                        preview.wait(KEEP_ALIVE)
                time.sleep(PAUSE)
                if version != preview.version:
                    version = preview.version
                    self._send_event({"kind": "changed"})
                if caret != preview.caret:
                    caret = preview.caret
                    self._send_event({"kind": "cursor", "offset": caret})
                self.wfile.write(b":\n\n")

    def _send_event(self, event: dict[str, object]) -> None:
        self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
