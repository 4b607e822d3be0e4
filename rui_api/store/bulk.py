"""Access to all specs of a store, page by page. The commands of ``rui store`` use it, the service does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from rui_api.store.url import check_store, is_postgres, sqlite_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rui_api.store.base import StoredSpec

TIMEOUT = 30.0
"""Seconds for one step or one lock. No HTTP client is waiting, so it is longer than in the service."""


class BulkStore(Protocol):
    """An open store. All methods raise `StorageUnavailable`."""

    async def count(self) -> int:
        """Return the number of specs."""

    async def timestamps(self) -> tuple[str, str]:
        """Return when the first and the last spec were created; empty strings if there is none."""

    async def fingerprint(self) -> str:
        """Return a text that two URLs of the same store have in common, or an empty string if there is none."""

    async def page_after(self, spec_id: str, limit: int) -> list[StoredSpec]:
        """Return at most `limit` specs in the order of their ids, beginning after `spec_id`; ``""`` for the start."""

    async def find(self, spec_ids: Sequence[str]) -> list[StoredSpec | None]:
        """Return for each id its spec, or None."""

    async def insert_many(self, specs: Sequence[StoredSpec]) -> None:
        """Store all of these durably in one transaction. Specs whose ids exist already are left unchanged."""

    async def close(self) -> None:
        """Close the connection."""


async def open_bulk_store(url: str, *, create: bool) -> BulkStore:
    """Open the store that `url` names, and migrate its schema.

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

    return SqliteBulkStore(sqlite_path(url), TIMEOUT, create=create)
