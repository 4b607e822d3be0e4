"""Diagnostics with code frames, for people."""

from collections.abc import Iterable, Iterator

from rui_cli.code_frame import BLUE, code_frame
from rui_cli.output import Style, escape_line
from rui_cli.results import CheckResult, Summary, rule_and_code
from rui_common.syntax.paths import format_path
from rui_common.validation.diagnostics import Diagnostic, Severity

COLORS = {Severity.ERROR: "1;31", Severity.WARNING: "1;33"}
GREEN = "1;32"
BOLD = "1"


def render(results: Iterable[CheckResult], summary: Summary, style: Style) -> Iterator[str]:
    """Yield every diagnostic with its frame, then the summary.

    Signatures are left out: they take ten lines, and people have `rui explain`, their editor and the documentation.
    """
    is_fixable = False
    for result in results:
        for diagnostic in result.diagnostics:
            yield report(result, diagnostic, style) + "\n"
        is_fixable = is_fixable or (summary.mentions_fix and _is_fixable(result))
    if summary.is_quiet:
        return
    color = GREEN
    if summary.errors or summary.problems:
        color = COLORS[Severity.ERROR]
    elif summary.warnings:
        color = COLORS[Severity.WARNING]
    yield style.paint(summary.text(), color) + "\n"
    if is_fixable:
        yield "Some of these can be fixed: rui check --fix\n"


def _is_fixable(result: CheckResult) -> bool:
    """Return whether `--fix` changes the document."""
    if not result.diagnostics or not result.is_utf8:
        return False
    from rui_common.fixes.fix_all import apply_safe_fixes  # slow, and only for documents with errors

    return apply_safe_fixes(result.analysis) is not result.analysis


def report(result: CheckResult, diagnostic: Diagnostic, style: Style) -> str:
    """Return one diagnostic with position, code frame, path and hint."""
    color = COLORS[diagnostic.severity]
    heading = style.paint(f"{diagnostic.severity}[{escape_line(rule_and_code(diagnostic))}]", color)
    message = style.paint(f": {escape_line(diagnostic.message)}", BOLD)
    frame, gutter = code_frame(result.document, diagnostic.span, diagnostic.related, style, color)
    arrow = style.paint(f"{' ' * gutter}-->", BLUE)
    bar = style.paint(f"{' ' * gutter} =", BLUE)
    lines = [f"{heading}{message}", f"{arrow} {result.place(diagnostic)}", *frame]
    if diagnostic.path:
        lines.append(f"{bar} {style.paint('path', BOLD)}: {escape_line(format_path(diagnostic.path))}")
    lines.append(f"{bar} {style.paint('help', BOLD)}: {escape_line(diagnostic.hint)}")
    return "\n".join(lines) + "\n"
