"""A pool of connections. While requests wait, each has a task that sends all of them as one batch.

`asyncpg.Pool` instead of `ReconnectingConnection` stored 0.88 and read 0.77 times as much. After a restart of the
server its retry may also get another lost connection, and requests fail that need not.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Generic

from rui_api.store.postgres.connection import COMMAND_TIMEOUT, ERRORS, map_errors, retry_conflicts
from rui_api.store.queue import Item, PendingRequest, RequestQueue, Result

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    import asyncpg

    from rui_api.store.outage_log import OutageLog
    from rui_api.store.postgres.connection import Connector

MAX_BATCH = 128
"""Requests per batch, which bounds the latency of the first one."""
MAX_RETRIES = 2
"""Attempts with new connections after an open one was lost."""


class ConnectionPool(Generic[Item, Result]):
    """The connections, their queue, and a task for each connection in use.

    Args:
        connector: opens the connections.
        size: maximum number of connections.
        handle: returns a result per item. It may be called repeatedly with the same items.
        outages: log of failures.
        operation: name of the operation for the log.
        max_waiting: maximum number of waiting requests.
    """

    def __init__(
        self,
        connector: Connector,
        size: int,
        handle: Callable[[Sequence[Item], asyncpg.Connection], Awaitable[Sequence[Result]]],
        outages: OutageLog,
        operation: str,
        max_waiting: int,
    ) -> None:
        self.queue: RequestQueue[Item, Result] = RequestQueue(self._send, outages, operation, max_waiting)
        self._handle = handle
        self._waiting: deque[PendingRequest[Item, Result]] = deque()
        self._free = [ReconnectingConnection(connector) for _ in range(size)]
        self._tasks: set[asyncio.Task[None]] = set()

    async def stop(self) -> None:
        """Handle the waiting requests and close the connections."""
        await asyncio.gather(*self._tasks)
        for connection in self._free:
            await connection.close()

    def _send(self, request: PendingRequest[Item, Result]) -> None:
        self._waiting.append(request)
        if self._free:
            task = asyncio.create_task(self._run(self._free.pop()))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _run(self, connection: ReconnectingConnection) -> None:
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), MAX_BATCH))]
            items = {request: item for request in batch if (item := request.item) is not None}
            results: dict[PendingRequest[Item, Result], Result] = {}
            error = None
            if items:
                try:
                    work = partial(self._handle, list(items.values()))
                    results = dict(zip(items, await connection.run(work), strict=True))
                except Exception as caught:  # the callers get it, and the task goes on
                    error = caught
            self.queue.finish(batch, results, error)
        self._free.append(connection)


class ReconnectingConnection:
    """A connection that opens on first use and again after an error. For one task."""

    def __init__(self, connector: Connector) -> None:
        self._connector = connector
        self._connection: asyncpg.Connection | None = None

    async def run(self, work: Callable[[asyncpg.Connection], Awaitable[Result]]) -> Result:
        """Return `work(connection)`. It may run repeatedly and must be idempotent.

        Raises:
            StorageUnavailable: the server is unavailable.
        """
        # An open connection may be lost, for example after a restart of the server, and a new one may succeed.
        retries = 0 if self._connection is None else MAX_RETRIES
        with map_errors():
            for _ in range(retries):
                with suppress(*ERRORS):
                    return await self._try(work)
            return await self._try(work)

    async def close(self) -> None:
        if self._connection is not None:
            try:
                await self._connection.close(timeout=COMMAND_TIMEOUT)
            except ERRORS:
                self._terminate()

    async def _try(self, work: Callable[[asyncpg.Connection], Awaitable[Result]]) -> Result:
        try:
            if self._connection is None:
                self._connection = await self._connector.connect()
            return await retry_conflicts(partial(work, self._connection))
        except BaseException:
            self._terminate()
            raise

    def _terminate(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None
