"""Copy specs from one store into another. The copy can be resumed, and every spec is read back and compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rui_common.hashing import content_hash
from rui_common.syntax.document import read

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rui_api.store.base import StoredSpec
    from rui_api.store.bulk import BulkStore

PAGE = 64
"""Specs per step: at most 16 MB, and a fraction of a second."""


@dataclass(slots=True)
class CopyResult:
    """Counts of a copy.

    Attributes:
        copied: new specs in the target.
        unchanged: specs that the target had already, with the same bytes.
        failed: spec id → reason why it was not copied.
    """

    copied: int = 0
    unchanged: int = 0
    failed: dict[str, str] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return self.copied + self.unchanged + len(self.failed)


async def copy(source: BulkStore, target: BulkStore, on_progress: Callable[[CopyResult], None]) -> CopyResult:
    """Copy every spec of `source` that `target` does not have.

    Checks the content hash of each spec, and compares it with what `target` contains afterwards. Specs that `target`
    has already are only compared, so that a copy can be resumed.

    Args:
        source: only read.
        target: existing specs are left unchanged.
        on_progress: called after every step.

    Raises:
        StorageUnavailable: one of them does not answer. Specs copied until then are kept.
    """
    result = CopyResult()
    last = ""
    while page := await source.page_after(last, PAGE):
        last = page[-1].spec_id
        await _copy_page(page, target, result)
        on_progress(result)
    return result


async def _copy_page(page: Sequence[StoredSpec], target: BulkStore, result: CopyResult) -> None:
    verified = []
    for spec in page:
        error = verify(spec)
        if error:
            result.failed[spec.spec_id] = error
        else:
            verified.append(spec)
    existing = await target.find([spec.spec_id for spec in verified])
    new = []
    for spec, copy_ in zip(verified, existing, strict=True):
        if copy_ is None:
            new.append(spec)
        elif copy_ == spec:
            result.unchanged += 1
        else:
            result.failed[spec.spec_id] = "another spec has its id there"
    if not new:
        return
    await target.insert_many(new)
    for spec, copy_ in zip(new, await target.find([spec.spec_id for spec in new]), strict=True):
        if copy_ == spec:
            result.copied += 1
        else:
            result.failed[spec.spec_id] = "it was not read back as it was written"


def verify(spec: StoredSpec) -> str:
    """Return an error message if the content of a spec is unreadable or has another hash; else an empty string."""
    document = read(spec.rui)
    if not document.valid or not isinstance(document.value, dict):
        return "its content is not readable"
    if content_hash(document.value) != spec.content_hash:
        return "its content does not have its hash"
    return ""
