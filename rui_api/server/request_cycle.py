"""One request with its answer, as the ASGI application sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from rui_api.http.request_record import RECORD
from rui_api.http.response_headers import SECURITY, lines_of
from rui_api.observability.request_id import HEADER
from rui_api.server.protocol_errors import failed

if TYPE_CHECKING:
    from asyncio import Transport
    from collections.abc import Callable
    from typing import Any

    from uvicorn._types import ASGIReceiveEvent

    AtOnce = Callable[[Any, bytes | bytearray, Any], bool]


ANSWER = "rui.answer"
"""Where, in the scope of a request, `Cycle.answer` is, for the first that takes it out."""

TOGETHER = 16_384
"""Up to so many bytes are written together with the head; of more, a copy costs more than it saves."""


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

    def answers_at_once(self, at_once: AtOnce | None) -> bool:
        """Whether the request was answered just now, without the application."""
        if at_once is None or not self.keep_alive or not self.whole or self.flow.write_paused:
            return False
        if not at_once(self.scope, self.content or b"", self.answer):
            return False
        self.content = None  # the connection may rest for long, and this with it
        return True

    def answer(self, status: int, lines: bytes, content: bytes) -> bool:
        """Say all of an answer at once, past ASGI's messages, which uvicorn looks at one header after the other.

        Args:
            status: of HTTP.
            lines: its header lines, each with its end; the length of `content` is among them, `Connection` is not.
            content: its body.

        Returns:
            Whether that was possible; else it has to be sent as ASGI has it.
        """
        if self.response_started or self.disconnected or self.flow.write_paused:
            return False
        self.response_started = self.response_complete = True
        end = b"\r\n" if self.keep_alive else b"connection: close\r\n\r\n"
        head = b"%b%b%b%b" % (STATUS_LINE[status], lines_of(self.default_headers), lines, end)
        if len(content) <= TOGETHER:
            self.transport.write(head + content)
        else:
            self.transport.write(head)
            self.transport.write(content)
        self.message_event.set()
        if not self.keep_alive:
            self.transport.close()
        self.on_response()
        return True

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
