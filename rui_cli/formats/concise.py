"""One line a diagnostic, in the form of compilers, which editors and `grep` parse: ``FILE:LINE:COLUMN: …``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rui_cli.output import Style, escape_control
from rui_cli.results import CheckResult, Summary

_COLORS = {"error": "1;31", "warning": "1;33"}


def render(results: Iterable[CheckResult], summary: Summary, style: Style) -> Iterator[str]:
    """Yield the lines, in the order of documents and diagnostics."""
    del summary
    for result in results:
        for diagnostic in result.diagnostics:
            line, column = result.position(diagnostic.span.start)
            name = f"{diagnostic.rule} {diagnostic.code}".strip()
            severity = style.paint(f"{diagnostic.severity}[{name}]", _COLORS[diagnostic.severity])
            position = f"{escape_control(result.name)}:{line}:{column}"
            yield f"{position}: {severity} {escape_control(diagnostic.message)}\n"
