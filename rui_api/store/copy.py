"""Specs from one store into another: resumable, and nothing is believed that was not read back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rui_common.hashing import content_hash
from rui_common.syntax.document import read

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rui_api.store.base import StoredSpec
    from rui_api.store.bulk import Archive

PAGE = 64
"""Specs in one step: 16 MB at most, and a fraction of a second."""


@dataclass(slots=True)
class Copied:
    """What came of copying.

    Attributes:
        copied: specs that were not there.
        there: specs that were there already, the same byte for byte.
        failed: what is wrong with those that were not copied: id → in words.
    """

    copied: int = 0
    there: int = 0
    failed: dict[str, str] = field(default_factory=dict)

    @property
    def seen(self) -> int:
        """All of them."""
        return self.copied + self.there + len(self.failed)


async def copy(source: Archive, target: Archive, tell: Callable[[Copied], None]) -> Copied:
    """Have every spec of `source` in `target`, too.

    Every hash is computed again, and everything is read back from `target` and compared. What is there already is only
    compared: so a copy that was interrupted goes on where it was.

    Args:
        source: is only read.
        target: what is in it stays as it is.
        tell: is called after every step with how far it is.

    Raises:
        StorageUnavailable: one of them does not answer; what was copied by then is there.
    """
    so_far, last = Copied(), ""
    while page := await source.after(last, PAGE):
        last = page[-1].spec_id
        await _copy_page(page, target, so_far)
        tell(so_far)
    return so_far


async def _copy_page(page: Sequence[StoredSpec], target: Archive, so_far: Copied) -> None:
    sound = []
    for spec in page:
        if why := fault_of(spec):
            so_far.failed[spec.spec_id] = why
        else:
            sound.append(spec)
    before = await target.find([spec.spec_id for spec in sound])
    new = [spec for spec, found in zip(sound, before, strict=True) if found is None]
    if new:
        await target.keep(new)
    fetched = iter(await target.find([spec.spec_id for spec in new]))
    for spec, found in zip(sound, before, strict=True):
        if (next(fetched) if found is None else found) != spec:
            what = "it was not read back as it was written" if found is None else "another spec has its id there"
            so_far.failed[spec.spec_id] = what
        elif found is None:
            so_far.copied += 1
        else:
            so_far.there += 1


def fault_of(spec: StoredSpec) -> str:
    """What is wrong with a stored spec, in words; nothing if its content has the hash that it should have."""
    document = read(spec.rui)
    if not document.valid or not isinstance(document.value, dict):
        return "its content is not readable"
    if content_hash(document.value) != spec.content_hash:
        return "its content does not have its hash"
    return ""
