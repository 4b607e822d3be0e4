"""One line an error or warning with its hint, for the context of a language model; the last line has the counts.

Syntax errors with the same fix are one line, as in the answers of the service.
"""

from collections.abc import Iterable, Iterator

from rui_cli.output import Style, escape_line
from rui_cli.results import CheckResult, Summary, rule_and_code
from rui_common.syntax.paths import format_path
from rui_common.validation.answers import AnswerHints
from rui_common.validation.diagnostics import JSON_RULES, Diagnostic, broken_places
from rui_common.vocabulary.rules import MAX_ERRORS, RULES


def render(results: Iterable[CheckResult], summary: Summary, _style: Style) -> Iterator[str]:
    """Yield the lines: of each document its syntax errors, then at most `MAX_ERRORS` others. No line has colours.

    The output has each signature, and the rules of JSON, once.
    """
    hints = AnswerHints()
    has_json_rules = False
    for result in results:
        name = escape_line(result.name)
        is_broken = any(item.fault is not None for item in result.diagnostics)
        errors, is_complete = result.document.first_errors() if is_broken else ((), True)
        for place in broken_places(result.document, errors, is_complete=is_complete):
            yield f"{name}: error {RULES['R0'].number} {RULES['R0'].code}: {escape_line(place)}\n"
        if is_broken and not has_json_rules:
            has_json_rules = True
            yield f"{JSON_RULES}\n"
        without_faults = [item for item in result.diagnostics if item.fault is None]
        for diagnostic in without_faults[:MAX_ERRORS]:
            yield _line(result, diagnostic, hints)
        if len(without_faults) > MAX_ERRORS:
            yield f"{name}: and {len(without_faults) - MAX_ERRORS} more\n"
    if not summary.is_quiet:
        yield f"{summary.text()}\n"


def _line(result: CheckResult, diagnostic: Diagnostic, hints: AnswerHints) -> str:
    """Return the line of an error or warning, without what earlier hints contain."""
    hint = diagnostic.hint
    path = ""
    if diagnostic.finding is not None:
        hint = hints.hint(diagnostic.finding)
    if diagnostic.path:
        path = f" at {format_path(diagnostic.path)}"
    words = escape_line(f"{rule_and_code(diagnostic)}{path}: {diagnostic.message} {hint}".rstrip())
    return f"{result.place(diagnostic)}: {diagnostic.severity} {words}\n"
