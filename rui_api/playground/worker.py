"""The playground process as the service sees it: one task at a time, limited in time and number, and cancelled.

The process starts with the first task and ends after a minute without any. Text that takes long, or that is hostile,
neither blocks the event loop nor delays the API.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import monotonic
from typing import NamedTuple, TypeVar

from rui_api.playground.child_process import ChildEndedError, ChildKilledError, ChildProcess, ChildStartError
from rui_api.playground.tasks import EditorTask, Task
from rui_api.work_thread import OverloadedError

Result = TypeVar("Result")

OUTDATED = {"check": {"check", "fix-all", "format"}}
"""The actions of a tab that a newer one cancels; by default its own. A page sends a check for each new text, for which
edits of the last text are of no use.
"""

MAX_WAITING = 64
"""Maximum number of tasks that wait; a further one is refused."""

MAX_WAITING_OF_CLIENT = 8
"""Maximum number of those of one client."""

WINDOW = 60.0
"""Seconds for which the time of a task counts against its client."""

MIN_COUNTED = 50
"""Milliseconds that a task counts at least."""

MAX_SECONDS = 5.0
"""Maximum duration of a task."""

MAX_START_SECONDS = 30.0
"""Maximum duration of the start of the process, which may take seconds on a busy machine."""

GRACE = 0.5
"""Seconds that a cancelled task may take to end, as starting the process again takes about as long."""

log = logging.getLogger("rui_api")


class TaskFailedError(Exception):
    """The task failed."""


class TaskTimeoutError(Exception):
    """The task took longer than `MAX_SECONDS`."""


class _Waiting(NamedTuple):
    """A task that waits for its turn."""

    client: str
    turn: asyncio.Future[None]


class _Use(NamedTuple):
    """The time that a client used."""

    client: str
    ended: float
    milliseconds: int


class PlaygroundWorker:
    """Runs tasks in the playground process: of the client that used least of the last minute, the oldest task first."""

    def __init__(self) -> None:
        self._child = ChildProcess("rui_api.playground.tasks", "answer_message")
        self._thread: ThreadPoolExecutor | None = None
        self._waiting: list[_Waiting] = []
        self._is_busy = False
        self._uses: deque[_Use] = deque()
        self._used: Counter[str] = Counter()
        self._tasks: dict[tuple[str, str, str], asyncio.Task[bytes]] = {}

    def start(self, task: EditorTask, client: str, tab: str) -> asyncio.Task[bytes]:
        """Return a task that calls `run`. It cancels the tasks of the same tab that are out of date (`OUTDATED`).

        Args:
            task: a request of the editor.
            client: the address of the client.
            tab: a name of its tab, or ``""``.
        """
        for outdated in OUTDATED.get(task.action, {task.action}):
            last = self._tasks.get((client, tab, outdated))
            if last is not None:
                last.cancel()
        started = asyncio.create_task(self.run(task, client))
        if tab:
            key = (client, tab, task.action)
            self._tasks[key] = started
            started.add_done_callback(lambda done: self._forget(key, done))
        return started

    def _forget(self, key: tuple[str, str, str], task: asyncio.Task[bytes]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]

    async def run(self, task: Task, client: str) -> bytes:
        """Return the answer to a task of a client.

        A task that is cancelled leaves the queue. If it has begun, it ends soon, or its process does.

        Raises:
            OverloadedError: too many tasks wait, or the process cannot be started.
            TaskFailedError: the task failed.
            TaskTimeoutError: the task took too long.
        """
        await self._wait_for_turn(client)
        begun = monotonic()
        try:
            await self._start_process()
            begun = monotonic()
            return await self._run(pickle.dumps(task))
        finally:
            self._count(client, monotonic() - begun)
            self._is_busy = False
            self._give_turn()

    async def close(self) -> None:
        """End the process, also while it works."""
        self._child.kill()
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None

    async def _wait_for_turn(self, client: str) -> None:
        own = sum(waiting.client == client for waiting in self._waiting)
        if len(self._waiting) >= MAX_WAITING or own >= MAX_WAITING_OF_CLIENT:
            raise OverloadedError
        waiting = _Waiting(client, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._give_turn()
        try:
            await waiting.turn
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            else:  # it was cancelled after it got its turn
                self._is_busy = False
                self._give_turn()
            raise

    def _give_turn(self) -> None:
        """Let the next task begin, if the process is free."""
        if self._is_busy or not self._waiting:
            return
        first = min(self._waiting, key=lambda waiting: self._used[waiting.client])
        self._waiting.remove(first)
        self._is_busy = True
        first.turn.set_result(None)

    def _count(self, client: str, seconds: float) -> None:
        """Count the time of a task that has ended, and forget what has ended before `WINDOW`."""
        now = monotonic()
        use = _Use(client, now, max(int(seconds * 1000), MIN_COUNTED))
        self._uses.append(use)
        self._used[client] += use.milliseconds
        while self._uses and self._uses[0].ended < now - WINDOW:
            old = self._uses.popleft()
            self._used[old.client] -= old.milliseconds
            if not self._used[old.client]:
                del self._used[old.client]

    async def _start_process(self) -> None:
        """Start the process unless it runs. It goes on to start if the task is cancelled, for the next one."""
        start = self._in_thread(self._start)
        await asyncio.wait({start}, timeout=MAX_START_SECONDS)
        if not (start.done() and start.result()):
            raise OverloadedError

    def _start(self) -> bool:
        """Start the process; return whether it runs. Called in the thread."""
        try:
            self._child.start()
        except ChildStartError as error:
            log.error("the playground process cannot be started: %s", error)
            return False
        except ChildKilledError:
            return False
        return True

    def _in_thread(self, work: Callable[..., Result], *arguments: object) -> asyncio.Future[Result]:
        """Begin `work` in the thread, because pipes block."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "playground")
        return asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    async def _run(self, message: bytes) -> bytes:
        exchange = self._in_thread(self._exchange, message)
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
        with suppress(OverloadedError, TaskFailedError):
            await exchange

    def _exchange(self, message: bytes) -> bytes:
        """Send a task and return the answer; called in the thread."""
        try:
            return self._child.exchange(message)
        except ChildStartError as error:
            log.error("the playground process cannot be started: %s", error)
            raise OverloadedError from error
        except ChildEndedError as error:
            raise TaskFailedError from error
