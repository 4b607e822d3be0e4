"""The schema of a PostgreSQL database: reading it, and the steps of `rui_api.store.migrations`."""

from __future__ import annotations

import asyncpg

from rui_api.store.base import StorageUnavailable, StoreRefused
from rui_api.store.migrations import POSTGRES_STEPS, Schema, Step, without_concurrency
from rui_api.store.postgres import statements
from rui_api.store.postgres.errors import CONFLICTS

_CONCURRENT_MIGRATION = (
    asyncpg.UniqueViolationError,
    asyncpg.DuplicateTableError,
    asyncpg.DuplicateObjectError,
    *CONFLICTS,
)
_TOO_SLOW = (asyncpg.QueryCanceledError, asyncpg.LockNotAvailableError)
_MIGRATION_ATTEMPTS = 20

UNLIMITED = 1e6
"""Seconds for a statement of ``rui store``. For asyncpg, None is the default of the connection."""


async def migrate(connection: asyncpg.Connection, *, create: bool = True) -> Schema:
    """Create the schema of an empty database, or take the steps without which this program cannot use it.

    Other processes may do the same at the same time. Only one of them succeeds per step, and the others read the
    schema again. This needs no lock that is specific to PostgreSQL.

    Args:
        connection: to the database.
        create: whether missing tables are created.

    Raises:
        StoreRefused: the tables belong to another program or to a later version of this one.
        StorageUnavailable: the tables are missing, and `create` is False.
    """
    for _ in range(_MIGRATION_ATTEMPTS):
        schema = await read_schema(connection)
        schema.check(POSTGRES_STEPS)
        try:
            if schema.required == 0:
                if not create:
                    raise StorageUnavailable("the tables of the store are not there")
                await _create(connection)
                continue
            needed = schema.needed(POSTGRES_STEPS)
            if not needed:
                return schema
            await take_step(connection, needed[0])
        except _CONCURRENT_MIGRATION:
            continue
        except _TOO_SLOW as error:
            raise StorageUnavailable(
                "a step of its schema takes too long for a service: run rui store migrate"
            ) from error
    raise StorageUnavailable("its schema could not be brought up to date, others change it all the time")


async def read_schema(connection: asyncpg.Connection) -> Schema:
    """Return the schema of a database.

    Raises:
        StoreRefused: the table of the version is empty.
    """
    try:
        required = await connection.fetchval(statements.REQUIRED_VERSION)
    except asyncpg.UndefinedTableError:
        return Schema(0, frozenset())
    if required is None:
        raise StoreRefused("its table rui_schema_version is empty")
    try:
        steps = await connection.fetch(statements.STEPS)
    except asyncpg.UndefinedTableError:
        steps = []
    return Schema(int(required), frozenset({1, *(int(row[0]) for row in steps)}))


async def take_step(connection: asyncpg.Connection, version: int) -> None:
    """Take the step to `version` in one transaction, unless another process has.

    Only the server limits its time, for a service.
    """
    step = POSTGRES_STEPS[version - 1]
    try:
        async with connection.transaction():
            for statement in step.statements:
                await connection.execute(without_concurrency(statement), timeout=UNLIMITED)
            await record_step(connection, version, step)
    except _CONCURRENT_MIGRATION:
        if version not in (await read_schema(connection)).taken:
            raise


async def record_step(connection: asyncpg.Connection, version: int, step: Step) -> None:
    """Record that a step was taken. The primary key lets only one process do so."""
    await connection.execute(statements.CREATE_STEPS)
    await connection.execute(statements.RECORD_STEP, version)
    if step.is_closing:
        await connection.execute(statements.REQUIRE_VERSION, version)


async def _create(connection: asyncpg.Connection) -> None:
    async with connection.transaction():
        await connection.execute(statements.CREATE_VERSION)
        await connection.execute(statements.FIRST_VERSION)
        for version, step in enumerate(POSTGRES_STEPS, 1):
            for statement in step.statements:
                await connection.execute(without_concurrency(statement))
            await record_step(connection, version, step)
