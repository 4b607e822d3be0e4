"""Apply all safe fixes of a document."""

from typing import NamedTuple

from rui_common.editing.edits import apply, text_edits
from rui_common.editing.names import name_span
from rui_common.fixes.apply import Fix
from rui_common.fixes.quick_fixes import escaped_document, fixes_of, may_be_edited
from rui_common.fixes.syntax_fixes import repeated_names
from rui_common.json_values import as_json
from rui_common.problems.finding import Finding
from rui_common.syntax.document import Document, read
from rui_common.syntax.paths import Path
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.rules import RULES

MAX_ROUNDS = 10  # Maximum number of repetitions. One fix may make another possible, rarely more than once.
MAX_PARTS = 5  # Maximum number of times that a text with thousands of syntax errors is read on, each in 0.3 s
MAX_CHARACTERS = 3_000_000
"""Work of the fixes of findings, in characters that are read again or written: up to two seconds."""

ERROR_CHARACTERS = 60  # Work, in characters, to find a syntax error or finding again
SEARCH_CHARACTERS = 250  # Work, in characters, to search the fixes of a finding
_FOREIGN = {"\0", "\x1b"}
"""Characters of binary data, UTF-16 and ISO-2022, whose other bytes are no text that a fix may change."""

FIXED_IN_PART = "There are more errors than can be fixed at once: fix all again for the rest."
NONE_IS_SAFE = "There are more errors than can be fixed at once, and none of those that were tried has a safe fix."
"""What surfaces say if a limit has ended the search for safe fixes: after some fixes, and without any."""


class AppliedFix(NamedTuple):
    """A fix that was applied, and the error that it has removed."""

    path: Path  # the path of the error; ``()`` for a syntax error
    code: str  # its code (section 7.2)
    title: str  # what the fix does, such as ``Rename "titel" to "title"``


class FixedAnalysis(NamedTuple):
    """An analysis after all safe fixes."""

    analysis: Analysis  # the analysis of the fixed text, which is the given one if nothing is fixed
    applied: tuple[AppliedFix, ...] = ()  # the fixes, in the order in which they were applied
    note: str = ""  # a sentence for the author if a limit has ended the search for fixes, else ``""``


def fix_all_safe(analysis: Analysis) -> FixedAnalysis:
    """Apply every fix that is the only safe one of its diagnostic, until none is left.

    Edits are kept if the text that they result in has fewer diagnostics, and is a RUI. Comments are not removed. A text
    with a NUL or ESC, or with a merge conflict, is left as it is.
    """
    document = analysis.document
    if document.conflicts or not _FOREIGN.isdisjoint(document.text) or not may_be_edited(analysis):
        return FixedAnalysis(analysis)
    work = _Work()
    fixed = _fix_syntax(_fix_root(analysis, work), work)
    for _ in range(MAX_ROUNDS):
        better = _fix_findings(fixed, work)
        if better is fixed:
            break
        fixed = _fix_syntax(better, work)
    else:
        work.is_cut = work.is_cut or bool(_safe_fixes(fixed, work))
    note = ""
    if work.is_cut or not fixed.document.is_complete:
        note = NONE_IS_SAFE if fixed is analysis else FIXED_IN_PART
    return FixedAnalysis(fixed, tuple(work.applied), note)


def apply_safe_fixes(analysis: Analysis) -> Analysis:
    """Return the analysis after all safe fixes; `analysis` itself if there is none."""
    return fix_all_safe(analysis).analysis


class SafeEdits(NamedTuple):
    """The edits of all safe fixes."""

    edits: list[Edit]  # the edits of the text, in text order; empty if no fix is safe
    fixed: int  # the number of errors that they remove
    note: str  # a sentence for the author if a limit has ended the search for fixes, else ``""``


def find_safe_edits(analysis: Analysis) -> SafeEdits:
    """Return the edits that apply every fix that is the only safe one of its diagnostic."""
    fixed, _, note = fix_all_safe(analysis)
    edits = text_edits(analysis.document.text, fixed.document.text)
    return SafeEdits(edits, _count_errors(analysis) - _count_errors(fixed), note)


def _count_errors(analysis: Analysis) -> int:
    return len(analysis.document.all_syntax) + len(analysis.findings)


class _Work:
    """What is done, and the work that may still be done."""

    def __init__(self) -> None:
        self.applied: list[AppliedFix] = []
        self.characters = MAX_CHARACTERS  # negative if more was done
        self.parts = MAX_PARTS  # parts of a text with thousands of syntax errors
        self.is_cut = False  # whether a limit has ended the search for fixes, so that there may be more


def _fix_root(analysis: Analysis, work: _Work) -> Analysis:
    """Keep only the document in a value around it, or in an escaped text. What was wrong in it is not known before."""
    escaped = escaped_document(analysis.document)
    if escaped is not None:
        work.applied.append(AppliedFix((), RULES["R0"].code, escaped.title))
        return analysis.of(read(apply(analysis.document.text, escaped.edits)))
    finding = next(iter(analysis.findings), None)
    if finding is None or not finding.about_root:
        return analysis
    for fix in fixes_of(analysis, finding):
        after = read(apply(analysis.document.text, fix.edits))
        if fix.is_safe and after.is_rui:
            work.applied.append(AppliedFix(finding.path, finding.code, fix.title))
            return analysis.of(after)
    return analysis


