"""Find the edits that a merged document has lost: somebody resolved its conflicts, or a server merged it by lines.

An edit is lost if one side made it, the other did not touch its place, and the merged document has what the base had
there. Merging the edits of that side into the merged document again shows it: what differs then was lost.
"""

from typing import NamedTuple

from rui_common.syntax.document import Document, read
from rui_common.versions.changes import Change
from rui_common.versions.compare import compare
from rui_common.versions.merge import merge
from rui_common.versions.merge_inputs import SIDES, Side, choose


class LostEdits(NamedTuple):
    """The visible changes that would bring the edits of each side into the merged document."""

    of_ours: list[Change]
    of_theirs: list[Change]


def lost_edits(
    base: Document, ours: Document, theirs: Document, merged: Document, *, is_strict: bool = False
) -> LostEdits:
    """Return the edits of one side alone that a merged document does not have.

    What both sides changed may be either's, or new. With `is_strict`, it counts if the merged document has neither.

    Raises:
        CannotMergeError: a version cannot be merged by identity.
    """
    of_ours, of_theirs = (_differences(base, merged, side, Side.OURS) for side in (ours, theirs))
    if is_strict or not (of_ours or of_theirs):
        return LostEdits(of_ours, of_theirs)
    expected = read(merge(base, ours, theirs).text)
    # What is added in place of what both delete is a conflict with `expected`, and lost if only that has it.
    if not expected.conflicts:
        # Where both sides add and sort in one list, an order may differ although nothing is lost.
        is_complete = not _differences(base, merged, expected, Side.THEIRS)
        return LostEdits([], []) if is_complete else LostEdits(of_ours, of_theirs)
    # What both sides changed is a conflict, and differs with the side that is chosen.
    first, second = (
        {_key(change) for change in _differences(base, merged, choose(expected, side), Side.THEIRS)} for side in SIDES
    )
    return LostEdits(*([change for change in lost if _key(change) in first & second] for lost in (of_ours, of_theirs)))


def _differences(base: Document, merged: Document, side: Document, chosen: Side) -> list[Change]:
    """Return what merging the edits of a side into the merged document changes in it, with a choice at conflicts."""
    again = choose(read(merge(base, merged, side).text), chosen)
    return [change for change in compare(merged.value, again.value).changes if change.is_visible]


def _key(change: Change) -> tuple[object, ...]:
    """Return what is the same of a change in comparisons with new versions that differ elsewhere."""
    return change.kind, change.area, change.subject, change.verb, change.rest, change.old
