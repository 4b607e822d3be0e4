"""Connections to PostgreSQL: opening them, and the work that is done with one."""

from __future__ import annotations

import asyncio
import os
import random
import uuid
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import asyncpg

from rui_api.store.base import Measurement, ReadResult, StorageUnavailable
from rui_api.store.migrations import POSTGRES_STEPS, Schema
from rui_api.store.postgres import statements
from rui_api.store.postgres.errors import CONFLICTS, ERRORS, NoSuitableHost, describe, map_errors
from rui_api.store.postgres.hosts import ANY, READ_WRITE, Host, Hosts
from rui_api.store.postgres.schema import migrate, read_schema
from rui_api.store.postgres.session import Session
from rui_api.store.rows import Row, read_row

__all__ = ["ERRORS", "Connector", "Sessions", "map_errors", "read", "retry_conflicts"]

Result = TypeVar("Result")

STATEMENT_TIMEOUT = 1.0
"""Seconds after which the server ends a statement of the service, or its wait for a lock."""
START_TIMEOUT = 2.0
"""Seconds for the first statements of a session. A migration that takes longer is repeated by the next one."""
RETRY_INTERVAL = 0.25
"""Seconds between two attempts to connect while the server is away."""

CONFLICT_ATTEMPTS = 10

TRIAL_SIZE = 1 << 16
"""Bytes of a trial spec: more than the free space of the pages that the table has already."""


class Connector:
    """Opens connections for the commands of ``rui store``.

    Args:
        url: as asyncpg takes it.
        timeout: seconds for connecting to a server and for each command.
        create: whether tables may be created.

    Attributes:
        schema: the schema of the database when the last connection was opened.
    """

    def __init__(self, url: str, timeout: float, *, create: bool = True) -> None:
        # Without prepared statements the commands work through a pooler, too.
        arguments = {"command_timeout": timeout, "statement_cache_size": 0}
        self._hosts = Hosts(url, target=READ_WRITE, timeout=timeout, arguments=arguments)
        self._may_create = create
        self.schema = Schema(0, frozenset())

    async def connect(self) -> asyncpg.Connection:
        """Return a connection to a database whose schema this program can use.

        Raises:
            StoreRefused: the URL is malformed, or the tables are of a later version.
            StorageUnavailable: the tables are missing and may not be created.
            Exception: any of `ERRORS`.
        """
        _, connection = await self._hosts.connect()
        try:
            self.schema = await migrate(connection, create=self._may_create)
        except BaseException:
            connection.terminate()
            raise
        self._may_create = False
        return connection


class Sessions:
    """Opens the sessions of the service, one at a time, to servers that may disappear and come back.

    Args:
        url: as asyncpg takes it.
        limit: maximum number of open sessions.
        is_pooled: see `Session`.
        is_replica: whether the servers are only read, and need not accept writes.

    Attributes:
        schema: the schema of the database when the last session was opened.
        open: number of open sessions.
    """

    def __init__(self, url: str, limit: int, *, is_pooled: bool, is_replica: bool = False) -> None:
        arguments: dict[str, object] = {"statement_cache_size": 0} if is_pooled else {}
        target = ANY if is_replica else READ_WRITE
        self._hosts = Hosts(url, target=target, is_balanced=is_replica, arguments=arguments)
        self._is_pooled = is_pooled
        self._is_replica = is_replica
        self._limit = limit
        self._may_create = not is_replica
        self._turn = asyncio.Lock()
        self._error: Exception | None = None
        self._failed_at = 0.0
        self._next_attempt = 0.0
        self._answered_at = 0.0
        self.schema = Schema(0, frozenset())
        self.open = 0

    @property
    def is_exhausted(self) -> bool:
        return self.open >= self._limit

    async def connect(self) -> Session:
        """Return a session with a database whose schema is up to date.

        While the server is away, one caller tries to connect, and the others get its error. If the server has answered
        another session since, the attempt is made again: the server was frozen, and is not any more.

        Tables are created only once. Empty tables in place of lost ones would answer that stored specs do not exist,
        although they are only unreadable.

        Raises:
            StoreRefused: the URL is malformed, or the tables are of a later version.
            StorageUnavailable: the tables are gone.
            Exception: any of `ERRORS`.
        """
        async with self._turn:
            now = _time()
            if self._error is not None and now < self._next_attempt:
                if self._answered_at < self._failed_at:
                    raise _copy(self._error)
                await asyncio.sleep(self._next_attempt - now)
            begun = _time()
            try:
                return await self._attempt()
            except (StorageUnavailable, *ERRORS):
                if self._answered_at < begun:
                    raise
            await asyncio.sleep(RETRY_INTERVAL)
            return await self._attempt()

    def note_answer(self) -> None:
        """Record that a session had an answer: earlier failures to connect do not mean that the server is away."""
        self._answered_at = _time()

    async def _attempt(self) -> Session:
        try:
            session = await self.probe()
            await self._check_schema(session)
        except (StorageUnavailable, *ERRORS) as error:
            self._error = error
            self._failed_at = _time()
            self._next_attempt = self._failed_at + RETRY_INTERVAL
            raise
        self._error = None
        return session

    async def probe(self, avoid: Host | None = None) -> Session:
        """Return a session without a look at the schema.

        Args:
            avoid: a server that is tried last.
        """
        host, connection = await self._hosts.connect(avoid)
        session = Session(connection, host, STATEMENT_TIMEOUT, is_pooled=self._is_pooled)
        self.open += 1
        try:
            with session.dropped_after(START_TIMEOUT):
                await session.start()
        except BaseException:
            self.drop(session)
            raise
        return session

    def drop(self, session: Session) -> None:
        """Close a session at once, without waiting for its server."""
        session.connection.terminate()
        self.open -= 1

    async def close(self, session: Session) -> None:
        """Close a session that is not in use."""
        try:
            with session.dropped_after(STATEMENT_TIMEOUT):
                await session.connection.close()
        except ERRORS:
            session.connection.terminate()
        self.open -= 1

    async def _check_schema(self, session: Session) -> None:
        try:
            with session.dropped_after(START_TIMEOUT):
                if self._is_replica:
                    self.schema = await read_schema(session.connection)
                    self.schema.check(POSTGRES_STEPS)
                else:
                    self.schema = await migrate(session.connection, create=self._may_create)
        except BaseException:
            self.drop(session)
            raise
        self._may_create = False


