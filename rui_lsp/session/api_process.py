"""The process that reads OpenAPI descriptions: a large one takes seconds, during which the server must answer."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from pygls.exceptions import JsonRpcInternalError

from rui_lsp.protocol.log import logger

if TYPE_CHECKING:  # slow, and not needed before the first description
    from multiprocessing.pool import Pool

_T = TypeVar("_T")

MAX_SECONDS = 10.0
"""Maximum duration of a task."""


class ApiProcess:
    """Runs functions in another process, one at a time. The process starts with the first one."""

    def __init__(self) -> None:
        self._pool: Pool | None = None
        self._lock = asyncio.Lock()

    async def run(self, function: Callable[..., _T], *arguments: object) -> _T:
        """Return the result of a function of a module; arguments and result are pickled.

        Raises:
            JsonRpcInternalError: it has raised an exception, or takes longer than `MAX_SECONDS`. This is logged.
        """
        async with self._lock:
            try:
                if self._pool is None:
                    self._pool = _start()
                    await _submit(self._pool, os.getpid)  # The start may take long on a busy machine.
                return await asyncio.wait_for(_submit(self._pool, function, *arguments), MAX_SECONDS)
            except TimeoutError:
                self.stop()
                logger.error("an OpenAPI description is given up after %g seconds", MAX_SECONDS)
            except Exception:
                logger.exception("internal fault in the process for OpenAPI descriptions")
        raise JsonRpcInternalError("The OpenAPI description cannot be used; the log has the reason.")

    def stop(self) -> None:
        """Kill the process without waiting for its task; the next task starts another."""
        if self._pool is not None:
            self._pool.terminate()
            self._pool = None


def _start() -> Pool:
    from multiprocessing import get_context  # noqa: PLC0415  slow

    # Modules in the working directory, which may be a workspace that is not trusted, must not be imported.
    os.environ["PYTHONSAFEPATH"] = "1"
    return get_context("spawn").Pool(1, _prepare)


def _submit(pool: Pool, function: Callable[..., _T], *arguments: object) -> asyncio.Future[_T]:
    """Run a function in the process; return the future of its result."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_T] = loop.create_future()

    def call_in_loop(resolve: Callable[..., None], value: object) -> None:
        with suppress(RuntimeError):  # The server has ended.
            loop.call_soon_threadsafe(_resolve, future, resolve, value)

    pool.apply_async(
        function,
        arguments,
        callback=lambda result: call_in_loop(future.set_result, result),
        error_callback=lambda error: call_in_loop(future.set_exception, error),
    )
    return future


def _resolve(future: asyncio.Future[_T], resolve: Callable[..., None], value: object) -> None:
    if not future.done():
        resolve(value)


def _prepare() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the server, which ends this process.
    os.dup2(2, 1)  # Standard output is the channel of the protocol.
