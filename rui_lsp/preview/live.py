"""The previews of a session in a browser, at addresses that only this machine reaches and only its author knows.

- The server listens on the loopback interface. A name in ``Host`` that a foreign site has pointed at it is refused (DNS
  rebinding), and so are requests that other sites send (``Origin``).
- Each address contains a secret. The page has the inspector's content security policy and sends no ``Referer``.
"""

import asyncio
import json
import re
import secrets
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from lsprotocol import types

from rui_common.grounding import UNGROUNDED, Grounding
from rui_common.validation.diagnostics import Diagnostic
from rui_inspector.html.pages import LIVE_ASSETS, PageHost, load_assets, preview_page
from rui_lsp.convert import to_offset, to_position
from rui_lsp.protocol.errors import RequestFailedError
from rui_lsp.protocol.log import logger
from rui_lsp.server import DocumentObserver, RuiLanguageServer
from rui_lsp.session.files import read_closed
from rui_lsp.session.uris import uri_key

HOST = "127.0.0.1"
# The addresses in a page, relative to it (see `rui_inspector.html.pages.PageHost`).
ADDRESSES = {"stylesheet": "live.css", "script": "live.js", "icon": "inspector.svg", "refresh": "."}
ASSETS = load_assets(LIVE_ASSETS)
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_OWN_HOST = re.compile(r"(127\.0\.0\.1|localhost)(:\d+)?", re.ASCII | re.IGNORECASE)  # any port: it may be forwarded
_CLICKED = re.compile(r"clicked/(\d{1,12})", re.ASCII)


class PageContent(NamedTuple):
    """What the page of a document shows, for another thread: an open document belongs to its own."""

    source: str | bytes  # the text, or the bytes of a file
    differences: Sequence[Diagnostic] = ()  # where the bindings differ from the OpenAPI description
    grounding: Grounding = UNGROUNDED  # what the description states about the bindings

    def render(self, addresses: dict[str, str]) -> str:
        """Return the page, with the addresses in it (see `rui_inspector.html.pages.PageHost`)."""
        return preview_page(self.source, PageHost(**addresses), self.differences, self.grounding)


def content_of(ls: RuiLanguageServer, uri: str) -> PageContent:
    """Return the content of an open document, else that of its file.

    Raises:
        RequestFailedError: there is none.
    """
    document = ls.documents.find(uri)
    if document is None:
        return PageContent(read_closed(uri))
    return PageContent(document.source, document.api_diagnostics(), document.grounding())


class _Preview(threading.Condition):
    """The preview of one document. The threads of its browsers wait for events; of each kind, the last is kept."""

    def __init__(self, uri: str) -> None:
        super().__init__()
        self.uri = uri
        self.secret = secrets.token_urlsafe(16)
        self.events: dict[str, str] = {}
        self.announce("changed")

    def announce(self, kind: str, **values: object) -> None:
        with self:
            self.events[kind] = f"id: {time.monotonic_ns()}\ndata: {json.dumps({'kind': kind, **values})}\n\n"
            self.notify_all()


