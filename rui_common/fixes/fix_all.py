"""Apply all safe fixes of a document."""

from __future__ import annotations

from rui_common.editing.edits import apply
from rui_common.fixes.model import Fix
from rui_common.fixes.quick_fixes import FixFinder
from rui_common.fixes.reader import Reader
from rui_common.fixes.syntax_fixes import likely_fixes, safe_syntax_fix
from rui_common.syntax.document import CHARACTERS_PER_STEP, Document
from rui_common.syntax.paths import Path
from rui_common.validation.findings import Finding
from rui_common.validation.validator import validate
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Vocabulary

MAX_ROUNDS = 10
"""Maximum number of repetitions. One fix may make another possible, rarely more than once."""

MAX_FINDINGS = 2_000
"""Findings of a round for which fixes are searched. A document with more needs several rounds."""

MAX_STEPS = 1_500_000
"""Work of all fixes: half a second to two seconds (see `Document.steps`)."""

MIN_LIKELY = 4
"""Likely fixes that are tried together; fewer are searched one by one."""

MAX_FAILURES = 20
"""Syntax errors in a row without a safe fix, after which no more are searched for."""

FINDING_STEPS = 20
SEARCH_STEPS = 100
"""The price of a finding, and of the search for the fixes of one."""


def apply_safe_fixes(document: Document, vocabulary: Vocabulary = VOCABULARY) -> Document:
    """Apply every fix that is the only safe one of its diagnostic, until none is left.

    Edits are kept if the text that they result in has fewer diagnostics. Comments are not removed.

    Returns:
        A document with fewer diagnostics, or `document` itself if there is no such fix.
    """
    reader = Reader(MAX_STEPS)
    fixed = _fix_syntax(document, reader)
    for _ in range(MAX_ROUNDS):
        better = _apply_round(fixed, reader, vocabulary)
        if better is fixed:
            break
        fixed = _fix_syntax(better, reader)
    return fixed


def _fix_syntax(document: Document, reader: Reader) -> Document:
    """Apply the safe fixes of syntax errors. None of them changes the value that the parser recovered."""
    document = _apply_likely_fixes(document, reader)
    while not document.valid:
        better = _apply_syntax_fixes(document, _safe_syntax_fixes(document, reader), reader)
        if better is None:
            break
        document = better
    return document


def _apply_likely_fixes(document: Document, reader: Reader) -> Document:
    """Apply the likely fixes of a kind at once, kind by kind, if fewer errors are left."""
    tried: set[str] = set()
    while not document.valid:
        untried = [fixes for title, fixes in likely_fixes(document).items() if title not in tried]
        if not untried:
            break
        tried.add(untried[0][0].title)
        document = _apply_kind(document, untried[0], reader)
    return document


def _apply_kind(document: Document, fixes: list[Fix], reader: Reader) -> Document:
    """Apply fixes in text order, or halves of them that leave fewer errors."""
    after = reader.apply(document, [edit for fix in fixes for edit in fix.edits])
    if after is not None:
        return after
    if len(fixes) < 2 * MIN_LIKELY or reader.steps < MAX_STEPS // 2:
        return document
    middle = len(fixes) // 2
    # The second half first: the positions of the first half stay the same.
    document = _apply_kind(document, fixes[middle:], reader)
    return _apply_kind(document, fixes[:middle], reader)


def _safe_syntax_fixes(document: Document, reader: Reader) -> list[Fix]:
    """Search fixes. This takes half of the reader's work, as the other half is for applying them."""
    half = reader.steps // 2
    search = Reader(half)
    fixes: dict[Fix, None] = {}
    failures = 0
    for error in document.all_syntax:
        if search.is_spent or failures >= MAX_FAILURES:
            break
        fix = safe_syntax_fix(document, error.span, search)
        failures += 1
        if fix is not None:
            fixes[fix] = None
            failures = 0
    reader.steps -= half - search.steps
    return list(fixes)


