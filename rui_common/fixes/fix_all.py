"""Apply all safe fixes of a document."""

from __future__ import annotations

from rui_common.editing.edits import apply
from rui_common.fixes.quick_fixes import FixFinder
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose
from rui_common.vocabulary.lookup import path_as_read
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.fixes.model import Fix
    from rui_common.syntax.document import Document
    from rui_common.validation.diagnostics import Diagnostic
    from rui_common.vocabulary.schema import Vocabulary

MAX_ROUNDS = 10
"""Maximum number of repetitions. One fix may make another possible, rarely more than once."""


def apply_safe_fixes(document: Document, vocabulary: Vocabulary = VOCABULARY) -> Document:
    """Apply every fix that is the only safe one of its diagnostic, until none is left.

    A fix that adds a diagnostic is not applied. A text with syntax errors is only changed if all of them can be fixed.

    Returns:
        A document with fewer diagnostics, or `document` itself if there is no such fix.
    """
    fixed = document if document.valid else _fix_syntax(document)
    if not fixed.valid:
        return document
    for _ in range(MAX_ROUNDS):
        better = _apply_round(fixed, vocabulary)
        if better is fixed:
            break
        fixed = better
    return fixed


def _fix_syntax(document: Document) -> Document:
    """Fix the syntax errors from the first to the last. A fix does not change the value that the parser recovered."""
    from rui_common.fixes.syntax_fixes import try_fixes  # noqa: PLC0415  needed for broken texts only

    while not document.valid:
        attempt = try_fixes(document, document.syntax[0].span)
        if attempt is None or not attempt[0].is_safe:
            break
        document = attempt[1]
    return document


def _apply_round(document: Document, vocabulary: Vocabulary) -> Document:
    finder = FixFinder(document, vocabulary)
    before = diagnose(document)
    candidates = (_only_safe_fix(diagnostic, finder) for diagnostic in before)
    fixes = list(dict.fromkeys(fix for fix in candidates if fix is not None))
    return _apply_most(document, before, [], fixes)[1]


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
    """The document after some fixes; None if they add a diagnostic, remove none, or overlap."""
    if not fixes:
        return None
    try:
        text = apply(document.text, [edit for fix in fixes for edit in fix.edits])
    except ValueError:
        return None
    after = read(text)
    remaining = [_key(diagnostic, after) for diagnostic in diagnose(after)]
    known = {_key(diagnostic, document) for diagnostic in before}
    is_better = after.valid and len(remaining) < len(before) and known.issuperset(remaining)
    return after if is_better else None


def _key(diagnostic: Diagnostic, document: Document) -> tuple[object, ...]:
    """Return what stays the same of a diagnostic when a property around it is renamed."""
    return diagnostic.rule, diagnostic.code, path_as_read(document.value, diagnostic.path)
