"""As much of HTTP/1.1 as a page of the same machine needs: one request per connection, small bodies, time limits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import NamedTuple

from rui_lsp.protocol.log import logger

MAX_HEADER = 16_384
"""Bytes of a request line with all headers."""

MAX_BODY = 100
"""Bytes of the body of a request."""

MAX_CONNECTIONS = 64
READ_TIMEOUT = 10.0
"""Seconds in which a client must send its request."""

_TEXT = "text/plain; charset=utf-8"


class Request(NamedTuple):
    """A request.

    Attributes:
        method: such as ``GET``.
        path: the path of its target, without the query.
        headers: the headers, by their names in lower case.
        body: the body.
    """

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Response(NamedTuple):
    """A response with a body."""

    body: bytes
    media_type: str = _TEXT
    status: HTTPStatus = HTTPStatus.OK
    headers: Mapping[str, str] = {}


class HttpError(Exception):
    """A request is refused.

    Args:
        status: the status of the response.
        text: the reason, a sentence for a person.
        headers: further headers of the response.
    """

    def __init__(self, status: HTTPStatus, text: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(text)
        self.response = Response(f"{text}\n".encode(), status=status, headers=headers or {})


class Connection:
    """The connection of one request."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, headers: Mapping[str, str]) -> None:
        """Args: the streams, and the headers of every response."""
        self._reader = reader
        self._writer = writer
        self._headers = headers

    async def read(self) -> Request:
        """Read the request.

        Raises:
            HttpError: it is malformed or too large.
            TimeoutError: it takes longer than `READ_TIMEOUT`.
            asyncio.IncompleteReadError: the client has closed the connection.
        """
        async with asyncio.timeout(READ_TIMEOUT):
            try:
                head = await self._reader.readuntil(b"\r\n\r\n")
            except asyncio.LimitOverrunError:
                raise HttpError(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "The headers are too long.") from None
            method, target, headers = _parse(head)
            length = headers.get("content-length", "0")
            if "transfer-encoding" in headers or not (length.isascii() and length.isdecimal()):
                raise HttpError(HTTPStatus.BAD_REQUEST, "A body needs a Content-Length.")
            if len(length) > len(str(MAX_BODY)) or int(length) > MAX_BODY:
                raise HttpError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A body has at most {MAX_BODY} bytes.")
            body = await self._reader.readexactly(int(length))
        return Request(method, target.partition("?")[0], headers, body)

    async def send(self, response: Response, *, is_head: bool = False) -> None:
        """Send a response, without its body if the request is a ``HEAD``."""
        headers = {"Content-Type": response.media_type, "Content-Length": str(len(response.body)), **response.headers}
        self._start(response.status, headers)
        if not is_head:
            self._writer.write(response.body)
        await self._writer.drain()

    def start_events(self) -> None:
        """Send the head of a stream of server-sent events."""
        self._start(HTTPStatus.OK, {"Content-Type": "text/event-stream"})

    async def send_event(self, data: str) -> None:
        """Send an event, whose data has one line; ``""`` keeps the connection alive."""
        line = ":" if data == "" else f"data: {data}"
        self._writer.write(f"{line}\n\n".encode())
        await self._writer.drain()

    async def wait_closed(self) -> None:
        """Wait until the client closes the connection."""
        with suppress(OSError):
            while await self._reader.read(1024):
                pass

    def _start(self, status: HTTPStatus, headers: Mapping[str, str]) -> None:
        lines = [f"HTTP/1.1 {status.value} {status.phrase}", "Connection: close"]
        lines += [f"{name}: {value}" for name, value in {**self._headers, **headers}.items()]
        self._writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))


class HttpServer:
    """Listens on an address of this machine."""

    def __init__(
        self, handle: Callable[[Connection, Request], Awaitable[Response | None]], headers: Mapping[str, str]
    ) -> None:
        """Set up a server.

        Args:
            handle: returns the response to a request, or None if it has sent one itself; raises `HttpError`.
            headers: the headers of every response.
        """
        self._handle = handle
        self._headers = headers
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def listen(self, host: str, port: int) -> int:
        """Accept connections; return the port.

        Args:
            host: the address.
            port: the port; 0 for any free one.

        Raises:
            OSError: the port is not available.
        """
        self._server = await asyncio.start_server(self._connected, host, port, limit=MAX_HEADER)
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Stop, and end all connections."""
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._answer(Connection(reader, writer, self._headers))
        except (OSError, asyncio.IncompleteReadError):
            logger.debug("a browser has closed its connection")
        finally:
            writer.close()
            with suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _answer(self, connection: Connection) -> None:
        is_head = False
        response: Response | None
        try:
            if len(self._tasks) > MAX_CONNECTIONS:
                raise HttpError(HTTPStatus.SERVICE_UNAVAILABLE, "The preview has too many connections.")
            request = await connection.read()
            is_head = request.method == "HEAD"
            response = await self._handle(connection, request)
        except HttpError as error:
            response = error.response
        except (OSError, asyncio.IncompleteReadError):
            raise
        except Exception:
            logger.exception("internal fault in the live preview")
            response = HttpError(HTTPStatus.INTERNAL_SERVER_ERROR, "Internal fault; the log has the reason.").response
        if response is not None:
            await connection.send(response, is_head=is_head)


def _parse(head: bytes) -> tuple[str, str, dict[str, str]]:
    """The method, target and headers of a request."""
    first, *lines = head.decode("latin-1").split("\r\n")[:-2]
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1.") or not words[1].startswith("/"):
        raise HttpError(HTTPStatus.BAD_REQUEST, "Not an HTTP/1.1 request.")
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or name.strip() != name or name.lower() in headers:
            raise HttpError(HTTPStatus.BAD_REQUEST, "A header is malformed or repeated.")
        headers[name.lower()] = value.strip()
    return words[0], words[1], headers
