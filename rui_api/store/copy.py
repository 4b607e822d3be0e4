"""Copy specs from one store into another. The copy can be resumed, and every spec is read back and compared."""

from __future__ import annotations

import asyncio
from collections import Counter

from rui_api.store.base import Store, StoredSpec
from rui_common.hashing import content_hash
from rui_common.syntax.document import read

PAGE = 64
"""Specs that are copied at the same time. The target accepts `MAX_WAITING_BYTES`, also of the largest specs."""
COPIED = "copied"
UNCHANGED = "there already"
DELETED = "deleted"
DONE = (COPIED, UNCHANGED, DELETED)
"""Results of a spec whose state is now the same in both stores."""


async def copy(source: Store, target: Store, *, only_missing: bool = False) -> tuple[Counter[str], dict[str, str]]:
    """Copy every spec and every tombstone of `source` that `target` does not have.

    Checks the content hash of each spec. A tombstone in one of the stores wins over the spec in the other one.

    Args:
        source: only read.
        target: existing specs are compared and left unchanged, except for those that were deleted.
        only_missing: whether specs that `target` has are left out. Their ids are compared, and not their times, which
            come from the clocks of several hosts.

    Returns:
        How many specs were `COPIED`, `UNCHANGED` and `DELETED`, and spec id → reason why it was not copied.

    Raises:
        StorageUnavailable: one of them does not answer. Specs copied until then are kept.
    """
    counts: Counter[str] = Counter()
    failed: dict[str, str] = {}
    last = ""
    while page := await source.list_ids(last, PAGE):
        known = await _list_between(target, last, page[-1][0])
        last = page[-1][0]
        if only_missing:
            page = [(spec_id, is_deleted) for spec_id, is_deleted in page if _is_missing(spec_id, known, is_deleted)]
        ids = [spec_id for spec_id, _ in page]
        results = await asyncio.gather(*(_copy_spec(source, target, spec_id, known) for spec_id in ids))
        counts.update(results)
        failed.update({spec_id: result for spec_id, result in zip(ids, results, strict=True) if result not in DONE})
    return counts, failed


def _is_missing(spec_id: str, known: dict[str, bool], is_deleted: bool) -> bool:
    """Return whether the target lacks a spec or its deletion."""
    if spec_id not in known:
        return True
    return is_deleted and not known[spec_id]


async def _list_between(store: Store, after: str, last: str) -> dict[str, bool]:
    """Return spec id → whether it is deleted, for the ids after the first one up to the second one."""
    known: dict[str, bool] = {}
    while after < last and (page := await store.list_ids(after, PAGE)):
        known.update(page)
        after = page[-1][0]
    return known


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
        return UNCHANGED if await target.fetch(spec_id) == spec else "another spec has its id there"
    return await _copy_new(target, spec)


async def _copy_new(target: Store, spec: StoredSpec) -> str:
    document = read(spec.rui)
    if not document.valid:
        return "its content is not readable"
    if content_hash(document.value) != spec.content_hash:
        return "its content does not have its hash"
    await target.store(spec)
    return COPIED if await target.fetch(spec.spec_id) == spec else "it was not read back as it was written"
