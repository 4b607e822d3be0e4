"""A JSON array with one object a diagnostic, each on a line of its own. `rui check --help` documents the properties.

Later versions may add properties; they do not rename or remove any.
"""

from collections.abc import Iterable, Iterator

from rui_cli.output import Style, to_json
from rui_cli.results import CheckResult, FileProblem, Summary
from rui_common.fixes.apply import Fix
from rui_common.syntax.paths import format_path
from rui_common.syntax.spans import Span
from rui_common.validation.diagnostics import Diagnostic, Severity


def render(results: Iterable[CheckResult], summary: Summary, _style: Style) -> Iterator[str]:
    """Yield the array; ``[]`` without diagnostics."""
    separator = "[\n"
    for result in results:
        for diagnostic in result.diagnostics:
            yield separator + to_json(item(result, diagnostic))
            separator = ",\n"
    for problem in summary.reported:
        yield separator + to_json(_problem_item(problem))
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def item(result: CheckResult, diagnostic: Diagnostic) -> dict[str, object]:
    return {
        "file": result.name,
        "severity": diagnostic.severity,
        "rule": diagnostic.rule or None,
        "code": diagnostic.code,
        "path": format_path(diagnostic.path),
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "range": _range(result, diagnostic.span),
        "related": [{"message": note, "range": _range(result, span)} for span, note in diagnostic.related],
        "fixes": [_fix(result, fix) for fix in result.fixes(diagnostic)],
    }


def _problem_item(problem: FileProblem) -> dict[str, object]:
    start = {"line": 1, "column": 1, "offset": 0}
    return {
        "file": problem.file,
        "severity": Severity.ERROR,
        "rule": None,
        "code": "FILE",
        "path": "",
        "message": problem.text,
        "hint": "",
        "range": {"start": start, "end": start},
        "related": [],
        "fixes": [],
    }


def _fix(result: CheckResult, fix: Fix) -> dict[str, object]:
    return {
        "title": fix.title,
        "applicability": "safe" if fix.is_safe else "unsafe",
        "edits": [{"range": _range(result, edit.span), "text": edit.text} for edit in fix.edits],
    }


def _range(result: CheckResult, span: Span) -> dict[str, dict[str, int]]:
    (line, column), (end_line, end_column) = result.range(span)
    return {
        "start": {"line": line, "column": column, "offset": span.start},
        "end": {"line": end_line, "column": end_column, "offset": span.end},
    }
