"""The playground process as the service sees it: one task at a time, limited in time and number, and cancelled.

The process starts with the first task and ends after a minute without any. Text that takes long, or that is hostile,
neither blocks the event loop nor delays the API.
"""

from __future__ import annotations

import asyncio
import json
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from rui_common.child_process import ChildEndedError, ChildProcess, ChildStartError

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
        self._child = ChildProcess("rui_api.playground.child", "answer_message")
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._thread: ThreadPoolExecutor | None = None
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
        self._child.kill()
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None

    async def _run(self, task: bytes) -> bytes:
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
        if not done:
            await self._stop(exchange)
            raise TaskTimeoutError
        answer = exchange.result()
        if not answer:
            raise TaskFailedError
        return answer

    async def _stop(self, exchange: asyncio.Future[bytes]) -> None:
        """End an exchange that has not ended by itself. Its thread notices the end of the process."""
        if not exchange.done():
            self._child.kill()
        with suppress(PlaygroundBusyError, TaskFailedError):
            await exchange

    def _exchange(self, task: bytes) -> bytes:
        """Send a task and return the answer; called in a thread, because pipes block."""
        try:
            return self._child.exchange(task)
        except ChildStartError as error:
            log.error("the playground process cannot be started: %s", error)
            raise PlaygroundBusyError from error
        except ChildEndedError as error:
            raise TaskFailedError from error
