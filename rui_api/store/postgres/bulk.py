"""`rui_api.store.bulk.BulkStore` for a PostgreSQL database, which services may be using at the same time."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from rui_api.store.base import StoredSpec
from rui_api.store.postgres import statements
from rui_api.store.postgres.connection import ERRORS, Connector, map_errors, read, retry_conflicts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import asyncpg


async def open_postgres(url: str, timeout: float, *, create: bool) -> PostgresBulkStore:
    """Connect to the database; `timeout` is for connecting and for each command."""
    with map_errors():
        return PostgresBulkStore(await Connector(url, timeout, create=create).connect())


class PostgresBulkStore:
    """See `rui_api.store.bulk.BulkStore`."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection

    async def count(self) -> int:
        with map_errors():
            return int(await self._connection.fetchval(statements.COUNT))

    async def timestamps(self) -> tuple[str, str]:
        with map_errors():
            row = await self._connection.fetchrow(statements.TIMESTAMPS)
            return row[0] or "", row[1] or ""

    async def fingerprint(self) -> str:
        """Return what identifies the table, or an empty string if the server has no such functions."""
        with suppress(*ERRORS):
            return str(await self._connection.fetchval(statements.FINGERPRINT))
        return ""

    async def page_after(self, spec_id: str, limit: int) -> list[StoredSpec]:
        with map_errors():
            # No spec has the id of zeros: the ids are random.
            rows = await self._connection.fetch(statements.PAGE, spec_id or "0" * 32, limit)
            return [StoredSpec(*row) for row in rows]

    async def find(self, spec_ids: Sequence[str]) -> list[StoredSpec | None]:
        with map_errors():
            return await read(spec_ids, self._connection)

    async def insert_many(self, specs: Sequence[StoredSpec]) -> None:
        with map_errors():
            await retry_conflicts(lambda: self._connection.executemany(statements.INSERT, specs))

    async def close(self) -> None:
        self._connection.terminate()
