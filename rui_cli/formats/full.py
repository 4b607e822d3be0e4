"""Diagnostics with the lines that they are about, for people."""

from __future__ import annotations

from rui_cli.output import visible
from rui_common.syntax.paths import format_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rui_cli.formats import Style
    from rui_cli.results import Checked, Tally
    from rui_common.validation.diagnostics import Diagnostic

IS_TEXT = True

COLORS = {"error": "1;31", "warning": "1;33"}
BOLD, BLUE = "1", "1;34"


def render(results: Iterable[Checked], tally: Tally, style: Style) -> Iterator[str]:
    """Every diagnostic with its frame, and a summary at the end."""
    for checked in results:
        for diagnostic in checked.diagnostics:
            yield report(checked, diagnostic, style) + "\n"
    color = "1;31" if tally.errors or tally.problems else "1;33" if tally.warnings else "1;32"
    yield style.paint(tally.summary(), color) + "\n"
    if tally.fixable:
        yield "Some of this can be mended: rui check --fix, or --diff to see how\n"


def report(checked: Checked, diagnostic: Diagnostic, style: Style) -> str:
    """One diagnostic: what is wrong, where, the lines, its path, and how to mend it."""
    from rui_cli.code_frame import frame  # noqa: PLC0415  not for documents in order

    name = f"{diagnostic.rule} {diagnostic.code}".strip()
    color = COLORS[diagnostic.severity]
    heading = style.paint(f"{diagnostic.severity}[{name}]", color)
    message = style.paint(f": {visible(diagnostic.message)}", BOLD)
    line, column = checked.position(diagnostic.span.start)
    framed = frame(checked.document, diagnostic.span, diagnostic.related, style, color)
    arrow = style.paint(f"{' ' * framed.gutter}-->", BLUE)
    bar = style.paint(f"{' ' * framed.gutter} =", BLUE)
    lines = [f"{heading}{message}", f"{arrow} {visible(checked.name)}:{line}:{column}", *framed.lines]
    if diagnostic.path:
        lines.append(f"{bar} {style.paint('path', BOLD)}: {visible(format_path(diagnostic.path))}")
    lines.append(f"{bar} {style.paint('help', BOLD)}: {visible(diagnostic.hint)}")
    return "\n".join(lines) + "\n"
