"""A few connections, each with a task that sends whatever waits when it is free, together."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Generic

from rui_api.store.base import StorageUnavailable
from rui_api.store.postgres import connection as postgres
from rui_api.store.queue import Item, Job, Line, Result

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    import asyncpg

    from rui_api.store.outage_log import Trouble

MAX_BATCH = 128
"""Requests sent together, so that the first of them does not wait for ever."""


class Lanes(Generic[Item, Result]):
    """The connections and their tasks; they start with the first requests.

    Args:
        server: the database.
        count: so many connections at most.
        handle: what is done: a connection and items → a result for each. It may be done twice.
        trouble: is told how it went.
        kind: what the requests are called there.
        most: so many requests wait at most.
    """

    def __init__(
        self,
        server: postgres.Server,
        count: int,
        handle: Callable[[asyncpg.Connection, Sequence[Item]], Awaitable[Sequence[Result]]],
        trouble: Trouble,
        kind: str,
        most: int,
    ) -> None:
        self._server = server
        self._count = count
        self._handle = handle
        self._trouble = trouble
        self._kind = kind
        self._jobs: asyncio.Queue[Job[Item, Result] | None] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._idle = 0
        self.line: Line[Item, Result] = Line(self._send, trouble, kind, most)

    async def stop(self) -> None:
        """Handle what waits, and close the connections."""
        for _ in self._tasks:
            self._jobs.put_nowait(None)
        await asyncio.gather(*self._tasks)

    def _send(self, job: Job[Item, Result]) -> None:
        self._jobs.put_nowait(job)
        if self._jobs.qsize() > self._idle and len(self._tasks) < self._count:
            self._tasks.append(asyncio.create_task(self._run()))

    async def _run(self) -> None:
        link = _Link(self._server)
        while batch := await self._next_batch():
            wanted = [(job, item) for job in batch if (item := job.item) is not None]
            results: Sequence[Result] = []
            fault: Exception | None = None
            if wanted:
                try:
                    results = await self._persist(link, [item for _, item in wanted])
                except Exception as error:  # whoever waits has to hear of it, and the task goes on
                    fault = error
                if fault is None or isinstance(fault, StorageUnavailable):
                    self._trouble.report(self._kind, fault)
            self.line.handled(batch, done=bool(wanted) and fault is None)
            self.line.settle([job for job, _ in wanted], results, fault)
        await link.close()

    async def _next_batch(self) -> list[Job[Item, Result]]:
        """All that waits, at least one job; nothing at the end."""
        self._idle += 1
        try:
            job = await self._jobs.get()
        finally:
            self._idle -= 1
        batch: list[Job[Item, Result]] = []
        while job is not None:
            batch.append(job)
            if len(batch) == MAX_BATCH or self._jobs.empty():
                return batch
            job = self._jobs.get_nowait()
        if batch:
            self._jobs.put_nowait(None)  # the end comes after this batch
        return batch

    async def _persist(self, link: _Link, items: Sequence[Item]) -> Sequence[Result]:
        """Do it; again if it conflicts with others, or the connection turns out to be lost."""
        kept = link.connection is not None
        with postgres.unavailable():
            try:
                return await self._try(link, items)
            except postgres.FAULTS:
                # A connection that was open is lost when the server went away meanwhile; it may be there again.
                if not kept:
                    raise
            return await self._try(link, items)

    async def _try(self, link: _Link, items: Sequence[Item]) -> Sequence[Result]:
        try:
            connection = await link.get()
            return await postgres.persist(lambda: self._handle(connection, items))
        except BaseException:
            link.drop()
            raise


class _Link:
    """A connection that is made when it is needed, and again after it failed. For one task."""

    def __init__(self, server: postgres.Server) -> None:
        self._server = server
        self.connection: asyncpg.Connection | None = None

    async def get(self) -> asyncpg.Connection:
        """The connection."""
        if self.connection is None:
            self.connection = await self._server.connect()
        return self.connection

    def drop(self) -> None:
        """Let go of the connection at once."""
        if self.connection is not None:
            self.connection.terminate()
            self.connection = None

    async def close(self) -> None:
        """Say goodbye to the server."""
        if self.connection is not None:
            try:
                await self.connection.close(timeout=postgres.COMMAND_TIMEOUT)
            except postgres.FAULTS:
                self.drop()