def _time() -> float:
    return asyncio.get_running_loop().time()


def _copy(error: Exception) -> Exception:
    """Return an error for another caller: a raised exception keeps its traceback."""
    if isinstance(error, StorageUnavailable):
        return type(error)(str(error))
    return NoSuitableHost(describe(error))


async def check_writable(session: Session, *, with_trial: bool = False) -> None:
    """Return if the table exists and the server accepts writes.

    Args:
        session: with the database.
        with_trial: whether a spec is stored and rolled back, which also detects a full disk. Each trial leaves a few
            pages to vacuum, so it is only made if writing has failed before.

    Raises:
        StorageUnavailable: the database is a standby or read-only.
        Exception: any of `ERRORS`.
    """
    async with session.settled() as connection:
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


async def measure(session: Session) -> Measurement:
    """Return the size of the table, with all shards of Citus. PostgreSQL does not know the free bytes on its disk."""
    async with session.settled() as connection:
        is_sharded = await connection.fetchval(statements.HAS_CITUS)
        return Measurement(await connection.fetchval(statements.CITUS_SIZE if is_sharded else statements.SIZE))


async def read(spec_ids: Sequence[str], session: Session, _: bool) -> list[ReadResult | StorageUnavailable]:
    """Return for each id what `read_row` does."""
    async with session.settled() as connection:
        records = await connection.fetch(statements.SELECT, spec_ids)
    rows = {record[0]: Row(*record) for record in records}
    return [read_row(rows.get(spec_id)) for spec_id in spec_ids]


async def insert(rows: Sequence[Row], session: Session, *, is_repeated: bool) -> None:
    """Store rows, all durably.

    A batch that conflicts with other transactions is split, because each of its rows may be the one that conflicts.

    Args:
        rows: with new ids.
        session: with the database.
        is_repeated: whether they may be there already, from an attempt without an answer.
    """
    try:
        await _insert(statements.REPEAT if is_repeated else statements.INSERT, rows, session)
    except CONFLICTS:
        if len(rows) == 1:
            await retry_conflicts(lambda: _insert(statements.REPEAT, rows, session))
            return
        middle = len(rows) // 2
        await insert(rows[:middle], session, is_repeated=True)
        await insert(rows[middle:], session, is_repeated=True)


async def _insert(statement: str, rows: Sequence[Row], session: Session) -> None:
    async with session.settled() as connection:
        await connection.executemany(statement, rows)


async def retry_conflicts(work: Callable[[], Awaitable[Result]]) -> Result:
    """Return `work()`; repeat it if it conflicts with other transactions. It must be idempotent."""
    for attempt in range(CONFLICT_ATTEMPTS - 1):
        try:
            return await work()
        except CONFLICTS:
            await asyncio.sleep(random.uniform(0, 0.001 * 2**attempt))  # noqa: S311  no secret
    return await work()
