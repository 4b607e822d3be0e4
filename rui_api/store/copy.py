"""Copy specs from one store into another. The copy can be resumed, and every spec is read back and compared."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from rui_api.decoding.typed_decoder import FastPath
from rui_api.store.base import DeletedSpec, StorageUnavailable
from rui_api.store.rows import from_row
from rui_common.hashing import content_hash
from rui_common.syntax.document import read

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from rui_api.store.base import StoredSpec
    from rui_api.store.bulk import BulkStore
    from rui_api.store.rows import Row

PAGE = 256
"""Specs per step: at most 64 MB, and a fraction of a second."""

OVERLAP = timedelta(minutes=10)
"""Specs that are copied again after the last copy. A spec gets its time before its commit, by the clock of a host."""

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
    async for page in _pages(source, since):
        await _copy_page(page, target, result)
        on_progress()


async def time_of_last_copy(target: BulkStore) -> str:
    """Return the time from which specs may be missing in a store that earlier copies filled."""
    last = await target.last_stored()
    if not last:
        return ""
    begin = datetime.fromisoformat(last) - OVERLAP
    return begin.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


async def _pages(source: BulkStore, since: str) -> AsyncIterator[list[Row]]:
    """Yield all rows page by page. A page is read while the one before is in use."""
    next_page = asyncio.create_task(_next_page(source, since, None))
    try:
        while rows := await next_page:
            next_page = asyncio.create_task(_next_page(source, since, rows[-1]))
            yield [row for row in rows if row.created_at >= since]
    finally:
        next_page.cancel()
        await asyncio.gather(next_page, return_exceptions=True)


async def _next_page(source: BulkStore, since: str, last: Row | None) -> list[Row]:
    if not source.schema.has_index:
        return await source.page_after(last.spec_id if last else "", PAGE)
    if last is None:
        return await source.page_by_time(since, "", PAGE)
    return await source.page_by_time(last.created_at, last.spec_id, PAGE)


async def _copy_page(page: Sequence[Row], target: BulkStore, result: CopyResult) -> None:
    verified = await asyncio.to_thread(_verified, page, result)
    new: list[StoredSpec | DeletedSpec] = []
    deleted: list[DeletedSpec] = []
    for spec, there in await _with_copies(verified, target, result):
        if isinstance(spec, DeletedSpec):
            result.deleted += 1
            if not isinstance(there, DeletedSpec):
                deleted.append(spec)
        elif there is None:
            new.append(spec)
        else:
            _compare(spec, there, result)
    if deleted:
        await target.delete_many(deleted)
        result.newly_deleted += len(deleted)
    if new:
        await target.insert_many(new)
        for spec, there in await _with_copies(new, target, result):
            if there == spec:
                result.copied += 1
            else:
                result.failed[spec.spec_id] = "it was not read back as it was written"


def _compare(spec: StoredSpec, there: StoredSpec | DeletedSpec, result: CopyResult) -> None:
    """Count a spec whose id the target has."""
    if isinstance(there, DeletedSpec):
        result.deleted += 1
    elif there == spec:
        result.unchanged += 1
    else:
        result.failed[spec.spec_id] = "another spec has its id there"


def _verified(page: Sequence[Row], result: CopyResult) -> list[StoredSpec | DeletedSpec]:
    """Return what is intact in a page. Takes 50 µs per spec of 3 KB, so it runs in a thread."""
    intact = []
    for row in page:
        spec = _read(row, result)
        error = "" if spec is None or isinstance(spec, DeletedSpec) else verify(spec)
        if error:
            result.failed[row.spec_id] = error
        elif spec is not None:
            intact.append(spec)
    return intact


async def _with_copies(
    specs: Sequence[StoredSpec | DeletedSpec], target: BulkStore, result: CopyResult
) -> list[tuple[StoredSpec | DeletedSpec, StoredSpec | DeletedSpec | None]]:
    """Return each spec with that of `target`."""
    rows = await target.find([spec.spec_id for spec in specs])
    pairs: list[tuple[StoredSpec | DeletedSpec, StoredSpec | DeletedSpec | None]] = []
    for spec, row in zip(specs, rows, strict=True):
        if row is None:
            pairs.append((spec, None))
        elif (there := _read(row, result)) is not None:
            pairs.append((spec, there))
    return pairs


def _read(row: Row, result: CopyResult) -> StoredSpec | DeletedSpec | None:
    try:
        return from_row(row)
    except StorageUnavailable as error:
        result.failed[row.spec_id] = str(error)
    return None


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
