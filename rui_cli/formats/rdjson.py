"""rdjson, the format of reviewdog: safe fixes become suggestions in a pull request.

Names are relative to the current folder, to which reviewdog adds its place in the repository.
Lines and columns start at 1; columns count bytes of UTF-8.
"""

from collections.abc import Iterable, Iterator

from rui_cli.output import Style, to_json
from rui_cli.repository import name_in_folder
from rui_cli.results import CheckResult, Summary
from rui_common.editing.edits import apply
from rui_common.fixes.apply import Fix
from rui_common.json_values import JsonObject
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.diagnostics import Diagnostic


def render(results: Iterable[CheckResult], _summary: Summary, _style: Style) -> Iterator[str]:
    """Yield the object after all documents are checked."""
    diagnostics = [_diagnostic(result, diagnostic) for result in results for diagnostic in result.diagnostics]
    yield to_json({"source": {"name": "rui"}, "diagnostics": diagnostics}, indent=2) + "\n"


def _diagnostic(result: CheckResult, diagnostic: Diagnostic) -> JsonObject:
    suggestions = [_suggestion(result, fix) for fix in result.fixes(diagnostic) if fix.is_safe]
    return {
        "message": f"{diagnostic.message} {diagnostic.hint}".strip(),
        "location": {"path": name_in_folder(result.name), "range": _range(result, diagnostic.span)},
        "severity": diagnostic.severity.upper(),
        "code": {"value": diagnostic.code},
        "suggestions": suggestions[:1],
    }


def _suggestion(result: CheckResult, fix: Fix) -> JsonObject:
    """Return the edits of a fix as one replacement; the format reads several as alternatives."""
    start = min(edit.span.start for edit in fix.edits)
    end = max(edit.span.end for edit in fix.edits)
    edits = [Edit(Span(edit.span.start - start, edit.span.end - start), edit.text) for edit in fix.edits]
    return {"range": _range(result, Span(start, end)), "text": apply(result.document.text[start:end], edits)}


def _range(result: CheckResult, span: Span) -> JsonObject:
    return {"start": _position(result, span.start), "end": _position(result, span.end)}


def _position(result: CheckResult, offset: int) -> JsonObject:
    line, character = result.document.lines.position(offset, "utf-8")
    return {"line": line + 1, "column": character + 1}
