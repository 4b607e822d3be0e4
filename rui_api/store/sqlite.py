"""Specs in a SQLite file, for one process. One thread writes and one reads, each in batches."""

import asyncio
import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from rui_api.store.availability import RESERVED, Batches, StoreOptions
from rui_api.store.base import Entry, OutcomeUnknown, StorageUnavailable, StoredSpec, StoreFull, StoreRefused
from rui_api.store.schema import COLUMNS, ON_CONFLICT, SQLITE_VERSIONS, missing_versions

LOCK_SHARE = 2 / 3  # the part of the deadline for which a lock of another process is awaited

# With a write-ahead log and synchronous = FULL, every commit is synced to disk before it returns. Deleted content is
# overwritten with zeros.
PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON",
    "PRAGMA secure_delete = ON",
)
INSERT = f"INSERT INTO specs AS old ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?) {ON_CONFLICT}"  # noqa: S608
SELECT = f"SELECT {COLUMNS} FROM specs WHERE spec_id = ?"  # noqa: S608
PAGE_CLAUSE = "FROM specs WHERE spec_id > ? ORDER BY spec_id LIMIT ?"
LIST = f"SELECT spec_id, created_at, length(normalized_rui), content_hash = '' {PAGE_CLAUSE}"
LIST_SPECS = f"SELECT {COLUMNS} {PAGE_CLAUSE}"
SET_VERSION = f"PRAGMA user_version = {len(SQLITE_VERSIONS)}"
# One statement, because another process may create the tables at the same time.
SCHEMA_STATE = "SELECT (SELECT user_version FROM pragma_user_version), count(*), sum(name = 'specs') FROM sqlite_master"
DISK_RESERVED = 16 << 20
"""Bytes of the disk that stay free for deletions: the log has 4 MB, and the file grows when it is written there."""
FULL_DISK = 1 << 20  # Bytes. With less, an I/O error is explained by it: the index of the log has 32 KB.
REUSABLE = "SELECT page_size * freelist_count FROM pragma_page_size, pragma_freelist_count"
USED = (
    "SELECT page_size * (page_count - freelist_count) FROM pragma_page_size, pragma_page_count, pragma_freelist_count"
)

Change = StoredSpec | None  # A spec or tombstone to store, or None to check that the file is writable
Query = tuple[str, tuple[object, ...]]  # A statement and its parameters


class _Connections(NamedTuple):
    """The connections of both threads, and device and inode of the file and of its write-ahead log."""

    writer: sqlite3.Connection
    reader: sqlite3.Connection
    files: tuple[tuple[int, int], ...]


