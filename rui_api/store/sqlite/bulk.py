"""`rui_api.store.bulk.BulkStore` for a SQLite file, which a service may be using at the same time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rui_api.store.sqlite.database import Database

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rui_api.store.base import StoredSpec


def open_sqlite(path: Path, timeout: float, *, create: bool) -> SqliteBulkStore:
    """Open the file; `timeout` is for locks of other processes."""
    return SqliteBulkStore(Database(path, timeout, create=create))


class SqliteBulkStore:
    """See `rui_api.store.bulk.BulkStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection = database.open()

    async def count(self) -> int:
        """Return the number of specs."""
        return int(str(self._connection.fetch_all("SELECT count(*) FROM specs")[0][0]))

    async def timestamps(self) -> tuple[str, str]:
        """Return when the first and the last spec were created."""
        ((first, last),) = self._connection.fetch_all("SELECT min(created_at), max(created_at) FROM specs")
        return str(first or ""), str(last or "")

    async def fingerprint(self) -> str:
        """Return an empty string: files are compared by their paths."""
        return ""

    async def page_after(self, spec_id: str, limit: int) -> list[StoredSpec]:
        """Return the specs after an id."""
        return self._connection.page_after(spec_id, limit)

    async def find(self, spec_ids: Sequence[str]) -> list[StoredSpec | None]:
        """Return for each id its spec, or None."""
        return self._connection.select(spec_ids)

    async def insert_many(self, specs: Sequence[StoredSpec]) -> None:
        """Store all of these durably."""
        self._connection.insert(specs)

    async def close(self) -> None:
        """Close the connection."""
        self._database.close(self._connection)
