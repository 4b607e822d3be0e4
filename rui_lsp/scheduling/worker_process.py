"""The worker process for work that takes long: threads would share the interpreter with the event loop.

It starts with the first task and runs one task at a time. If it dies, or takes too long, the next task starts another.
"""

from __future__ import annotations

import os
import signal
import threading
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from pygls.exceptions import JsonRpcException, JsonRpcInternalError

from rui_lsp.protocol.log import logger

if TYPE_CHECKING:  # slow, and not needed before the first task
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess


_T = TypeVar("_T")

MAX_SECONDS = 10.0
"""Maximum duration of a task."""

_NICE = 5  # The server has priority.


class WorkerProcess:
    """Runs functions in another process, one at a time. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None

    def run(self, function: Callable[..., _T], *arguments: object) -> _T:
        """Return the result of a function that the other process calls; blocks until then.

        Args:
            function: a function of a module, which the other process imports.
            arguments: its arguments. They and the result are pickled.

        Raises:
            JsonRpcException: the function raised it, or another exception, which is logged; or the process has ended.
        """
        with self._lock:
            try:
                is_done, value = self._exchange((function, arguments))
            except (EOFError, OSError) as error:
                was_stopped = self._process is None
                self.stop()
                if not was_stopped:
                    logger.error("the worker process has ended: %r", error)
                raise JsonRpcInternalError("The worker process has ended.") from None
        if is_done:
            result: _T = value
            return result
        if isinstance(value, JsonRpcException):
            raise value
        logger.error("internal fault in the worker process\n%s", value)
        raise JsonRpcInternalError(f"Internal fault: {value.strip().splitlines()[-1]}")

    def stop(self) -> None:
        """Kill the process without waiting for its task; the next task starts another."""
        process = self._process
        self._process = None
        if process is not None:
            process.kill()

    def _exchange(self, task: object) -> tuple[bool, Any]:
        """Send a task; return whether it has a result, and the result, the JsonRpcException or the traceback."""
        connection = self._connection
        if connection is None or self._process is None or not self._process.is_alive():
            connection = self._start()
        connection.send(task)
        if not connection.poll(MAX_SECONDS):
            raise TimeoutError(f"the task takes longer than {MAX_SECONDS:g} seconds")
        reply: tuple[bool, Any] = connection.recv()
        return reply

    def _start(self) -> Connection:
        from multiprocessing import get_context  # noqa: PLC0415

        # Modules in the working directory, which may be a workspace that is not trusted, must not be imported.
        os.environ["PYTHONSAFEPATH"] = "1"
        context = get_context("spawn")
        connection, other_end = context.Pipe()
        self._process = context.Process(target=_serve, args=(other_end,), daemon=True)
        self._process.start()
        other_end.close()  # Without it, the end of the process is noticed.
        connection.recv()  # The process is ready.
        self._connection = connection
        return connection


WORKER = WorkerProcess()
"""The worker process of this server."""

API_WORKER = WorkerProcess()
"""Another one, for what needs an OpenAPI description: formatting must not wait while a large one is read."""


def _serve(connection: Connection) -> None:
    """Run tasks until the server ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the server, which ends this process.
    os.dup2(2, 1)  # Standard output is the channel of the protocol.
    if hasattr(os, "nice"):
        os.nice(_NICE)
    connection.send(None)
    while True:
        try:
            function, arguments = connection.recv()
        except EOFError:
            return
        connection.send(_reply(function, arguments))


def _reply(function: Callable[..., object], arguments: tuple[object, ...]) -> tuple[bool, object]:
    try:
        return True, function(*arguments)
    except JsonRpcException as error:
        return False, error
    except Exception:
        return False, traceback.format_exc()
