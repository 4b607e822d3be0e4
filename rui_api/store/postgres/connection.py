"""Connections to PostgreSQL: connecting, schema, SQL, and the meaning of errors."""

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
from rui_api.store.postgres import statements
from rui_api.store.url import redact_password

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

Result = TypeVar("Result")

COMMAND_TIMEOUT = 1.0
"""Seconds for connecting and for each command."""

ERRORS = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""Errors that mean: the store is unavailable. All SQL is constant, so a rejected statement is the server's fault."""

CONFLICTS = (asyncpg.SerializationError, asyncpg.DeadlockDetectedError, asyncpg.StatementCompletionUnknownError)
"""SQLSTATE 40001, 40P01 and 40003: the transaction has to be repeated."""

_CONCURRENT_MIGRATION = (
    asyncpg.UniqueViolationError,
    asyncpg.DuplicateTableError,
    asyncpg.DuplicateObjectError,
    *CONFLICTS,
)
_CONNECT_FAILED = re.compile(r"\[Errno (\d+)\] Connect call failed \('([^']*)'(?:, (\d+)[^)]*)?\)")
_ERRNO = re.compile(r"\[Errno -?\d+\] ")
_MIGRATION_ATTEMPTS = 20
CONFLICT_ATTEMPTS = 6

TRIAL_SIZE = 1 << 16
"""Bytes of a trial spec: more than the free space of the pages that the table has already."""


class Connector:
    """Opens connections to a database that may disappear and come back.

    Args:
        url: as asyncpg takes it.
        timeout: seconds for connecting and for each command.
        create: whether tables may be created.
    """

    def __init__(self, url: str, timeout: float = COMMAND_TIMEOUT, *, create: bool = True) -> None:
        self._url = url
        self._timeout = timeout
        self._may_create = create

    async def connect(self) -> asyncpg.Connection:
        """Return a connection with durable commits to a database whose schema is up to date.

        Tables are created only once. Empty tables in place of lost ones would answer that stored specs do not exist,
        although they are only unreadable.

        Raises:
            StoreRefused: `url` is malformed, or the tables are of a later version.
            StorageUnavailable: the tables are gone.
            Exception: any of `ERRORS`.
        """
        try:
            connection = await asyncpg.connect(self._url, timeout=self._timeout, command_timeout=self._timeout)
        except asyncpg.ClientConfigurationError as error:
            raise StoreRefused(f"the URL of the store cannot be used: {error}") from error
        except (ValueError, OverflowError):  # their messages may contain parts of the password
            raise StoreRefused(f"the URL of the store cannot be used: {redact_password(self._url)}") from None
        try:
            if await connection.fetchval(statements.SYNCHRONOUS_COMMIT) == "off":
                await connection.execute(statements.SET_SYNCHRONOUS_COMMIT)
            await migrate(connection, create=self._may_create)
        except BaseException:
            connection.terminate()
            raise
        self._may_create = False
        return connection


async def migrate(connection: asyncpg.Connection, *, create: bool = True) -> None:
    """Migrate the schema to the latest version, one transaction per version.

    Other processes may do the same at the same time. Only one of them succeeds per version, and the others read the
    version again. This needs no lock that is specific to PostgreSQL.

    Args:
        connection: to the database.
        create: whether missing tables are created.

    Raises:
        StoreRefused: the tables belong to another program or to a later version of this one.
        StorageUnavailable: the tables are missing, and `create` is False.
    """
    latest = len(POSTGRES_MIGRATIONS)
    for _ in range(_MIGRATION_ATTEMPTS):
        version = await _schema_version(connection)
        if version >= latest:
            refuse_later(version, latest)
            return
        if version == 0 and not create:
            raise StorageUnavailable("the tables of the store are not there")
        try:
            async with connection.transaction():
                await _migrate_from(connection, version)
        except _CONCURRENT_MIGRATION:
            continue
    raise StorageUnavailable("its schema could not be brought up to date, others change it all the time")


async def _migrate_from(connection: asyncpg.Connection, version: int) -> None:
    if version == 0:
        await connection.execute(statements.CREATE_VERSION)
        await connection.execute(statements.FIRST_VERSION)
    else:
        updated = await connection.execute(statements.NEXT_VERSION, version, version + 1)
        if updated == "UPDATE 0":  # another process was faster
            return
    for statement in POSTGRES_MIGRATIONS[version]:
        await connection.execute(statement)


async def _schema_version(connection: asyncpg.Connection) -> int:
    try:
        version = await connection.fetchval(statements.SCHEMA_VERSION)
    except asyncpg.UndefinedTableError:
        return 0
    if version is None:
        raise StoreRefused("its table rui_schema_version is empty")
    return int(version)


async def check_writable(connection: asyncpg.Connection, *, with_trial: bool = False) -> None:
    """Return if the table exists and the server accepts writes.

    Args:
        connection: to the database.
        with_trial: whether a spec is stored and rolled back, which also detects a full disk. Each trial leaves a few
            pages to vacuum, so it is only made if writing has failed before.

    Raises:
        StorageUnavailable: the database is a standby or read-only.
        Exception: any of `ERRORS`.
    """
    await connection.fetchval(statements.TABLE_EXISTS)
    if await connection.fetchval(statements.READ_ONLY) == "on":
        raise StorageUnavailable("the database is read-only")
    if with_trial:
        trial = connection.transaction()
        await trial.start()
        try:
            await connection.execute(statements.INSERT, str(uuid.uuid4()), "", "", "", "", os.urandom(TRIAL_SIZE))
        finally:
            await trial.rollback()


async def read(spec_ids: Sequence[str], connection: asyncpg.Connection) -> list[StoredSpec | None]:
    specs = {row[0]: StoredSpec(*row) for row in await connection.fetch(statements.SELECT, spec_ids)}
    return [specs.get(spec_id) for spec_id in spec_ids]


async def retry_conflicts(work: Callable[[], Awaitable[Result]]) -> Result:
    """Return `work()`; repeat it if it conflicts with other transactions. It must be idempotent."""
    for attempt in range(CONFLICT_ATTEMPTS - 1):
        try:
            return await work()
        except CONFLICTS:
            await asyncio.sleep(random.uniform(0, 0.01 * 2**attempt))  # noqa: S311  no secret
    return await work()


@contextmanager
def map_errors() -> Iterator[None]:
    """Turn `ERRORS` into `StorageUnavailable`."""
    try:
        yield
    except ERRORS as error:
        raise StorageUnavailable(f"PostgreSQL: {_reason(error)}") from error


def _reason(error: BaseException) -> str:
    """Return the message in one line, in which errno is replaced by the words of the operating system."""
    message = str(error).partition("\n")[0].removeprefix("Multiple exceptions: ")
    return _ERRNO.sub("", _CONNECT_FAILED.sub(_connect_failure, message)) or "no answer in time"


def _connect_failure(match: re.Match[str]) -> str:
    number, host, port = match.groups()
    address = f"{host} port {port}" if port else host
    return f"{os.strerror(int(number)).lower()} ({address})"
