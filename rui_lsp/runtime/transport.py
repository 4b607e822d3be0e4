"""A session on standard input and output, or on a socket: an event loop that reads before it computes."""

from __future__ import annotations

import asyncio
import os
import stat
import threading
import time
from contextlib import suppress
from functools import partial
from typing import TypeVar

from rui_lsp.scheduling.idle import note_work, set_pace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rui_lsp.runtime.session import Session

_T = TypeVar("_T")

HOST = "127.0.0.1"

_CHUNK = 65536
_PATIENCE = 0.05  # seconds that work waits at most while the client goes on sending
_FAREWELL = 2.0  # seconds that the client has to take what is still to be sent to it at the end


class Connection(asyncio.Protocol):
    """Feeds a session with what comes in, and lets it work when nothing more does.

    So of a burst of changes every one is applied, but only the last text is read for diagnostics.

    Args:
        session: what to feed.
        closed: called once, when the session has ended: with whether the client said so, or else is just gone.
    """

    def __init__(self, session: Session, closed: Callable[[bool], None]) -> None:
        self._session = session
        self._closed: Callable[[bool], None] | None = closed
        self._loop = asyncio.get_running_loop()
        self._waiting_since = 0.0
        self._received = False
        self._scheduled = False
        self._client_reads = True
        session.wake = self._wake

    def data_received(self, data: bytes) -> None:
        """Take in bytes."""
        self._received = True
        note_work()
        self._session.feed(data)
        self.schedule()

    def eof_received(self) -> None:
        """Note that nothing more comes."""
        self._close()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """Note that nothing more comes or goes."""
        self._close()

    def pause_writing(self) -> None:
        """Hold work back: the client does not read, and what is computed now would be out of date when it does."""
        self._client_reads = False

    def resume_writing(self) -> None:
        """Go on."""
        self._client_reads = True
        self.schedule()

    def _wake(self) -> None:
        with suppress(RuntimeError):  # The loop is closed: nobody wants it any more.
            self._loop.call_soon_threadsafe(self.schedule)

    def schedule(self) -> None:
        """See to it that the session works soon, if there is something to do, or ends if it is over."""
        if self._session.exit_code is not None:
            self._close()
        elif self._session.has_work and self._client_reads and not self._scheduled:
            self._scheduled = True
            self._waiting_since = time.monotonic()
            self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        """Work, unless something came in since the last turn: then more may be there to be read first."""
        note_work()
        if self._received and time.monotonic() - self._waiting_since < _PATIENCE:
            self._received = False
            self._loop.call_soon(self._turn)
            return
        self._scheduled = False
        self._session.work()
        self._received = True  # Between two pieces of work there is a look at what has come in.
        self.schedule()
        if not self._scheduled:
            self._session.idle()

    def _close(self) -> None:
        closed, self._closed = self._closed, None
        if closed is not None:
            said_exit = self._session.exit_code is not None
            self._session.end_of_input()
            closed(said_exit)


class _Output(asyncio.Protocol):
    """The writing end of standard output: passes on whether the client reads."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def pause_writing(self) -> None:
        """The client does not read."""
        self._connection.pause_writing()

    def resume_writing(self) -> None:
        """The client reads again."""
        self._connection.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Everything is written, or the client is gone."""
        _settle(self.lost, None)
        self._connection.connection_lost(exc)


def _settle(future: asyncio.Future[_T], value: _T) -> None:
    """Give a future its value, unless it has one or nobody waits for it any more."""
    if not future.done():
        future.set_result(value)


def serve_stdio(session: Session, source: int, target: int) -> int:
    """Serve one client until it leaves.

    Args:
        session: the session; from now on it sends through the event loop.
        source: the file descriptor to read from: a pipe, a socket, a terminal or a file.
        target: the file descriptor to write to.

    Returns:
        The exit code of the process: 0 after an orderly end, else 1.
    """
    return asyncio.run(_serve_stdio(session, source, target))


async def _serve_stdio(session: Session, source: int, target: int) -> int:
    set_pace()
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[bool] = loop.create_future()
    connection = Connection(session, partial(_settle, ended))
    reading = writing = None
    if _is_pipe(target):
        pipe = open(target, "wb", buffering=0)  # noqa: SIM115  its transport closes it
        writing, output = await loop.connect_write_pipe(lambda: _Output(connection), pipe)
        session.send = writing.write
    if _is_pipe(source):
        pipe = open(source, "rb", buffering=0, closefd=False)  # noqa: SIM115
        reading, _ = await loop.connect_read_pipe(lambda: connection, pipe)
    else:
        threading.Thread(target=_read_all, args=(source, connection, loop), daemon=True).start()
    connection.schedule()
    try:
        await ended
    finally:
        _leave_off()
        for transport in (reading, writing):
            if transport is not None:
                transport.close()
    if writing is not None:
        await asyncio.wait([output.lost], timeout=_FAREWELL)
    return session.exit_code or 0


def _leave_off() -> None:
    """End what is still computed aside: nobody waits for it."""
    from rui_lsp.scheduling.worker_process import HELPER  # noqa: PLC0415  not needed before

    HELPER.stop()


def _is_pipe(descriptor: int) -> bool:
    """Whether the event loop can wait for it; terminals are left out, as they would stay non-blocking afterwards."""
    mode = os.fstat(descriptor).st_mode
    return os.name != "nt" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


def _read_all(source: int, connection: Connection, loop: asyncio.AbstractEventLoop) -> None:
    """Feed the connection from a thread of its own."""
    try:
        while data := os.read(source, _CHUNK):
            loop.call_soon_threadsafe(connection.data_received, data)
        loop.call_soon_threadsafe(connection.eof_received)
    except RuntimeError:
        pass  # The loop is closed: nobody wants it any more.


def serve_tcp(make_session: Callable[[], Session], port: int, listening: Callable[[int], None]) -> int:
    """Serve every client that connects from this machine, each with a session of its own, until one says `exit`.

    Args:
        make_session: makes a session; what it sends goes nowhere yet.
        port: the port to listen on; 0 for any that is free.
        listening: called with the port, once clients can connect.

    Returns:
        The exit code of the process.

    Raises:
        OSError: the port cannot be had.
    """
    return asyncio.run(_serve_tcp(make_session, port, listening))


async def _serve_tcp(make_session: Callable[[], Session], port: int, listening: Callable[[int], None]) -> int:
    set_pace()
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[int] = loop.create_future()
    server = await loop.create_server(lambda: _TcpConnection(make_session(), ended), HOST, port)
    listening(server.sockets[0].getsockname()[1])
    try:
        return await ended
    finally:
        _leave_off()
        server.close()


class _TcpConnection(Connection):
    """One client on a socket. One that says `exit` ends the server; one that is gone may come back."""

    def __init__(self, session: Session, ended: asyncio.Future[int]) -> None:
        super().__init__(session, self._left)
        self._said_exit = False
        self._ended = ended
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send to the socket from now on."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101
        self._transport = transport
        self._session.send = transport.write

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that nothing more comes or goes, and everything is sent."""
        super().connection_lost(exc)
        if self._said_exit:
            _settle(self._ended, self._session.exit_code or 0)

    def _left(self, said_exit: bool) -> None:
        self._said_exit = said_exit
        if self._transport is not None:
            self._transport.close()