class SqliteStore:
    """A `rui_api.store.base.Store` in the file `path`, whose folder must exist.

    With `is_read_only`, or on read-only media, specs can be fetched and not stored.
    """

    def __init__(self, path: Path, options: StoreOptions, *, is_read_only: bool) -> None:
        self._path = path
        self._log = path  # the log of the file to which a link leads
        self._options = options
        self._is_read_only = is_read_only
        self._may_create = options.create and not is_read_only
        self._cannot_write = False  # whether the file was opened for reading, as it cannot be written
        self._writer: Batches[Change, None] = Batches(self._write, "storing", options)
        self._reader: Batches[Query, list[Any]] = Batches(self._read, "fetching", options)
        # A thread that needs both locks takes `_writing` first.
        self._writing = threading.Lock()
        self._reading = threading.Lock()
        self._connections: _Connections | None = None
        self._has_failed_to_write = False
        self._has_failed_to_read = False

    async def open(self) -> Sequence[str]:
        return await asyncio.to_thread(self._open_and_inspect)

    async def store(self, spec: StoredSpec) -> None:
        await self._writer.submit(spec, len(spec.rui))

    async def fetch(self, spec_id: str) -> StoredSpec | None:
        rows = await self._reader.submit((SELECT, (spec_id,)))
        if rows:
            return StoredSpec(*rows[0])
        return None

    async def ready(self) -> None:
        await self._writer.submit(None)

    async def list_entries(self, after: str, limit: int) -> list[Entry]:
        rows = await self._reader.submit((LIST, (after, limit)))
        return [Entry(spec_id, created_at, size, bool(is_deleted)) for spec_id, created_at, size, is_deleted in rows]

    async def list_specs(self, after: str, limit: int) -> list[StoredSpec]:
        return [StoredSpec(*row) for row in await self._reader.submit((LIST_SPECS, (after, limit)))]

    async def identity(self) -> object:
        await self.fetch("")
        return self._connections and self._connections.files[0]

    async def close(self) -> None:
        await self._writer.close()
        await self._reader.close()
        await asyncio.to_thread(self._close_file)

    def _open_and_inspect(self) -> Sequence[str]:
        """Open the file, and return the reasons why no specs can be stored in it."""
        self._read([(SELECT, ("",))])
        if self._cannot_write:
            return (f"{self._path} is read-only: stored specs can be fetched, and no new ones stored",)
        if self._is_read_only:
            return ()
        try:
            with self._writing, self._mapped_errors():
                connections = self._current()
                if connections is not None:
                    self._check_room(connections.writer, 0)
        except StoreFull as error:
            return (f"{error}; stored specs can be fetched, and no new ones stored",)
        return ()

    def _write(self, changes: Sequence[Change]) -> list[None]:
        """Make all changes in one transaction. Returns None for each.

        SQLite goes on writing into a deleted file, whose specs would be lost. So the path is checked again afterwards.
        """
        with self._writing, self._mapped_errors():
            connections = None if self._has_failed_to_write else self._current()
            if connections is None:
                with self._reading:
                    connections = self._open()
            try:
                self._commit(connections.writer, changes)
            except (sqlite3.Error, OutcomeUnknown):
                self._has_failed_to_write = True
                raise
            if self._current() is None:
                raise OutcomeUnknown("the file was replaced during a commit")
        return [None] * len(changes)

    def _read(self, queries: Sequence[Query]) -> list[list[Any]]:
        with self._reading, self._mapped_errors():
            connections = None if self._has_failed_to_read else self._current()
            if connections is not None:
                return self._rows(connections, queries)
        with self._writing, self._reading, self._mapped_errors():
            connections = None if self._has_failed_to_read else self._current()
            return self._rows(connections or self._open(), queries)

    def _rows(self, connections: _Connections, queries: Sequence[Query]) -> list[list[Any]]:
        try:
            return [connections.reader.execute(*query).fetchall() for query in queries]
        except sqlite3.Error:
            self._has_failed_to_read = True
            raise

    def _commit(self, writer: sqlite3.Connection, changes: Sequence[Change]) -> None:
        specs = [change for change in changes if change is not None]
        is_deleting = any(spec.is_deleted for spec in specs)
        if not is_deleting:
            self._check_room(writer, sum([len(spec.rui) for spec in specs]))
        writer.execute("BEGIN IMMEDIATE")
        try:
            writer.executemany(INSERT, specs)
            if not specs:
                # A lock can be taken on a full disk, too. So the page with this number is written, unchanged.
                writer.execute(SET_VERSION)
            _commit_transaction(writer)
        except (sqlite3.Error, OutcomeUnknown):
            if writer.in_transaction:
                writer.execute("ROLLBACK")
            raise
        if is_deleting:
            # So that the log of a long deletion stays short. TRUNCATE would block other processes that store; it runs
            # when the store is closed, and erases what the log has of deleted specs.
            writer.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def _check_room(self, writer: sqlite3.Connection, size: int) -> None:
        """Raise `StoreFull` if there is no room for a number of bytes, in the file or on the disk.

        A deletion needs room for its log, and one on a full disk would fail. It frees pages of the file, not the disk.
        """
        if self._options.max_bytes:
            (used,) = writer.execute(USED).fetchone()
            self._options.check_room(used, size)
        free = shutil.disk_usage(self._path).free
        size = max(size, RESERVED)
        needed = 2 * size + DISK_RESERVED  # a spec is in the log first, and then in the file
        if free >= needed:
            return
        (reusable,) = writer.execute(REUSABLE).fetchone()
        if free + reusable < needed or free < size + DISK_RESERVED // 2:
            raise StoreFull(f"the disk is full: {free:,} bytes are free, {DISK_RESERVED:,} are reserved for deletions")

    def _open(self) -> _Connections:
        """Open the file again, and return its connections. Both locks are held.

        The file is created only once. An empty store in place of a lost one would answer that stored specs do not
        exist, although they are only unreadable.
        """
        if self._connections is not None and self._current() is None:
            self._forget_file()
        if not self._may_create and not self._path.stat().st_size:
            raise StorageUnavailable("the file is empty")  # a copy into it may have begun
        writer, reader = self._connect_both()
        # The old connections are closed after the new ones are open. When the last one closes, SQLite removes the log,
        # and on a full disk no new one can be created, not even for reading.
        old = self._connections
        self._connections = _Connections(writer, reader, self._file_ids())
        if old is not None:
            old.reader.close()
            old.writer.close()
        self._may_create = False
        self._has_failed_to_write = False
        self._has_failed_to_read = False
        return self._connections

    def _connect_both(self) -> tuple[sqlite3.Connection, sqlite3.Connection]:
        """Return connections for writing and reading. The first one is read-only, too, if the file cannot be written.

        SQLite writes the file, and creates others in its folder.
        """
        self._log = Path(f"{os.path.realpath(self._path)}-wal")
        self._cannot_write = False
        if not self._is_read_only:
            try:
                return self._connect_twice("rwc" if self._may_create else "rw")
            except sqlite3.Error:
                can_write = os.access(self._path, os.W_OK) and os.access(self._log.parent, os.W_OK)
                if can_write or not self._path.exists():
                    raise
                self._cannot_write = True
        try:
            return self._connect_twice("ro")
        except sqlite3.Error as error:
            if not self._log.exists():
                raise
            reason = "the latest specs may be in the file -wal beside it: copy both to a folder that can be written"
            raise StorageUnavailable(f"{error}; {reason}") from error

    def _connect_twice(self, mode: str) -> tuple[sqlite3.Connection, sqlite3.Connection]:
        writer = self._connect(mode)
        try:
            _prepare(writer)
            return writer, self._connect(mode)
        except BaseException:
            writer.close()
            raise

    def _connect(self, mode: str) -> sqlite3.Connection:
        # The file may vanish after the check of its size, so only the first connection creates it.
        uri = f"{self._path.absolute().as_uri()}?mode={mode}"
        if mode == "ro" and not self._log.exists() and not os.access(self._log.parent, os.W_OK):
            uri += "&immutable=1"  # otherwise SQLite needs a log, and cannot create it
        timeout = self._options.deadline * LOCK_SHARE
        connection = sqlite3.connect(uri, uri=True, timeout=timeout, isolation_level=None, check_same_thread=False)
        try:
            if mode != "ro":
                # Before the journal mode, which is a change of the file: it may be of another program.
                missing_versions(_schema_version(connection), SQLITE_VERSIONS)
                for pragma in PRAGMAS:
                    connection.execute(pragma)
        except BaseException:
            connection.close()
            raise
        return connection

    def _close_file(self) -> None:
        with self._writing, self._reading:
            self._forget_file()

    def _forget_file(self) -> None:
        """Write the log into the file and close it.

        SQLite finds a log by its name. If the file was moved, the log would be applied to the next file with its name.
        """
        if self._connections is not None:
            self._connections.reader.close()
            _checkpoint(self._connections.writer)
            self._connections.writer.close()
            self._connections = None

    def _current(self) -> _Connections | None:
        """Return the open connections, or None if the path leads to another file or log.

        Raises:
            OSError: the file is missing. It may come back, so it stays open.
        """
        if self._connections is None:
            return None
        if self._file_ids() == self._connections.files:
            return self._connections
        return None

    def _file_ids(self) -> tuple[tuple[int, int], ...]:
        file = os.stat(self._path)  # noqa: PTH116  Path.stat takes twice as long
        try:
            log = os.stat(self._log)  # noqa: PTH116
        except FileNotFoundError:  # it was deleted, or a file on read-only media needs none
            return (file.st_dev, file.st_ino), (0, 0)
        return (file.st_dev, file.st_ino), (log.st_dev, log.st_ino)

    @contextmanager
    def _mapped_errors(self) -> Iterator[None]:
        """Turn errors of SQLite and of the file system into `StorageUnavailable`."""
        try:
            yield
        except StorageUnavailable as error:
            raise type(error)(f"{self._path}: {error}") from None
        except sqlite3.Error as error:
            is_full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
            reason = "; ".join(filter(None, (str(error), _cause(error, self._path))))
            raise (StoreFull if is_full else StorageUnavailable)(f"{self._path}: {reason}") from error
        except OSError as error:
            raise StorageUnavailable(f"{self._path}: {error.strerror or error}") from error


