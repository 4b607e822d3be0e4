"""The SQLite file: opening it, its schema, and noticing when it is no longer the one that was opened."""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rui_api.store.protocol import StorageUnavailable, StoredSpec

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

SCHEMA_VERSION = 1

SCHEMA = (
    "CREATE TABLE schema_version (version INTEGER NOT NULL)",
    f"INSERT INTO schema_version VALUES ({SCHEMA_VERSION})",  # noqa: S608
    "CREATE TABLE specs (spec_id TEXT PRIMARY KEY, created_at TEXT NOT NULL, content_hash TEXT NOT NULL, "
    "validation_version TEXT NOT NULL, registry_version TEXT NOT NULL, normalized_rui BLOB NOT NULL)",
)
# A commit is on the disk before it returns: the write-ahead log is synced every time.
PRAGMAS = ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA fullfsync = ON")

INSERT = "INSERT INTO specs VALUES (?, ?, ?, ?, ?, ?)"
SELECT = "SELECT * FROM specs WHERE spec_id = ?"


class Database:
    """A SQLite file that may come and go.

    Args:
        path: the file. It is made when it is not there, its directory is not.
        patience: seconds to wait for a lock that another process holds.
    """

    def __init__(self, path: Path, patience: float) -> None:
        self.path = path
        self._patience = patience
        self._opening = threading.Lock()
        self._seen = False

    def open(self) -> Connection:
        """A new connection to the file, whose schema is in place.

        Once the file was there, it is never made anew: an empty store in its place would answer that stored
        specs do not exist, where the truth is that they cannot be read.

        Raises:
            StorageUnavailable: it cannot be opened, made, read, or is the file of another program.
        """
        with self._opening, unavailable(self.path):
            mode = "rw" if self._seen else "rwc"
            raw = sqlite3.connect(
                f"{self.path.absolute().as_uri()}?mode={mode}",
                uri=True, timeout=self._patience, isolation_level=None, check_same_thread=False,
            )  # fmt: skip
            try:
                for pragma in PRAGMAS:
                    raw.execute(pragma)
                _ensure_schema(raw)
                connection = Connection(raw, self.path)
            except BaseException:
                raw.close()
                raise
            self._seen = True
            return connection


class Connection:
    """One connection to the file at `path`, for one thread at a time.

    Its methods raise `StorageUnavailable`; then it is of no more use and has to be closed.
    """

    def __init__(self, raw: sqlite3.Connection, path: Path) -> None:
        self._raw = raw
        self._path = path
        self._identity = _identity(path)

    def insert(self, specs: Sequence[StoredSpec]) -> None:
        """Store all `specs` in one transaction, or none. Without any, tell whether one could be stored.

        A deleted file would take inserts as before, and lose them: so afterwards the file is looked for.
        """
        with unavailable(self._path):
            self._raw.execute("BEGIN IMMEDIATE")
            try:
                self._raw.executemany(INSERT, [_row(spec) for spec in specs])
                self._raw.execute("COMMIT")
            except BaseException:
                if self._raw.in_transaction:
                    self._raw.execute("ROLLBACK")
                raise
            self._verify()

    def select(self, spec_id: str) -> StoredSpec | None:
        """The spec with this id, or None."""
        with unavailable(self._path):
            self._verify()
            row = self._raw.execute(SELECT, (spec_id,)).fetchone()
            return None if row is None else StoredSpec(*row)

    def close(self) -> None:
        """Let go of the file. May be called from any thread, when no other method runs."""
        self._raw.close()

    def _verify(self) -> None:
        if _identity(self._path) != self._identity:
            raise StorageUnavailable(f"{self._path}: the file was replaced by another")


@contextmanager
def unavailable(path: Path) -> Iterator[None]:
    """Turns what SQLite and the system say about the file into `StorageUnavailable`."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise StorageUnavailable(f"{path}: {reason}") from error


def _identity(path: Path) -> tuple[int, int]:
    found = os.stat(path)  # noqa: PTH116  once a read: Path.stat would cost twice as much
    return found.st_dev, found.st_ino


def _row(spec: StoredSpec) -> tuple[str, str, str, str, str, bytes]:
    return (
        spec.spec_id, spec.created_at, spec.content_hash, spec.validation_version, spec.registry_version, spec.rui,
    )  # fmt: skip


def _ensure_schema(raw: sqlite3.Connection) -> None:
    if _schema_version(raw) is None:
        raw.execute("BEGIN IMMEDIATE")
        try:
            if _schema_version(raw) is None:  # another process may have been faster
                for statement in SCHEMA:
                    raw.execute(statement)
            raw.execute("COMMIT")
        except BaseException:
            if raw.in_transaction:
                raw.execute("ROLLBACK")
            raise
    version = _schema_version(raw)
    if version != SCHEMA_VERSION:
        raise sqlite3.DatabaseError(f"its schema has version {version}, this program knows {SCHEMA_VERSION}")


def _schema_version(raw: sqlite3.Connection) -> int | None:
    """The version of the schema in the file, or None if the file is empty."""
    tables = {name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return None
    if not {"schema_version", "specs"} <= tables:
        raise sqlite3.DatabaseError("this is the database of another program")
    (version,) = raw.execute("SELECT max(version) FROM schema_version").fetchone()
    return int(version or 0)
