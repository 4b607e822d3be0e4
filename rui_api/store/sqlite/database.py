"""The SQLite file: opening it, its schema, and noticing when it is no longer the one that was opened."""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from rui_api.store.base import StorageUnavailable, StoredSpec, StoreRefused
from rui_api.store.migrations import SQLITE_MIGRATIONS, refuse_later

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

# A commit is on the disk before it returns: the write-ahead log is synced every time.
PRAGMAS = ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA fullfsync = ON")

COLUMNS = "spec_id, created_at, content_hash, validation_version, registry_version, normalized_rui"
INSERT = f"INSERT INTO specs ({COLUMNS}) VALUES %s ON CONFLICT (spec_id) DO NOTHING"  # noqa: S608
MAX_ROWS = 160
"""Specs in one statement: SQLite before 3.32 takes 999 values."""
SELECT = f"SELECT {COLUMNS} FROM specs WHERE spec_id = ?"  # noqa: S608
PAGE = f"SELECT {COLUMNS} FROM specs WHERE spec_id > ? ORDER BY spec_id LIMIT ?"  # noqa: S608

Identity = tuple[int, int]
CLOSED: Identity = (-1, -1)
"""The identity of no file."""


class FileReplaced(StorageUnavailable):
    """Another file has the name of the one that was opened; opening it again may help."""


class FileMissing(StorageUnavailable):
    """No file has the name of the one that was opened. It may come back, so the connection is worth keeping."""


class Database:
    """A SQLite file that may come and go.

    Args:
        path: the file. It is made when it is not there, its directory is not.
        patience: seconds to wait for a lock that another process holds.
        create: whether the file may be made.
    """

    def __init__(self, path: Path, patience: float, *, create: bool = True) -> None:
        self.path = path
        self._patience = patience
        self._opening = threading.Lock()
        self._connections: set[Connection] = set()
        self._seen = not create

    def open(self) -> Connection:
        """A new connection to the file, whose schema is in place.

        Once the file was there, it is never made anew: an empty store in its place would answer that stored
        specs do not exist, where the truth is that they cannot be read.

        Raises:
            StorageUnavailable: it cannot be opened, made or read.
            StoreRefused: it is the file of another program, or of a later version of this one.
        """
        with self._opening, unavailable(self.path):
            if self._seen and not os.stat(self.path).st_size:  # noqa: PTH116  as `_identity`
                # What is open is worth keeping till then; and what is copied here would overwrite a new store.
                raise FileMissing(f"{self.path}: it is empty, as when a copy of it has only begun")
            self._retire_stale()
            mode = "rw" if self._seen else "rwc"
            raw = sqlite3.connect(
                f"{self.path.absolute().as_uri()}?mode={mode}",
                uri=True, timeout=self._patience, isolation_level=None, check_same_thread=False,
                cached_statements=2 * MAX_ROWS,
            )  # fmt: skip
            try:
                for pragma in PRAGMAS:
                    raw.execute(pragma)
                _migrate(raw)
                connection = Connection(raw, self.path)
            except BaseException:
                raw.close()
                raise
            self._seen = True
            self._connections.add(connection)
            return connection

    def close(self, connection: Connection) -> None:
        """Let go of a connection that `open` gave.

        SQLite itself writes nothing back into a file that was moved, and leaves its log where that would be taken for
        the log of another one.
        """
        with self._opening:
            self._connections.discard(connection)
            if connection.is_current():
                connection.close()
            else:
                connection.retire()

    def _retire_stale(self) -> None:
        """Close every connection to a file that has another name now, or none, before this name is opened again.

        SQLite finds a write-ahead log by its name: the one that the old file left beside the new one would be taken
        for its own, and its pages for newer ones. So the log is first written back into the file that it belongs to,
        wherever that is now. Nothing stored there is lost either.
        """
        stale = [connection for connection in self._connections if not connection.is_current()]
        for connection in stale[1:]:
            connection.close()
        for connection in stale[:1]:
            connection.retire()
        self._connections.difference_update(stale)


