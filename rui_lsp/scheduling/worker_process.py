"""A second process for what takes long: threads would share the interpreter with whoever types.

It is started when it is first needed, waits for more when it is done, and ends when nothing has come for a minute or
the server is gone. Should it die, it is started again; where it cannot be started, work is done in threads after all.
"""

from __future__ import annotations

import atexit
import os
import pickle
import struct
import sys
import threading
from contextlib import suppress

from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcRequestCancelled

from rui_lsp.protocol.log import logger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from subprocess import Popen
    from typing import IO, Any, TypeVar

    _T = TypeVar("_T")

IDLE = 60.0
"""Seconds without work after which it ends, and with it what it has in memory."""

_ATTEMPTS = 2  # Once it may have ended a moment ago, as it had nothing to do.
_NICE = 5  # Whoever types comes first.
_LENGTH = struct.Struct("<Q")
_DONE, _REFUSED, _FAILED = range(3)

# `-P`: the folder that an editor starts the server in is no place to import from.
_CODE = "import sys; sys.path[:] = sys.argv[1:]; from rui_lsp.scheduling.worker_process import serve; serve()"


class WorkerProcess:
    """The other process, seen from the server. It does one thing at a time, and whoever comes meanwhile waits."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._process: Popen[bytes] | None = None
        self._is_of_use = True
        self._stops = 0

    def run(self, function: Callable[..., _T], *arguments: object) -> _T:
        """What a function returns, called in the other process; blocks until it is there.

        Args:
            function: a function of a module, which the other process imports.
            arguments: what it is called with. They and its result are sent as `pickle` writes them.

        Raises:
            JsonRpcException: the function raised it, or another exception, which is logged.
        """
        if not self._is_of_use:
            return function(*arguments)
        work = pickle.dumps((function, arguments), pickle.HIGHEST_PROTOCOL)
        stops = self._stops
        with self._turn:
            for _ in range(_ATTEMPTS):
                if self._stops != stops:
                    raise JsonRpcRequestCancelled("The server ends.")
                process = self._process or self._started()
                if process is None:
                    break
                try:
                    found: _T = _result(_asked(process, work))
                    return found
                except (OSError, EOFError, struct.error):
                    self._forget()
            else:
                raise JsonRpcInternalError("The worker process has ended.")
        return function(*arguments)

    def stop(self) -> None:
        """End the process, whatever it is doing; what waits for it is not done. Work after that starts it anew."""
        self._stops += 1
        process = self._process
        if process is not None:
            process.kill()  # Whoever waits for it takes note.
            with self._turn:
                self._forget()

    def _started(self) -> Popen[bytes] | None:
        """A new process that has shown that it answers; None if that is not possible."""
        try:
            self._process = _start()
            _asked(self._process, pickle.dumps((os.getpid, ())))
        except (OSError, EOFError, ValueError, struct.error) as error:
            logger.warning("no second process, work is done in threads: %r", error)
            self._is_of_use = False
            self._forget()
        return self._process

    def _forget(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()
            process.wait()


WORKER = WorkerProcess()
"""The one of this server."""

atexit.register(WORKER.stop)


def _start() -> Popen[bytes]:
    from subprocess import PIPE, Popen  # noqa: PLC0415  not needed until something takes long

    command = [sys.executable, "-P", "-c", _CODE, *sys.path]
    return Popen(command, stdin=PIPE, stdout=PIPE, bufsize=0)  # noqa: S603  this very interpreter


def _asked(process: Popen[bytes], work: bytes) -> tuple[int, Any]:
    assert process.stdin is not None  # noqa: S101
    assert process.stdout is not None  # noqa: S101
    _write(process.stdin, work)
    answer: tuple[int, Any] = pickle.loads(_read(process.stdout))  # noqa: S301  it comes from our own process
    return answer


def _result(answer: tuple[int, Any]) -> Any:  # noqa: ANN401  what the function that was called returns
    kind, given = answer
    if kind == _REFUSED:
        raise JsonRpcException(*given)
    if kind == _FAILED:
        logger.error("internal fault in the second process\n%s", given)
        raise JsonRpcInternalError(f"Internal fault: {given.strip().rpartition(chr(10))[2]}")
    return given


def _write(pipe: IO[bytes], data: bytes) -> None:
    left = memoryview(_LENGTH.pack(len(data)) + data)
    while left:
        left = left[pipe.write(left) :]


def _read(pipe: IO[bytes]) -> bytes:
    (size,) = _LENGTH.unpack(_exactly(pipe, _LENGTH.size))
    return _exactly(pipe, size)


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    parts = []
    while size:
        part = pipe.read(min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def serve() -> None:
    """Be the other process: call what is asked for until the server is gone or has asked for nothing in `IDLE`."""
    import signal  # noqa: PLC0415

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server; its end ends this.
    if hasattr(os, "nice"):
        os.nice(_NICE)
    source, target = open(os.dup(0), "rb", buffering=0), open(os.dup(1), "wb", buffering=0)  # noqa: SIM115, PTH123
    os.dup2(2, 1)  # Whatever is printed goes to standard error.
    with suppress(EOFError, OSError, struct.error):
        while True:
            patience = threading.Timer(IDLE, os._exit, (0,))
            patience.daemon = True
            patience.start()
            work = _read(source)
            patience.cancel()
            _write(target, pickle.dumps(_called(work), pickle.HIGHEST_PROTOCOL))


def _called(work: bytes) -> tuple[int, object]:
    try:
        function, arguments = pickle.loads(work)  # noqa: S301  it comes from the server
        return _DONE, function(*arguments)
    except JsonRpcException as error:
        return _REFUSED, (str(error), error.code)
    except Exception:
        import traceback  # noqa: PLC0415

        return _FAILED, traceback.format_exc()
