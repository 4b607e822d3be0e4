"""The connection to one client, over standard input and output.

It replaces `start_io` of pygls. That ignores header fields in other spellings, does not answer a message that it cannot
parse, and cannot end while a client keeps standard input open.
"""

import asyncio
import contextlib
import os
import re
import select
from asyncio import IncompleteReadError, StreamReader
from collections.abc import Sequence
from threading import Thread

from rui_lsp.protocol.json_rpc import RuiProtocol
from rui_lsp.protocol.log import logger

MAX_MESSAGE = 1 << 30  # maximum number of bytes of a message, and of a line of its header

# Not anchored at the start: after a header without a length, the next header follows the skipped content in one line.
_CONTENT_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d+)[ \t]*\r?\n", re.IGNORECASE)
_MAX_DIGITS = 10

MAX_WAITING = 1 << 26  # maximum number of bytes that wait until the client reads them

_LAST_SECONDS = 1.0  # how long the end of the session waits for a client that does not read
_CHUNK = 1 << 16  # bytes
_CHECK_SECONDS = 3.0  # between two checks whether the client's process exists


class MessageTooLongError(Exception):
    """A header announces more than `MAX_MESSAGE` bytes."""


async def read_content(reader: StreamReader) -> bytes | None:
    """Return the content of the next message, or None at the end of the input.

    A header without a valid ``Content-Length`` is logged, and its content is skipped. Other header fields are ignored.

    Raises:
        MessageTooLongError: the message is too long.
    """
    while True:
        length: int | None = None
        line_count = 0
        while (line := await reader.readline()).strip():
            line_count += 1
            found = _CONTENT_LENGTH.search(line)
            if found is not None:
                length = _length(found[1])
        if length is not None and line:
            break
        if line_count:
            logger.warning("skipped a message: its header has no valid Content-Length")
        if not line:
            return None
    try:
        return await reader.readexactly(length)
    except IncompleteReadError as error:
        logger.warning("the input ends after %d of %d bytes of a message", len(error.partial), length)
        return None


def _length(digits: bytes) -> int:
    if len(digits) > _MAX_DIGITS or int(digits) > MAX_MESSAGE:
        raise MessageTooLongError(f"a message is longer than {MAX_MESSAGE:,} bytes")
    return int(digits)


class Output:
    """The writer of pygls for a pipe. It ends the session if the client has closed its end, or reads nothing any more.

    What the client does not read yet waits here: the server goes on to see ``exit``, the end of the input, and the end
    of the client's process. On Windows, which has no such pipes, a write waits for the client.

    Args:
        target: the file descriptor of the pipe.
        others: further ones, of which none may be the same pipe.
        ended: is set to end the session.
    """

    def __init__(self, target: int, others: Sequence[int], ended: asyncio.Event) -> None:
        self._target = target
        self._ended = ended
        self._is_open = True
        self._waiting = bytearray()
        if os.name == "posix":
            os.set_blocking(target, False)
            if not all(map(os.get_blocking, others)):  # A terminal, or one socket for input and output.
                os.set_blocking(target, True)

    def write(self, data: bytes) -> None:
        """Write, unless the client has closed its end."""
        if not self._is_open:
            return
        if not self._waiting:
            data = self._send(data)
            if data and self._is_open:
                asyncio.get_running_loop().add_writer(self._target, self._write_waiting)
        self._waiting += data
        if len(self._waiting) > MAX_WAITING:
            self._end(f"it has not read {len(self._waiting):,} bytes")

    def close(self) -> None:
        """Write what waits, as far as the client reads it at once, and close the pipe."""
        while self._is_open and self._waiting:
            _, is_ready, _ = select.select([], [self._target], [], _LAST_SECONDS)
            if not is_ready:
                break
            self._waiting = bytearray(self._send(bytes(self._waiting)))
        self._is_open = False
        with contextlib.suppress(OSError):
            os.close(self._target)

    def _write_waiting(self) -> None:
        self._waiting = bytearray(self._send(bytes(self._waiting)))
        if not self._waiting:
            asyncio.get_running_loop().remove_writer(self._target)

    def _send(self, data: bytes) -> bytes:
        """Write, and return what the client has to make room for."""
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._target, view) :]
        except BlockingIOError:
            return bytes(view)
        except OSError as error:
            self._end(str(error))
        return b""

    def _end(self, reason: str) -> None:
        logger.warning("the client does not read any more: %s", reason)
        self._is_open = False
        self._waiting.clear()
        if os.name == "posix":
            asyncio.get_running_loop().remove_writer(self._target)
        self._ended.set()


async def serve_stdio(protocol: RuiProtocol, stdin: int, stdout: int, stderr: int) -> None:
    """Serve a client that writes to the file descriptor `stdin` and reads from `stdout`, until it ends the session."""
    reader = asyncio.StreamReader(MAX_MESSAGE)
    loop = asyncio.get_running_loop()
    # A daemon, as a thread that waits for a client cannot be ended.
    Thread(target=_pump, args=(stdin, reader, loop), daemon=True).start()
    output = Output(stdout, (stdin, stderr), protocol.ended)
    protocol.set_writer(output)
    ends = (read_messages(protocol, reader), protocol.ended.wait(), _wait_for_end_of_client(protocol))
    tasks = [asyncio.ensure_future(end) for end in ends]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()  # raises what the task has raised
    finally:
        # `asyncio.run` cancels the requests that are being served: pygls would report each of them as a fault.
        loop.set_exception_handler(lambda *_: None)
        output.close()


async def read_messages(protocol: RuiProtocol, reader: asyncio.StreamReader) -> None:
    """Handle messages until the end of the input or of the session."""
    while not protocol.ended.is_set():
        content = await read_content(reader)
        if content is None:
            return
        protocol.receive(content)


def _pump(stdin: int, reader: asyncio.StreamReader, loop: asyncio.AbstractEventLoop) -> None:
    """Copy the input to `reader`, in a thread: Windows cannot wait for a pipe and other events at once."""
    try:
        while data := os.read(stdin, _CHUNK):
            loop.call_soon_threadsafe(reader.feed_data, data)
    except OSError as error:
        logger.warning("cannot read the input: %s", error)
    except RuntimeError:
        return  # The session has ended, and its event loop is closed.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(reader.feed_eof)


async def _wait_for_end_of_client(protocol: RuiProtocol) -> None:
    """Return when the process that has started this one does not exist any more (``processId``)."""
    await protocol.initialized.wait()
    process_id = protocol.client_process_id
    # A client in another container has a process id that does not exist here.
    if process_id is None or not _exists(process_id):
        await asyncio.Event().wait()
        return
    while _exists(process_id):
        await asyncio.sleep(_CHECK_SECONDS)
    logger.warning("the client's process %d has ended", process_id)


def _exists(process_id: int) -> bool:
    """Return whether a process exists; True where that cannot be found out."""
    if os.name != "posix" or process_id <= 0:
        return True  # On Windows, `os.kill` would end the process; 0 and negative numbers are groups of processes.
    try:
        os.kill(process_id, 0)
    except (ProcessLookupError, OverflowError):  # OverflowError: no process has such a large number
        return False
    except OSError:
        return True  # a process of another user
    return True
