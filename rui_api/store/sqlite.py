"""Specs in one SQLite file, for one process: a thread that writes with group commit, a few that read."""

from __future__ import annotations

import asyncio
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from rui_api.store.database import Connection, Database
from rui_api.store.group_commit import GroupCommit
from rui_api.store.protocol import StorageUnavailable

if TYPE_CHECKING:
    from pathlib import Path

    from rui_api.store.protocol import StoredSpec

READERS = 4

log = logging.getLogger("rui_api.store")


class SqliteStore:
    """A `rui_api.store.protocol.Store` in the file `path`.

    Args:
        path: the file; made when it is first needed and not there.
        patience: seconds to wait for another process that holds a lock on it.
    """

    def __init__(self, path: Path, *, patience: float = 2.0) -> None:
        self._database = Database(path, patience)
        self._writer = GroupCommit(self._database.open, self._report)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="rui-store-reader")
        self._of_thread = threading.local()
        self._connections: set[Connection] = set()
        self._trouble = ""

    async def put(self, spec: StoredSpec) -> None:
        """Keep `spec`; it is in the synced write-ahead log when this returns."""
        await self._writer.submit(spec)

    async def get(self, spec_id: str) -> StoredSpec | None:
        """The spec with this id, or None."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, spec_id)

    async def ready(self) -> None:
        """Return if the file can be locked for writing now."""
        await self._writer.submit(None)

    async def close(self) -> None:
        """Store what waits, end the threads, close the file."""
        await asyncio.get_running_loop().run_in_executor(None, self._close)

    def _close(self) -> None:
        self._writer.stop()
        self._readers.shutdown()
        for connection in self._connections:
            connection.close()

    def _read(self, spec_id: str) -> StoredSpec | None:
        connection: Connection | None = getattr(self._of_thread, "connection", None)
        try:
            if connection is None:
                connection = self._of_thread.connection = self._database.open()
                self._connections.add(connection)
            return connection.select(spec_id)
        except StorageUnavailable as fault:
            if connection is not None:
                self._of_thread.connection = None
                self._connections.discard(connection)
                connection.close()
            self._report(fault)
            raise

    def _report(self, fault: StorageUnavailable | None) -> None:
        """One line in the log when the store fails, or fails otherwise than before, and one when it is back."""
        trouble = "" if fault is None else str(fault)
        if trouble != self._trouble:
            if fault is None:
                log.warning("store answers again")
            else:
                log.error("store unavailable: %s", trouble)
            self._trouble = trouble
