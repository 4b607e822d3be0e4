"""Copy specs from one store into another. The copy can be resumed, and every spec is read back and compared."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rui_api.decoding.typed_decoder import FastPath
from rui_api.store.base import DeletedSpec, StorageUnavailable, StoredSpec
from rui_api.store.bulk import BulkStore
from rui_api.store.rows import Row, from_row
from rui_common.hashing import content_hash
from rui_common.syntax.document import read

PAGE = 256
"""Specs per step: at most 64 MB, and a fraction of a second."""

IDS = 10_000
"""Ids per step when the ids of two stores are compared."""

_decode = FastPath().read


@dataclass(slots=True)
class CopyResult:
    """Counts of a copy.

    Attributes:
        copied: new specs in the target.
        unchanged: specs that the target had already, with the same bytes.
        deleted: specs of which one store has the tombstone. Now the target has it, and not the spec.
        failed: spec id → reason why it was not copied.
        newly_deleted: tombstones that the target did not have.
    """

    copied: int = 0
    unchanged: int = 0
    deleted: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    newly_deleted: int = 0

    @property
    def total(self) -> int:
        return self.copied + self.unchanged + self.deleted + len(self.failed)


class _Item(NamedTuple):
    """A row of the source, and what it contains."""

    row: Row
    spec: StoredSpec | DeletedSpec


class _Page(NamedTuple):
    """What is intact between two rows of the source; `last` is the second one, or None at the end."""

    last: Row | None
    items: list[_Item]


async def copy(
    source: BulkStore, target: BulkStore, result: CopyResult, on_progress: Callable[[], None], *, since: str = ""
) -> None:
    """Copy every spec and every tombstone of `source` that `target` does not have.

    Checks the content hash of each spec, and compares it with what `target` contains afterwards. Specs that `target`
    has already are only compared, so that a copy can be resumed. A tombstone in one of the stores wins over the spec in
    the other one.

    Args:
        source: only read. If it has the index, specs are copied in the order in which they were stored.
        target: existing specs are left unchanged, except for those that were deleted.
        result: the counts so far. They are correct if the copy is cancelled, too.
        on_progress: called after every step.
        since: a time; earlier specs are left out.

    Raises:
        StorageUnavailable: one of them does not answer. Specs copied until then are kept.
    """
    async for page in _pages(source, since, result):
        await _copy_page(page, target, result)
        on_progress()


async def copy_missing(
    source: BulkStore, target: BulkStore, result: CopyResult, on_progress: Callable[[], None]
) -> None:
    """Copy every spec whose id `target` does not have, and every tombstone. See `copy`.

    Only the ids of the other specs are read. Times do not matter: they come from the clocks of several hosts.
    """
    for ids_of_each in (_missing_ids(source, target), _deleted_ids(source)):
        async for ids in ids_of_each:
            for start in range(0, len(ids), PAGE):
                rows = await source.find(ids[start : start + PAGE])
                items = await asyncio.to_thread(_verified, [row for row in rows if row is not None], result)
                await _copy_page(items, target, result)
                on_progress()


async def _missing_ids(source: BulkStore, target: BulkStore) -> AsyncIterator[list[str]]:
    """Yield the ids of live specs and tombstones that `target` does not have, in order."""
    last = ""
    while ids := await source.ids_after(last, IDS):
        reached = last
        last = ids[-1]
        missing = {*ids}
        while reached < last and (known := await target.ids_after(reached, IDS)):
            missing.difference_update(known)
            reached = known[-1]
        yield sorted(missing)


async def _deleted_ids(source: BulkStore) -> AsyncIterator[list[str]]:
    last = ""
    while ids := await source.ids_after(last, IDS, only_deleted=True):
        last = ids[-1]
        yield ids


async def _pages(source: BulkStore, since: str, result: CopyResult) -> AsyncIterator[list[_Item]]:
    """Yield the intact rows of each page. A page is read and verified while the last one is written."""
    next_page = asyncio.create_task(_next_page(source, since, None, result))
    try:
        while (page := await next_page).last is not None:
            next_page = asyncio.create_task(_next_page(source, since, page.last, result))
            yield page.items
    finally:
        next_page.cancel()
        await asyncio.gather(next_page, return_exceptions=True)


async def _next_page(source: BulkStore, since: str, last: Row | None, result: CopyResult) -> _Page:
    if not source.schema.has_index:
        rows = await source.page_after(last.spec_id if last else "", PAGE)
    elif last is None:
        rows = await source.page_by_time(since, "", PAGE)
    else:
        rows = await source.page_by_time(last.created_at, last.spec_id, PAGE)
    if not rows:
        return _Page(None, [])
    new = [row for row in rows if row.created_at >= since]
    return _Page(rows[-1], await asyncio.to_thread(_verified, new, result))


async def _copy_page(page: Sequence[_Item], target: BulkStore, result: CopyResult) -> None:
    new: list[_Item] = []
    deleted: list[DeletedSpec] = []
    for item, row in zip(page, await target.find([item.row.spec_id for item in page]), strict=True):
        if isinstance(item.spec, DeletedSpec):
            result.deleted += 1
            if row is None or row.content_hash:
                deleted.append(item.spec)
        elif row is None:
            new.append(item)
        else:
            _compare(item, row, result)
    if deleted:
        await target.delete_many(deleted)
        result.newly_deleted += len(deleted)
    if new:
        await _insert(new, target, result)


async def _insert(new: Sequence[_Item], target: BulkStore, result: CopyResult) -> None:
    """Store specs, and read them back."""
    is_compressed = target.schema.is_compressed
    # Rows that every program can read are written as they are, which takes a third of the time.
    await target.insert_many([item.row if is_compressed else item.spec for item in new])
    for item, row in zip(new, await target.find([item.row.spec_id for item in new]), strict=True):
        if row is not None and _is_same(item, row):
            result.copied += 1
        else:
            result.failed[item.row.spec_id] = "it was not read back as it was written"


def _compare(item: _Item, row: Row, result: CopyResult) -> None:
    """Count a spec whose id the target has."""
    if not row.content_hash:
        result.deleted += 1
    elif _is_same(item, row):
        result.unchanged += 1
    else:
        result.failed[row.spec_id] = "another spec has its id there"


def _is_same(item: _Item, row: Row) -> bool:
    """Return whether a row of the target contains the same spec, compressed or not."""
    if item.row == row:
        return True
    try:
        return from_row(row) == item.spec
    except StorageUnavailable:
        return False


def _verified(rows: Sequence[Row], result: CopyResult) -> list[_Item]:
    """Return the intact ones of some rows. Takes 50 µs per spec of 3 KB, so it runs in a thread."""
    intact = []
    for row in rows:
        try:
            spec = from_row(row)
        except StorageUnavailable as error:
            result.failed[row.spec_id] = str(error)
            continue
        error_text = "" if isinstance(spec, DeletedSpec) else verify(spec)
        if error_text:
            result.failed[row.spec_id] = error_text
        else:
            intact.append(_Item(row, spec))
    return intact


def verify(spec: StoredSpec) -> str:
    """Return an error message if the content of a spec is unreadable or has another hash; else an empty string."""
    decoded = _decode(spec.rui)
    if decoded is not None and decoded.content_hash() == spec.content_hash:
        return ""
    document = read(spec.rui)
    if not document.valid or not isinstance(document.value, dict):
        return "its content is not readable"
    if content_hash(document.value) != spec.content_hash:
        return "its content does not have its hash"
    return ""
