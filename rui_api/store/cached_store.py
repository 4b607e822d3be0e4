"""A cache of specs in memory, in front of a store: a spec that many read costs one read in some seconds."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

from rui_api.store.base import Measurement, ReadResult, Store, StoredSpec
from rui_api.store.stats import StoreStats

ENTRY_BYTES = 1_000
"""Bytes of an entry besides the RUI: the other columns, and the objects that hold them."""


class _Entry(NamedTuple):
    spec: StoredSpec
    expires_at: float


class CachedStore:
    """A `rui_api.store.base.Store` that keeps the specs that were read last. For one event loop.

    Specs never change, but an operator may delete one with a command, in another process. So an entry has an age limit,
    counted from before it was read.

    Args:
        store: the store.
        max_bytes: the maximum size of the cache.
        max_age: seconds that a spec may be served from the cache.
        clock: the current time in seconds.

    Attributes:
        size: bytes in the cache.
        hits: number of specs that were served from the cache.
    """

    def __init__(self, store: Store, max_bytes: int, max_age: float, clock: Callable[[], float] = monotonic) -> None:
        self.size = 0
        self.hits = 0
        self._store = store
        self._max_bytes = max_bytes
        self._max_age = max_age
        self._clock = clock
        self._entries: OrderedDict[str, _Entry] = OrderedDict()  # the one that was used last is at the end

    async def store(self, spec: StoredSpec) -> None:
        await self._store.store(spec)

    async def fetch(self, spec_id: str) -> ReadResult:
        now = self._clock()
        entry = self._entries.get(spec_id)
        if entry is not None:
            if now < entry.expires_at:
                self._entries.move_to_end(spec_id)
                self.hits += 1
                return entry.spec
            self._discard(spec_id)
        spec = await self._store.fetch(spec_id)
        if isinstance(spec, StoredSpec):
            self._add(_Entry(spec, now + self._max_age))
        return spec

    async def ready(self) -> None:
        await self._store.ready()

    async def measure(self) -> Measurement:
        return await self._store.measure()

    def stats(self) -> StoreStats:
        return self._store.stats()

    async def close(self) -> None:
        await self._store.close()

    def _add(self, entry: _Entry) -> None:
        spec_id = entry.spec.spec_id
        self._discard(spec_id)  # of a concurrent request
        self._entries[spec_id] = entry
        self.size += _size(entry)
        while self.size > self._max_bytes:
            _, oldest = self._entries.popitem(last=False)
            self.size -= _size(oldest)

    def _discard(self, spec_id: str) -> None:
        entry = self._entries.pop(spec_id, None)
        if entry is not None:
            self.size -= _size(entry)


def _size(entry: _Entry) -> int:
    return len(entry.spec.rui) + ENTRY_BYTES
