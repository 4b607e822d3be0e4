"""The size of the store for the metrics: measured from time to time, so that a scrape never waits for the store."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from rui_api.store.base import Measurement, StorageUnavailable, Store
from rui_api.store.capacity import CapacityLimits

INTERVAL = 15.0
"""Seconds between two measurements."""


class StoreSize:
    """The last measurement of a store, and its limits.

    Args:
        store: the store.
        limits: the limits of its size.

    Attributes:
        last: the last measurement, or None if none has succeeded yet. It stays while the store is away.
    """

    def __init__(self, store: Store, limits: CapacityLimits) -> None:
        self.limits = limits
        self.last: Measurement | None = None
        self._store = store
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Measure in the background from now on."""
        self._task = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """Measure no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _watch(self) -> None:
        while True:
            with suppress(StorageUnavailable):  # requests report outages
                self.last = await self._store.measure()
            await asyncio.sleep(INTERVAL)
