"""Specs in PostgreSQL, or in another database with its protocol, for any number of processes.

A commit is never cancelled: a cancelled wait for a synchronous standby is a commit without it. A request gets 503 at
its deadline, and its commit goes on.
"""

import asyncio
import os
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, TypeVar

import asyncpg

from rui_api.store.availability import RESERVED, RequestQueue, StoreOptions
from rui_api.store.base import Entry, OutcomeUnknown, StorageUnavailable, StoredSpec, StoreFull, StoreRefused
from rui_api.store.parameters import check_tls, is_prepared, session_settings, uses_system_roots
from rui_api.store.postgres_advice import MISSING_GRANT, NO_STANDBY, REFUSED_OPTIONS, RISKS, WARNINGS, described
from rui_api.store.schema import COLUMNS, ON_CONFLICT, POSTGRES_VERSIONS, missing_versions
from rui_api.store.url import parameters_of, redact_password, server_urls

Result = TypeVar("Result")
Work = Callable[[asyncpg.Connection], Awaitable[Result]]

CONNECTIONS = 5
"""Connections that write, and as many that read. While the server hangs, a process may have twice as many."""
ACQUIRE_SHARE = 0.8
"""Part of the deadline in which a request gets a connection. The servers of the URL share it equally."""
STORING = "storing"
FETCHING = "fetching"
MAX_MISSES = 3
"""Requests in a row without an answer after which new connections are opened."""
SIZE_SECONDS = 10.0  # how long a measurement of the table is used

ERRORS = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""Errors that mean: the store is unavailable. All SQL is constant, so a rejected statement is the server's fault."""
LOST = (
    OSError, asyncpg.PostgresConnectionError, asyncpg.InterfaceError, asyncpg.InternalClientError,
    asyncpg.AdminShutdownError, asyncpg.CrashShutdownError,
)  # fmt: skip
"""Errors of a connection in use that say nothing about the commit."""
CONCURRENT_MIGRATION = (asyncpg.UniqueViolationError, asyncpg.DuplicateTableError, asyncpg.DuplicateObjectError)

SETTINGS = {"lock_timeout": "1000"}
"""Settings of each session, beside those of the URL. The server ends a wait for a lock, not one of a commit."""
DURABLE = (
    "set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'remote_apply' "
    "THEN 'remote_apply' ELSE 'on' END, true) IN ('on', 'remote_apply')"
)
"""Makes the commit of the transaction durable, on a synchronous standby too. It is a part of the statement that stores.

So it is in force whatever the defaults of role and server are, and whatever a pooler does to settings of sessions.
"""

# The id as a text has another name than the column. ORDER BY would mean the text otherwise, which has no index.
SELECT_ALL = f"SELECT spec_id::text AS id, {COLUMNS.removeprefix('spec_id, ')} FROM rui_specs"  # noqa: S608
SELECT = f"{SELECT_ALL} WHERE spec_id = $1"
PAGE_CLAUSE = "WHERE spec_id > $1 ORDER BY spec_id LIMIT $2"
SIZES = "octet_length(normalized_rui) AS size, content_hash = '' AS is_deleted"
LIST = f"SELECT spec_id::text AS id, created_at, {SIZES} FROM rui_specs {PAGE_CLAUSE}"  # noqa: S608
LIST_SPECS = f"{SELECT_ALL} {PAGE_CLAUSE}"
INSERT = (
    f"INSERT INTO rui_specs AS old ({COLUMNS}) "  # noqa: S608
    f"VALUES ($1, $2, $3, $4, $5, CASE WHEN {DURABLE} THEN $6::bytea END) {ON_CONFLICT}"
)
NO_ID = "00000000-0000-0000-0000-000000000000"  # An id before all others. No spec has it: the ids are random.
IDENTITY = (
    "SELECT pg_postmaster_start_time(), oid, 'rui_specs'::regclass::oid AS specs FROM pg_database "
    "WHERE datname = current_database()"
)
"""The start of the server in microseconds, its database and its table, whatever the name of its host."""
SIZE = "SELECT pg_total_relation_size('rui_specs'), pg_relation_size('rui_specs')"
ROW_BYTES = 200
"""Bytes of a row without its content, with its part of the index."""
SAMPLE_BYTES = 8 << 20
LIVE_SIZE = (
    f"SELECT coalesce(sum(pg_column_size(normalized_rui) + {ROW_BYTES}), 0)::float8 * 100 / $1::float8 "  # noqa: S608
    "FROM rui_specs TABLESAMPLE SYSTEM ($1::float8)"
)
"""The bytes of the live rows, estimated from a part of the pages in percent."""
VERSION = "SELECT max(version) FROM rui_schema_version"
CREATE_VERSION = "CREATE TABLE IF NOT EXISTS rui_schema_version (version INTEGER PRIMARY KEY)"
SET_VERSION = f"INSERT INTO rui_schema_version VALUES ({len(POSTGRES_VERSIONS)})"  # noqa: S608


