"""Processes for texts of clients: one task at a time, limited in time and number.

A process starts with its first task and ends after a minute without any. A text that takes long, or that is hostile,
neither blocks the event loop nor delays the API. The pages for people have one, the fixes for agents another.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from rui_api.contract.errors import BAD_REQUEST, OVERLOADED
from rui_api.http.errors import ServiceError
from rui_common.task_process import TaskProcess, TaskProcessError

MAX_WAITING = 64  # maximum number of tasks that wait; a further one is refused
MAX_WAITING_OF_CLIENT = 8  # maximum number of those of one client
MAX_SECONDS = 5.0  # maximum duration of a task, unless its caller sets another

log = logging.getLogger("rui_api")

Result = TypeVar("Result")


class _Request(NamedTuple):
    """A task that waits for its turn, or runs."""

    client: str
    task: Callable[[], Any]
    max_seconds: float
    answer: asyncio.Future[Any]


class WorkProcess:
    """Runs tasks in another process.

    Of the clients that wait, the one that used least time since the last pause is next, with its oldest task.

    Args:
        name: what it is for, for the log.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.process = TaskProcess()
        self._waiting: list[_Request] = []
        self._work: asyncio.Task[None] | None = None
        self._used: Counter[str] = Counter()

    async def run(
        self,
        task: Callable[[], Result],
        client: str,
        *,
        max_seconds: float | None = None,
        max_wait_seconds: float | None = None,
    ) -> Result:
        """Return the result of a task of a client. One that is cancelled leaves the queue, unless it runs.

        Args:
            task: a function and its arguments, as a `functools.partial`.
            client: whose task it is.
            max_seconds: the maximum duration of the task, by default `MAX_SECONDS`.
            max_wait_seconds: how long it may wait for its turn, by default any time.

        Raises:
            ServiceError: too many tasks wait, it waited or took too long, or the process does not start.
        """
        waiting = sum(request.client == client for request in self._waiting)
        if len(self._waiting) >= MAX_WAITING or waiting >= MAX_WAITING_OF_CLIENT:
            raise ServiceError(OVERLOADED)
        loop = asyncio.get_running_loop()
        request = _Request(client, task, max_seconds or MAX_SECONDS, loop.create_future())
        self._waiting.append(request)
        if self._work is None:
            self._work = asyncio.create_task(self._run_waiting())
        if max_wait_seconds is not None:
            loop.call_later(max_wait_seconds, self._refuse, request)
        try:
            result: Result = await request.answer
            return result
        finally:
            if request in self._waiting:
                self._waiting.remove(request)

    def close(self) -> None:
        """End the process, also while it works."""
        if self._work is not None:
            self._work.cancel()
        self.process.kill()

    def _refuse(self, request: _Request) -> None:
        """Let a task fail that still waits for its turn."""
        if request in self._waiting:
            self._waiting.remove(request)
            request.answer.set_exception(ServiceError(OVERLOADED))

    async def _run_waiting(self) -> None:
        while self._waiting:
            request = min(self._waiting, key=lambda waiting: self._used[waiting.client])
            self._waiting.remove(request)
            await self._answer(request)
        self._used.clear()
        self._work = None

    async def _answer(self, request: _Request) -> None:
        try:
            result = await self._run(request)
        except asyncio.CancelledError:  # the service ends
            request.answer.cancel()
            raise
        except Exception as error:
            if not request.answer.done():
                request.answer.set_exception(error)
        else:
            if not request.answer.done():
                request.answer.set_result(result)

    async def _run(self, request: _Request) -> Any:  # noqa: ANN401  the result of any task
        started = monotonic()
        try:
            return await self.process.run(request.task, request.max_seconds)
        except TimeoutError:
            message = "The answer takes too long for this text."
            raise ServiceError(BAD_REQUEST, message, title="This takes too long") from None
        except TaskProcessError as error:
            log.error("%s: %s", self._name, error)
            raise ServiceError(OVERLOADED) from None
        finally:
            milliseconds = int(1000 * (monotonic() - started))
            self._used[request.client] += max(milliseconds, 50)  # many short tasks count, too
