"""Diagnostics with code frames, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rui_cli.output import Style, escape_control
from rui_cli.results import CheckResult, Summary
from rui_common.syntax.paths import format_path
from rui_common.validation.diagnostics import Diagnostic
from rui_common.validation.wording import AnswerHints

COLORS = {"error": "1;31", "warning": "1;33"}
GREEN = "1;32"
BOLD = "1"
BLUE = "1;34"


def render(results: Iterable[CheckResult], summary: Summary, style: Style) -> Iterator[str]:
    """Yield every diagnostic with its frame, then the summary. Each signature is shown once."""
    hints = AnswerHints()
    for result in results:
        for diagnostic in result.diagnostics:
            yield report(result, diagnostic, style, hints) + "\n"
    yield style.paint(summary.text(), _summary_color(summary)) + "\n"
    if summary.fixable:
        yield "Some of these can be fixed: rui check --fix, or --diff to see the changes\n"


def _summary_color(summary: Summary) -> str:
    if summary.errors or summary.problems:
        return COLORS["error"]
    if summary.warnings:
        return COLORS["warning"]
    return GREEN


def report(result: CheckResult, diagnostic: Diagnostic, style: Style, hints: AnswerHints) -> str:
    """Return one diagnostic with position, code frame, path, hint, and signatures that `hints` has not returned yet."""
    from rui_cli.code_frame import code_frame  # noqa: PLC0415  not for valid documents

    color = COLORS[diagnostic.severity]
    name = f"{diagnostic.rule} {diagnostic.code}".strip()
    heading = style.paint(f"{diagnostic.severity}[{escape_control(name)}]", color)
    message = style.paint(f": {escape_control(diagnostic.message)}", BOLD)
    line, column = result.position(diagnostic.span.start)
    frame, gutter = code_frame(result.document, diagnostic.span, diagnostic.related, style, color)
    arrow = style.paint(f"{' ' * gutter}-->", BLUE)
    bar = style.paint(f"{' ' * gutter} =", BLUE)
    lines = [f"{heading}{message}", f"{arrow} {escape_control(result.name)}:{line}:{column}", *frame]
    if diagnostic.path:
        lines.append(f"{bar} {style.paint('path', BOLD)}: {escape_control(format_path(diagnostic.path))}")
    lines.append(f"{bar} {style.paint('help', BOLD)}: {escape_control(diagnostic.hint)}")
    if diagnostic.finding is not None:
        notes = hints.new_signatures(diagnostic.finding)
        lines += [f"{bar} {style.paint('note', BOLD)}: {note}" for note in notes]
    return "\n".join(lines) + "\n"
