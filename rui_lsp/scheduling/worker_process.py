"""The worker process for work that takes long: threads would share the interpreter with the event loop.

It starts with the first task, runs one task at a time, and ends after a minute without any. If it dies, it is started
again; if it cannot be started, tasks run in threads of the server.
"""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import struct
import sys
import threading
import traceback
from contextlib import suppress
from enum import IntEnum
from subprocess import PIPE, Popen
from typing import TYPE_CHECKING, Any, NamedTuple

from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcRequestCancelled

from rui_lsp.protocol.log import logger

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO, TypeVar

    _T = TypeVar("_T")

IDLE_TIMEOUT = 60.0
"""Seconds without a task after which the process ends, which frees its memory."""

_ATTEMPTS = 2  # The process may have ended because it was idle.
_NICE = 5  # The server has priority.
_LENGTH = struct.Struct("<Q")

# `-P`: modules in the editor's working directory must not be imported.
_CODE = "import sys; sys.path[:] = sys.argv[1:]; from rui_lsp.scheduling.worker_process import serve; serve()"


class _Status(IntEnum):
    DONE = 0
    REFUSED = 1
    FAILED = 2


class _Reply(NamedTuple):
    status: _Status
    value: Any
    """The result, the message and code of the JsonRpcException, or the traceback."""


class WorkerProcess:
    """Runs functions in another process, one at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: Popen[bytes] | None = None
        self._can_start = True
        self._stop_count = 0

    def run(self, function: Callable[..., _T], *arguments: object) -> _T:
        """Return the result of a function that the other process calls; blocks until then.

        Args:
            function: a function of a module, which the other process imports.
            arguments: its arguments. They and the result are pickled.

        Raises:
            JsonRpcException: the function raised it, or another exception, which is logged.
        """
        task = pickle.dumps((function, arguments), pickle.HIGHEST_PROTOCOL)
        stop_count = self._stop_count
        with self._lock:
            for _ in range(_ATTEMPTS):
                if self._stop_count != stop_count:
                    raise JsonRpcRequestCancelled("The server ends.")
                process = self._process or self._start()
                if process is None:
                    return function(*arguments)
                try:
                    reply = _exchange(process, task)
                except (OSError, EOFError, struct.error):
                    self._kill()
                    continue
                result: _T = _result(reply)
                return result
        raise JsonRpcInternalError("The worker process has ended.")

    def stop(self) -> None:
        """Kill the process without waiting for its task; the next task starts it again."""
        self._stop_count += 1
        process = self._process
        if process is not None:
            process.kill()  # `run` notices it and releases the lock.
            with self._lock:
                self._kill()

    def _start(self) -> Popen[bytes] | None:
        """Start the process and check that it responds; None if that fails."""
        if not self._can_start:
            return None
        command = [sys.executable, "-P", "-c", _CODE, *sys.path]
        try:
            self._process = Popen(command, stdin=PIPE, stdout=PIPE, bufsize=0)  # noqa: S603  this interpreter
            _exchange(self._process, pickle.dumps((os.getpid, ())))
        except (OSError, EOFError, ValueError, struct.error) as error:
            logger.warning("no worker process, tasks run in threads: %r", error)
            self._can_start = False
            self._kill()
        return self._process

    def _kill(self) -> None:
        process = self._process
        self._process = None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        process.wait()


WORKER = WorkerProcess()
"""The worker process of this server."""

atexit.register(WORKER.stop)


def _exchange(process: Popen[bytes], task: bytes) -> _Reply:
    assert process.stdin is not None  # noqa: S101
    assert process.stdout is not None  # noqa: S101
    _write(process.stdin, task)
    reply: _Reply = pickle.loads(_read(process.stdout))  # noqa: S301  from our own process
    return reply


def _result(reply: _Reply) -> Any:  # noqa: ANN401  what the function returned
    if reply.status is _Status.REFUSED:
        raise JsonRpcException(*reply.value)
    if reply.status is _Status.FAILED:
        logger.error("internal fault in the worker process\n%s", reply.value)
        raise JsonRpcInternalError(f"Internal fault: {reply.value.strip().splitlines()[-1]}")
    return reply.value


def _write(pipe: IO[bytes], data: bytes) -> None:
    remaining = memoryview(_LENGTH.pack(len(data)) + data)
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


def serve() -> None:
    """Run tasks in the worker process, until the server ends or sends none for `IDLE_TIMEOUT` seconds."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the server, which ends this process.
    if hasattr(os, "nice"):
        os.nice(_NICE)
    source = open(os.dup(0), "rb", buffering=0)  # noqa: SIM115, PTH123
    target = open(os.dup(1), "wb", buffering=0)  # noqa: SIM115, PTH123
    os.dup2(2, 1)  # `print` writes to standard error.
    with suppress(EOFError, OSError, struct.error):
        while True:
            timer = threading.Timer(IDLE_TIMEOUT, os._exit, (0,))
            timer.daemon = True
            timer.start()
            task = _read(source)
            timer.cancel()
            _write(target, pickle.dumps(_run_task(task), pickle.HIGHEST_PROTOCOL))


def _run_task(task: bytes) -> _Reply:
    try:
        function, arguments = pickle.loads(task)  # noqa: S301  from the server
        return _Reply(_Status.DONE, function(*arguments))
    except JsonRpcException as error:
        return _Reply(_Status.REFUSED, (str(error), error.code))
    except Exception:
        return _Reply(_Status.FAILED, traceback.format_exc())
