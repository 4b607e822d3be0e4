"""Document → the same document with all its safe mends made, and never a worse one."""

from __future__ import annotations

from rui_common.editing.edits import apply
from rui_common.fixes.quick_fixes import FixFinder
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.fixes.model import Fix
    from rui_common.syntax.document import Document
    from rui_common.validation.diagnostics import Diagnostic
    from rui_common.vocabulary.schema import Vocabulary

MAX_ROUNDS = 10
"""One mend may make room for another, hardly ever more than once."""


def apply_safe_fixes(document: Document, vocabulary: Vocabulary = VOCABULARY) -> Document:
    """Make every mend that is the only safe one of its fault, again and again until none is left.

    A mend that brings a new fault to light, or makes one, is not made. A broken text is mended only if it is sound
    afterwards; else nothing in it is touched.

    Args:
        document: any document.
        vocabulary: what to check against.

    Returns:
        A document with fewer diagnostics, or `document` itself if nothing was to be done.
    """
    sound = document if document.valid else _fix_syntax(document)
    if not sound.valid:
        return document
    for _ in range(MAX_ROUNDS):
        better = _round(sound, vocabulary)
        if better is sound:
            break
        sound = better
    return sound


def _fix_syntax(document: Document) -> Document:
    """Mend the faults of the text from the first to the last; each mend leaves the value as it was understood."""
    from rui_common.fixes.syntax_fixes import try_fixes  # noqa: PLC0415  a sound text does without it

    while not document.valid:
        tried = try_fixes(document, document.syntax[0].span)
        if tried is None or not tried[0].is_safe:
            break
        document = tried[1]
    return document


def _round(document: Document, vocabulary: Vocabulary) -> Document:
    fix_finder = FixFinder(document, vocabulary)
    before = diagnose(document)
    found = [_only_safe(diagnostic, fix_finder) for diagnostic in before]
    wanted = list(dict.fromkeys(fix for fix in found if fix is not None))
    kept, better = _keep(document, before, [], wanted)
    return better if kept else document


def _only_safe(diagnostic: Diagnostic, fix_finder: FixFinder) -> Fix | None:
    safe = [fix for fix in fix_finder.find(diagnostic) if fix.is_safe]
    return safe[0] if len(safe) == 1 else None


def _keep(document: Document, before: list[Diagnostic], kept: list[Fix], more: list[Fix]) -> tuple[list[Fix], Document]:
    """Add as many of `more` to the mends that are kept as make nothing worse, and the document that this gives."""
    better = _fixed(document, before, [*kept, *more]) if more else None
    if better is not None:
        return [*kept, *more], better
    if len(more) > 1:
        half = len(more) // 2
        kept, _ = _keep(document, before, kept, more[:half])
        return _keep(document, before, kept, more[half:])
    return kept, (_fixed(document, before, kept) if kept else None) or document


def _fixed(document: Document, before: list[Diagnostic], fixes: list[Fix]) -> Document | None:
    """The document with some mends made; None if that adds a diagnostic, or takes none away."""
    try:
        text = apply(document.text, [edit for fix in fixes for edit in fix.edits])
    except ValueError:
        return None
    after = read(text)
    remaining = [_key(diagnostic) for diagnostic in diagnose(after)]
    known = {_key(diagnostic) for diagnostic in before}
    return after if after.valid and len(remaining) < len(before) and known.issuperset(remaining) else None


def _key(diagnostic: Diagnostic) -> tuple[object, ...]:
    return diagnostic.rule, diagnostic.code, diagnostic.path
