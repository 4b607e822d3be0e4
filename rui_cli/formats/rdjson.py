"""rdjson, the format of reviewdog: safe fixes become suggestions in a pull request.

Names are relative to the current folder, to which reviewdog adds its place in the repository.
Lines and columns start at 1; columns count bytes of UTF-8.

A suggestion replaces whole lines, from that of the diagnostic on: for GitLab, reviewdog uses neither the columns nor
the first line of a suggestion, but the line of the comment.
"""

import re
from collections.abc import Iterable, Iterator

from rui_cli.output import Style, to_json
from rui_cli.repository import name_in_folder
from rui_cli.results import CheckResult, Summary
from rui_common.editing.edits import apply
from rui_common.fixes.apply import Fix
from rui_common.json_values import JsonObject
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.diagnostics import Diagnostic

_LINE_END = re.compile("\r\n?")
_MAX_FURTHER_LINES = 100  # below that of the comment, in a suggestion of GitLab


def render(results: Iterable[CheckResult], summary: Summary, _style: Style) -> Iterator[str]:
    """Yield the object after all documents are checked."""
    diagnostics = [_diagnostic(result, diagnostic) for result in results for diagnostic in result.diagnostics]
    diagnostics += [
        {"message": problem.text, "location": {"path": name_in_folder(problem.file)}, "severity": "ERROR"}
        for problem in summary.reported
    ]
    yield to_json({"source": {"name": "rui"}, "diagnostics": diagnostics}, indent=2) + "\n"


def _diagnostic(result: CheckResult, diagnostic: Diagnostic) -> JsonObject:
    suggestions = [_suggestion(result, diagnostic, fix) for fix in result.fixes(diagnostic) if fix.is_safe]
    return {
        "message": f"{diagnostic.message} {diagnostic.hint}".strip(),
        "location": {"path": name_in_folder(result.name), "range": _range(result, diagnostic.span)},
        "severity": diagnostic.severity.upper(),
        "code": {"value": diagnostic.code},
        "suggestions": [suggestion for suggestion in suggestions if suggestion is not None][:1],
    }


def _suggestion(result: CheckResult, diagnostic: Diagnostic, fix: Fix) -> JsonObject | None:
    """Return the edits of a fix as one replacement of lines from that of the diagnostic on; None if there is none.

    The format reads several replacements as alternatives.
    """
    lines = result.document.lines
    first = lines.line_of(diagnostic.span.start)
    last = max(first, *(lines.line_of(edit.span.end) for edit in fix.edits))
    start, end = lines.line_start(first), lines.line_end(last)
    is_after_text = lines.line_start(last) == len(result.document.text)  # where git sees no line
    if is_after_text or last - first > _MAX_FURTHER_LINES or any(edit.span.start < start for edit in fix.edits):
        return None
    edits = [Edit(Span(edit.span.start - start, edit.span.end - start), edit.text) for edit in fix.edits]
    text = apply(result.document.text[start:end], edits)
    return {
        "range": {"start": {"line": first + 1}, "end": {"line": last + 1}},
        "text": _LINE_END.sub("\n", text),
    }


def _range(result: CheckResult, span: Span) -> JsonObject:
    return {"start": _position(result, span.start), "end": _position(result, span.end)}


def _position(result: CheckResult, offset: int) -> JsonObject:
    line, character = result.document.lines.position(offset, "utf-8")
    return {"line": line + 1, "column": character + 1}
