"""A process for tasks that may take long: no event loop waits for it, and it can be killed."""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import TypeVar

MAX_START_SECONDS = 30.0  # maximum duration of the start of the process, which may take seconds on a busy machine
IDLE_SECONDS = 60.0  # seconds without a task after which the process ends, which frees its memory

_T = TypeVar("_T")


class TaskProcessError(Exception):
    """The process cannot be started, or has ended in a task."""


class TaskProcess:
    """Runs tasks in another process, one at a time. It starts with a task, and ends after a minute without any.

    A task is a function and its arguments, as a `functools.partial`. Task and result are pickled.
    """

    def __init__(self) -> None:
        self._executor: ProcessPoolExecutor | None = None
        self._lock = asyncio.Lock()
        self._idle: asyncio.TimerHandle | None = None
        self.pid = 0

    async def run(self, task: Callable[[], _T], max_seconds: float) -> _T:
        """Return the result of a task.

        Raises:
            TimeoutError: it takes longer than `max_seconds`. The process is killed.
            TaskProcessError: the process does not start, or has ended in the task twice.
        """
        async with self._lock:
            if self._idle is not None:
                self._idle.cancel()
            try:
                return await self._run(task, max_seconds)
            except BrokenProcessPool:  # It has been killed meanwhile, for example by the system.
                with suppress(BrokenProcessPool):
                    return await self._run(task, max_seconds)
                raise TaskProcessError("the process has ended in a task") from None
            finally:
                self._idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self.end)

    def kill(self) -> None:
        """End the process, also in a task; the next task starts another."""
        if self.pid:
            with suppress(OSError):  # It has ended; Windows has several errors for that.
                os.kill(self.pid, getattr(signal, "SIGKILL", signal.SIGTERM))  # Windows has the second one only
        self.end()

    def end(self) -> None:
        """Let the process end when it has no task; the next task starts another."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = None
        self.pid = 0

    async def _run(self, task: Callable[[], _T], max_seconds: float) -> _T:
        executor = self._executor or await self._start(task)
        try:
            return await asyncio.wait_for(asyncio.get_running_loop().run_in_executor(executor, task), max_seconds)
        except TimeoutError:
            self.kill()
            raise
        except BrokenProcessPool:
            self.end()
            raise

    async def _start(self, task: Callable[[], object]) -> ProcessPoolExecutor:
        """Start the process, and wait until it has imported what a task needs, which may take seconds."""
        try:
            context = multiprocessing.get_context("spawn")
            self._executor = executor = ProcessPoolExecutor(1, context, initializer=_prepare)
            work = asyncio.get_running_loop().run_in_executor(executor, _pid_with, task)
            self.pid = await asyncio.wait_for(work, MAX_START_SECONDS)
        except (BrokenProcessPool, TimeoutError, OSError) as error:
            self.end()
            raise TaskProcessError(f"the process cannot be started: {error!r}") from None
        return executor


def _pid_with(_: Callable[[], object]) -> int:
    """Return the id of this process. Reading the task, which is not run, imports its modules."""
    return os.getpid()


def _end_with_parent() -> None:
    """End this process when the program has ended without its help, as one that is killed does."""
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
    os._exit(1)


def _prepare() -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the program, which ends this process.
    os.dup2(2, 1)  # Standard output belongs to the program; a language server writes messages to it.
    if hasattr(os, "nice"):
        os.nice(5)  # The program has priority.
