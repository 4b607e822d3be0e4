"""Specs in PostgreSQL, or what speaks its protocol: CockroachDB, YugabyteDB, Citus. Any number of processes.

Plain SQL on one table with random keys. What waits is sent together over few connections, so a commit is shared here,
too. Every request may be sent twice: ids are made by the service, and storing what is stored already does nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rui_api.store.outage_log import Trouble
from rui_api.store.postgres.connection import Server, read, write
from rui_api.store.postgres.pool import Lanes
from rui_api.store.queue import MAX_WAITING
from rui_api.store.queued_store import LinedStore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asyncpg import Connection

    from rui_api.store.base import StoredSpec

WRITERS, READERS = 2, 2
"""Connections of one process."""


class PostgresStore(LinedStore):
    """A `rui_api.store.base.Store` in the database `url`.

    Args:
        url: as asyncpg takes it: ``postgresql://user:password@host:port/database?sslmode=require``; what it does not
            say is taken from ``PGHOST``, ``PGPASSWORD``, ``~/.pgpass`` and the like.
        queue: so many requests of each sort wait at most; more are refused.
    """

    def __init__(self, url: str, *, queue: int = MAX_WAITING) -> None:
        server, trouble = Server(url), Trouble()
        self._trouble = trouble
        self._writer: Lanes[tuple[StoredSpec, ...], None] = Lanes(server, WRITERS, self._write, trouble, "write", queue)
        self._reader: Lanes[str, StoredSpec | None] = Lanes(server, READERS, read, trouble, "read", queue)
        super().__init__(self._writer.line, self._reader.line)

    async def close(self) -> None:
        """Store what waits, and close the connections."""
        await self._writer.stop()
        await self._reader.stop()

    async def _write(self, connection: Connection, puts: Sequence[tuple[StoredSpec, ...]]) -> list[None]:
        return await write(connection, puts, failed=self._trouble.lasts("write"))
