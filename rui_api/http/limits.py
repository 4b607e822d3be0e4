"""ASGI middleware with the limits of requests: their number, the size of a body and the time for it; unread bodies."""

import asyncio
from dataclasses import dataclass, field

from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPReceiveMessage, HTTPScope, Message, Receive, Scope, Send

from rui_api.contract.endpoints import API_PREFIX
from rui_api.contract.errors import OVERLOADED
from rui_api.http.errors import InvalidBody, ServiceError
from rui_common.vocabulary.rules import MAX_BODY_BYTES

HEALTH = "/api/health"  # the path that is answered above the limit, too
SPLIT = "Send it without spaces and line breaks between the values, or store the app as several RUIs."
"""What a client can do about a body that is too long."""
MAX_FORM_BYTES = 3 * MAX_BODY_BYTES + 16_384
"""Maximum length of a body outside of the API: URL encoding takes three bytes for most characters of JSON."""
DISCARD_SECONDS = 1.0
MAX_DISCARDED = 4 << 20
"""Bytes of a body that are received after the response is decided. The connection is closed after it."""
MAX_DISCARDING = 50
"""Bodies that nobody reads and that are received at the same time: each one holds memory for a second."""


@dataclass
class RequestLimits:
    """The limits of all requests of a process: their number, the time for a body, and the length of all bodies.

    A body has up to 256 KB, a form three times as much.
    """

    max_requests: int = 500
    body_seconds: float = 30.0
    max_bodies_bytes: int = 64 << 20
    _running: int = field(default=0, init=False)
    _bodies_bytes: int = field(default=0, init=False)

    def middleware(self, app: ASGIApp) -> ASGIApp:
        """Return the application with these limits."""

        async def handle(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != ScopeType.HTTP or scope["path"] == HEALTH:
                await app(scope, receive, send)
                return
            if self._running >= self.max_requests:
                raise ServiceError(OVERLOADED)
            body = _Body(scope, receive, self)
            if scope["method"] == "POST":
                receive = body.receive
            self._running += 1
            try:
                await app(scope, receive, send)
            finally:
                self._running -= 1
                self._bodies_bytes -= body.size

        return handle

    def add_bytes(self, count: int) -> None:
        """Count received bytes, and raise `ServiceError` above the limit."""
        self._bodies_bytes += count
        if self._bodies_bytes > self.max_bodies_bytes:
            raise ServiceError(OVERLOADED)


class _Body:
    """Receives a body within its limits, and the limits of all requests."""

    def __init__(self, scope: HTTPScope, receive: Receive, limits: RequestLimits) -> None:
        self.size = 0
        self._scope = scope
        self._receive = receive
        self._limits = limits
        self._deadline: float | None = None
        self._is_complete = False
        self._max_bytes = MAX_FORM_BYTES
        self._noun = "form"
        if scope["path"].startswith(API_PREFIX):
            self._max_bytes = MAX_BODY_BYTES
            self._noun = "body"

    async def receive(self) -> HTTPReceiveMessage:
        """Receive a message.

        Raises:
            InvalidBody: the body is too long, cut off, or not complete in time.
            ServiceError: the bodies of all requests are too long.
        """
        if self._is_complete:  # only the end of the connection is awaited
            return await self._receive()  # type: ignore[return-value]
        if self._deadline is None:
            self._deadline = asyncio.get_running_loop().time() + self._limits.body_seconds
            self._check_announced_length()
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError:
            message = {"type": "http.disconnect"}
        if message["type"] != "http.request":
            raise InvalidBody("The body is not complete: it was cut off, or took too long.", is_incomplete=True)
        self._is_complete = not message.get("more_body")
        self.size += len(message["body"])
        self._limits.add_bytes(len(message["body"]))
        if self.size > self._max_bytes:
            raise InvalidBody(f"The {self._noun} is longer than {self._max_bytes} bytes. {SPLIT}", is_incomplete=True)
        return message

    def _check_announced_length(self) -> None:
        length = Headers.from_scope(self._scope).get("content-length", "0")[:20]
        if int(length) > self._max_bytes:
            reason = f"The {self._noun} has {length} bytes; the limit is {self._max_bytes}. {SPLIT}"
            raise InvalidBody(reason, is_incomplete=True)


class UnreadBodies:
    """ASGI middleware that closes the connection after a response if the body of the request was not read to its end.

    uvicorn would discard the rest without a limit, and log a stack trace if the rest is malformed. A request with
    Content-Length and Transfer-Encoding has two possible ends: its connection is closed, too (RFC 9112, section 6.1).
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._discarding = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers.from_scope(scope) if scope["type"] == ScopeType.HTTP else {}
        is_chunked = "transfer-encoding" in headers
        has_length = headers.get("content-length", "0") != "0"
        if not is_chunked and not has_length:
            await self._app(scope, receive, send)
            return
        is_complete = False

        async def receive_and_note() -> HTTPReceiveMessage:
            nonlocal is_complete
            message = await receive()
            is_complete = not message.get("more_body")
            return message  # type: ignore[return-value]

        async def send_and_close(message: Message) -> None:
            if message["type"] == "http.response.start":
                if not is_complete and "expect" not in headers:  # that client waits for 100 Continue
                    await self._discard(receive)
                if not is_complete or (is_chunked and has_length):
                    MutableScopeHeaders.from_message(message)["connection"] = "close"
            await send(message)

        await self._app(scope, receive_and_note, send_and_close)

    async def _discard(self, receive: Receive) -> None:
        """Receive more of a body, for a short time: a client that is still sending may not read the response."""
        if self._discarding >= MAX_DISCARDING:
            return
        self._discarding += 1
        size = 0
        try:
            async with asyncio.timeout(DISCARD_SECONDS):
                while size < MAX_DISCARDED:
                    message = await receive()
                    if message["type"] != "http.request" or not message.get("more_body"):
                        return
                    size += len(message["body"])
        except TimeoutError:
            pass
        finally:
            self._discarding -= 1
