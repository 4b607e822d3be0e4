"""A child process of this interpreter that answers messages over pipes, one at a time.

It starts with the first message, ends after `IDLE_TIMEOUT` seconds without any, and is started again when it is needed.
A crash, a hostile input or a long computation in it does not harm the parent.
"""

from __future__ import annotations

import os
import signal
import struct
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from subprocess import PIPE, Popen
from typing import IO

IDLE_TIMEOUT = 60.0
"""Seconds without a message after which the process ends, which frees its memory."""

_ATTEMPTS = 2  # The process may have ended because it was idle.
_NICE = 5  # The parent has priority.
_LENGTH = struct.Struct("<Q")  # The length of a message, in bytes, comes first.
_READY = b""  # The first message of the child.

# `-P`: modules in the working directory must not be imported.
_COMMAND = (
    sys.executable, "-P", "-c",
    "import sys; sys.path[:] = sys.argv[4:]; from rui_api.playground.child_process import serve; serve(*sys.argv[1:4])",
)  # fmt: skip


class ChildStartError(Exception):
    """The process cannot be started."""


class ChildEndedError(Exception):
    """The process ended before it answered, also when it was started again."""


class ChildKilledError(ChildEndedError):
    """`ChildProcess.kill` ended the process before it answered."""


class ChildProcess:
    """A process that answers each message by calling a function. Threads may share it."""

    def __init__(self, module: str, function: str, idle_timeout: float = IDLE_TIMEOUT) -> None:
        """Describe the process; it starts with the first message.

        Args:
            module: the name of a module that the child imports.
            function: the name of a function there, from a message to the answer.
            idle_timeout: seconds without a message after which the process ends.
        """
        self._arguments = (module, function, str(idle_timeout))
        self._lock = threading.Lock()
        self._process: Popen[bytes] | None = None
        self._kill_count = 0

    def start(self) -> None:
        """Start the process unless it runs; blocks until it can answer.

        Raises:
            ChildStartError: the process cannot be started.
            ChildKilledError: `kill` was called before it was ready.
        """
        kill_count = self._kill_count
        with self._lock:
            if self._process is not None and self._process.poll() is not None:
                self._end()
            try:
                if self._process is None:
                    self._start()
            except ChildStartError as error:
                if self._kill_count != kill_count:
                    raise ChildKilledError from error
                raise

    def exchange(self, message: bytes) -> bytes:
        """Return the answer to a message; blocks until then.

        Raises:
            ChildStartError: the process cannot be started.
            ChildEndedError: the process ended twice before it answered.
            ChildKilledError: `kill` was called before it answered.
        """
        kill_count = self._kill_count
        with self._lock:
            for _ in range(_ATTEMPTS):
                if self._kill_count != kill_count:
                    break
                try:
                    process = self._process or self._start()
                    _write(_pipe(process.stdin), message)
                    return _read(_pipe(process.stdout))
                except (OSError, EOFError):
                    self._end()
                except ChildStartError:
                    if self._kill_count == kill_count:
                        raise
        if self._kill_count != kill_count:
            raise ChildKilledError
        raise ChildEndedError

    def kill(self) -> None:
        """Kill the process without waiting for its answer; the next message starts it again."""
        self._kill_count += 1
        process = self._process
        if process is None:
            return
        process.kill()  # `exchange` notices it and releases the lock.
        with self._lock:
            self._end()

    def _start(self) -> Popen[bytes]:
        try:
            self._process = process = Popen(  # noqa: S603  this interpreter
                [*_COMMAND, *self._arguments, *sys.path], stdin=PIPE, stdout=PIPE, bufsize=0
            )
            _read(_pipe(process.stdout))
        except (OSError, EOFError, ValueError) as error:
            self._end()
            raise ChildStartError(repr(error)) from error
        return process

    def _end(self) -> None:
        process = self._process
        self._process = None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                _pipe(pipe).close()
        process.wait()


def serve(module: str, function: str, idle_timeout: str) -> None:
    """Answer messages from standard input on standard output, until the parent ends or sends none for too long."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the parent, which ends this process.
    source = open(os.dup(0), "rb", buffering=0)  # noqa: SIM115, PTH123
    target = open(os.dup(1), "wb", buffering=0)  # noqa: SIM115, PTH123
    os.dup2(2, 1)  # `print` writes to standard error.
    answer: Callable[[bytes], bytes] = getattr(import_module(module), function)
    if hasattr(os, "nice"):  # after the imports: a client waits for the start
        os.nice(_NICE)
    with suppress(EOFError, OSError):
        _write(target, _READY)
        while True:
            timer = threading.Timer(float(idle_timeout), os._exit, (0,))
            timer.daemon = True
            timer.start()
            message = _read(source)
            timer.cancel()
            _write(target, answer(message))


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise TypeError("the process was started without pipes")
    return pipe


def _write(pipe: IO[bytes], content: bytes) -> None:
    remaining = memoryview(_LENGTH.pack(len(content)) + content)
    while remaining:
        remaining = remaining[pipe.write(remaining) :]


def _read(pipe: IO[bytes]) -> bytes:
    (size,) = _LENGTH.unpack(_read_exactly(pipe, _LENGTH.size))
    return _read_exactly(pipe, size)


def _read_exactly(pipe: IO[bytes], size: int) -> bytes:
    parts = []
    while size:
        part = pipe.read(min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