class PostgresStore:
    """A `rui_api.store.base.Store` in the database `url`.

    The URL is that of asyncpg: missing parts come from ``PGHOST``, ``PGPASSWORD``, ``~/.pgpass`` and the like. With
    ``prepared=off`` each request is one transaction without prepared statements, as a pooler in transaction mode needs
    it. Then the settings are those of each transaction.
    """

    def __init__(self, url: str, options: StoreOptions) -> None:
        self._urls = server_urls(url)
        self._parameters = parameters_of(url)
        self._is_prepared = is_prepared(self._parameters)
        self._settings = session_settings(self._parameters) | SETTINGS
        self._session: dict[str, Any] = {}
        if not self._is_prepared:  # a pooler gives prepared statements to others
            self._session = {"statement_cache_size": 0}
        if len(self._urls) > 1 and "target_session_attrs" not in self._parameters:
            self._session["target_session_attrs"] = "read-write"
        if uses_system_roots(self._parameters):
            self._session["ssl"] = True
        self._options = options
        self._deadline = options.deadline
        self._may_create = options.create
        self._queues = {operation: RequestQueue(operation, options.max_waiting) for operation in (STORING, FETCHING)}
        # Commits that wait for a standby leave fetching free.
        self._pools: dict[str, asyncpg.Pool] = {}
        self._abandoned: list[asyncpg.Pool] = []
        self._misses = 0
        self._used = 0
        self._measured_at = -SIZE_SECONDS
        self._tasks: set[asyncio.Task[Any]] = set()

    async def open(self) -> Sequence[str]:
        await self.fetch(NO_ID)
        try:
            risks = await self._request(FETCHING, lambda connection: connection.fetchrow(RISKS))
        except StorageUnavailable:  # another server with this protocol
            return ()
        is_cluster = len(self._urls) > 1
        return [WARNINGS[name] for name, is_so in risks.items() if is_so and (name != NO_STANDBY or is_cluster)]

    async def store(self, spec: StoredSpec) -> None:
        await self._request(STORING, lambda connection: self._insert(connection, spec), len(spec.rui))

    async def fetch(self, spec_id: str) -> StoredSpec | None:
        row = await self._request(FETCHING, lambda connection: connection.fetchrow(SELECT, spec_id))
        return row and StoredSpec(*row)

    async def ready(self) -> None:
        await self._request(STORING, self._try_insert)

    async def list_entries(self, after: str, limit: int) -> list[Entry]:
        rows = await self._request(FETCHING, lambda connection: connection.fetch(LIST, after or NO_ID, limit))
        return [Entry(*row) for row in rows]

    async def list_specs(self, after: str, limit: int) -> list[StoredSpec]:
        rows = await self._request(FETCHING, lambda connection: connection.fetch(LIST_SPECS, after or NO_ID, limit))
        return [StoredSpec(*row) for row in rows]

    async def identity(self) -> object:
        try:
            return tuple(await self._request(FETCHING, lambda connection: connection.fetchrow(IDENTITY)))
        except StorageUnavailable as error:
            if isinstance(error.__cause__, asyncpg.UndefinedFunctionError):  # another server with this protocol
                return (*self._urls, *self._settings.items())
            raise

    async def close(self) -> None:
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self._deadline)
        for pool in (*self._pools.values(), *self._abandoned):
            pool.terminate()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _request(self, operation: str, work: Work[Result], size: int = 0) -> Result:
        """Return the result of `work`, which goes on after the deadline, and if the caller is cancelled."""
        with self._queues[operation].add(size):
            task = asyncio.create_task(self._run(operation, work))
            self._tasks.add(task)
            task.add_done_callback(self._end_task)
            await asyncio.wait([task], timeout=self._deadline)
            if not task.done():
                self._note_miss()
                raise OutcomeUnknown(f"PostgreSQL: no answer within {self._deadline} s")
            try:
                result = task.result()
            except ERRORS as error:
                kind = StoreFull if isinstance(error, asyncpg.DiskFullError) else StorageUnavailable
                raise kind(f"PostgreSQL: {described(error)}") from error
        self._misses = 0
        if operation == STORING:
            # The new connections work. Nothing is acknowledged through the old ones any more.
            for pool in self._abandoned:
                pool.terminate()
            self._abandoned = []
        return result

    def _end_task(self, task: asyncio.Task[Any]) -> None:
        """Forget a task, and retrieve its error, for which a caller may not wait any more."""
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()

    async def _pool_of(self, operation: str) -> asyncpg.Pool:
        if operation not in self._pools:
            # It connects on first use. Its connections keep their settings when they return to it.
            self._pools[operation] = await asyncpg.create_pool(
                min_size=0, max_size=CONNECTIONS, connect=self._connect, reset=_keep_settings, **self._session
            )
        return self._pools[operation]

    async def _run(self, operation: str, work: Work[Result]) -> Result:
        pool = await self._pool_of(operation)
        connection = await pool.acquire(timeout=self._deadline * ACQUIRE_SHARE)
        try:
            if self._is_prepared:
                return await work(connection)
            async with self._transaction(connection):
                return await work(connection)
        except asyncpg.ReadOnlySQLTransactionError:
            connection.terminate()  # its server is not the primary any more
            raise
        except LOST as error:
            raise OutcomeUnknown(f"PostgreSQL: {described(error)}") from error
        finally:
            if pool.is_closing():  # A connection that was not yet open when the pool was terminated would be kept.
                connection.terminate()
            await pool.release(connection)

    @asynccontextmanager
    async def _transaction(self, connection: asyncpg.Connection) -> AsyncIterator[None]:
        """Run a transaction. Its settings are those of the session, or its own if a pooler exchanges sessions."""
        async with connection.transaction():
            if not self._is_prepared:
                await connection.execute(_setting_sql(self._settings, is_local=True))
            yield

    def _note_miss(self) -> None:
        """Open new connections after some requests without an answer. The old ones are kept: their commits may wait.

        If the new ones do not answer either, no more are opened.
        """
        self._misses += 1
        if self._misses >= MAX_MISSES and not self._abandoned:
            self._abandoned = list(self._pools.values())
            self._pools = {}
            self._misses = 0

    async def _insert(self, connection: asyncpg.Connection, spec: StoredSpec) -> None:
        if not spec.is_deleted:
            await self._check_room(connection)
        await connection.execute(INSERT, *spec)
        self._used += len(spec.rui)

    async def _try_insert(self, connection: asyncpg.Connection) -> None:
        """Store a spec and roll it back, which detects a full disk, too."""
        await self._check_room(connection)
        trial = connection.transaction()
        await trial.start()
        try:
            # More bytes than a page of the table has, so that they need space on the disk.
            await connection.execute(INSERT, str(uuid.uuid4()), "", "", "", "", os.urandom(1 << 14))
        finally:
            await trial.rollback()

    async def _check_room(self, connection: asyncpg.Connection) -> None:
        if self._options.max_bytes and monotonic() - self._measured_at >= SIZE_SECONDS:
            self._used, pages = await connection.fetchrow(SIZE)
            if self._used + RESERVED > self._options.max_bytes:  # deleted rows leave their space to new ones
                share = min(100.0, 100.0 * SAMPLE_BYTES / max(pages, 1))
                self._used = min(self._used, int(await connection.fetchval(LIVE_SIZE, share)))
            self._measured_at = monotonic()
        self._options.check_room(self._used)

    async def _connect(self, *_: object, **arguments: object) -> asyncpg.Connection:
        """Return a connection to the first server that can be used, and try the others last from now on.

        asyncpg tries several servers, too, but its time limit is for all of them together.

        Raises:
            StoreRefused: the URL is malformed, or the tables are of a later version.
        """
        errors = []
        timeout = self._deadline * ACQUIRE_SHARE / len(self._urls)
        if wanted := int(self._parameters.get("connect_timeout", "0")):
            timeout = min(timeout, wanted)
        for url in list(self._urls):
            try:
                connection = await asyncpg.connect(url, timeout=timeout, **arguments)
            except (ValueError, OverflowError, *ERRORS) as error:
                self._check_files()
                # The messages of the others may contain parts of the password.
                if not isinstance(error, ERRORS) or isinstance(error, asyncpg.ClientConfigurationError):
                    reason = f"the URL of the store cannot be used: {redact_password(url)}"
                    raise StoreRefused(reason) from None
                is_refused = isinstance(error, asyncpg.ProtocolViolationError) and "options=" in url
                errors.append(described(error, REFUSED_OPTIONS if is_refused else ""))
                self._urls.remove(url)
                self._urls.append(url)
                continue
            try:
                if self._is_prepared:
                    await connection.execute(_setting_sql(self._settings, is_local=False))
                await self._prepare(connection)
            except BaseException:
                connection.terminate()
                raise
            return connection
        raise StorageUnavailable(f"PostgreSQL: {'; '.join(dict.fromkeys(errors))}")

    def _check_files(self) -> None:
        """Raise StorageUnavailable with the name of a certificate that is missing now. asyncpg does not name it."""
        try:
            check_tls(self._parameters)
        except ValueError as error:
            raise StorageUnavailable(f"PostgreSQL: {error}") from None

    async def _prepare(self, connection: asyncpg.Connection) -> None:
        """Bring the schema up to date.

        Tables are created only once. Empty tables in place of lost ones would answer that stored specs do not exist,
        although they are only unreadable.
        """
        may_create = self._may_create  # another connection may create them while this one reads the version
        version = await self._schema_version(connection)
        if not version and not may_create:
            raise StorageUnavailable("PostgreSQL: the tables of the store are missing")
        statements = missing_versions(version, POSTGRES_VERSIONS)
        if statements:
            try:
                async with self._transaction(connection):
                    for statement in (CREATE_VERSION, *statements, SET_VERSION):
                        await connection.execute(statement)
            except asyncpg.InsufficientPrivilegeError as error:
                async with self._transaction(connection):
                    found = await connection.fetchrow(MISSING_GRANT)
                if found is None:
                    raise
                grant = f"GRANT CREATE ON SCHEMA {found['schema']} TO {found['role']}"
                raise StorageUnavailable(f"PostgreSQL: {described(error, grant)}") from error
            except CONCURRENT_MIGRATION:  # by another connection or process
                if missing_versions(await self._schema_version(connection), POSTGRES_VERSIONS):
                    raise
        self._may_create = False

    async def _schema_version(self, connection: asyncpg.Connection) -> int:
        """Return the version of the schema; 0 if there are no tables."""
        try:
            async with self._transaction(connection):
                return int(await connection.fetchval(VERSION) or 0)
        except asyncpg.UndefinedTableError:
            return 0


def _setting_sql(settings: Mapping[str, str], *, is_local: bool) -> str:
    """Return the statement that sets settings for the transaction or for the session."""
    calls = [f"set_config({_quoted(name)}, {_quoted(value)}, {is_local})" for name, value in settings.items()]
    return f"SELECT {', '.join(calls)}"


def _quoted(text: str) -> str:
    """Return a text as a literal, whatever `standard_conforming_strings` is."""
    escaped = text.replace("\\", r"\\").replace("'", "''")
    return f"E'{escaped}'"


async def _keep_settings(_: asyncpg.Connection) -> None:
    """Replaces asyncpg's reset of a connection that returns to its pool, which is a request to the server."""
