"""`rui_api.store.bulk.BulkStore` for a PostgreSQL database, which services may be using at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

import asyncpg

from rui_api.store.base import DeletedSpec, StoredSpec
from rui_api.store.migrations import POSTGRES_STEPS, Schema, Step
from rui_api.store.postgres import statements
from rui_api.store.postgres.connection import ERRORS, Connector, map_errors, retry_conflicts
from rui_api.store.postgres.online import take_online_step
from rui_api.store.postgres.schema import UNLIMITED, read_schema, take_step
from rui_api.store.rows import Row, to_rows

NO_ID = "0" * 32
"""An id before all others. No spec has it: the ids are random."""


async def open_postgres(url: str, timeout: float, *, create: bool) -> PostgresBulkStore:
    """Connect to the database; `timeout` is for connecting and for each command."""
    connector = Connector(url, timeout, create=create)
    with map_errors():
        connection = await connector.connect()
    return PostgresBulkStore(connector, connection)


class PostgresBulkStore:
    """See `rui_api.store.bulk.BulkStore`."""

    steps: tuple[Step, ...] = POSTGRES_STEPS

    def __init__(self, connector: Connector, connection: asyncpg.Connection) -> None:
        self._connector = connector
        self._connection = connection

    @property
    def schema(self) -> Schema:
        return self._connector.schema

    async def count(self, since: str = "") -> int:
        with map_errors():
            if since:
                return int(await self._connection.fetchval(statements.COUNT_SINCE, since, timeout=UNLIMITED))
            return int(await self._connection.fetchval(statements.COUNT, timeout=UNLIMITED))

    async def count_deleted(self) -> int:
        with map_errors():
            return int(await self._connection.fetchval(statements.COUNT_DELETED, timeout=UNLIMITED))

    async def timestamps(self) -> tuple[str, str]:
        with map_errors():
            row = await self._connection.fetchrow(statements.TIMESTAMPS, timeout=UNLIMITED)
            return row[0] or "", row[1] or ""

    async def fingerprint(self) -> str:
        """Return what identifies the table, or an empty string if the server has no such functions."""
        with suppress(*ERRORS):
            return str(await self._connection.fetchval(statements.FINGERPRINT))
        return ""

    async def page_after(self, spec_id: str, limit: int) -> list[Row]:
        with map_errors():
            records = await self._connection.fetch(statements.PAGE, spec_id or NO_ID, limit)
            return [Row(*record) for record in records]

    async def ids_after(self, spec_id: str, limit: int, *, only_deleted: bool = False) -> list[str]:
        statement = statements.DELETED_IDS if only_deleted else statements.IDS
        with map_errors():
            return [record[0] for record in await self._connection.fetch(statement, spec_id or NO_ID, limit)]

    async def page_by_time(self, created_at: str, spec_id: str, limit: int) -> list[Row]:
        with map_errors():
            records = await self._connection.fetch(statements.PAGE_BY_TIME, created_at, spec_id or NO_ID, limit)
            return [Row(*record) for record in records]

    async def find(self, spec_ids: Sequence[str]) -> list[Row | None]:
        with map_errors():
            records = await self._connection.fetch(statements.SELECT, spec_ids)
        rows = {record[0]: Row(*record) for record in records}
        return [rows.get(spec_id) for spec_id in spec_ids]

    async def insert_many(self, specs: Sequence[StoredSpec | DeletedSpec | Row]) -> None:
        rows = await asyncio.to_thread(to_rows, specs, is_compressed=self.schema.is_compressed)
        with map_errors():
            await retry_conflicts(lambda: self._write(statements.INSERT, rows))

    async def delete_many(self, deleted: Sequence[DeletedSpec]) -> None:
        rows = to_rows(deleted, is_compressed=False)
        with map_errors():
            await retry_conflicts(lambda: self._write(statements.DELETE, rows))

    async def erase(self, *, fully: bool) -> str:
        """Vacuum the table. Without `fully` it stays in use, and the space of old rows is used for new ones."""
        with map_errors():
            await self._connection.execute(statements.ERASE_FULLY if fully else statements.ERASE, timeout=UNLIMITED)
        return ""

    async def take_step(self, version: int, on_progress: Callable[[str], None]) -> None:
        step = POSTGRES_STEPS[version - 1]
        with map_errors():
            if step.is_online:
                await take_online_step(self._connector, self._connection, version, on_progress)
            else:
                await take_step(self._connection, version)
            self._connector.schema = await read_schema(self._connection)

    async def _write(self, statement: str, rows: Sequence[Row]) -> None:
        async with self._connection.transaction():
            await self._connection.execute(statements.DURABLE)
            await self._connection.executemany(statement, rows)

    async def close(self) -> None:
        self._connection.terminate()
