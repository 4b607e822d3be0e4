"""Fixes for texts that are no JSON object: the repairs of the parser, sides of merge conflicts, a new document."""

from collections import Counter
from collections.abc import Iterator

from rui_common.editing.edits import apply, end_before, format_json
from rui_common.editing.generate import ValueGenerator
from rui_common.fixes.apply import Fix, fixes_from
from rui_common.problems.meant import holds_content
from rui_common.problems.names import DuplicateName
from rui_common.syntax.conflicts import Conflict, has_marker
from rui_common.syntax.document import Document, read
from rui_common.syntax.errors import FaultKind, SyntaxFault
from rui_common.syntax.spans import Edit, Span
from rui_common.texts import shorten
from rui_common.validation.analysis import Analysis


def syntax_fixes(analysis: Analysis, fault: SyntaxFault | None) -> list[Fix]:
    """Return the repair of a syntax error, if it has one; a new document if the text is empty."""
    document = analysis.document
    if not document.text.strip("\ufeff \t\r\n"):
        return new_document_fixes(analysis)
    if fault is None:
        return []
    if fault.kind is FaultKind.CONFLICT:
        return _conflict_fixes(analysis, fault)
    return fixes_from(shorten(fault.title), fault.edits, is_safe=fault.is_safe)


def new_document_fixes(analysis: Analysis) -> list[Fix]:
    """Return the fix for a text that is empty or whose root is not an object."""
    document = analysis.document
    text = document.text
    value = document.value
    root = document.find(())
    span = Span(len(text) - len(text.lstrip("\ufeff")), len(text))
    if root is not None and root.span is not None:
        span = root.span
    if holds_content(value):
        return []
    title = "Replace it by a new document"
    if value is None and not text.strip():
        title = "Insert a new document"
    new = ValueGenerator(analysis, analysis.tree.root).new_object(analysis.vocabulary.root)
    return [Fix(title, (Edit(span, format_json(new)),), False)]


def _conflict_fixes(analysis: Analysis, fault: SyntaxFault) -> list[Fix]:
    """Return the fixes of a conflict. None is safe: a person must decide."""
    conflict = next(conflict for conflict in analysis.document.conflicts if conflict.marker == fault.span)
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
    return repeated_names(analysis.of(after)) <= repeated_names(analysis)


def repeated_names(analysis: Analysis) -> Counter[str]:
    """Return how often each name of a document is defined again (R3, R17)."""
    return Counter(str(finding.got) for finding in analysis.findings if isinstance(finding, DuplicateName))


def leaves_conflicts(document: Document, fix: Fix) -> bool:
    """Return whether a fix changes neither a conflict marker nor the lines of theirs, and copies no marker."""
    return not any(
        document.text[slice(*edit.span)] != document.text_of_ours[slice(*edit.span)] or has_marker(edit.text)
        for edit in fix.edits
    )
