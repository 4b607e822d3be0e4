"""Apply all safe fixes of a document."""

from __future__ import annotations

from collections.abc import Callable

from rui_common.fixes.model import Fix
from rui_common.fixes.quick_fixes import FixFinder
from rui_common.fixes.reader import Reader
from rui_common.fixes.syntax_fixes import safe_candidates
from rui_common.syntax.document import CHARACTERS_PER_STEP, Document
from rui_common.syntax.paths import Path
from rui_common.validation.analysis import Analysis

MAX_ROUNDS = 10
"""Maximum number of repetitions. One fix may make another possible, rarely more than once."""

MAX_FINDINGS = 2_000
"""Findings of a round for which fixes are searched. A document with more needs several rounds."""

MAX_STEPS = 1_500_000
"""Work of all fixes: half a second to two seconds (see `Document.steps`)."""

FINDING_STEPS = 20
SEARCH_STEPS = 100
"""The price of a finding, and of the search for the fixes of one."""

_FOREIGN = {"\0", "\x1b"}
"""Characters of binary data, UTF-16 and ISO-2022, whose other bytes are no text that a fix may change."""

Trial = Callable[[list[Fix]], Document | None]
"""Returns the document after some fixes; None if one of them is no improvement."""


def apply_safe_fixes(analysis: Analysis) -> Analysis:
    """Apply every fix that is the only safe one of its diagnostic, until none is left.

    Edits are kept if the text that they result in has fewer diagnostics. Comments are not removed. A text with a NUL
    or ESC is left as it is.

    Returns:
        The analysis of a text with fewer diagnostics, or `analysis` itself if there is no such fix.
    """
    if not _FOREIGN.isdisjoint(analysis.document.text):
        return analysis
    reader = Reader(MAX_STEPS)
    fixed = analysis
    syntax = _fix_syntax(analysis.document, reader)
    if syntax is not analysis.document:
        fixed = analysis.of(syntax)
    for _ in range(MAX_ROUNDS):
        better = _fix_findings(fixed, reader)
        if better is fixed:
            break
        document = _fix_syntax(better.document, reader)
        fixed = better if document is better.document else fixed.of(document)
    return fixed


def _apply_most(document: Document, fixes: list[Fix], trial: Trial) -> Document:
    """Apply those of some fixes that work together, found by bisection; return the document after them."""
    accepted: list[Fix] = []
    pending = [fixes] if fixes else []
    while pending:
        part = pending.pop()
        after = trial([*accepted, *part])
        if after is not None:
            accepted += part
            document = after
        elif len(part) > 1:
            middle = len(part) // 2
            pending += (part[middle:], part[:middle])
    return document


# Syntax errors --------------------------------------------------------------------------------------------------------


def _fix_syntax(document: Document, reader: Reader) -> Document:
    """Apply the safe fixes of syntax errors. None of them changes the value that the parser recovered."""
    tried: set[str] = set()
    while not document.valid:
        before = document

        def trial(some: list[Fix], before: Document = before) -> Document | None:
            return reader.improve(before, [edit for fix in some for edit in fix.edits], fewer=len(some))

        untried = {kind: fixes for kind, fixes in safe_candidates(before).items() if kind not in tried}
        kind = next(iter(untried), None)
        if kind is None:
            break
        document = _apply_most(before, untried[kind], trial)
        if document is before:
            tried.add(kind)
        else:
            tried.clear()
    return document


# Findings -------------------------------------------------------------------------------------------------------------


def _fix_findings(analysis: Analysis, reader: Reader) -> Analysis:
    """Apply the safe fixes of findings, each of which must remove one."""
    document = analysis.document
    reader.steps -= FINDING_STEPS * len(analysis.findings)
    fixes = _safe_fixes(analysis, reader)
    best = analysis

    def trial(some: list[Fix]) -> Document | None:
        nonlocal best
        after = reader.read(document, [edit for fix in some for edit in fix.edits])
        if after is None:
            return None
        tried = analysis.of(after)
        reader.steps -= FINDING_STEPS * len(tried.findings)
        left = [one for one in tried.findings if not _is_new(one.path, document, after)]
        if len(after.all_syntax) <= len(document.all_syntax) and len(left) <= len(analysis.findings) - len(some):
            best = tried
            return after
        return None

    _apply_most(document, fixes, trial)
    return best


def _safe_fixes(analysis: Analysis, reader: Reader) -> list[Fix]:
    """Search the only safe fix of each finding, until half of the work that is left is done."""
    finder = FixFinder(analysis)
    last = max(0, reader.steps) // 2
    fixes: dict[Fix, None] = {}
    for finding in analysis.findings[:MAX_FINDINGS]:
        if reader.steps < last:
            break
        found = finder.find_for(finding)
        length = sum(len(edit.text) for fix in found for edit in fix.edits)
        reader.steps -= SEARCH_STEPS + length // CHARACTERS_PER_STEP
        safe = [fix for fix in found if fix.is_safe]
        if len(safe) == 1:
            fixes[safe[0]] = None
    return list(fixes)


def _is_new(path: Path, before: Document, after: Document) -> bool:
    """Return whether a finding is in a renamed property, which was not validated before."""
    place = path if after.find(path) is not None else path[:-1]
    return before.find(place) is None
