"""The playground process as the service sees it: one task at a time, limited in time and number, and cancelled.

The process starts with the first task and ends after a minute without any. Text that takes long, or that is hostile,
neither blocks the event loop nor delays the API.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from subprocess import PIPE, Popen
from typing import TYPE_CHECKING

from rui_api.playground.messages import read_message, write_message

if TYPE_CHECKING:
    from asyncio import TimerHandle

OUTDATED = {"check": {"check", "fix-all", "format"}}
"""The actions of a tab that a newer one cancels; by default its own. A page sends a check for each new text, for which
edits of the last text are of no use.
"""

MAX_WAITING = 64
"""Maximum number of tasks that wait; a further one is refused."""

MAX_SECONDS = 5.0
"""Maximum duration of a task."""

GRACE = 0.5
"""Seconds that a cancelled task may take to end, as starting the process again takes about as long."""

IDLE_TIMEOUT = 60.0
"""Seconds without a task after which the process ends, which frees its memory."""

# `-P`: modules in the working directory must not be imported.
_CODE = "import sys; sys.path[:] = sys.argv[1:]; from rui_api.playground.child import serve; serve()"

log = logging.getLogger("rui_api")


class PlaygroundBusyError(Exception):
    """Too many tasks wait, or the process cannot be started."""


class TaskFailedError(Exception):
    """The task failed."""


class TaskTimeoutError(Exception):
    """The task took longer than `MAX_SECONDS`."""


class PlaygroundWorker:
    """Runs tasks in the playground process."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._thread: ThreadPoolExecutor | None = None
        self._process: Popen[bytes] | None = None
        self._idle: TimerHandle | None = None
        self._tasks: dict[tuple[str, str], asyncio.Task[bytes]] = {}

    def start(
        self, tab: str, action: str, text: str, start: tuple[int, int], end: tuple[int, int]
    ) -> asyncio.Task[bytes]:
        """Return a task that calls `run`. It cancels the tasks of the same tab that are out of date (`OUTDATED`).

        Args:
            tab: a name of the client, or ``""``.
            action: the name of the answer.
            text: the text.
            start: the start of the selection.
            end: its end.
        """
        for outdated in OUTDATED.get(action, {action}):
            last = self._tasks.get((tab, outdated))
            if last is not None:
                last.cancel()
        task = asyncio.create_task(self.run(action, text, start, end))
        if tab:
            key = (tab, action)
            self._tasks[key] = task
            task.add_done_callback(lambda done: self._forget(key, done))
        return task

    def _forget(self, key: tuple[str, str], task: asyncio.Task[bytes]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]

    async def run(self, action: str, text: str, start: tuple[int, int], end: tuple[int, int]) -> bytes:
        """Return the JSON of an answer of `rui_inspector.html.playground`.

        A task that is cancelled leaves the queue. If it has begun, it ends soon, or its process does.

        Raises:
            PlaygroundBusyError: too many tasks wait.
            TaskFailedError: the task failed.
            TaskTimeoutError: the task took too long.
        """
        if self._waiting >= MAX_WAITING:
            raise PlaygroundBusyError
        self._waiting += 1
        try:
            async with self._turn:
                return await self._run(json.dumps((action, text, start, end)).encode())
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        """End the process, also while it works."""
        if self._idle is not None:
            self._idle.cancel()
        if self._process is not None:
            self._process.kill()
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None
        self._end()

    async def _run(self, task: bytes) -> bytes:
        if self._idle is not None:
            self._idle.cancel()
        loop = asyncio.get_running_loop()
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "playground")
        exchange = asyncio.ensure_future(loop.run_in_executor(self._thread, self._exchange, task))
        try:
            done, _ = await asyncio.wait({exchange}, timeout=MAX_SECONDS)
        except asyncio.CancelledError:
            await asyncio.wait({exchange}, timeout=GRACE)
            await self._stop(exchange)
            raise
        finally:
            self._idle = loop.call_later(IDLE_TIMEOUT, self._end)
        if not done:
            await self._stop(exchange)
            raise TaskTimeoutError
        answer = exchange.result()
        if not answer:
            raise TaskFailedError
        return answer

    async def _stop(self, exchange: asyncio.Future[bytes]) -> None:
        """End an exchange that has not ended by itself. Its thread notices the end of the process."""
        if not exchange.done() and self._process is not None:
            self._process.kill()
        with suppress(PlaygroundBusyError, TaskFailedError):
            await exchange

    def _exchange(self, task: bytes) -> bytes:
        """Send a task and return the answer; called in a thread, because pipes block."""
        try:
            process = self._process or self._start()
            assert process.stdin is not None  # noqa: S101
            assert process.stdout is not None  # noqa: S101
            write_message(process.stdin, task)
            return read_message(process.stdout)
        except (OSError, EOFError, ValueError) as error:
            is_started = self._process is not None
            self._end()
            if is_started:
                raise TaskFailedError from error
            log.error("the playground process cannot be started: %r", error)
            raise PlaygroundBusyError from error

    def _start(self) -> Popen[bytes]:
        command = [sys.executable, "-P", "-c", _CODE, *sys.path]
        self._process = Popen(command, stdin=PIPE, stdout=PIPE, bufsize=0)  # noqa: S603  this interpreter
        return self._process

    def _end(self) -> None:
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
