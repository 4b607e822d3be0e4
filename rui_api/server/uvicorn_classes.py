"""The only file that uses uvicorn's undocumented classes; `docs/http-server.md` lists what it relies on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import httptools
from uvicorn._types import ASGIReceiveEvent, ASGISendEvent, HTTPResponseStartEvent
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from rui_api.http.error_responses import internal_error
from rui_api.http.request_record import RECORD
from rui_api.http.response_headers import SECURITY
from rui_api.observability.request_id import HEADER

MAX_JOINED = 65_536
"""Bytes of a body that is written together with the head: copying them costs less than a second system call."""


class ResponseWriter:
    """The transport as a request cycle uses it. The protocol decides how to close the connection.

    Args:
        transport: the transport of the connection.
        close: called after the last response of the connection.
    """

    __slots__ = ("close", "is_closing", "write")

    def __init__(self, transport: asyncio.Transport, close: Callable[[], None]) -> None:
        self.write = transport.write
        self.is_closing = transport.is_closing
        self.close = close


class RequestCycle(RequestResponseCycle):
    """One request and its response. The application starts when the request is complete.

    Attributes:
        content: the body, or the part of it that was read. The application's first `receive` takes it.
        is_complete: whether `content` is the whole body.
        size: bytes that are reserved in the registry until the response is sent.
    """

    content: bytes | bytearray | None = b""
    is_complete = True
    size = 0

    async def receive(self) -> ASGIReceiveEvent:
        """Return the body, then wait for the disconnect."""
        content = self.content
        self.content = None
        if content is not None and not self.disconnected:
            return {"type": "http.request", "body": bytes(content), "more_body": not self.is_complete}
        if self.is_complete and not self.disconnected and not self.response_complete:
            await self.message_event.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: ASGISendEvent) -> None:
        """Write a response of one body message.

        uvicorn's method matches every header with two regular expressions: 8 µs for the headers of this service.
        """
        if self.flow.write_paused and not self.disconnected:
            await self.flow.drain()
        if self.disconnected:
            return
        if message["type"] == "http.response.start":
            self.response_started = True
            self._start = message
            return
        assert message["type"] == "http.response.body"  # noqa: S101  the application uses no extensions
        head = self._encode_head(self._start)
        body = message["body"] if self.scope["method"] != "HEAD" else b""
        if len(body) <= MAX_JOINED:
            self.transport.write(head + body)
        else:
            self.transport.write(head)
            self.transport.write(body)
        self.response_complete = True
        self.message_event.set()
        if not self.keep_alive:
            self.transport.close()
        self.on_response()

    def _encode_head(self, start: HTTPResponseStartEvent) -> bytes:
        lines = [STATUS_LINE[start["status"]]]
        closes = False
        for name, value in (*self.default_headers, *start["headers"]):
            lines += (name, b": ", value, b"\r\n")
            if name == b"connection":
                closes = True
        if closes:
            self.keep_alive = False
        elif not self.keep_alive:
            lines.append(b"connection: close\r\n")
        lines.append(b"\r\n")
        return b"".join(lines)

    async def send_500_response(self) -> None:
        """Send the response to an exception of the middleware, which Litestar does not handle."""
        response = internal_error()
        headers = [*response.raw_headers, *SECURITY, (b"connection", b"close")]
        record = self.scope["state"].get(RECORD)
        if record is not None:
            headers.append((HEADER, record.request_id))
        await self.send({"type": "http.response.start", "status": response.status, "headers": headers})
        await self.send({"type": "http.response.body", "body": response.content, "more_body": False})


class ConnectionBase(HttpToolsProtocol):
    """What the protocol needs of uvicorn: scope, request cycles, tasks and a parser."""

    def create_cycle(self, writer: ResponseWriter, *, keep_alive: bool) -> RequestCycle:
        """Return a cycle for the request in `self.scope`."""
        return RequestCycle(
            scope=self.scope,
            transport=writer,  # type: ignore[arg-type]  # the part of a transport that a cycle uses
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=self.access_log,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=False,
            keep_alive=keep_alive,
            on_response=self.on_response_complete,
        )

    def start_task(self, cycle: RequestCycle) -> None:
        """Run the application for a request."""
        task = self.loop.create_task(cycle.run_asgi(self.app))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def reset_parser(self) -> None:
        """Replace the parser, which has stopped at an Upgrade header."""
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
