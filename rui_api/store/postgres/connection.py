"""A connection to PostgreSQL: making it, its schema, its SQL, and what its errors mean."""

from __future__ import annotations

import asyncio
import os
import random
import re
import uuid
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import asyncpg

from rui_api.store.base import StorageUnavailable, StoredSpec, StoreRefused
from rui_api.store.migrations import POSTGRES_MIGRATIONS, refuse_later
from rui_api.store.url import shown

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

Result = TypeVar("Result")

COMMAND_TIMEOUT = 1.0
"""Seconds for one command, and for connecting; then it is given up, and tried once more on another connection."""

COLUMNS = "created_at, content_hash, validation_version, registry_version, normalized_rui"
INSERT = f"INSERT INTO rui_specs (spec_id, {COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (spec_id) DO NOTHING"  # noqa: S608
SELECT = f"SELECT spec_id::text, {COLUMNS} FROM rui_specs WHERE spec_id = ANY($1::uuid[])"  # noqa: S608
PAGE = f"SELECT spec_id::text, {COLUMNS} FROM rui_specs WHERE spec_id > $1 ORDER BY spec_id LIMIT $2"  # noqa: S608
IDENTITY = (
    "SELECT concat_ws(' ', pg_postmaster_start_time(), "
    "(SELECT oid FROM pg_database WHERE datname = current_database()), 'rui_specs'::regclass::oid)"
)

