"""Apply all safe fixes of a document."""

from __future__ import annotations

from itertools import islice

from rui_common.editing.edits import apply
from rui_common.fixes.quick_fixes import FixFinder
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose, without_placeholders
from rui_common.vocabulary.lookup import path_as_read
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.fixes.model import Fix
    from rui_common.fixes.syntax_fixes import Reader
    from rui_common.syntax.document import Document
    from rui_common.validation.diagnostics import Diagnostic
    from rui_common.vocabulary.schema import Vocabulary

MAX_ROUNDS = 10
"""Maximum number of repetitions. One fix may make another possible, rarely more than once."""

MAX_FINDINGS = 2_000
"""Findings of a round for which fixes are searched. A document with more needs several rounds."""

MAX_READ = 4_000_000
"""Characters of broken text that may be read again to find fixes of syntax errors. It takes a few seconds."""


def apply_safe_fixes(document: Document, vocabulary: Vocabulary = VOCABULARY) -> Document:
    """Apply every fix that is the only safe one of its diagnostic, until none is left.

    A fix that adds a diagnostic is not applied. An error without a safe fix stays and does not prevent other fixes.

    Returns:
        A document with fewer diagnostics, or `document` itself if there is no such fix.
    """
    fixed = document
    if not document.valid:
        from rui_common.fixes.syntax_fixes import Reader  # noqa: PLC0415  needed for broken texts only

        fixed = _fix_syntax(document, Reader(MAX_READ))
    for _ in range(MAX_ROUNDS):
        better = _apply_round(fixed, vocabulary)
        if better is fixed:
            break
        fixed = better
    return fixed


def _fix_syntax(document: Document, reader: Reader) -> Document:
    """Apply the safe fixes of syntax errors. None of them changes the value that the parser recovered."""
    from rui_common.fixes.syntax_fixes import certain_fixes  # noqa: PLC0415  needed for broken texts only

    document = reader.apply(document, certain_fixes(document), keeps_value=False) or document
    while not document.valid:
        better = _apply_syntax_fixes(document, _safe_syntax_fixes(document, reader), reader)
        if better is None:
            break
        document = better
    return document


def _safe_syntax_fixes(document: Document, reader: Reader) -> list[Fix]:
    """Search fixes, at most until half of the reader's work is done; the other half is for applying them."""
    from rui_common.fixes.syntax_fixes import safe_syntax_fix  # noqa: PLC0415  needed for broken texts only

    fixes: list[Fix] = []
    for error in document.all_syntax:
        if reader.characters < MAX_READ // 2:
            break
        fix = safe_syntax_fix(document, error.span, reader)
        if fix is not None and fix not in fixes:
            fixes.append(fix)
    return fixes


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


def _apply_round(document: Document, vocabulary: Vocabulary) -> Document:
    finder = FixFinder(document, vocabulary)
    before = without_placeholders(diagnose(document))
    findings = (diagnostic for diagnostic in before if diagnostic.finding is not None)
    candidates = (_only_safe_fix(diagnostic, finder) for diagnostic in islice(findings, MAX_FINDINGS))
    fixes = list(dict.fromkeys(fix for fix in candidates if fix is not None))
    return _apply_most(document, before, [], fixes)[1]


def apply_fixes(document: Document, before: list[Diagnostic], fixes: list[Fix]) -> Document:
    """Apply those of some fixes that add no diagnostic but placeholders; `document` itself if there is none.

    Args:
        before: the diagnostics of the document.
        fixes: fixes of its errors, or of its syntax errors.
    """
    before = without_placeholders(before)
    if document.valid:
        return _apply_most(document, before, [], fixes)[1]
    from rui_common.fixes.syntax_fixes import Reader  # noqa: PLC0415  needed for broken texts only

    reader = Reader(MAX_READ)
    edits = [edit for fix in fixes for edit in fix.edits]
    return reader.apply(document, edits, keeps_value=False) or _apply_most(document, before, [], fixes)[1]


def _only_safe_fix(diagnostic: Diagnostic, finder: FixFinder) -> Fix | None:
    safe = [fix for fix in finder.find(diagnostic) if fix.is_safe]
    return safe[0] if len(safe) == 1 else None


def _apply_most(
    document: Document, before: list[Diagnostic], accepted: list[Fix], fixes: list[Fix]
) -> tuple[list[Fix], Document]:
    """Apply `accepted` and those of `fixes` that add no diagnostic, found by bisection.

    Returns:
        The applied fixes, and the document after them.
    """
    if fixes:
        after = _apply(document, before, [*accepted, *fixes])
        if after is not None:
            return [*accepted, *fixes], after
    if len(fixes) > 1:
        middle = len(fixes) // 2
        accepted, _ = _apply_most(document, before, accepted, fixes[:middle])
        return _apply_most(document, before, accepted, fixes[middle:])
    return accepted, _apply(document, before, accepted) or document


def _apply(document: Document, before: list[Diagnostic], fixes: list[Fix]) -> Document | None:
    """The document after some fixes; None if they add a diagnostic but placeholders, remove none, or overlap."""
    if not fixes:
        return None
    try:
        text = apply(document.text, [edit for fix in fixes for edit in fix.edits])
    except ValueError:
        return None
    after = read(text)
    remaining = [_key(diagnostic, after) for diagnostic in without_placeholders(diagnose(after))]
    known = {_key(diagnostic, document) for diagnostic in before}
    is_better = (
        len(after.all_syntax) <= len(document.all_syntax)
        and len(remaining) < len(before)
        and known.issuperset(remaining)
    )
    return after if is_better else None


def _key(diagnostic: Diagnostic, document: Document) -> tuple[object, ...]:
    """Return what stays the same of a diagnostic when a property around it is renamed."""
    return diagnostic.rule, diagnostic.code, path_as_read(document.value, diagnostic.path)
