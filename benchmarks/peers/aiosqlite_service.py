"""`rui serve` with another store: aiosqlite, one transaction per spec, durable before the response.

Only the store differs. Statements run in autocommit mode, which takes one round trip to aiosqlite's thread; executing
and committing would take two.

With ``PEER_TUNED`` in the environment, it uses our pragmas: a write-ahead log, one sync per commit. Without, it uses
SQLite's defaults, which are as durable: a rollback journal and ``synchronous=FULL``, several syncs per commit.
"""

from __future__ import annotations

import asyncio
import os
import sys

import aiosqlite

from rui_api import app
from rui_api.commands import serve
from rui_api.store.base import StoredSpec
from rui_api.store.schema import SQLITE_VERSIONS
from rui_api.store.sqlite import INSERT, PRAGMAS, SELECT
from rui_api.store.url import sqlite_path

TUNED = "PEER_TUNED"


class AiosqliteStore:
    """A plain store."""

    def __init__(self, url: str) -> None:
        self._path = sqlite_path(url)
        self._opened: aiosqlite.Connection | None = None
        self._opening = asyncio.Lock()

    async def store(self, spec: StoredSpec) -> None:
        connection = await self._connection()
        await connection.execute(INSERT, spec)

    async def fetch(self, spec_id: str) -> StoredSpec | None:
        connection = await self._connection()
        async with connection.execute(SELECT, (spec_id,)) as cursor:
            row = await cursor.fetchone()
        return None if row is None else StoredSpec(*row)

    async def ready(self) -> None:
        await self._connection()

    async def close(self) -> None:
        if self._opened is not None:
            await self._opened.close()

    async def _connection(self) -> aiosqlite.Connection:
        if self._opened is None:
            async with self._opening:
                if self._opened is None:
                    connection = await aiosqlite.connect(self._path, isolation_level=None)
                    for statement in (*(PRAGMAS if TUNED in os.environ else ()), *SQLITE_VERSIONS[0]):
                        await connection.execute(statement)
                    self._opened = connection
        return self._opened


if __name__ == "__main__":
    app.open_store = lambda url, **_: AiosqliteStore(url)
    serve.prepare_store = lambda _: None
    sys.exit(serve.main())
