"""Workflow commands of GitHub Actions: each diagnostic becomes an annotation beside its line."""

from __future__ import annotations

from rui_common.syntax.paths import format_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rui_cli.formats import Style
    from rui_cli.results import Checked, Tally
    from rui_common.validation.diagnostics import Diagnostic

IS_TEXT = False


def render(results: Iterable[Checked], tally: Tally, style: Style) -> Iterator[str]:
    """One command a diagnostic."""
    del tally, style
    for checked in results:
        for diagnostic in checked.diagnostics:
            yield _command(checked, diagnostic) + "\n"


def _command(checked: Checked, diagnostic: Diagnostic) -> str:
    (line, column), (end_line, end_column) = checked.place(diagnostic.span)
    properties = {"file": checked.name.replace("\\", "/"), "line": str(line), "endLine": str(end_line)}
    if line == end_line:
        # GitHub refuses columns for more than one line.
        properties |= {"col": str(column), "endColumn": str(max(column + 1, end_column))}
    properties["title"] = f"{diagnostic.rule} {diagnostic.code}".strip()
    text = f"{diagnostic.message}\n{diagnostic.hint}"
    if diagnostic.path:
        text += f"\n{format_path(diagnostic.path)}"
    written = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{diagnostic.severity} {written}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
