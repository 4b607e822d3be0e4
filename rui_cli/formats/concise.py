"""One line a diagnostic, as compilers write it and editors and `grep` read it: ``FILE:LINE:COLUMN: …``."""

from __future__ import annotations

from rui_cli.output import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rui_cli.formats import Style
    from rui_cli.results import Checked, Tally

IS_TEXT = True


def render(results: Iterable[Checked], tally: Tally, style: Style) -> Iterator[str]:
    """The lines, in the order of documents and diagnostics."""
    del tally
    for checked in results:
        for diagnostic in checked.diagnostics:
            line, column = checked.position(diagnostic.span.start)
            color = "1;31" if diagnostic.severity == "error" else "1;33"
            name = f"{diagnostic.rule} {diagnostic.code}".strip()
            severity = style.paint(f"{diagnostic.severity}[{name}]", color)
            yield f"{visible(checked.name)}:{line}:{column}: {severity} {visible(diagnostic.message)}\n"
