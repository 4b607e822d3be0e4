"""Steps of the schema that services do not notice: indexes that are built while the table is read and written."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

import asyncpg

from rui_api.store.migrations import POSTGRES_STEPS
from rui_api.store.postgres import statements
from rui_api.store.postgres.connection import Connector
from rui_api.store.postgres.schema import UNLIMITED, read_schema, record_step

INTERVAL = 0.5
"""Seconds between two looks at the progress, or at the lock of another migration."""


async def take_online_step(
    connector: Connector, connection: asyncpg.Connection, version: int, on_progress: Callable[[str], None]
) -> None:
    """Run the statements of a step one by one, without a transaction and without a time limit.

    PostgreSQL leaves an index invalid if it could not finish it. Such an index is dropped, and built again.

    Args:
        connector: opens a second connection, which reads the progress.
        connection: runs the statements.
        version: of the step.
        on_progress: gets a short text twice a second.
    """
    watch = asyncio.create_task(_watch(connector, await connection.fetchval(statements.BACKEND), on_progress))
    try:
        await _lock(connection, on_progress)
        if version in (await read_schema(connection)).taken:
            return
        for (index,) in await connection.fetch(statements.INVALID_INDEXES):
            await connection.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {index}", timeout=UNLIMITED)
        step = POSTGRES_STEPS[version - 1]
        for statement in step.statements:
            await connection.execute(statement, timeout=UNLIMITED)
        async with connection.transaction():
            await record_step(connection, version, step)
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)


async def _lock(connection: asyncpg.Connection, on_progress: Callable[[str], None]) -> None:
    """Wait until no other process takes a step. The lock ends with the connection."""
    with suppress(asyncpg.UndefinedFunctionError, asyncpg.FeatureNotSupportedError):  # of other servers
        while not await connection.fetchval(statements.TRY_LOCK):
            on_progress("waiting for another migration")
            await asyncio.sleep(INTERVAL)


async def _watch(connector: Connector, pid: int, on_progress: Callable[[str], None]) -> None:
    connection = await connector.connect()
    try:
        while True:
            row = await connection.fetchrow(statements.INDEX_PROGRESS, pid)
            if row is not None:
                on_progress(f"{row[0]}: {row[1]:.0f} %")
            await asyncio.sleep(INTERVAL)
    finally:
        connection.terminate()