class Connection:
    """One connection to the file at `path`. Any thread may use it, one after the other.

    Its methods raise `StorageUnavailable`. After any but `FileMissing` it is of no more use and has to be closed.
    """

    def __init__(self, raw: sqlite3.Connection, path: Path) -> None:
        self._raw = raw
        self._path = path
        self._log = f"{path}-wal"
        self._using = threading.Lock()
        self._identity = _identity(path)
        # The log may be missing: no file of its own is seen before something is written.
        with suppress(OSError):
            self._log_identity: Identity | None = None
            self._log_identity = _identity(self._log)

    def insert(self, specs: Sequence[StoredSpec]) -> None:
        """Store all `specs` in one transaction, or none. Without any, tell whether one could be stored.

        What has an id that is stored already is left as it is: it was stored when it was tried before.
        A deleted file would take inserts as before, and lose them: so afterwards the file is looked for.
        """
        with self._using, unavailable(self._path):
            self._verify()
            if 0 < len(specs) <= MAX_ROWS:
                self._insert(specs)
            else:
                self._insert_by_parts(specs)
            self._verify()
            self._verify_log(written=bool(specs))

    def _insert(self, specs: Sequence[StoredSpec]) -> None:
        # One statement for all of them. After each, Python's threads change places, which takes a busy one long; and
        # a single statement is a transaction of its own.
        places = ", ".join(["(?, ?, ?, ?, ?, ?)"] * len(specs))
        self._raw.execute(INSERT % places, [value for spec in specs for value in row_of(spec)])

    def _insert_by_parts(self, specs: Sequence[StoredSpec]) -> None:
        self._raw.execute("BEGIN IMMEDIATE")
        try:
            for start in range(0, len(specs), MAX_ROWS):
                self._insert(specs[start : start + MAX_ROWS])
            if not specs:
                # A full disk lets nobody write, but lock: so the page that has this number is written as it is.
                self._raw.execute(f"PRAGMA user_version = {self._raw.execute('PRAGMA user_version').fetchone()[0]}")
            self._raw.execute("COMMIT")
        except BaseException:
            if self._raw.in_transaction:
                self._raw.execute("ROLLBACK")
            raise

    def select(self, spec_ids: Sequence[str]) -> list[StoredSpec | None]:
        """For each of these ids its spec, or None."""
        with self._using, unavailable(self._path):
            self._verify()
            rows = [self._raw.execute(SELECT, (spec_id,)).fetchone() for spec_id in spec_ids]
            return [None if row is None else StoredSpec(*row) for row in rows]

    def page(self, spec_id: str, limit: int) -> list[StoredSpec]:
        """The next specs behind an id, in the order of ids."""
        return [StoredSpec(*row) for row in self.rows(PAGE, spec_id, limit)]  # type: ignore[arg-type]

    def rows(self, statement: str, *values: object) -> list[tuple[object, ...]]:
        """What a query finds."""
        with self._using, unavailable(self._path):
            return self._raw.execute(statement, values).fetchall()

    def is_current(self) -> bool:
        """Whether the file still has its name, and its log too."""
        try:
            self._verify()
            self._verify_log(written=False)
        except (StorageUnavailable, OSError):
            return False
        return True

    def retire(self) -> None:
        """Write the log back into the file, leave nothing in it, and close."""
        with self._using, suppress(sqlite3.Error):
            self._raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        with self._using:
            self._identity = CLOSED
            self._raw.close()

    def _verify(self) -> None:
        try:
            found = _identity(self._path)
        except FileNotFoundError as error:
            raise FileMissing(f"{self._path}: {error.strerror}") from error
        if found != self._identity:
            raise FileReplaced(f"{self._path}: the file was replaced by another")

    def _verify_log(self, *, written: bool) -> None:
        try:
            found = _identity(self._log)
        except FileNotFoundError:
            if self._log_identity is None and not written:
                return
            raise FileReplaced(f"{self._log}: the write-ahead log was deleted") from None
        if self._log_identity is None:
            self._log_identity = found
        if found != self._log_identity:
            raise FileReplaced(f"{self._log}: the write-ahead log was replaced by another")


@contextmanager
def unavailable(path: Path) -> Iterator[None]:
    """Turns what SQLite and the system say about the file into `StorageUnavailable`."""
    try:
        yield
    except StoreRefused as error:
        raise StoreRefused(f"{path}: {error}") from None
    except (sqlite3.Error, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise StorageUnavailable(f"{path}: {reason}") from error


def row_of(spec: StoredSpec) -> tuple[str, str, str, str, str, bytes]:
    """The values of `COLUMNS`."""
    return (
        spec.spec_id, spec.created_at, spec.content_hash, spec.validation_version, spec.registry_version, spec.rui,
    )  # fmt: skip


def _identity(path: Path | str) -> Identity:
    found = os.stat(path)  # noqa: PTH116  once a read: Path.stat would cost twice as much
    return found.st_dev, found.st_ino


def _migrate(raw: sqlite3.Connection) -> None:
    """Bring the schema to the version of this program, one transaction a version.

    Other processes may do the same at the same time: the version is read again under the lock.
    """
    known = len(SQLITE_MIGRATIONS)
    while (version := _version(raw)) < known:
        raw.execute("BEGIN IMMEDIATE")
        try:
            if _version(raw) == version:  # another process may have been faster
                if version == 0:
                    raw.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
                    raw.execute("INSERT INTO schema_version VALUES (0)")
                for statement in SQLITE_MIGRATIONS[version]:
                    raw.execute(statement)
                raw.execute("UPDATE schema_version SET version = ?", (version + 1,))
            raw.execute("COMMIT")
        except BaseException:
            if raw.in_transaction:
                raw.execute("ROLLBACK")
            raise
    refuse_later(version, known)


def _version(raw: sqlite3.Connection) -> int:
    """The version of the schema in the file, 0 if the file is empty."""
    tables = {name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return 0
    if not {"schema_version", "specs"} <= tables:
        raise StoreRefused("this is the database of another program")
    (version,) = raw.execute("SELECT max(version) FROM schema_version").fetchone()
    return int(version or 0)
