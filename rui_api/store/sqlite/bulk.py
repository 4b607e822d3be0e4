"""`rui_api.store.bulk.BulkStore` for a SQLite file, which a service may be using at the same time.

Every access runs in a thread, so that SIGINT interrupts a command at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from rui_api.store.base import DeletedSpec, StoredSpec
from rui_api.store.migrations import SQLITE_STEPS, Schema, Step
from rui_api.store.rows import Row
from rui_api.store.sqlite.database import Connection, Database

Result = TypeVar("Result")

IDS = "SELECT spec_id FROM specs WHERE spec_id > ? ORDER BY spec_id LIMIT ?"
DELETED_IDS = "SELECT spec_id FROM specs WHERE content_hash = '' AND spec_id > ? ORDER BY spec_id LIMIT ?"


class SqliteBulkStore:
    """See `rui_api.store.bulk.BulkStore`."""

    steps: tuple[Step, ...] = SQLITE_STEPS

    def __init__(self, database: Database, connection: Connection) -> None:
        self._database = database
        self._connection = connection

    @classmethod
    async def open(cls, path: Path, lock_timeout: float, *, create: bool) -> SqliteBulkStore:
        """Open the file."""
        database = Database(path, lock_timeout, create=create)
        return cls(database, await asyncio.to_thread(database.open))

    @property
    def schema(self) -> Schema:
        return self._connection.schema

    async def count(self, since: str = "") -> int:
        if since:
            return await self._number("SELECT count(*) FROM specs WHERE created_at >= ?", since)
        return await self._number("SELECT count(*) FROM specs")

    async def count_deleted(self) -> int:
        return await self._number("SELECT count(*) FROM specs WHERE content_hash = ''")

    async def timestamps(self) -> tuple[str, str]:
        # Two statements: SQLite uses an index for a single minimum or maximum only.
        first = await self._fetch_all("SELECT min(created_at) FROM specs")
        last = await self._fetch_all("SELECT max(created_at) FROM specs")
        return str(first[0][0] or ""), str(last[0][0] or "")

    async def fingerprint(self) -> str:
        """Return an empty string: files are compared by their paths."""
        return ""

    async def page_after(self, spec_id: str, limit: int) -> list[Row]:
        return await self._run(self._connection.page_after, spec_id, limit)

    async def ids_after(self, spec_id: str, limit: int, *, only_deleted: bool = False) -> list[str]:
        rows = await self._fetch_all(DELETED_IDS if only_deleted else IDS, spec_id, limit)
        return [str(row[0]) for row in rows]

    async def page_by_time(self, created_at: str, spec_id: str, limit: int) -> list[Row]:
        return await self._run(self._connection.page_by_time, created_at, spec_id, limit)

    async def find(self, spec_ids: Sequence[str]) -> list[Row | None]:
        return await self._run(self._connection.select, spec_ids)

    async def insert_many(self, specs: Sequence[StoredSpec | DeletedSpec | Row]) -> None:
        await self._run(self._connection.insert, specs)

    async def delete_many(self, deleted: Sequence[DeletedSpec]) -> None:
        await self._run(self._connection.delete, deleted)

    async def erase(self, *, fully: bool) -> str:
        return await self._run(self._connection.erase, fully)

    async def take_step(self, version: int, on_progress: Callable[[str], None]) -> None:
        await self._run(self._connection.take_step, version, on_progress)

    async def close(self) -> None:
        await asyncio.to_thread(self._database.close, self._connection)

    async def _number(self, statement: str, *parameters: object) -> int:
        return int(str((await self._fetch_all(statement, *parameters))[0][0]))

    async def _fetch_all(self, statement: str, *parameters: object) -> list[tuple[object, ...]]:
        return await self._run(self._connection.fetch_all, statement, *parameters)

    async def _run(self, work: Callable[..., Result], *arguments: object) -> Result:
        """Return `work(*arguments)`. When this task is cancelled, the statement is interrupted, and rolled back."""
        try:
            return await asyncio.to_thread(work, *arguments)
        except asyncio.CancelledError:
            self._connection.interrupt()
            raise
