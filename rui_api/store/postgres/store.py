"""Specs in PostgreSQL, for any number of processes.

The SQL is plain and the keys are random. Waiting requests are sent as batches over few connections, so they share
commits. A batch may be sent repeatedly: the service creates the ids, and storing a stored spec has no effect.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from rui_api.store.outage_log import OutageLog
from rui_api.store.postgres import statements
from rui_api.store.postgres.connection import Connector, check_writable, read
from rui_api.store.postgres.pool import ConnectionPool
from rui_api.store.queue import MAX_WAITING
from rui_api.store.queued_store import QueuedStore
from rui_api.store.rows import to_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asyncpg import Connection

    from rui_api.store.base import ReadResult, StorageUnavailable, StoredSpec
    from rui_api.store.rows import Row

MAX_WRITERS = 2
MAX_READERS = 2
MIN_OFFLOADED = 16 << 10
"""Bytes from which a batch is compressed in a thread, which costs as much as compressing some KB."""


class PostgresStore(QueuedStore):
    """A `rui_api.store.base.Store` in the database `url`.

    Args:
        url: as asyncpg takes it: ``postgresql://user:password@host:port/database?sslmode=require``. Missing parts come
            from ``PGHOST``, ``PGPASSWORD``, ``~/.pgpass`` and the like.
        max_waiting: maximum number of waiting requests per operation.
    """

    def __init__(self, url: str, *, max_waiting: int = MAX_WAITING) -> None:
        connector = self._connector = Connector(url)
        self._outages = OutageLog()
        self._writer: ConnectionPool[tuple[StoredSpec, ...], None]
        self._writer = ConnectionPool(connector, MAX_WRITERS, self._write, self._outages, "write", max_waiting)
        self._reader: ConnectionPool[str, ReadResult | StorageUnavailable]
        self._reader = ConnectionPool(connector, MAX_READERS, read, self._outages, "read", max_waiting)
        super().__init__(self._writer.queue, self._reader.queue)

    async def close(self) -> None:
        await self._writer.stop()
        await self._reader.stop()

    async def _write(self, puts: Sequence[tuple[StoredSpec, ...]], connection: Connection) -> list[None]:
        specs = [spec for put in puts for spec in put]
        if specs:
            await connection.executemany(statements.INSERT, await self._rows(specs))
        else:
            await check_writable(connection, with_trial=self._outages.is_ongoing("write"))
        return [None] * len(puts)

    async def _rows(self, specs: Sequence[StoredSpec]) -> list[Row]:
        is_compressed = self._connector.schema.is_compressed
        if not is_compressed or sum(len(spec.rui) for spec in specs) < MIN_OFFLOADED:
            return to_rows(specs, is_compressed=is_compressed)
        return await asyncio.to_thread(to_rows, specs, is_compressed=is_compressed)
