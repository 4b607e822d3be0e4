"""`rui_api.store.bulk.BulkStore` for a SQLite file, which a service may be using at the same time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rui_api.store.sqlite.database import Database

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rui_api.store.base import StoredSpec


class SqliteBulkStore:
    """See `rui_api.store.bulk.BulkStore`."""

    def __init__(self, path: Path, lock_timeout: float, *, create: bool) -> None:
        self._database = Database(path, lock_timeout, create=create)
        self._connection = self._database.open()

    async def count(self) -> int:
        return int(str(self._connection.fetch_all("SELECT count(*) FROM specs")[0][0]))

    async def timestamps(self) -> tuple[str, str]:
        ((first, last),) = self._connection.fetch_all("SELECT min(created_at), max(created_at) FROM specs")
        return str(first or ""), str(last or "")

    async def fingerprint(self) -> str:
        """Return an empty string: files are compared by their paths."""
        return ""

    async def page_after(self, spec_id: str, limit: int) -> list[StoredSpec]:
        return self._connection.page_after(spec_id, limit)

    async def find(self, spec_ids: Sequence[str]) -> list[StoredSpec | None]:
        return self._connection.select(spec_ids)

    async def insert_many(self, specs: Sequence[StoredSpec]) -> None:
        self._connection.insert(specs)

    async def close(self) -> None:
        self._database.close(self._connection)
