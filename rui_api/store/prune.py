"""Delete old specs in small batches, while a service uses the store."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from time import monotonic, time

from rui_api.store.base import Store, timestamp, tombstone

PAGE_SIZE = 500  # entries that are read at a time
BATCH = 10  # Specs that are deleted at a time. SQLite writes some pages for each, while requests wait.
PAUSE = 0.1  # seconds between two batches, at least
PAUSE_SHARE = 3  # the pause takes at least so many times as long as the batch, so that a slow disk serves requests, too


@dataclass
class Pruned:
    """What was done so far: specs that were deleted or would be, their bytes, others, and the last id that was read."""

    deleted: int = 0
    deleted_bytes: int = 0
    kept: int = 0
    last_id: str = ""

    @property
    def share(self) -> float:
        """The part of the store that was read. The ids are random, so they are a measure."""
        return int(self.last_id[:8] or "0", 16) / 0xFFFFFFFF


async def prune(store: Store, before: str, done: Pruned, reason: str) -> AsyncIterator[None]:
    """Replace every spec that is older than a time by a tombstone; yield after each batch and page.

    A spec with a time of another form is kept.

    Args:
        store: may be in use by services.
        before: a time as in `Entry.created_at`.
        done: counts what was done, also if `StorageUnavailable` ends the call.
        reason: that of the tombstones; ``""`` if specs are only counted.
    """
    while page := await store.list_entries(done.last_id, PAGE_SIZE):
        specs = [entry for entry in page if not entry.is_deleted]
        old = [entry for entry in specs if len(entry.created_at) == len(before) and entry.created_at < before]
        done.kept += len(specs) - len(old)
        for start in range(0, len(old), BATCH):
            batch = old[start : start + BATCH]
            if reason:
                begun = monotonic()
                deleted_at = timestamp(time())
                await asyncio.gather(*[store.store(tombstone(entry.spec_id, deleted_at, reason)) for entry in batch])
                await asyncio.sleep(max(PAUSE, PAUSE_SHARE * (monotonic() - begun)))
            done.deleted += len(batch)
            done.deleted_bytes += sum([entry.size for entry in batch])
            done.last_id = batch[-1].spec_id
            yield
        done.last_id = page[-1].spec_id
        yield
