"""One request with its answer, as the ASGI application sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from rui_api.http.request_record import RECORD
from rui_api.http.response_headers import SECURITY
from rui_api.observability.request_id import HEADER
from rui_api.server.protocol_errors import failed

if TYPE_CHECKING:
    from asyncio import Transport
    from collections.abc import Callable

    from uvicorn._types import ASGIReceiveEvent, ASGISendEvent


class Outlet:
    """The transport, as far as an answer needs it; closing is left to the protocol, which may have more to read.

    Args:
        transport: of the connection.
        close: what closes it.
    """

    __slots__ = ("close", "is_closing", "write")

    def __init__(self, transport: Transport, close: Callable[[], None]) -> None:
        self.write = transport.write
        self.is_closing = transport.is_closing
        self.close = close


class Cycle(RequestResponseCycle):
    """A request that the protocol has read already: the application gets all of its body at once.

    Attributes:
        content: the body, or as much of it as came.
        whole: whether nothing of it is missing.
    """

    content: bytes | bytearray | None = b""
    whole = True
    size = 0

    async def receive(self) -> ASGIReceiveEvent:
        """The body; then that no more will come."""
        content, self.content = self.content, None
        if content is not None and not self.disconnected:
            return {"type": "http.request", "body": bytes(content), "more_body": not self.whole}
        if self.whole and not self.disconnected and not self.response_complete:
            await self.message_event.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: ASGISendEvent) -> None:
        """Write a response of one body message. uvicorn's method checks every header with two regular expressions."""
        if self.flow.write_paused and not self.disconnected:
            await self.flow.drain()
        if self.disconnected:
            return
        if message["type"] == "http.response.start":
            self.response_started = True
            self._head = message
            return
        assert message["type"] == "http.response.body"  # noqa: S101  the application uses no extensions
        self.transport.write(self._encode_head())
        if self.scope["method"] != "HEAD" and message["body"]:
            self.transport.write(message["body"])
        self.response_complete = True
        self.message_event.set()
        if not self.keep_alive:
            self.transport.close()
        self.on_response()

    def _encode_head(self) -> bytes:
        content = [STATUS_LINE[self._head["status"]]]
        closes = False
        for name, value in (*self.default_headers, *self._head["headers"]):
            content += (name, b": ", value, b"\r\n")
            if name == b"connection":
                self.keep_alive = False
                closes = True
        if not self.keep_alive and not closes:
            content.append(b"connection: close\r\n")
        content.append(b"\r\n")
        return b"".join(content)

    async def send_500_response(self) -> None:
        """What is answered when the application raised, or said nothing."""
        refusal = failed()
        record = self.scope["state"].get(RECORD)
        common = SECURITY if record is None else (*SECURITY, (HEADER, record.request_id))
        head, body = refusal.to_http(common, head=False)
        lines = [line.split(b": ", 1) for line in head.splitlines()[1:-1]]
        headers = [(name, value) for name, value in lines]
        await self.send({"type": "http.response.start", "status": refusal.status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body, "more_body": False})
