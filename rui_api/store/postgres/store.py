"""Specs in PostgreSQL, for any number of processes.

The SQL is plain and the keys are random. Waiting requests are sent as batches over few connections, so they share
commits. A batch may be sent repeatedly: the service creates the ids, and storing a stored spec has no effect.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rui_api.store.base import Measurement, ReadResult, StorageUnavailable, StoredSpec
from rui_api.store.outage_log import OutageLog
from rui_api.store.postgres.connection import Sessions, check_writable, insert, measure, read
from rui_api.store.postgres.hung import HungSessions
from rui_api.store.postgres.options import PostgresOptions
from rui_api.store.postgres.pool import SessionPool
from rui_api.store.postgres.replicas import Replicas
from rui_api.store.postgres.session import Session
from rui_api.store.queue import MAX_WAITING
from rui_api.store.queued_store import QueuedStore, size_of
from rui_api.store.rows import Row, to_rows
from rui_api.store.stats import StoreStats

MIN_OFFLOADED = 16 << 10
"""Bytes from which a batch is compressed in a thread, which costs as much as compressing some KB."""


class PostgresStore(QueuedStore):
    """A `rui_api.store.base.Store` in the database `url`.

    Args:
        url: as asyncpg takes it: ``postgresql://user:password@host:port/database?sslmode=require``. Missing parts come
            from ``PGHOST``, ``PGPASSWORD``, ``~/.pgpass`` and the like.
        options: how PostgreSQL is used.
        max_waiting: maximum number of waiting requests per operation.
    """

    def __init__(self, url: str, *, options: PostgresOptions, max_waiting: int = MAX_WAITING) -> None:
        limit = options.writers + options.readers
        self._sessions = Sessions(url, limit, is_pooled=not options.is_prepared)
        self._outages = OutageLog()
        self._hung = HungSessions(self._sessions, self._outages, self._make_room)
        self._writer: SessionPool[tuple[StoredSpec, ...], None] = SessionPool(
            self._sessions, self._hung, options.writers, self._write, self._outages, "write", max_waiting
        )
        self._reader: SessionPool[str, ReadResult | StorageUnavailable] = SessionPool(
            self._sessions, self._hung, options.readers, read, self._outages, "read", max_waiting
        )
        super().__init__(self._writer.queue, self._reader.queue)
        self._replicas = Replicas(options, max_waiting) if options.read_url else None
        if self._replicas is not None:
            self._stats = StoreStats(self._stats.put, self._stats.get, self._stats.ready, self._replicas.stats)

    async def fetch(self, spec_id: str) -> ReadResult:
        if self._replicas is not None:
            found = await self._replicas.find(spec_id)
            if found is not None:
                return found
        return await super().fetch(spec_id)  # a replica may not have a new spec yet

    async def measure(self) -> Measurement:
        return await self._reader.run_aside(lambda session, _: measure(session))

    async def close(self) -> None:
        await asyncio.gather(self._writer.stop(), self._reader.stop())
        await self._hung.stop()
        if self._replicas is not None:
            await self._replicas.close()

    def _make_room(self) -> bool:
        return self._reader.release_idle() or self._writer.release_idle()

    async def _write(self, puts: Sequence[tuple[StoredSpec, ...]], session: Session, is_repeated: bool) -> list[None]:
        specs = [spec for put in puts for spec in put]
        size = size_of(specs)
        if self.capacity.is_due(size):
            self.capacity.update(await measure(session))
        self.capacity.reserve(size)
        if specs:
            await insert(await self._rows(specs), session, is_repeated=is_repeated)
        else:
            await check_writable(session, with_trial=self._outages.is_ongoing("write"))
        return [None] * len(puts)

    async def _rows(self, specs: Sequence[StoredSpec]) -> list[Row]:
        is_compressed = self._sessions.schema.is_compressed
        if not is_compressed or sum(len(spec.rui) for spec in specs) < MIN_OFFLOADED:
            return to_rows(specs, is_compressed=is_compressed)
        return await asyncio.to_thread(to_rows, specs, is_compressed=is_compressed)
