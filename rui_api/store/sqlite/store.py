"""Specs in one SQLite file, for one process: one thread writes, one reads, each together what waits."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import TYPE_CHECKING

from rui_api.store.batch_worker import BatchThread
from rui_api.store.outage_log import Trouble
from rui_api.store.queue import MAX_WAITING
from rui_api.store.queued_store import LinedStore
from rui_api.store.sqlite.database import Connection, Database, FileMissing, FileReplaced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import TypeVar

    from rui_api.store.base import StoredSpec

    Result = TypeVar("Result")


class SqliteStore(LinedStore):
    """A `rui_api.store.base.Store` in the file `path`.

    Args:
        path: the file; made when it is first needed and not there.
        patience: seconds to wait for another process that holds a lock on it.
        queue: so many requests of each sort wait at most; more are refused.
    """

    def __init__(self, path: Path, *, patience: float = 1.0, queue: int = MAX_WAITING) -> None:
        self._database = Database(path, patience)
        trouble = Trouble()
        self._writing, self._reading = _Link(self._database), _Link(self._database)
        self._writer: BatchThread[tuple[StoredSpec, ...], None] = BatchThread(self._write, trouble, "write", queue)
        self._reader: BatchThread[str, StoredSpec | None] = BatchThread(self._read, trouble, "read", queue)
        super().__init__(self._writer.line, self._reader.line)

    async def close(self) -> None:
        """Store what waits, end the threads, close the file."""
        self._writer.flush()
        self._reader.flush()
        await asyncio.get_running_loop().run_in_executor(None, self._close)

    def _close(self) -> None:
        self._writer.stop()
        self._reader.stop()
        self._reading.cut()
        self._writing.cut()

    def _write(self, puts: Sequence[tuple[StoredSpec, ...]]) -> list[None]:
        specs = [spec for put in puts for spec in put]
        self._writing.use(lambda connection: connection.insert(specs))
        return [None] * len(puts)

    def _read(self, spec_ids: Sequence[str]) -> list[StoredSpec | None]:
        return self._reading.use(lambda connection: connection.select(spec_ids))


class _Link:
    """A connection that is made when it is needed, and again after it failed. For one thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: Connection | None = None
        self._doubtful = False

    def use(self, work: Callable[[Connection], Result]) -> Result:
        """Do `work`; once more when another file turns out to have the name of the one that was open."""
        try:
            return self._try(work)
        except FileReplaced:
            return self._try(work)

    def cut(self) -> None:
        """Close the connection, if there is one."""
        self._exchange(None)

    def _try(self, work: Callable[[Connection], Result]) -> Result:
        if self._connection is None or self._doubtful:
            self._exchange(self._database.open())
        assert self._connection is not None  # noqa: S101  for the type checker
        try:
            return work(self._connection)
        except FileReplaced:
            self._doubtful = True  # `Database.open` writes its log back
            raise
        except FileMissing:
            raise
        except Exception as error:
            # When the last connection closes, SQLite takes the log away; on a full disk nobody could read then.
            self._doubtful = True
            if isinstance(error.__cause__, sqlite3.DatabaseError) and not isinstance(
                error.__cause__, sqlite3.OperationalError
            ):
                self.cut()  # a corrupt file; what SQLite remembers of it is, too
            raise

    def _exchange(self, connection: Connection | None) -> None:
        old, self._connection, self._doubtful = self._connection, connection, False
        if old is not None:
            self._database.close(old)
