"""One line a diagnostic, in the form of compilers, which editors and `grep` parse: ``FILE:LINE:COLUMN: …``."""

from collections.abc import Iterable, Iterator

from rui_cli.formats.full import COLORS
from rui_cli.output import Style, escape_line
from rui_cli.results import CheckResult, Summary, rule_and_code


def render(results: Iterable[CheckResult], _summary: Summary, style: Style) -> Iterator[str]:
    """Yield the lines, in the order of documents and diagnostics."""
    for result in results:
        for diagnostic in result.diagnostics:
            severity = style.paint(f"{diagnostic.severity}[{rule_and_code(diagnostic)}]", COLORS[diagnostic.severity])
            yield f"{result.place(diagnostic)}: {severity} {escape_line(diagnostic.message)}\n"
