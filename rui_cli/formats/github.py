"""Workflow commands of GitHub Actions, which annotate the lines of a file."""

from collections.abc import Iterable, Iterator

from rui_cli.output import Style, escape_line
from rui_cli.results import CheckResult, Summary, rule_and_code
from rui_common.syntax.paths import format_path
from rui_common.validation.diagnostics import Diagnostic


def render(results: Iterable[CheckResult], _summary: Summary, _style: Style) -> Iterator[str]:
    """Yield a command for every diagnostic."""
    for result in results:
        for diagnostic in result.diagnostics:
            yield _command(result, diagnostic) + "\n"


def _command(result: CheckResult, diagnostic: Diagnostic) -> str:
    (line, column), (end_line, end_column) = result.range(diagnostic.span)
    properties = {"file": result.name_in_repository, "line": str(line), "endLine": str(end_line)}
    if line == end_line:  # GitHub rejects columns of more than one line
        properties |= {"col": str(column), "endColumn": str(max(column + 1, end_column))}
    properties["title"] = rule_and_code(diagnostic)
    lines = [diagnostic.message, diagnostic.hint]
    if diagnostic.path:
        lines.append(format_path(diagnostic.path))
    encoded = ",".join([f"{name}={_encode_property(value)}" for name, value in properties.items()])
    return f"::{diagnostic.severity} {encoded}::{'%0A'.join(map(_encode_line, lines))}"


def _encode_line(text: str) -> str:
    return escape_line(text).replace("%", "%25")


def _encode_property(text: str) -> str:
    return _encode_line(text).replace(":", "%3A").replace(",", "%2C")
