"""A pool of sessions. While requests wait, each has a task that sends all of them as one batch.

`asyncpg.Pool` instead of `ReconnectingSession` stored 0.88 and read 0.77 times as much. After a restart of the
server its retry may also get another lost connection, and requests fail that need not.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Generic, TypeVar

from rui_api.store.base import StorageUnavailable
from rui_api.store.outage_log import OutageLog
from rui_api.store.postgres.connection import RETRY_INTERVAL, Sessions
from rui_api.store.postgres.errors import ERRORS, map_errors, needs_reconnection
from rui_api.store.postgres.hung import HungSessions
from rui_api.store.postgres.session import Session
from rui_api.store.queue import Item, PendingRequest, RequestQueue, Result

Aside = TypeVar("Aside")

MAX_BATCH = 128
"""Requests per batch, which bounds the latency of the first one."""
MAX_RETRIES = 2
"""Attempts with new sessions after an open one was lost."""
STOP_TIMEOUT = 2.0
"""Seconds that waiting requests get when the store is closed."""


class SessionPool(Generic[Item, Result]):
    """The sessions, their queue, and a task for each session in use.

    Args:
        sessions: opens the sessions.
        hung: decides about sessions without an answer.
        size: maximum number of sessions.
        handle: returns a result per item. Its last argument is whether the items may have been handled already,
            without an answer.
        outages: log of failures.
        operation: name of the operation for the log.
        max_waiting: maximum number of waiting requests.
    """

    def __init__(
        self,
        sessions: Sessions,
        hung: HungSessions,
        size: int,
        handle: Callable[[Sequence[Item], Session, bool], Awaitable[Sequence[Result]]],
        outages: OutageLog,
        operation: str,
        max_waiting: int,
    ) -> None:
        self.queue: RequestQueue[Item, Result] = RequestQueue(self._send, outages, operation, max_waiting)
        self._handle = handle
        self._waiting: deque[PendingRequest[Item, Result]] = deque()
        self._all = [ReconnectingSession(sessions, hung) for _ in range(size)]
        self._free = list(self._all)
        self._tasks: set[asyncio.Task[None]] = set()

    async def stop(self) -> None:
        """Handle the waiting requests and close the sessions. A session that hangs is dropped."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=STOP_TIMEOUT)
        for session in self._all:
            session.retire()
        await asyncio.gather(*self._tasks)
        for session in self._all:
            await session.close()

    async def run_aside(self, work: Callable[[Session, bool], Awaitable[Aside]]) -> Aside:
        """Return `work(session, is_repeated)` with a session that no request needs now.

        Raises:
            StorageUnavailable: all sessions are in use, or the server is unavailable.
        """
        if not self._free:
            raise StorageUnavailable("all sessions are in use")
        session = self._free.pop()
        try:
            return await session.run(work)
        finally:
            self._free.append(session)
            if self._waiting:
                self._start()

    def release_idle(self) -> bool:
        """Close a session that is not in use, and return whether there was one."""
        return any(session.release() for session in self._free)

    def _send(self, request: PendingRequest[Item, Result]) -> None:
        self._waiting.append(request)
        if self._free:
            self._start()
        else:
            self._forget_timed_out()

    def _start(self) -> None:
        task = asyncio.create_task(self._run(self._free.pop()))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _forget_timed_out(self) -> None:
        """Free the slots of the oldest requests if their callers have given up, because all sessions may hang."""
        while self._waiting[0].item is None:
            self.queue.finish([self._waiting.popleft()], {}, None)

    async def _run(self, session: ReconnectingSession) -> None:
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), MAX_BATCH))]
            items = {request: item for request in batch if (item := request.item) is not None}
            results: dict[PendingRequest[Item, Result], Result] = {}
            error = None
            if items:
                try:
                    work = partial(self._handle, list(items.values()))
                    results = dict(zip(items, await session.run(work), strict=True))
                except Exception as caught:  # the callers get it, and the task goes on
                    error = caught
            self.queue.finish(batch, results, error)
        self._free.append(session)


class ReconnectingSession:
    """A session that opens on first use and again after it was lost. For one task."""

    def __init__(self, sessions: Sessions, hung: HungSessions) -> None:
        self._sessions = sessions
        self._hung = hung
        self._session: Session | None = None
        self._is_retired = False

    async def run(self, work: Callable[[Session, bool], Awaitable[Result]]) -> Result:
        """Return `work(session, is_repeated)`. It may run repeatedly and must be idempotent.

        Raises:
            StorageUnavailable: the server is unavailable.
        """
        # An open session may be lost, for example after a restart of the server, and a new one may succeed.
        retries = 0 if self._session is None else MAX_RETRIES
        is_repeated = False
        with map_errors():
            while True:
                is_connected = self._session is not None
                try:
                    return await self._try(work, is_repeated)
                except ERRORS:
                    if self._session is not None or retries == 0 or self._is_retired:
                        raise
                retries -= 1
                is_repeated = True
                if not is_connected:
                    await asyncio.sleep(RETRY_INTERVAL)

    def retire(self) -> None:
        """Drop the session if it is in use. Its work fails and is not repeated."""
        self._is_retired = True
        if self._session is not None:
            self._session.connection.terminate()

    def release(self) -> bool:
        """Close the session, which is not in use, and return whether it was open."""
        if self._session is None:
            return False
        self._drop()
        return True

    async def close(self) -> None:
        if self._session is not None:
            session, self._session = self._session, None
            await self._sessions.close(session)

    async def _try(self, work: Callable[[Session, bool], Awaitable[Result]], is_repeated: bool) -> Result:
        if self._session is None:
            self._session = await self._sessions.connect()
        session = self._session
        try:
            with self._hung.watch(session):
                result = await work(session, is_repeated)
        except BaseException as error:
            if needs_reconnection(error) or session.connection.is_closed():
                self._drop()
            raise
        self._sessions.note_answer()
        return result

    def _drop(self) -> None:
        if self._session is not None:
            self._sessions.drop(self._session)
            self._session = None
