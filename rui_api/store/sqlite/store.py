"""Specs in a SQLite file, for one process. One thread writes and one reads, each in batches."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from rui_api.store.base import Measurement, ReadResult, StorageUnavailable, StoredSpec
from rui_api.store.batch_worker import BatchThread
from rui_api.store.capacity import measure_file
from rui_api.store.outage_log import OutageLog
from rui_api.store.queue import MAX_WAITING
from rui_api.store.queued_store import QueuedStore, size_of
from rui_api.store.rows import read_row
from rui_api.store.sqlite.database import Connection, Database, FileMissing, FileReplaced, map_errors

Result = TypeVar("Result")


class SqliteStore(QueuedStore):
    """A `rui_api.store.base.Store` in the file `path`.

    Args:
        path: the file; created on first use if it is missing.
        lock_timeout: seconds to wait for a lock of another process.
        max_waiting: maximum number of waiting requests per operation.
    """

    def __init__(self, path: Path, *, lock_timeout: float = 1.0, max_waiting: int = MAX_WAITING) -> None:
        self._path = path
        database = Database(path, lock_timeout)
        outages = OutageLog()
        self._write_connection = ReconnectingConnection(database)
        self._read_connection = ReconnectingConnection(database)
        self._writer: BatchThread[tuple[StoredSpec, ...], None]
        self._writer = BatchThread(self._write, outages, "write", max_waiting)
        self._reader: BatchThread[str, ReadResult | StorageUnavailable]
        self._reader = BatchThread(self._read, outages, "read", max_waiting)
        super().__init__(self._writer.queue, self._reader.queue)

    async def measure(self) -> Measurement:
        return await asyncio.to_thread(self._measure)

    async def close(self) -> None:
        loop = asyncio.get_running_loop()
        self._writer.flush(loop)
        self._reader.flush(loop)
        await loop.run_in_executor(None, self._close)

    def _close(self) -> None:
        self._writer.stop()
        self._reader.stop()
        self._read_connection.close()
        self._write_connection.close()

    def _write(self, puts: Sequence[tuple[StoredSpec, ...]]) -> list[None]:
        specs = [spec for put in puts for spec in put]
        size = size_of(specs)
        if self.capacity.is_due(size):
            self.capacity.update(self._measure())
        self.capacity.reserve(size)
        self._write_connection.run(lambda connection: connection.insert(specs))
        return [None] * len(puts)

    def _measure(self) -> Measurement:
        with map_errors(self._path):
            return measure_file(self._path)

    def _read(self, spec_ids: Sequence[str]) -> list[ReadResult | StorageUnavailable]:
        rows = self._read_connection.run(lambda connection: connection.select(spec_ids))
        return [read_row(row) for row in rows]


class ReconnectingConnection:
    """A connection that opens on first use and again after an error. For one thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: Connection | None = None
        self._has_failed = False

    def run(self, work: Callable[[Connection], Result]) -> Result:
        """Return `work(connection)`; try once more if the file was replaced."""
        try:
            return self._try(work)
        except FileReplaced:
            return self._try(work)

    def close(self) -> None:
        self._replace(None)

    def _try(self, work: Callable[[Connection], Result]) -> Result:
        connection = self._connection
        if connection is None or self._has_failed:
            connection = self._database.open()
            self._replace(connection)
        try:
            return work(connection)
        except FileMissing:
            raise
        except Exception as error:
            # The connection stays open until another one is. When the last one closes, SQLite removes the log, and on a
            # full disk no new one can be created, not even for reading.
            self._has_failed = True
            if _is_corruption(error.__cause__):
                self.close()  # SQLite's page cache is not reliable either
            raise

    def _replace(self, connection: Connection | None) -> None:
        old = self._connection
        self._connection = connection
        self._has_failed = False
        if old is not None:
            self._database.close(old)


def _is_corruption(error: BaseException | None) -> bool:
    return isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
