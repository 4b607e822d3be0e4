"""Base class of the stores: a queue for writing and one for reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rui_api.store.stats import StoreStats

if TYPE_CHECKING:
    from rui_api.store.base import StoredSpec
    from rui_api.store.queue import RequestQueue


class QueuedStore:
    """A `rui_api.store.base.Store` without `close`.

    Args:
        puts: queue of specs to write. An empty tuple only checks that the store is writable.
        gets: queue of ids of specs to read.
    """

    def __init__(
        self, puts: RequestQueue[tuple[StoredSpec, ...], None], gets: RequestQueue[str, StoredSpec | None]
    ) -> None:
        self._puts = puts
        self._gets = gets
        self._stats = StoreStats(puts.stats, gets.stats)

    async def put(self, spec: StoredSpec) -> None:
        """Store `spec` durably."""
        await self._puts.submit((spec,), len(spec.rui))

    async def get(self, spec_id: str) -> StoredSpec | None:
        """Return the spec with this id, or None."""
        return await self._gets.submit(spec_id)

    async def ready(self) -> None:
        """Return if a spec could be stored now."""
        await self._puts.submit((), stats=self._stats.ready)

    def stats(self) -> StoreStats:
        """Return the live counters of this store."""
        return self._stats
