"""JUnit XML, which most build servers read: a suite for each document, a failed case for each error.

A warning is a passed case with the warning as its output; a valid document is one passed case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rui_cli.output import Style
from rui_cli.results import CheckResult, Summary, rule_and_code
from rui_common.syntax.paths import format_path
from rui_common.validation.diagnostics import Diagnostic, is_error

# Characters that XML 1.0 cannot contain, even as references.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


def render(results: Iterable[CheckResult], summary: Summary, _style: Style) -> Iterator[str]:
    """Yield the document after all are checked, as it starts with the total counts."""
    suites: list[str] = []
    cases = 0
    for result in results:
        suites.append(_suite(result))
        cases += max(1, len(result.diagnostics))
    yield '<?xml version="1.0" encoding="utf-8"?>\n'
    yield f'<testsuites name="rui check" tests="{cases}" failures="{summary.errors}" errors="0">\n'
    yield from suites
    yield "</testsuites>\n"


def _suite(result: CheckResult) -> str:
    name = _escape(result.name)
    tests = max(1, len(result.diagnostics))
    failures = sum(is_error(diagnostic) for diagnostic in result.diagnostics)
    lines = [f'  <testsuite name="{name}" tests="{tests}" failures="{failures}" errors="0" skipped="0">']
    lines += [_case(result, diagnostic) for diagnostic in result.diagnostics]
    if not result.diagnostics:
        lines.append(f'    <testcase name="valid" classname="{name}" file="{name}"/>')
    lines.append("  </testsuite>\n")
    return "\n".join(lines)


def _case(result: CheckResult, diagnostic: Diagnostic) -> str:
    line, column = result.position(diagnostic.span.start)
    title = rule_and_code(diagnostic)
    parts = (f"{result.name}:{line}:{column}", format_path(diagnostic.path), diagnostic.hint)
    text = _escape("\n".join([part for part in parts if part]))
    file = _escape(result.name)
    name = _escape(f"{title} at {line}:{column}")
    message = _escape(diagnostic.message)
    if is_error(diagnostic):
        outcome = f'      <failure type="{diagnostic.code}" message="{message}">{text}</failure>'
    else:
        outcome = f"      <system-out>{_escape(title)}: {message}&#10;{text}</system-out>"
    case = f'    <testcase name="{name}" classname="{file}" file="{file}" line="{line}">'
    return f"{case}\n{outcome}\n    </testcase>"


def _escape(text: str) -> str:
    text = _FORBIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    return "".join([_ENTITIES.get(character, character) for character in text])
