"""One request with its answer, as the ASGI application sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from rui_api.refusals import failed

if TYPE_CHECKING:
    from asyncio import Transport
    from collections.abc import Callable

    from uvicorn._types import ASGIReceiveEvent


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

    async def send_500_response(self) -> None:
        """What is answered when the application raised, or said nothing."""
        refusal = failed()
        head, _, body = refusal.to_http((), head=False).partition(b"\r\n\r\n")
        lines = [line.split(b": ", 1) for line in head.split(b"\r\n")[1:]]
        headers = [(name, value) for name, value in lines]
        await self.send({"type": "http.response.start", "status": refusal.status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body, "more_body": False})
