"""The result of the search for fixes: a title and edits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rui_common.syntax.spans import Edit

MAX_FIXES = 5
"""Maximum number of alternatives of one kind, such as allowed values."""


class Fix(NamedTuple):
    """A change of the text that removes a diagnostic.

    Attributes:
        title: text for a menu, such as ``Rename to "label"``.
        edits: the changes of the document's text; never empty.
        is_safe: whether the fix may be applied without review. See `rui_common.fixes.quick_fixes`.
        discards: whether text or objects of the author are lost. Such a fix is never the first one.
        is_likely: whether the author probably means it; the hint names it, too. Such a fix comes after the safe ones.
    """

    title: str
    edits: tuple[Edit, ...]
    is_safe: bool
    discards: bool = False
    is_likely: bool = False


def fixes_from(
    title: str,
    edits: Iterable[Edit | None],
    *,
    is_safe: bool = False,
    discards: bool = False,
    is_likely: bool = False,
) -> list[Fix]:
    """Return a list of one fix; empty if an edit is missing or there are none."""
    all_edits = tuple(edits)
    present = tuple(edit for edit in all_edits if edit is not None)
    if present and len(present) == len(all_edits):
        return [Fix(title, present, is_safe, discards, is_likely)]
    return []
