"""JUnit XML, which most build servers show: a suite for each document, a failed case for each error.

A warning is a case that passed and says so in its output; a document in order is one case that passed.
"""

from __future__ import annotations

import re

from rui_common.syntax.paths import format_path
from rui_common.validation.diagnostics import is_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rui_cli.formats import Style
    from rui_cli.results import Checked, Tally
    from rui_common.validation.diagnostics import Diagnostic

IS_TEXT = False

# What XML 1.0 cannot hold, not even as a reference.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


def render(results: Iterable[Checked], tally: Tally, style: Style) -> Iterator[str]:
    """The document; the counts of the whole come first, so it is given when all is checked."""
    del style
    suites = [_suite(checked) for checked in results]
    cases = sum(max(1, number) for _, number in suites)
    yield '<?xml version="1.0" encoding="utf-8"?>\n'
    yield f'<testsuites name="rui check" tests="{cases}" failures="{tally.errors}" errors="0">\n'
    yield from (suite for suite, _ in suites)
    yield "</testsuites>\n"


def _suite(checked: Checked) -> tuple[str, int]:
    """The element, and how many diagnostics are in it."""
    name, number = _escape(checked.name), len(checked.diagnostics)
    failures = sum(is_error(diagnostic) for diagnostic in checked.diagnostics)
    lines = [f'  <testsuite name="{name}" tests="{max(1, number)}" failures="{failures}" errors="0" skipped="0">']
    lines += [_case(checked, diagnostic) for diagnostic in checked.diagnostics]
    if not number:
        lines.append(f'    <testcase name="in order" classname="{name}" file="{name}"/>')
    return "\n".join([*lines, "  </testsuite>\n"]), number


def _case(checked: Checked, diagnostic: Diagnostic) -> str:
    line, column = checked.position(diagnostic.span.start)
    title = f"{diagnostic.rule} {diagnostic.code}".strip()
    where = format_path(diagnostic.path)
    text = "\n".join(part for part in (f"{checked.name}:{line}:{column}", where, diagnostic.hint) if part)
    file = _escape(checked.name)
    case = (
        f'    <testcase name="{_escape(f"{title} at {line}:{column}")}" classname="{file}" file="{file}" line="{line}">'
    )
    message = _escape(diagnostic.message)
    if is_error(diagnostic):
        outcome = f'      <failure type="{diagnostic.code}" message="{message}">{_escape(text)}</failure>'
    else:
        outcome = f"      <system-out>{_escape(f'{title}: {diagnostic.message}')}&#10;{_escape(text)}</system-out>"
    return f"{case}\n{outcome}\n    </testcase>"


def _escape(text: str) -> str:
    text = _FORBIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    return "".join(_ENTITIES.get(character, character) for character in text)
