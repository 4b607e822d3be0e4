"""Copy specs from one store into another. The copy can be resumed, and every spec is read back and compared."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from rui_api.store.base import DeletedSpec, Store, StoredSpec
from rui_common.hashing import content_hash
from rui_common.syntax.document import read

PAGE = 256
"""Specs that are copied at the same time: at most 64 MB."""


@dataclass
class CopyResult:
    """Counts of a copy.

    Attributes:
        copied: new specs in the target.
        unchanged: specs that the target had already, with the same bytes.
        deleted: specs of which one store has the tombstone. Now the target has it, and not the spec.
        failed: spec id → reason why it was not copied.
    """

    copied: int = 0
    unchanged: int = 0
    deleted: int = 0
    failed: dict[str, str] = field(default_factory=dict)


async def copy(source: Store, target: Store, *, only_missing: bool = False) -> CopyResult:
    """Copy every spec and every tombstone of `source` that `target` does not have.

    Checks the content hash of each spec. A tombstone in one of the stores wins over the spec in the other one.

    Args:
        source: only read.
        target: existing specs are compared and left unchanged, except for those that were deleted.
        only_missing: whether specs that `target` has are left out. Their ids are compared, and not their times, which
            come from the clocks of several hosts.

    Raises:
        StorageUnavailable: one of them does not answer. Specs copied until then are kept.
    """
    result = CopyResult()
    last = ""
    while page := await source.list_ids(last, PAGE):
        known = await _list_between(target, last, page[-1].spec_id)
        last = page[-1].spec_id
        if only_missing:
            page = [one for one in page if one.spec_id not in known or (one.is_deleted and not known[one.spec_id])]
        await asyncio.gather(*(_copy_spec(source, target, one.spec_id, known, result) for one in page))
    return result


async def _list_between(store: Store, after: str, last: str) -> dict[str, bool]:
    """Return spec id → whether it is deleted, for the ids after the first one up to the second one."""
    known: dict[str, bool] = {}
    while after < last and (page := await store.list_ids(after, PAGE)):
        known.update(page)
        after = page[-1].spec_id
    return known


async def _copy_spec(source: Store, target: Store, spec_id: str, known: dict[str, bool], result: CopyResult) -> None:
    spec = await source.fetch(spec_id)
    if isinstance(spec, DeletedSpec):
        await target.delete(spec)
    if isinstance(spec, DeletedSpec) or known.get(spec_id):
        result.deleted += 1
    elif spec_id in known:
        if await target.fetch(spec_id) == spec:
            result.unchanged += 1
        else:
            result.failed[spec_id] = "another spec has its id there"
    elif spec is not None:
        error = verify(spec)
        if not error:
            await target.store(spec)
            error = "" if await target.fetch(spec_id) == spec else "it was not read back as it was written"
        if error:
            result.failed[spec_id] = error
        else:
            result.copied += 1


def verify(spec: StoredSpec) -> str:
    """Return an error message if the content of a spec is unreadable or has another hash; else an empty string."""
    document = read(spec.rui)
    if not document.valid:
        return "its content is not readable"
    if content_hash(document.value) != spec.content_hash:
        return "its content does not have its hash"
    return ""