class LivePreviews(DocumentObserver):
    """The previews of one session, by the secrets of their addresses, with their HTTP server."""

    def __init__(self, ls: RuiLanguageServer) -> None:
        self.by_secret: dict[str, _Preview] = {}
        self._loop = asyncio.get_running_loop()
        self._ls = ls
        self._server = _Server((HOST, 0), type("Handler", (_Handler,), {"previews": self}))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()  # They end with the process.

    def address(self, uri: str) -> str:
        preview = self._find(uri) or _Preview(uri)
        self.by_secret[preview.secret] = preview
        return f"http://{HOST}:{self._server.server_port}/{preview.secret}/"

    def _find(self, uri: str) -> _Preview | None:
        return next((preview for preview in self.by_secret.values() if uri_key(preview.uri) == uri_key(uri)), None)

    def changed(self, uri: str) -> None:
        preview = self._find(uri)
        if preview is not None:
            preview.announce("changed")

    def caret_moved(self, uri: str, position: types.Position) -> None:
        preview = self._find(uri)
        document = self._ls.documents.find(uri)
        if preview is not None and document is not None:
            preview.announce("cursor", offset=to_offset(position, document.positions))

    def page(self, uri: str) -> str:
        """Render the page of a document; called in a thread of the HTTP server."""

        async def content() -> PageContent:
            return content_of(self._ls, uri)

        return asyncio.run_coroutine_threadsafe(content(), self._loop).result().render(ADDRESSES)

    def show(self, uri: str, offset: int) -> bool:
        """Move the caret of the editor to an offset in code points; called in a thread of the HTTP server."""

        async def show() -> bool:
            document = self._ls.documents.find(uri)
            if document is None:
                return False
            position = to_position(offset, document.positions)
            selection = types.Range(position, position)
            return await self._ls.show_document(types.ShowDocumentParams(uri, take_focus=True, selection=selection))

        return asyncio.run_coroutine_threadsafe(show(), self._loop).result()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002  as the library has it
        """Log a fault, but no browser that has left, and no end of the session during a request."""
        if not isinstance(sys.exception(), OSError | CancelledError):
            logger.exception("internal fault in the preview")


class _Handler(BaseHTTPRequestHandler):
    """Answers one request. Each connection has a thread."""

    previews: LivePreviews
    timeout = 10  # seconds in which a client must send its request

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name in the standard library
        logger.debug(format, *args)

    def _find(self) -> tuple[_Preview | None, str]:
        """Return the preview and the name in the path ``/SECRET/NAME``; without one, send an error."""
        if not _OWN_HOST.fullmatch(self.headers.get("Host", "")):
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
            return None, ""
        secret, _, name = self.path.partition("?")[0].removeprefix("/").partition("/")
        preview = self.previews.by_secret.get(secret)
        if preview is None:
            self.send_error(HTTPStatus.NOT_FOUND, explain="Run the preview command of the editor again.")
        return preview, name

    def do_GET(self) -> None:
        preview, name = self._find()
        if preview is None:
            return
        if name == "events":
            self._send_events(preview)
        elif name == "":
            self._send_page(preview)
        elif name in ASSETS:
            self._send(*ASSETS[name])
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        """Move the caret of the editor to the offset in the address, if the page itself sends the request."""
        preview, name = self._find()
        if preview is None:
            return
        clicked = _CLICKED.fullmatch(name)
        if clicked is None or self.headers.get("Origin") != f"http://{self.headers['Host']}":
            self.send_error(HTTPStatus.FORBIDDEN)
        elif self.previews.show(preview.uri, int(clicked[1])):
            self._send("text/plain")
        else:
            self.send_error(HTTPStatus.BAD_GATEWAY, "The editor could not show the document")

    def _send_page(self, preview: _Preview) -> None:
        try:
            page = self.previews.page(preview.uri)
        except RequestFailedError as error:
            self.send_error(HTTPStatus.GONE, explain=error.message)
        else:
            self._send("text/html; charset=utf-8", page.encode("utf-8", "replace"))

    def _send(self, media_type: str, content: bytes | None = b"") -> None:
        """Send a response; without a content, this ends with the connection."""
        self.send_response(HTTPStatus.OK)
        for name, value in {"Content-Type": media_type, **HEADERS}.items():
            self.send_header(name, value)
        if content is not None:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content or b"")

    def _send_events(self, preview: _Preview) -> None:
        """Send events until the browser leaves. One that reads slowly gets only the last ones."""
        self._send("text/event-stream", None)
        sent: list[str] = []
        with suppress(OSError):  # The browser has left.
            while True:
                with preview:
                    if sent == list(preview.events.values()):
                        preview.wait(15)
                time.sleep(0.1)  # Several changes in this time are one event.
                events = list(preview.events.values())
                new = "".join(event for event in events if event not in sent)
                sent = events
                self.wfile.write(new.encode() or b":\n\n")  # A comment shows whether the browser is still there.