def _cause(error: sqlite3.Error, path: Path) -> str:
    """Return why SQLite cannot use a file, if the operator can see it from outside; else ``""``."""
    folder = path.parent
    if not folder.is_dir():
        return f"there is no folder {folder}"
    if path.is_dir():
        return "this is a folder: name a file in it"
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:  # also for a deletion, which needs room for its log
        return "free some megabytes of the disk"
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return "the file is damaged, or of another program: restore a backup in its place"
    if code not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR):
        return ""
    if not os.access(folder, os.W_OK):
        return f"the folder {folder} cannot be written"
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        return "the rights of the file do not allow it"
    if shutil.disk_usage(folder).free < FULL_DISK:
        return "the disk is full"
    return ""


def _commit_transaction(writer: sqlite3.Connection) -> None:
    """Commit. Raises `OutcomeUnknown` if the disk fails: the transaction may be in the log, or not."""
    try:
        writer.execute("COMMIT")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_IOERR:
            raise OutcomeUnknown(str(error)) from error
        raise


def _checkpoint(writer: sqlite3.Connection) -> None:
    """Write the log into the file, and empty it, unless another process reads it."""
    with suppress(sqlite3.Error):
        writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _prepare(writer: sqlite3.Connection) -> None:
    """Bring the schema up to date."""
    if not missing_versions(_schema_version(writer), SQLITE_VERSIONS):
        return
    writer.execute("BEGIN IMMEDIATE")
    for statement in missing_versions(_schema_version(writer), SQLITE_VERSIONS):
        writer.execute(statement)
    writer.execute(SET_VERSION)
    writer.execute("COMMIT")


def _schema_version(connection: sqlite3.Connection) -> int:
    """Return the version of the schema of a file; 0 if it is empty.

    Raises:
        StoreRefused: the file belongs to another program.
    """
    version, tables, has_specs = connection.execute(SCHEMA_STATE).fetchone()
    if tables and not (version and has_specs):
        raise StoreRefused("this is not a store of this program")
    return int(version)
