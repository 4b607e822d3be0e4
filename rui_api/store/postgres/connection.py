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

from rui_api.store.base import StorageUnavailable, StoreRefused
from rui_api.store.migrations import Schema
from rui_api.store.postgres import statements
from rui_api.store.postgres.schema import CONFLICTS, migrate
from rui_api.store.rows import Row, read_row
from rui_api.store.url import redact_password

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from rui_api.store.base import ReadResult

Result = TypeVar("Result")

COMMAND_TIMEOUT = 1.0
"""Seconds for connecting and for each command."""

ERRORS = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""Errors that mean: the store is unavailable. All SQL is constant, so a rejected statement is the server's fault."""

_CONNECT_FAILED = re.compile(r"\[Errno (\d+)\] Connect call failed \('([^']*)'(?:, (\d+)[^)]*)?\)")
_ERRNO = re.compile(r"\[Errno -?\d+\] ")
CONFLICT_ATTEMPTS = 6

TRIAL_SIZE = 1 << 16
"""Bytes of a trial spec: more than the free space of the pages that the table has already."""


class Connector:
    """Opens connections to a database that may disappear and come back.

    Args:
        url: as asyncpg takes it.
        timeout: seconds for connecting and for each command.
        create: whether tables may be created.

    Attributes:
        schema: the schema of the database when the last connection was opened.
    """

    def __init__(self, url: str, timeout: float = COMMAND_TIMEOUT, *, create: bool = True) -> None:
        self._url = url
        self._timeout = timeout
        self._may_create = create
        self.schema = Schema(0, frozenset())

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
            self.schema = await migrate(connection, create=self._may_create)
        except BaseException:
            connection.terminate()
            raise
        self._may_create = False
        return connection


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


async def read(spec_ids: Sequence[str], connection: asyncpg.Connection) -> list[ReadResult | StorageUnavailable]:
    """Return for each id what `read_row` does."""
    rows = {record[0]: Row(*record) for record in await connection.fetch(statements.SELECT, spec_ids)}
    return [read_row(rows.get(spec_id)) for spec_id in spec_ids]


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
