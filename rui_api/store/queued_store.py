"""A store that has two lines: of what is to be written, and of what is to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rui_api.store.stats import StoreStats

if TYPE_CHECKING:
    from rui_api.store.base import StoredSpec
    from rui_api.store.queue import Line, Then


class LinedStore:
    """What every `rui_api.store.base.Store` of ours has in common: closing aside, all of it.

    Args:
        puts: takes specs to be stored; none at all asks whether one could be.
        gets: takes ids of specs.
    """

    def __init__(self, puts: Line[tuple[StoredSpec, ...], None], gets: Line[str, StoredSpec | None]) -> None:
        self._puts = puts
        self._gets = gets
        self._stats = StoreStats(puts.stats, gets.stats)

    async def put(self, spec: StoredSpec) -> None:
        """Keep `spec`; it is on disk when this returns."""
        await self._puts.submit((spec,), len(spec.rui))

    async def get(self, spec_id: str) -> StoredSpec | None:
        """The spec with this id, or None."""
        return await self._gets.submit(spec_id)

    async def ready(self) -> None:
        """Return if something could be stored now."""
        await self._puts.submit((), stats=self._stats.ready)

    def begin_put(self, spec: StoredSpec, then: Then[None]) -> None:
        """The same as `put`, without a task that waits: `then` is told, in this event loop.

        Raises:
            StorageUnavailable: too much waits already. `then` is not told.
        """
        self._puts.begin((spec,), len(spec.rui), then)

    def begin_get(self, spec_id: str, then: Then[StoredSpec]) -> None:
        """The same as `get`, without a task that waits: `then` is told, in this event loop.

        Raises:
            StorageUnavailable: too much waits already. `then` is not told.
        """
        self._gets.begin(spec_id, 0, then)

    def stats(self) -> StoreStats:
        """The numbers of this store."""
        return self._stats
