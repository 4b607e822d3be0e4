"""The SQLite file: opening, schema, and detection of a file that was moved, deleted or replaced."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from time import monotonic

from rui_api.store.base import DeletedSpec, StorageUnavailable, StoredSpec, StoreRefused
from rui_api.store.migrations import Schema
from rui_api.store.rows import Row, to_rows
from rui_api.store.sqlite.schema import migrate, read_schema, take_step, transaction

# With a write-ahead log and synchronous = FULL, every commit is synced to disk before it returns. Deleted
# content is overwritten with zeros.
PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON",
    "PRAGMA secure_delete = ON",
)

COLUMNS = "spec_id, created_at, content_hash, validation_version, registry_version, normalized_rui"
INSERT = f"INSERT INTO specs ({COLUMNS}) VALUES %s ON CONFLICT (spec_id) DO NOTHING"  # noqa: S608
ROW = "(?, ?, ?, ?, ?, ?)"
MAX_ROWS = 160
"""Specs per statement: SQLite before 3.32 allows 999 parameters."""
PROGRESS_INTERVAL = 1_000_000
"""Instructions of SQLite between two calls of a progress handler: some ten milliseconds."""
SELECT = f"SELECT {COLUMNS} FROM specs WHERE spec_id = ?"  # noqa: S608

PAGE = f"SELECT {COLUMNS} FROM specs WHERE spec_id > ? ORDER BY spec_id LIMIT ?"  # noqa: S608
PAGE_BY_TIME = f"SELECT {COLUMNS} FROM specs WHERE (created_at, spec_id) > (?, ?) ORDER BY created_at, spec_id LIMIT ?"  # noqa: S608
DELETE = (
    f"INSERT INTO specs ({COLUMNS}) VALUES {ROW} ON CONFLICT (spec_id) DO UPDATE SET "  # noqa: S608
    + ", ".join(f"{column} = excluded.{column}" for column in COLUMNS.split(", ")[1:])
    + " WHERE specs.content_hash <> ''"
)

FileId = tuple[int, int]
"""Device and inode."""


class FileReplaced(StorageUnavailable):
    """The path leads to another file than the open one. Opening it again may help."""


class FileMissing(StorageUnavailable):
    """The path leads to no file. The file may come back, so the connection stays open."""


class Database:
    """A SQLite file that may disappear and come back.

    Args:
        path: the file. It is created if it is missing; its directory is not.
        lock_timeout: seconds to wait for a lock of another process.
        create: whether the file may be created.
    """

    def __init__(self, path: Path, lock_timeout: float, *, create: bool = True) -> None:
        self.path = path
        self._lock_timeout = lock_timeout
        self._opening = threading.Lock()
        self._connections: set[Connection] = set()
        self._may_create = create

    def open(self) -> Connection:
        """Return a new connection to the file, with its schema up to date.

        The file is created only once. An empty store in place of a lost one would answer that stored specs do not
        exist, although they are only unreadable.

        Raises:
            StorageUnavailable: the file cannot be opened, created or read.
            StoreRefused: the file belongs to another program or to a later version of this one.
        """
        with self._opening, map_errors(self.path):
            if not self._may_create and not os.stat(self.path).st_size:  # noqa: PTH116  as in `_file_id`
                # A copy into this path has probably just begun. It would overwrite a store that is created now.
                raise FileMissing(f"{self.path}: it is empty, as when a copy of it has only begun")
            self._close_stale()
            connection = self._connect()
            self._may_create = False
            self._connections.add(connection)
            return connection

    def _connect(self) -> Connection:
        mode = "rwc" if self._may_create else "rw"
        raw = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=self._lock_timeout,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=2 * MAX_ROWS,
        )
        try:
            for pragma in PRAGMAS:
                raw.execute(pragma)
            return Connection(raw, self.path, migrate(raw))
        except BaseException:
            raw.close()
            raise

    def close(self, connection: Connection) -> None:
        """Close a connection that `open` returned.

        SQLite does not checkpoint a file that was moved. Its log would stay at the old path, where SQLite would take it
        for the log of another file.
        """
        with self._opening:
            self._connections.discard(connection)
            if connection.is_current():
                connection.close()
            else:
                connection.checkpoint_and_close()

    def _close_stale(self) -> None:
        """Close all connections to a file that is no longer at this path, before the path is opened again.

        SQLite finds a write-ahead log by its name, so it would apply the log of the old file to the new one. Writing
        the log back into the old file, at its new path, removes it without losing specs.
        """
        stale = [connection for connection in self._connections if not connection.is_current()]
        for connection in stale[1:]:
            connection.close()
        if stale:
            stale[0].checkpoint_and_close()
        self._connections.difference_update(stale)


class Connection:
    """A connection to the file at `path`. Thread-safe.

    Attributes:
        schema: the schema of the file when it was opened.

    Methods raise `StorageUnavailable`. After any such error but `FileMissing`, the connection must be closed.
    """

    def __init__(self, raw: sqlite3.Connection, path: Path, schema: Schema) -> None:
        self.schema = schema
        self._raw = raw
        self._path = path
        self._log_path = f"{path}-wal"
        self._lock = threading.Lock()
        self._file_id: FileId | None = _file_id(path)
        self._log_id: FileId | None = None
        with suppress(OSError):  # some file systems create the log with the first write
            self._log_id = _file_id(self._log_path)

    def insert(self, specs: Sequence[StoredSpec | DeletedSpec | Row]) -> None:
        """Store all `specs` in one transaction. With no specs, only check that the file is writable.

        Specs whose ids exist already are left unchanged: they were stored by an earlier attempt.
        SQLite goes on writing into a deleted file, whose specs would be lost. So the path is checked afterwards.
        """
        rows = to_rows(specs, is_compressed=self.schema.is_compressed)
        with self._lock, map_errors(self._path):
            self._check_file()
            if 0 < len(rows) <= MAX_ROWS:
                self._insert(rows)
            else:
                self._insert_in_parts(rows)
            self._check_file()
            self._check_log(has_written=bool(rows))

    def _insert(self, rows: Sequence[Row]) -> None:
        # One statement for all rows: sqlite3 releases the GIL per statement, and getting it back is slow in a busy
        # process. A single statement is also a transaction of its own.
        self._raw.execute(INSERT % ", ".join([ROW] * len(rows)), list(chain.from_iterable(rows)))

    def _insert_in_parts(self, rows: Sequence[Row]) -> None:
        self._raw.execute("BEGIN IMMEDIATE")
        try:
            for start in range(0, len(rows), MAX_ROWS):
                self._insert(rows[start : start + MAX_ROWS])
            if not rows:
                # A lock can be taken on a full disk, too. So the page with this number is written, unchanged.
                self._raw.execute(f"PRAGMA user_version = {self._raw.execute('PRAGMA user_version').fetchone()[0]}")
            self._raw.execute("COMMIT")
        except BaseException:
            if self._raw.in_transaction:
                self._raw.execute("ROLLBACK")
            raise

    def select(self, spec_ids: Sequence[str]) -> list[Row | None]:
        """Return for each id its row, or None."""
        with self._lock, map_errors(self._path):
            self._check_file()
            rows = [self._raw.execute(SELECT, (spec_id,)).fetchone() for spec_id in spec_ids]
            return [row and Row(*row) for row in rows]

    def page_after(self, spec_id: str, limit: int) -> list[Row]:
        return [Row(*row) for row in self.fetch_all(PAGE, spec_id, limit)]  # type: ignore[arg-type]

    def page_by_time(self, created_at: str, spec_id: str, limit: int) -> list[Row]:
        return [Row(*row) for row in self.fetch_all(PAGE_BY_TIME, created_at, spec_id, limit)]  # type: ignore[arg-type]

    def delete(self, deleted: Sequence[DeletedSpec]) -> None:
        """Replace specs by tombstones in one transaction."""
        with self._lock, map_errors(self._path):
            with transaction(self._raw):
                self._raw.executemany(DELETE, to_rows(deleted, is_compressed=False))
            self._check_file()
            self._check_log(has_written=True)

    def erase(self, fully: bool) -> str:
        """See `rui_api.store.bulk.BulkStore.erase`."""
        with self._lock, map_errors(self._path):
            if fully:
                self._raw.execute("VACUUM")
            (is_busy, *_) = self._raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return f"{self._log_path} is in use" if is_busy else ""

    def take_step(self, version: int, on_progress: Callable[[str], None]) -> None:
        """Take a step of the schema. Other connections can read meanwhile, but not write."""
        started = monotonic()

        def show() -> None:
            on_progress(f"{monotonic() - started:.0f} s; nothing is stored meanwhile")

        with self._lock, map_errors(self._path):
            self._raw.set_progress_handler(show, PROGRESS_INTERVAL)
            try:
                take_step(self._raw, version)
            finally:
                self._raw.set_progress_handler(None, 0)
            self.schema = read_schema(self._raw)

    def interrupt(self) -> None:
        """End the statement that runs in another thread, if there is one."""
        self._raw.interrupt()

    def fetch_all(self, statement: str, *parameters: object) -> list[tuple[object, ...]]:
        with self._lock, map_errors(self._path):
            return self._raw.execute(statement, parameters).fetchall()

    def is_current(self) -> bool:
        try:
            self._check_file()
            self._check_log(has_written=False)
        except (StorageUnavailable, OSError):
            return False
        return True

    def checkpoint_and_close(self) -> None:
        """Write the log back into the file, truncate it, and close."""
        with self._lock, suppress(sqlite3.Error):
            self._raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file_id = None
            self._raw.close()

    def _check_file(self) -> None:
        try:
            file_id = _file_id(self._path)
        except FileNotFoundError as error:
            raise FileMissing(f"{self._path}: {error.strerror}") from error
        if file_id != self._file_id:
            raise FileReplaced(f"{self._path}: the file was replaced by another")

    def _check_log(self, *, has_written: bool) -> None:
        try:
            log_id = _file_id(self._log_path)
        except FileNotFoundError:
            if self._log_id is None and not has_written:
                return
            raise FileReplaced(f"{self._log_path}: the write-ahead log was deleted") from None
        if self._log_id is None:
            self._log_id = log_id
        if log_id != self._log_id:
            raise FileReplaced(f"{self._log_path}: the write-ahead log was replaced by another")


@contextmanager
def map_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the file system into `StorageUnavailable`."""
    try:
        yield
    except StoreRefused as error:
        raise StoreRefused(f"{path}: {error}") from None
    except sqlite3.Error as error:
        raise StorageUnavailable(f"{path}: {error}") from error
    except OSError as error:
        raise StorageUnavailable(f"{path}: {error.strerror or error}") from error


def _file_id(path: Path | str) -> FileId:
    status = os.stat(path)  # noqa: PTH116  called for every read, and Path.stat takes twice as long
    return status.st_dev, status.st_ino
