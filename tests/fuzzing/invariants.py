"""What holds for every text: the targets of the fuzzer. Each function raises `AssertionError` if it does not."""

from rui_common.editing.edits import apply
from rui_common.editing.formatter import CannotFormatError, format_document
from rui_common.editing.normal_form import by_code_point
from rui_common.fixes.fix_all import apply_safe_fixes
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.syntax.document import Document, read
from rui_common.syntax.paths import Path
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import is_error
from rui_common.versions.merge import CannotMergeError, merge

SEPARATOR = "\f"
"""What separates the versions of a document in the input of `check_merge`."""

RULES_OF_LINKS = ("R10", "R11")
"""The rules of names that mean a page."""

MAX_FIXES = 40
"""Fixes that `check_fix` applies: a hostile text has thousands."""


def check_read(text: str) -> None:
    """Reading does not fail, and each error is in the text and has words."""
    analysis = Analysis(read(text))
    for diagnostic in analysis.diagnostics:
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text), diagnostic
        assert diagnostic.message, diagnostic
        assert diagnostic.hint or not is_error(diagnostic), diagnostic
    for fault in analysis.document.all_syntax:
        for edit in fault.edits:
            assert 0 <= edit.span.start <= edit.span.end <= len(text), fault
    assert analysis.document.valid == (not analysis.document.all_syntax)


def check_fix(text: str) -> None:
    """Fixing all is idempotent and adds no error; no quick fix raises an exception."""
    analysis = Analysis(read(text))
    fixed = apply_safe_fixes(analysis)
    assert len(fixed.document.all_syntax) <= len(analysis.document.all_syntax), fixed.document.text
    assert _new_findings(analysis, fixed) == [], fixed.document.text
    again = apply_safe_fixes(Analysis(read(fixed.document.text)))
    assert again.document.text == fixed.document.text, (fixed.document.text, again.document.text)
    fixes = [fix for diagnostic in analysis.diagnostics[:MAX_FIXES] for fix in find_fixes(analysis, diagnostic)]
    for fix in fixes[:MAX_FIXES]:
        read(apply(text, fix.edits))


def _new_findings(before: Analysis, after: Analysis) -> list[tuple[str, Path]]:
    """Return rule and path of the findings that are new, except in objects of which a repaired property was wrong.

    The values of such an object may not have been validated before. If it is a page or a link, its name was unknown.
    """
    if not before.document.valid:  # A repaired syntax error may reveal others.
        return []
    known = {(finding.rule, finding.path) for finding in before.findings}
    paths = {path for _, path in known}
    unread = {path[:-1] for path in paths}
    if any(map(_is_of_page_or_link, paths)):
        known |= {(finding.rule, finding.path) for finding in after.findings if finding.rule in RULES_OF_LINKS}
    return [
        (finding.rule, finding.path)
        for finding in after.findings
        if (finding.rule, finding.path) not in known
        and not any(finding.path[:length] in unread for length in range(len(finding.path)))
    ]


def _is_of_page_or_link(path: Path) -> bool:
    """Return whether a path is that of a page, of a link, of a property of one, or of a list of them."""
    return path[:1] in {("pages",), ("navigation",)} and sum(isinstance(step, int) for step in path[:-1]) <= 1


def check_format(text: str) -> None:
    """Formatting is idempotent, and keeps the value."""
    analysis = Analysis(read(text))
    try:
        formatted = format_document(analysis)
    except CannotFormatError:
        return
    after = Analysis(read(formatted))
    assert format_document(after) == formatted, formatted
    assert by_code_point(after.document.value) == by_code_point(analysis.document.value)


def check_merge(text: str) -> None:
    """A merge with an unchanged side is the other one; a merge without conflicts is JSON."""
    versions = [read(part) for part in [*text.split(SEPARATOR), "{}", "{}"][:3]]
    base, ours, theirs = versions
    if not all(map(_can_be_merged, versions)):
        return
    assert merge(base, ours, base).text == ours.text
    assert merge(base, base, theirs).text == theirs.text
    try:
        result = merge(base, ours, theirs)
    except CannotMergeError:
        return
    document = read(result.text)
    assert bool(document.conflicts) == bool(result.conflicts), result
    assert document.conflicts or document.valid, result.text


def _can_be_merged(document: Document) -> bool:
    return document.valid and isinstance(document.value, dict) and not document.duplicate_keys()


CHECKS = {"read": check_read, "fix": check_fix, "format": check_format, "merge": check_merge}
