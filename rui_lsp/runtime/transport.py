"""Serving a client on standard input and output, or several on a socket."""

from __future__ import annotations

import asyncio
import os
import stat
import threading
from collections.abc import Callable
from contextlib import suppress

from pygls.io_ import run_async

from rui_lsp.protocol.log import loop_logger
from rui_lsp.runtime.create import create_server
from rui_lsp.runtime.reader import MessageReader
from rui_lsp.scheduling.timing import keep_imported_objects
from rui_lsp.scheduling.worker_process import API_WORKER, WORKER
from rui_lsp.server.server import RuiLanguageServer

HOST = "127.0.0.1"

_CHUNK = 65536
_CLOSE_TIMEOUT = 2.0  # seconds in which the client must read the remaining output


def serve_stdio(source: int, target: int) -> int:
    """Serve one client until it leaves.

    Args:
        source: the file descriptor to read from: a pipe, a socket, a terminal or a file.
        target: the file descriptor to write to.

    Returns:
        The exit code of the process: 0 after ``shutdown``, else 1.
    """
    keep_imported_objects()
    return asyncio.run(_serve_stdio(source, target))


def serve_tcp(port: int, on_listening: Callable[[int], None]) -> int:
    """Serve every client that connects from this machine, each with its own server, until one sends ``exit``.

    Args:
        port: the port to listen on; 0 for any free one.
        on_listening: called with the port, once clients can connect.

    Returns:
        The exit code of the process.

    Raises:
        OSError: the port is not available.
    """
    keep_imported_objects()
    return asyncio.run(_serve_tcp(port, on_listening))


async def _serve_stdio(source: int, target: int) -> int:
    stream = asyncio.StreamReader()
    transport = await _connect_input(source, stream)
    writer = await _open_output(target)
    try:
        return await _serve(create_server(), stream, writer)
    finally:
        if transport is not None:
            transport.close()
        await writer.close()


async def _serve_tcp(port: int, on_listening: Callable[[int], None]) -> int:
    exit_code: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def connected(reader: asyncio.StreamReader, stream_writer: asyncio.StreamWriter) -> None:
        server = create_server()
        writer = StreamWriter(stream_writer)
        code = await _serve(server, reader, writer)
        await writer.close()
        if server.protocol.has_exited and not exit_code.done():
            exit_code.set_result(code)

    async with await asyncio.start_server(connected, HOST, port) as listener:
        on_listening(listener.sockets[0].getsockname()[1])
        return await exit_code


async def _serve(
    server: RuiLanguageServer, stream: asyncio.StreamReader, writer: StreamWriter | DescriptorWriter
) -> int:
    """Serve one client until it sends ``exit`` or its input ends; return the exit code."""
    protocol = server.protocol
    protocol.set_writer(writer)  # type: ignore[arg-type]  # pygls awaits `close` of any writer
    reader = MessageReader(stream, protocol.handle_malformed)
    receiving = asyncio.create_task(
        run_async(threading.Event(), reader, protocol, loop_logger, protocol.handle_malformed)
    )
    protocol.on_exit = receiving.cancel
    try:
        await receiving
        await protocol.drain()
    except asyncio.CancelledError:
        if not protocol.has_exited:
            raise
    finally:
        await server.end_session()
        WORKER.stop()
        API_WORKER.stop()
    return protocol.exit_code


class StreamWriter:
    """What pygls writes to; closing it waits until the client has read everything."""

    def __init__(self, stream: asyncio.StreamWriter) -> None:
        self._stream = stream

    def write(self, data: bytes) -> None:
        self._stream.write(data)

    async def close(self) -> None:
        """Send the rest and close."""
        self._stream.close()
        with suppress(TimeoutError, OSError):
            await asyncio.wait_for(self._stream.wait_closed(), _CLOSE_TIMEOUT)


class DescriptorWriter:
    """A blocking writer for files and terminals, which an event loop cannot write to."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, data: bytes) -> None:
        """Write all bytes before returning.

        Raises:
            SystemExit: the client has closed its end of the pipe.
        """
        remaining = memoryview(data)
        try:
            while remaining:
                remaining = remaining[os.write(self._descriptor, remaining) :]
        except BrokenPipeError:
            raise SystemExit(1) from None  # The client is gone.

    async def close(self) -> None:
        """Everything is written."""


async def _open_output(descriptor: int) -> StreamWriter | DescriptorWriter:
    if not _is_pipe(descriptor):
        return DescriptorWriter(descriptor)
    loop = asyncio.get_running_loop()
    pipe = open(descriptor, "wb", buffering=0)  # noqa: SIM115  its transport closes it
    reader = asyncio.StreamReader()
    transport, protocol = await loop.connect_write_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
    return StreamWriter(asyncio.StreamWriter(transport, protocol, None, loop))


async def _connect_input(descriptor: int, stream: asyncio.StreamReader) -> asyncio.ReadTransport | None:
    """Feed a stream from a file descriptor: by a transport, or by a thread."""
    loop = asyncio.get_running_loop()
    if not _is_pipe(descriptor):
        threading.Thread(target=_read_all, args=(descriptor, stream, loop), daemon=True).start()
        return None
    pipe = open(descriptor, "rb", buffering=0, closefd=False)  # noqa: SIM115
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stream), pipe)
    return transport


def _is_pipe(descriptor: int) -> bool:
    """Whether the event loop can wait for it. Terminals cannot: they would stay non-blocking afterwards."""
    mode = os.fstat(descriptor).st_mode
    return os.name != "nt" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


def _read_all(descriptor: int, stream: asyncio.StreamReader, loop: asyncio.AbstractEventLoop) -> None:
    """Feed a stream from a thread of its own."""
    with suppress(RuntimeError):  # The loop is closed.
        while data := os.read(descriptor, _CHUNK):
            loop.call_soon_threadsafe(stream.feed_data, data)
        loop.call_soon_threadsafe(stream.feed_eof)
