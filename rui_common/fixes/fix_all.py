"""Apply all safe fixes of a document."""

from typing import NamedTuple

from rui_common.editing.edits import apply, text_edits
from rui_common.fixes.model import Fix
from rui_common.fixes.quick_fixes import fixes_of
from rui_common.json_values import as_json
from rui_common.syntax.document import Document, read
from rui_common.syntax.paths import Path
from rui_common.syntax.spans import Edit
from rui_common.validation.analysis import Analysis

MAX_ROUNDS = 10  # Maximum number of repetitions. One fix may make another possible, rarely more than once.
MAX_FINDINGS = 2_000  # Findings of a round for which fixes are searched. A document with more needs several rounds.
MAX_CHARACTERS = 3_000_000
"""Work of the fixes of findings, in characters that are read again or written: up to two seconds."""

ERROR_CHARACTERS = 1_000  # Work, in characters, to find a syntax error or finding again
SEARCH_CHARACTERS = 500  # Work, in characters, to search the fixes of a finding
_FOREIGN = {"\0", "\x1b"}
"""Characters of binary data, UTF-16 and ISO-2022, whose other bytes are no text that a fix may change."""


def apply_safe_fixes(analysis: Analysis) -> Analysis:
    """Apply every fix that is the only safe one of its diagnostic, until none is left.

    Edits are kept if the text that they result in has fewer diagnostics. Comments are not removed. A text with a NUL
    or ESC, or with a merge conflict, is left as it is. Without such a fix, the result is `analysis` itself.
    """
    if analysis.document.conflicts or not _FOREIGN.isdisjoint(analysis.document.text):
        return analysis
    work = _Work()
    fixed = _fix_syntax(analysis)
    for _ in range(MAX_ROUNDS):
        better = _fix_findings(fixed, work)
        if better is fixed:
            break
        fixed = _fix_syntax(better)
    return fixed


class SafeEdits(NamedTuple):
    """The edits of all safe fixes."""

    edits: list[Edit]  # the edits of the text, in text order; empty if no fix is safe
    fixed: int  # the number of errors that they remove


def find_safe_edits(analysis: Analysis) -> SafeEdits:
    """Return the edits that apply every fix that is the only safe one of its diagnostic."""
    fixed = apply_safe_fixes(analysis)
    edits = text_edits(analysis.document.text, fixed.document.text)
    return SafeEdits(edits, _count_errors(analysis) - _count_errors(fixed))


def _count_errors(analysis: Analysis) -> int:
    return len(analysis.document.all_syntax) + len(analysis.findings)


def _fix_syntax(analysis: Analysis) -> Analysis:
    """Apply the safe repairs of syntax errors, which leave the value as the parser recovered it."""
    document = analysis.document
    for _ in range(MAX_ROUNDS):
        edits = [edit for fault in document.all_syntax if fault.is_safe for edit in fault.edits]
        if not edits or not isinstance(document.value, dict | list):
            break
        after = read(apply(document.text, edits))
        # As JSON, because 1, 1.0 and true are equal, and dictionaries with another order, too.
        is_same = as_json(after.value) == as_json(document.value)
        if not is_same or len(after.all_syntax) >= len(document.all_syntax):
            break
        document = after
    if document is analysis.document:
        return analysis
    return analysis.of(document)


class _Work:
    """The work that may still be done, in characters; negative if more was done."""

    def __init__(self) -> None:
        self.characters = MAX_CHARACTERS


def _fix_findings(analysis: Analysis, work: _Work) -> Analysis:
    """Apply those of the safe fixes that work together, found by bisection. Each must remove a finding."""
    fixed = analysis
    accepted: list[Fix] = []
    fixes = _safe_fixes(analysis, work)
    pending = [fixes] if fixes else []
    while pending:
        part = pending.pop()
        after = _try(analysis, [*accepted, *part], work)
        if after is not None:
            accepted += part
            fixed = after
        elif len(part) > 1:
            middle = len(part) // 2
            pending += (part[middle:], part[:middle])
    return fixed


def _try(analysis: Analysis, fixes: list[Fix], work: _Work) -> Analysis | None:
    """Return the analysis of the text after some fixes; None if one of them is no improvement, or no work is left."""
    if work.characters < 0:
        return None
    before = analysis.document
    try:
        after = analysis.of(read(apply(before.text, [edit for fix in fixes for edit in fix.edits])))
    except ValueError:  # two of them overlap
        return None
    work.characters -= len(after.document.text) + ERROR_CHARACTERS * _count_errors(after)
    left = [one for one in after.findings if not _is_new(one.path, before, after.document)]
    has_more_errors = len(after.document.all_syntax) > len(before.all_syntax)
    if has_more_errors or len(left) > len(analysis.findings) - len(fixes):
        return None
    return after


def _safe_fixes(analysis: Analysis, work: _Work) -> list[Fix]:
    """Search the only safe fix of each finding, until half of the work that is left is done."""
    work.characters -= ERROR_CHARACTERS * len(analysis.findings)
    last = max(0, work.characters) // 2
    fixes: dict[Fix, None] = {}
    for finding in analysis.findings[:MAX_FINDINGS]:
        if work.characters < last:
            break
        found = fixes_of(analysis, finding)
        length = sum(len(edit.text) for fix in found for edit in fix.edits)
        work.characters -= SEARCH_CHARACTERS + length
        safe = [fix for fix in found if fix.is_safe]
        if len(safe) == 1:
            fixes[safe[0]] = None
    return list(fixes)


def _is_new(path: Path, before: Document, after: Document) -> bool:
    """Return whether a finding is in a renamed property, which was not validated before."""
    if after.find(path) is None:
        path = path[:-1]  # The property is absent: its object decides.
    return before.find(path) is None
