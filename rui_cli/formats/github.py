"""Workflow commands of GitHub Actions, which annotate the lines of a file."""

from __future__ import annotations

from rui_common.syntax.paths import format_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rui_cli.output import Style
    from rui_cli.results import CheckResult, Summary
    from rui_common.validation.diagnostics import Diagnostic

IS_TEXT = False


def render(results: Iterable[CheckResult], summary: Summary, style: Style) -> Iterator[str]:
    """Yield a command for every diagnostic."""
    del summary, style
    for result in results:
        for diagnostic in result.diagnostics:
            yield _command(result, diagnostic) + "\n"


def _command(result: CheckResult, diagnostic: Diagnostic) -> str:
    (line, column), (end_line, end_column) = result.range(diagnostic.span)
    properties = {"file": result.name.replace("\\", "/"), "line": str(line), "endLine": str(end_line)}
    if line == end_line:  # GitHub rejects columns of more than one line
        properties |= {"col": str(column), "endColumn": str(max(column + 1, end_column))}
    properties["title"] = f"{diagnostic.rule} {diagnostic.code}".strip()
    text = f"{diagnostic.message}\n{diagnostic.hint}"
    if diagnostic.path:
        text += f"\n{format_path(diagnostic.path)}"
    encoded = ",".join([f"{name}={_encode_property(value)}" for name, value in properties.items()])
    return f"::{diagnostic.severity} {encoded}::{_encode_data(text)}"


def _encode_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _encode_property(text: str) -> str:
    return _encode_data(text).replace(":", "%3A").replace(",", "%2C")