def _apply_syntax_fixes(document: Document, fixes: list[Fix], reader: Reader) -> Document | None:
    """Return the document after all fixes, or after each that works alone; None if none works."""
    if not fixes:
        return None
    after = reader.apply(document, [edit for fix in fixes for edit in fix.edits])
    if after is not None and len(after.all_syntax) <= len(document.all_syntax) - len(fixes):
        return after
    if len(fixes) == 1:
        return after
    middle = len(fixes) // 2
    first = _apply_syntax_fixes(document, fixes[:middle], reader)
    # After the first half, the positions of the others have changed. The next round finds them again.
    return first or _apply_syntax_fixes(document, fixes[middle:], reader)


def _apply_round(document: Document, reader: Reader, vocabulary: Vocabulary) -> Document:
    if reader.is_spent:
        return document
    findings = _findings(document, vocabulary)
    reader.steps -= FINDING_STEPS * len(findings)
    fixes = _safe_fixes(document, findings, reader, vocabulary)
    return _Trial(document, len(findings), reader, vocabulary).apply_most(fixes)


def _safe_fixes(document: Document, findings: list[Finding], reader: Reader, vocabulary: Vocabulary) -> list[Fix]:
    """Search the only safe fix of each finding, until half of the work that is left is done."""
    finder = FixFinder(document, vocabulary)
    last = reader.steps // 2
    fixes: dict[Fix, None] = {}
    for finding in findings[:MAX_FINDINGS]:
        if reader.steps < last:
            break
        found = finder.find_for(finding)
        length = sum(len(edit.text) for fix in found for edit in fix.edits)
        reader.steps -= SEARCH_STEPS + length // CHARACTERS_PER_STEP
        safe = [fix for fix in found if fix.is_safe]
        if len(safe) == 1:
            fixes[safe[0]] = None
    return list(fixes)


def _findings(document: Document, vocabulary: Vocabulary) -> list[Finding]:
    """Return the findings of a document; none if its root is no object."""
    if not isinstance(document.value, dict):
        return []
    return validate(document.value, incomplete=document.incomplete, vocabulary=vocabulary)


class _Trial:
    """Applies fixes to a document, and keeps those that work."""

    def __init__(self, document: Document, count: int, reader: Reader, vocabulary: Vocabulary) -> None:
        """Args: the document, the number of its findings, the reader of the changed texts, and the vocabulary."""
        self._document = document
        self._count = count
        self._reader = reader
        self._vocabulary = vocabulary
        self._accepted: list[Fix] = []
        self._after = document

    def apply_most(self, fixes: list[Fix]) -> Document:
        """Apply those of some fixes that work, found by bisection; return the document after them."""
        if fixes and not self._reader.is_spent:
            after = self._apply([*self._accepted, *fixes])
            if after is not None:
                self._accepted += fixes
                self._after = after
            elif len(fixes) > 1:
                middle = len(fixes) // 2
                self.apply_most(fixes[:middle])
                self.apply_most(fixes[middle:])
        return self._after

    def _apply(self, fixes: list[Fix]) -> Document | None:
        """The document after some fixes; None if they overlap, or one of them does not remove a finding."""
        try:
            text = apply(self._document.text, [edit for fix in fixes for edit in fix.edits])
        except ValueError:
            return None
        after = self._reader.read(text)
        if len(after.all_syntax) > len(self._document.all_syntax):
            return None
        findings = _findings(after, self._vocabulary)
        self._reader.steps -= FINDING_STEPS * len(findings)
        left = [finding for finding in findings if not _is_new(finding.path, self._document, after)]
        if len(left) <= self._count - len(fixes):
            return after
        return None


def _is_new(path: Path, before: Document, after: Document) -> bool:
    """Whether a finding is in a renamed property, which was not validated before."""
    place = path if after.find(path) is not None else path[:-1]
    return before.find(place) is None
