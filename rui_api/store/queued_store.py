"""Base class of the stores: a queue for writing and one for reading."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from rui_api.store.base import ReadResult, StorageUnavailable, StoredSpec
from rui_api.store.capacity import Capacity
from rui_api.store.queue import RequestQueue
from rui_api.store.stats import StoreStats

log = logging.getLogger("rui_api.store")


class QueuedStore:
    """A `rui_api.store.base.Store` without `close`.

    Args:
        puts: queue of specs to write. An empty tuple only checks that the store is writable.
        gets: queue of ids of specs to read.

    Attributes:
        capacity: the room that is left; without limits unless they are set.
    """

    def __init__(
        self,
        puts: RequestQueue[tuple[StoredSpec, ...], None],
        gets: RequestQueue[str, ReadResult | StorageUnavailable],
    ) -> None:
        self._puts = puts
        self._gets = gets
        self._stats = StoreStats(puts.stats, gets.stats)
        self.capacity = Capacity()

    async def store(self, spec: StoredSpec) -> None:
        await self._puts.submit((spec,), len(spec.rui))

    async def fetch(self, spec_id: str) -> ReadResult:
        result = await self._gets.submit(spec_id)
        if isinstance(result, StorageUnavailable):
            log.error("%s", result)
            raise result
        return result

    async def ready(self) -> None:
        await self._puts.submit((), stats=self._stats.ready)

    def stats(self) -> StoreStats:
        return self._stats


def size_of(specs: Iterable[StoredSpec]) -> int:
    """Return the bytes of the documents of specs."""
    return sum([len(spec.rui) for spec in specs])