def _fix_syntax(analysis: Analysis, work: _Work) -> Analysis:
    """Apply the safe repairs of syntax errors, which leave the value as the parser recovered it.

    A text with thousands of syntax errors is read in parts: without the errors of one, the next one is read.
    """
    document = analysis.document
    for _ in range(MAX_ROUNDS):
        edits = [edit for fault in document.all_syntax if fault.is_safe for edit in fault.edits]
        if not edits or not document.is_rui:
            break
        if not document.is_complete:
            if work.parts == 0:
                work.is_cut = True
                break
            work.parts -= 1
        after = read(apply(document.text, edits))
        if not _is_repaired(document, after):
            break
        faults = [fault for fault in document.all_syntax if fault.is_safe and fault.edits]
        work.applied += [AppliedFix((), RULES["R0"].code, fault.title) for fault in faults]
        document = after
    else:
        work.is_cut = True
    if document is analysis.document:
        return analysis
    return analysis.of(document)


def _is_repaired(before: Document, after: Document) -> bool:
    """Return whether a text has fewer errors after some repairs, and the same value, as far as it was read before."""
    if not before.is_complete:
        return after.is_rui and _begins_with(after.value, before.value)
    # As JSON, because 1, 1.0 and true are equal, and dictionaries with another order, too.
    return as_json(after.value) == as_json(before.value) and len(after.all_syntax) < len(before.all_syntax)


def _begins_with(value: object, part: object) -> bool:
    """Return whether `part`, the value of the first part of a text, is the beginning of the whole value.

    At every level, the last member of the part may go on in the whole.
    """
    if isinstance(value, dict) and isinstance(part, dict):
        members, first = [*value.items()], [*part.items()]
    elif isinstance(value, list) and isinstance(part, list):
        members, first = [*enumerate(value)], [*enumerate(part)]
    else:
        return as_json(value) == as_json(part)
    if not first:
        return True
    last = len(first) - 1
    if len(members) <= last or as_json(members[:last]) != as_json(first[:last]) or members[last][0] != first[last][0]:
        return False
    return _begins_with(members[last][1], first[last][1])


def _fix_findings(analysis: Analysis, work: _Work) -> Analysis:
    """Apply those of the safe fixes that work together, found by bisection. Each must remove a finding."""
    fixed = analysis
    accepted: list[Fix] = []
    findings = _safe_fixes(analysis, work)
    pending = [[*findings]] if findings else []
    while pending:
        if work.characters < 0:
            work.is_cut = True
            break
        part = pending.pop()
        after = _try(analysis, [*accepted, *part], work)
        if after is not None:
            accepted += part
            fixed = after
        elif len(part) > 1:
            middle = len(part) // 2
            pending += (part[middle:], part[:middle])
    work.applied += [AppliedFix(findings[fix].path, findings[fix].code, fix.title) for fix in accepted]
    return fixed


def _try(analysis: Analysis, fixes: list[Fix], work: _Work) -> Analysis | None:
    """Return the analysis of the text after some fixes; None if one of them is no improvement."""
    before = analysis.document
    try:
        after = analysis.of(read(apply(before.text, [edit for fix in fixes for edit in fix.edits])))
    except ValueError:  # two of them overlap
        return None
    work.characters -= len(after.document.text) + ERROR_CHARACTERS * _count_errors(after)
    left = [finding for finding in after.findings if not _is_new(finding.path, analysis, after)]
    has_more_errors = len(after.document.all_syntax) > len(before.all_syntax)
    if has_more_errors or len(left) > len(analysis.findings) - len(fixes) or not after.document.is_rui:
        return None
    if not repeated_names(after) <= repeated_names(analysis):  # two names are corrected to the same one
        return None
    return after


def _safe_fixes(analysis: Analysis, work: _Work) -> dict[Fix, Finding]:
    """Search the only safe fix of each finding, until half of the work that is left is done."""
    last = max(0, work.characters) // 2
    fixes: dict[Fix, Finding] = {}
    replaced: set[Span] = set()  # what these fixes replace: one may remove several findings
    for finding in analysis.findings:
        if work.characters < last:
            work.is_cut = True
            break
        if name_span(analysis, finding.path) in replaced:
            continue
        found = fixes_of(analysis, finding)
        length = sum(len(edit.text) for fix in found for edit in fix.edits)
        work.characters -= SEARCH_CHARACTERS + length
        safe = [fix for fix in found if fix.is_safe]
        if len(safe) == 1:
            fixes[safe[0]] = finding
            replaced.update(edit.span for edit in safe[0].edits)
    return fixes


def _is_new(path: Path, before: Analysis, after: Analysis) -> bool:
    """Return whether a finding is in a renamed property, or in a node that was not read: neither was validated."""
    if after.document.find(path) is None:
        path = path[:-1]  # The property is absent: its object decides.
    if before.document.find(path) is None:
        return True
    node = before.nearest(path)
    read = after.tree.at(node.path)
    return isinstance(node.value, dict) and node.shape is None and read is not None and read.shape is not None
