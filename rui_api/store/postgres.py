"""Specs in PostgreSQL, or what speaks its protocol: CockroachDB, YugabyteDB, Citus. Any number of processes.

Plain SQL on one table with random keys. What waits is sent together over few connections, so a commit is shared here,
too. Every request may be sent twice: ids are made by the service, and storing what is stored already does nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rui_api.store.lanes import Lanes
from rui_api.store.postgres_connection import INSERT, SELECT, Server, check_writable, row_of
from rui_api.store.protocol import StoredSpec
from rui_api.store.stats import StoreStats
from rui_api.store.trouble import Trouble

if TYPE_CHECKING:
    from collections.abc import Sequence

    import asyncpg

WRITERS, READERS = 2, 2
"""Connections of one process."""


class PostgresStore:
    """A `rui_api.store.protocol.Store` in the database `url`.

    Args:
        url: as asyncpg takes it: ``postgresql://user:password@host:port/database?sslmode=require``; what it does not
            say is taken from ``PGHOST``, ``PGPASSWORD``, ``~/.pgpass`` and the like.
    """

    def __init__(self, url: str) -> None:
        server, trouble = Server(url), Trouble()
        self._writer: Lanes[tuple[StoredSpec, ...], None] = Lanes(server, WRITERS, _write, trouble, "write")
        self._reader: Lanes[str, StoredSpec | None] = Lanes(server, READERS, _read, trouble, "read")
        self._stats = StoreStats(self._writer.line.stats, self._reader.line.stats)

    async def put(self, spec: StoredSpec) -> None:
        """Keep `spec`; the server has committed it when this returns."""
        await self._writer.line.submit((spec,), len(spec.rui))

    async def get(self, spec_id: str) -> StoredSpec | None:
        """The spec with this id, or None."""
        return await self._reader.line.submit(spec_id)

    async def ready(self) -> None:
        """Return if the server takes writes now."""
        await self._writer.line.submit(())

    def stats(self) -> StoreStats:
        """The numbers of this store."""
        return self._stats

    async def close(self) -> None:
        """Store what waits, and close the connections."""
        await self._writer.stop()
        await self._reader.stop()


async def _write(connection: asyncpg.Connection, puts: Sequence[tuple[StoredSpec, ...]]) -> list[None]:
    rows = [row_of(spec) for put in puts for spec in put]
    if rows:
        await connection.executemany(INSERT, rows)  # in one transaction
    else:
        await check_writable(connection)
    return [None] * len(puts)


async def _read(connection: asyncpg.Connection, spec_ids: Sequence[str]) -> list[StoredSpec | None]:
    found = {row[0]: StoredSpec(*row) for row in await connection.fetch(SELECT, spec_ids)}
    return [found.get(spec_id) for spec_id in spec_ids]
