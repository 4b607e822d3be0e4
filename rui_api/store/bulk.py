"""Access to all specs of a store, page by page. The commands of ``rui store`` use it, the service does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from rui_api.store.base import DeletedSpec, StoredSpec
from rui_api.store.migrations import Schema, Step
from rui_api.store.rows import Row
from rui_api.store.url import check_store, is_postgres, sqlite_path

TIMEOUT = 30.0
"""Seconds for one step or one lock. No HTTP client is waiting, so it is longer than in the service."""


class BulkStore(Protocol):
    """An open store. All methods raise `StorageUnavailable`.

    Attributes:
        steps: the steps of its schema that this program knows.
    """

    steps: tuple[Step, ...]

    @property
    def schema(self) -> Schema:
        """The schema of the store."""

    async def count(self, since: str = "") -> int:
        """Return the number of specs and tombstones, or of those with a time not before `since`."""

    async def count_deleted(self) -> int:
        """Return the number of tombstones."""

    async def timestamps(self) -> tuple[str, str]:
        """Return when the first and the last spec were created; empty strings if there is none."""

    async def fingerprint(self) -> str:
        """Return a text that two URLs of the same store have in common, or an empty string if there is none."""

    async def page_after(self, spec_id: str, limit: int) -> list[Row]:
        """Return at most `limit` rows in the order of their ids, beginning after `spec_id`; ``""`` for the start."""

    async def ids_after(self, spec_id: str, limit: int, *, only_deleted: bool = False) -> list[str]:
        """Return at most `limit` ids in order, beginning after `spec_id`: all of them, or those of tombstones."""

    async def page_by_time(self, created_at: str, spec_id: str, limit: int) -> list[Row]:
        """Return at most `limit` rows in the order of their times and ids, beginning after this time and id.

        Takes long without the index of the second version.
        """

    async def find(self, spec_ids: Sequence[str]) -> list[Row | None]:
        """Return for each id its row, or None."""

    async def insert_many(self, specs: Sequence[StoredSpec | DeletedSpec | Row]) -> None:
        """Store all of these durably in one transaction. Ids that exist already are left unchanged.

        A row of another store is written as it is.
        """

    async def delete_many(self, deleted: Sequence[DeletedSpec]) -> None:
        """Durably replace specs by tombstones. Tombstones that exist already are left unchanged."""

    async def erase(self, *, fully: bool) -> str:
        """Remove the remains of deleted specs from the files of the store.

        Args:
            fully: whether everything is written anew, which also removes what earlier programs and other tools deleted.
                A running service waits meanwhile.

        Returns:
            A reason why something may be left, or an empty string.
        """

    async def take_step(self, version: int, on_progress: Callable[[str], None]) -> None:
        """Take a step of the schema, without a time limit. `on_progress` gets a short text now and then."""

    async def close(self) -> None:
        """Close the connection."""


async def open_bulk_store(url: str, *, create: bool) -> BulkStore:
    """Open the store that `url` names, and take the steps of its schema that this program needs.

    Args:
        url: the store.
        create: whether a missing store is created.

    Raises:
        ValueError: `url` is not usable.
        StorageUnavailable: the store is missing or cannot be opened.
    """
    check_store(url)
    if is_postgres(url):
        from rui_api.store.postgres.bulk import open_postgres  # noqa: PLC0415  asyncpg is an optional package

        return await open_postgres(url, TIMEOUT, create=create)
    from rui_api.store.sqlite.bulk import SqliteBulkStore  # noqa: PLC0415  not needed with PostgreSQL

    return await SqliteBulkStore.open(sqlite_path(url), TIMEOUT, create=create)