FAULTS = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""Everything that says: the store cannot do it now. The SQL is ours and fixed, so what the server refuses is its."""

CONFLICTS = (asyncpg.SerializationError, asyncpg.DeadlockDetectedError, asyncpg.StatementCompletionUnknownError)
"""SQLSTATE 40001, 40P01 and 40003: trying again is the answer, and databases of many machines expect it."""

_MADE_BY_ANOTHER = (
    asyncpg.UniqueViolationError, asyncpg.DuplicateTableError, asyncpg.DuplicateObjectError, *CONFLICTS,
)  # fmt: skip
_NOT_CONNECTED = re.compile(r"\[Errno (\d+)\] Connect call failed \('([^']*)'(?:, (\d+)[^)]*)?\)")
_NUMBER = re.compile(r"\[Errno -?\d+\] ")
_MIGRATION_ATTEMPTS = 20
ATTEMPTS = 6
"""So often what conflicts with others is tried."""

TRIAL_SIZE = 1 << 16
"""Bytes of a spec that is stored to see whether it can be: more than fits into the pages that are there already."""


class Server:
    """A database that may come and go.

    Args:
        url: as asyncpg takes it.
        timeout: seconds for one command, and for connecting.
        create: whether tables may be made.
    """

    def __init__(self, url: str, timeout: float = COMMAND_TIMEOUT, *, create: bool = True) -> None:
        self._url = url
        self._timeout = timeout
        self._seen = not create

    async def connect(self) -> asyncpg.Connection:
        """A connection whose commands end in time and are on disk then; the schema is in place.

        Once the tables were there, they are never made anew: empty ones in their place would answer that stored
        specs do not exist, where the truth is that they cannot be read.

        Raises:
            StoreRefused: `url` is not understood, or the tables are of a later version.
            StorageUnavailable, and any of `FAULTS`.
        """
        try:
            connection = await asyncpg.connect(self._url, timeout=self._timeout, command_timeout=self._timeout)
        except asyncpg.ClientConfigurationError as error:
            raise StoreRefused(f"the URL of the store cannot be used: {error}") from error
        except (ValueError, OverflowError):  # which say a part of it, maybe of the password
            raise StoreRefused(f"the URL of the store cannot be used: {shown(self._url)}") from None
        try:
            if await connection.fetchval("SHOW synchronous_commit") == "off":
                await connection.execute("SET synchronous_commit = on")
            await migrate(connection, create=not self._seen)
        except BaseException:
            connection.terminate()
            raise
        self._seen = True
        return connection


async def migrate(connection: asyncpg.Connection, *, create: bool = True) -> None:
    """Bring the schema to the version of this program, one transaction a version.

    Other processes may do the same at the same time: only one of them gets from a version to the next, the others see
    that when its transaction is over. That takes no lock that only PostgreSQL knows.

    Args:
        connection: to the database.
        create: whether tables may be made where there are none.

    Raises:
        StoreRefused: the tables are of another program, or of a later version of this one.
        StorageUnavailable: there are none, and none may be made.
    """
    known = len(POSTGRES_MIGRATIONS)
    for _ in range(_MIGRATION_ATTEMPTS):
        version = await _version(connection)
        if version >= known:
            refuse_later(version, known)
            return
        if version == 0 and not create:
            raise StorageUnavailable("the tables of the store are not there")
        try:
            async with connection.transaction():
                await _step(connection, version)
        except _MADE_BY_ANOTHER:
            continue
    raise StorageUnavailable("its schema could not be brought up to date, others change it all the time")


async def _step(connection: asyncpg.Connection, version: int) -> None:
    if version == 0:
        await connection.execute("CREATE TABLE rui_schema_version (version INTEGER PRIMARY KEY)")
        await connection.execute("INSERT INTO rui_schema_version VALUES (1)")
    else:
        update = "UPDATE rui_schema_version SET version = $2 WHERE version = $1"
        if await connection.execute(update, version, version + 1) == "UPDATE 0":  # another process was faster
            return
    for statement in POSTGRES_MIGRATIONS[version]:
        await connection.execute(statement)


async def _version(connection: asyncpg.Connection) -> int:
    """The version of the schema, 0 if there is none yet."""
    try:
        version = await connection.fetchval("SELECT max(version) FROM rui_schema_version")
    except asyncpg.UndefinedTableError:
        return 0
    if version is None:
        raise StoreRefused("its table rui_schema_version is empty")
    return int(version)


async def check_writable(connection: asyncpg.Connection, *, thoroughly: bool = False) -> None:
    """Return if the server takes writes, and the table is there.

    Args:
        connection: to the database.
        thoroughly: whether to store a spec and take it back, which finds a full disk, too. Each time leaves a few
            pages to be vacuumed, so that is for a store that has failed before.

    Raises:
        StorageUnavailable: it is a standby, or was set to read only.
        Any of `FAULTS`: nothing can be stored.
    """
    await connection.fetchval("SELECT 1 FROM rui_specs LIMIT 1")
    if await connection.fetchval("SHOW transaction_read_only") == "on":
        raise StorageUnavailable("the database is read-only")
    if thoroughly:
        trial = connection.transaction()
        await trial.start()
        try:
            await connection.execute(INSERT, str(uuid.uuid4()), "", "", "", "", os.urandom(TRIAL_SIZE))
        finally:
            await trial.rollback()


async def write(
    connection: asyncpg.Connection, puts: Sequence[tuple[StoredSpec, ...]], *, failed: bool = False
) -> list[None]:
    """Store all specs of all `puts` in one transaction; if there are none, return if the server takes writes.

    Args:
        connection: to the database.
        puts: the specs of each request; none for one that only asks whether something could be stored.
        failed: whether that failed the last time.
    """
    rows = [_row(spec) for put in puts for spec in put]
    if rows:
        await connection.executemany(INSERT, rows)
    else:
        await check_writable(connection, thoroughly=failed)
    return [None] * len(puts)


async def read(connection: asyncpg.Connection, spec_ids: Sequence[str]) -> list[StoredSpec | None]:
    """For each id its spec, or None."""
    found = {row[0]: StoredSpec(*row) for row in await connection.fetch(SELECT, spec_ids)}
    return [found.get(spec_id) for spec_id in spec_ids]


async def persist(work: Callable[[], Awaitable[Result]]) -> Result:
    """Do it, and again if it conflicts with others; it must be the same to do it twice."""
    for attempt in range(ATTEMPTS - 1):
        try:
            return await work()
        except CONFLICTS:
            await asyncio.sleep(random.uniform(0, 0.01 * 2**attempt))  # noqa: S311  no secret
    return await work()


@contextmanager
def unavailable() -> Iterator[None]:
    """Turns what says that the store cannot do it now into `StorageUnavailable`."""
    try:
        yield
    except FAULTS as error:
        raise StorageUnavailable(f"PostgreSQL: {_reason(error)}") from error


def _reason(error: BaseException) -> str:
    """What went wrong, in one line; without the words of Python for what the operating system said."""
    said = str(error).partition("\n")[0].removeprefix("Multiple exceptions: ")
    return _NUMBER.sub("", _NOT_CONNECTED.sub(_no_connection, said)) or "no answer in time"


def _no_connection(found: re.Match[str]) -> str:
    number, host, port = found.groups()
    where = f"{host} port {port}" if port else host
    return f"{os.strerror(int(number)).lower()} ({where})"


def _row(spec: StoredSpec) -> tuple[str, str, str, str, str, bytes]:
    """The values of `INSERT`."""
    return (
        spec.spec_id, spec.created_at, spec.content_hash, spec.validation_version, spec.registry_version, spec.rui,
    )  # fmt: skip
