"""All specs of a store, one page after the other: what copying needs, and the service does not."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from rui_api.store.base import StoredSpec
from rui_api.store.url import check_store, is_postgres, sqlite_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    import asyncpg

    from rui_api.store.sqlite.database import Connection, Database

PATIENCE = 30.0
"""Seconds that one step may take, or wait for a lock: nobody is waiting for an answer."""


class Archive(Protocol):
    """An open store, read in the order of ids. All methods raise `StorageUnavailable`."""

    async def count(self) -> int:
        """How many specs there are."""

    async def times(self) -> tuple[str, str]:
        """When the first and the last spec were made; empty strings if there is none."""

    async def identity(self) -> str:
        """The same for two that are one store, whatever their URLs say; an empty string if that cannot be told."""

    async def after(self, spec_id: str, limit: int) -> list[StoredSpec]:
        """The next specs behind an id, or behind ``""`` the first ones; at most `limit`."""

    async def find(self, spec_ids: Sequence[str]) -> list[StoredSpec | None]:
        """For each id its spec, or None."""

    async def keep(self, specs: Sequence[StoredSpec]) -> None:
        """Store all of these durably, in one transaction. What has an id that is there already is left as it is."""

    async def close(self) -> None:
        """Let go of it."""


async def open_archive(url: str, *, create: bool) -> Archive:
    """The store that `url` names, its schema brought up to date.

    Args:
        url: the store.
        create: whether it is made when it is not there.

    Raises:
        ValueError: `url` names no store that there could be.
        StorageUnavailable: it cannot be opened, or is not there.
    """
    check_store(url)
    if is_postgres(url):
        return await _open_postgres(url, create=create)
    from rui_api.store.sqlite.database import Database  # noqa: PLC0415  each loads its driver, and nobody has both

    database = Database(sqlite_path(url), PATIENCE, create=create)
    return SqliteArchive(database, database.open())


class SqliteArchive:
    """An `Archive` in a SQLite file, which a service may be using at the same time."""

    def __init__(self, database: Database, connection: Connection) -> None:
        self._database = database
        self._connection = connection

    async def count(self) -> int:
        """How many specs there are."""
        return int(str(self._connection.rows("SELECT count(*) FROM specs")[0][0]))

    async def times(self) -> tuple[str, str]:
        """When the first and the last spec were made."""
        ((first, last),) = self._connection.rows("SELECT min(created_at), max(created_at) FROM specs")
        return str(first or ""), str(last or "")

    async def identity(self) -> str:
        """Nothing: files are told apart by their paths, before they are made."""
        return ""

    async def after(self, spec_id: str, limit: int) -> list[StoredSpec]:
        """The next specs behind an id."""
        return self._connection.page(spec_id, limit)

    async def find(self, spec_ids: Sequence[str]) -> list[StoredSpec | None]:
        """For each id its spec, or None."""
        return self._connection.select(spec_ids)

    async def keep(self, specs: Sequence[StoredSpec]) -> None:
        """Store all of these durably."""
        self._connection.insert(specs)

    async def close(self) -> None:
        """Let go of it."""
        self._database.close(self._connection)


async def _open_postgres(url: str, *, create: bool) -> Archive:
    from rui_api.store.postgres import connection as postgres  # noqa: PLC0415

    with postgres.unavailable():
        return PostgresArchive(await postgres.Server(url, PATIENCE, create=create).connect())


class PostgresArchive:
    """An `Archive` in PostgreSQL, which services may be using at the same time."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        from rui_api.store.postgres import connection as postgres_connection  # noqa: PLC0415

        self._connection = connection
        self._postgres = postgres_connection

    async def count(self) -> int:
        """How many specs there are."""
        with self._postgres.unavailable():
            return int(await self._connection.fetchval("SELECT count(*) FROM rui_specs"))

    async def times(self) -> tuple[str, str]:
        """When the first and the last spec were made."""
        with self._postgres.unavailable():
            row = await self._connection.fetchrow("SELECT min(created_at), max(created_at) FROM rui_specs")
            return row[0] or "", row[1] or ""

    async def identity(self) -> str:
        """Which table of which running server it is: a clone of a server is another store."""
        with suppress(*self._postgres.FAULTS):  # others speak the protocol, and have no such functions
            return str(await self._connection.fetchval(self._postgres.IDENTITY))
        return ""

    async def after(self, spec_id: str, limit: int) -> list[StoredSpec]:
        """The next specs behind an id."""
        with self._postgres.unavailable():
            # No spec has this id: those of ours are random.
            rows = await self._connection.fetch(self._postgres.PAGE, spec_id or "0" * 32, limit)
            return [StoredSpec(*row) for row in rows]

    async def find(self, spec_ids: Sequence[str]) -> list[StoredSpec | None]:
        """For each id its spec, or None."""
        with self._postgres.unavailable():
            return await self._postgres.read(self._connection, spec_ids)

    async def keep(self, specs: Sequence[StoredSpec]) -> None:
        """Store all of these durably; again if that conflicts with others."""
        with self._postgres.unavailable():
            await self._postgres.persist(lambda: self._postgres.write(self._connection, [(spec,) for spec in specs]))

    async def close(self) -> None:
        """Let go of it."""
        self._connection.terminate()
