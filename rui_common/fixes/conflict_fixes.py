"""Fixes for merge conflicts: use ours, theirs, or both where both fit."""

from __future__ import annotations

from collections.abc import Iterator

from rui_common.editing.edits import apply, end_before
from rui_common.fixes.model import Fix
from rui_common.syntax.conflicts import Conflict, has_marker
from rui_common.syntax.document import Document, read
from rui_common.syntax.errors import SyntaxFault
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.problems import Problem


def conflict_fixes(analysis: Analysis, fault: SyntaxFault) -> list[Fix]:
    """Return the fixes of a conflict. None is safe: a person must decide."""
    conflict = next(one for one in analysis.document.conflicts if one.marker == fault.span)
    fixes = [
        Fix(fault.title, fault.edits, is_safe=False),
        Fix("Use theirs", conflict.keep(conflict.theirs), is_safe=False),
    ]
    both = next((edits for edits in _keep_both(analysis.document, conflict) if _fits(analysis, edits)), None)
    if both is not None:
        fixes.append(Fix("Use both", both, is_safe=False))
    return fixes


def _keep_both(document: Document, conflict: Conflict) -> Iterator[tuple[Edit, ...]]:
    """Yield the edits that keep the lines of both sides, as they are and with a comma between them."""
    start, end = (end_before(document.text, side.end) for side in (conflict.ours, conflict.theirs))
    if start <= conflict.ours.start or end <= conflict.theirs.start:
        return
    edits = conflict.keep(conflict.ours, conflict.theirs)
    yield edits
    comma = Edit(Span(start, start), ",")
    yield (edits[0], comma, *edits[1:])


def _fits(analysis: Analysis, edits: tuple[Edit, ...]) -> bool:
    """Return whether a text has no new syntax errors and no new duplicates after some edits."""
    before = analysis.document
    after = read(apply(before.text, edits))
    if len(after.all_syntax) >= len(before.all_syntax) or len(after.duplicate_keys()) > len(before.duplicate_keys()):
        return False
    return _count_duplicates(analysis.of(after)) <= _count_duplicates(analysis)


def _count_duplicates(analysis: Analysis) -> int:
    return sum(finding.problem is Problem.DUPLICATE for finding in analysis.findings)


def leaves_conflicts(document: Document, fix: Fix) -> bool:
    """Return whether a fix changes neither a conflict marker nor the lines of theirs, and copies no marker."""
    return not any(
        document.text[slice(*edit.span)] != document.read_text[slice(*edit.span)] or has_marker(edit.text)
        for edit in fix.edits
    )
