"""Copy specs from one store into another. The copy can be resumed, and every spec is read back and compared."""

import asyncio
from collections import Counter

from rui_api.store.base import Entry, Store, StoredSpec
from rui_common.hashing import content_hash
from rui_common.syntax.document import read

PAGE_SIZE = 64
"""Specs that are copied at the same time. The target accepts `MAX_WAITING_BYTES`, also of the largest specs."""
COPIED = "copied"
UNCHANGED = "there already"
DELETED = "deleted"


async def copy(source: Store, target: Store, *, only_missing: bool = False) -> tuple[Counter[str], dict[str, str]]:
    """Copy every spec and every tombstone of `source` that `target` does not have.

    Checks the content hash of each spec. Specs that `target` has are compared, or with `only_missing` left out: their
    ids count, and not their times, which come from the clocks of several hosts. A tombstone in one of the stores wins
    over the spec in the other one.

    Returns:
        How many specs were `COPIED`, `UNCHANGED` and `DELETED`, and spec id → reason why it was not copied.

    Raises:
        StorageUnavailable: one of them does not answer. Specs copied until then are kept.
    """
    counts: Counter[str] = Counter()
    failed: dict[str, str] = {}
    last = ""
    while page := await source.list_entries(last, PAGE_SIZE):
        known = await _list_between(target, last, page[-1].spec_id)
        last = page[-1].spec_id
        ids = [entry.spec_id for entry in page if not only_missing or _is_missing(entry, known)]
        results = await asyncio.gather(*(_copy_spec(source, target, spec_id, known) for spec_id in ids))
        counts.update(results)
        reasons = zip(ids, results, strict=True)
        failed.update((spec_id, reason) for spec_id, reason in reasons if reason not in (COPIED, UNCHANGED, DELETED))
    return counts, failed


async def _list_between(store: Store, after: str, last: str) -> dict[str, bool]:
    """Return spec id → whether it is deleted, for the ids after the first one up to the second one."""
    known: dict[str, bool] = {}
    while after < last and (page := await store.list_entries(after, PAGE_SIZE)):
        known.update((entry.spec_id, entry.is_deleted) for entry in page)
        after = page[-1].spec_id
    return known


def _is_missing(entry: Entry, known: dict[str, bool]) -> bool:
    """Return whether the target has neither the entry nor, if it is a tombstone, another one."""
    return entry.spec_id not in known or (entry.is_deleted and not known[entry.spec_id])


async def _copy_spec(source: Store, target: Store, spec_id: str, known: dict[str, bool]) -> str:
    """Copy a spec or a tombstone, and return `COPIED`, `UNCHANGED`, `DELETED`, or the reason why it was not copied."""
    spec = await source.fetch(spec_id)
    if spec is None:
        return "it is not there any more"
    if spec.is_deleted:
        await target.store(spec)
    if spec.is_deleted or known.get(spec_id):
        return DELETED
    if spec_id in known:
        if await target.fetch(spec_id) == spec:
            return UNCHANGED
        return "another spec has its id there"
    return await _copy_new(target, spec)


async def _copy_new(target: Store, spec: StoredSpec) -> str:
    document = read(spec.rui)
    if not document.valid:
        return "its content is not readable"
    if content_hash(document.value) != spec.content_hash:
        return "its content does not have its hash"
    await target.store(spec)
    if await target.fetch(spec.spec_id) == spec:
        return COPIED
    return "it was not read back as it was written"
