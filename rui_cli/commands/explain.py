"""`rui explain`: one rule, or the rules of a code, with an example and what `rui check` says of it."""

from __future__ import annotations

import json
import sys
import textwrap

from rui_cli import output
from rui_cli.errors import UsageError
from rui_cli.formats import Style
from rui_cli.formats.full import report
from rui_cli.options import Command, meant
from rui_cli.results import Checked
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose
from rui_common.vocabulary.rules import MESSAGES, RULES, WARNINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.vocabulary.rules import OwnWarning, Rule

COMMAND = Command(
    "explain",
    "Explain a rule or an error code.",
    output.COLOR,
    arguments=("[RULE|CODE]", "a rule such as R7b, or a code such as UNKNOWN_PROP; nothing lists all rules"),
    most=1,
)

EXAMPLE = "example.rui.json"
WIDTH = 100


def main(argv: list[str]) -> int:
    """Explain it; the exit code."""
    given = COMMAND.read(argv)
    style = Style(color=output.use_color(given.values["--color"], sys.stdout), width=WIDTH)
    if not given.arguments:
        output.write(_table())
        return 0
    word = given.arguments[0].strip()
    pages = [_page(rule, style) for rule in _wanted(word)]
    pages += [_warning(warning, style) for code, warning in WARNINGS.items() if code == _code(word)]
    output.write("\n\n".join(pages))
    return 0


def _wanted(word: str) -> list[Rule]:
    """The rules of a number or code in any case.

    Raises:
        UsageError: there is none.
    """
    wanted = _code(word)
    rules = [rule for rule in RULES.values() if wanted in {rule.number.upper(), rule.code}]
    if not rules and wanted not in WARNINGS:
        names = [*MESSAGES, *WARNINGS, *(RULES if len(wanted) < 5 else ())]
        raise UsageError(f"no rule or code is called {word}{meant(wanted, names)} (rui explain lists all)")
    return rules


def _code(word: str) -> str:
    return word.upper().replace("-", "_")


def _table() -> str:
    widest = max(len(rule.code) for rule in RULES.values())
    rows = [f"{rule.number:<5} {rule.code:<{widest}}  {rule.condition}" for rule in RULES.values()]
    rows += [f"{'':<5} {code:<{widest}}  {warning.condition} (a warning)" for code, warning in WARNINGS.items()]
    return "\n".join(rows) + "\n\n`rui explain R7` tells all about a rule.\n"


def _page(rule: Rule, style: Style) -> str:
    template, gist = MESSAGES[rule.code]
    place = f", at {rule.at} of the minimal document" if rule.at else ""
    parts = [
        style.paint(f"{rule.number} {rule.code}", "1;31"),
        _section("What it does", f"Finds this: {rule.condition}", style),
        _section("Why it matters", rule.why, style),
        _section("Message", template, style),
        _section("Hint", gist, style),
        _section(f"Example{place}", _pretty(rule.wrong), style, is_code=True),
        _section("What rui check says", _said(rule, style), style, is_code=True),
        _section("Use instead", _pretty(rule.right), style, is_code=True),
    ]
    return "\n\n".join(parts) + "\n"


def _warning(warning: OwnWarning, style: Style) -> str:
    parts = [
        style.paint(f"{warning.code} (a warning)", "1;33"),
        _section("Why it matters", warning.why, style),
        _section("Message", warning.message, style),
        _section("Hint", warning.hint, style),
    ]
    if warning.wrong:
        parts.append(_section("Example", warning.wrong, style, is_code=True))
        parts.append(_section("Use instead", warning.right, style, is_code=True))
    return "\n\n".join(parts) + "\n"


def _section(title: str, text: str, style: Style, *, is_code: bool = False) -> str:
    body = text if is_code else textwrap.fill(text, WIDTH - 2, break_on_hyphens=False)
    return f"{style.paint(title, '1')}\n{textwrap.indent(body.rstrip(), '  ')}"


def _pretty(text: str) -> str:
    """A snippet over several lines, if it is JSON."""
    document = read(text)
    if not document.valid or len(text) < 60:
        return "\n".join(textwrap.wrap(text, WIDTH - 2, break_on_hyphens=False))
    return json.dumps(document.value, indent=2, ensure_ascii=False)


def _said(rule: Rule, style: Style) -> str:
    """The very report of the example."""
    from rui_common.describe.examples import broken_example  # noqa: PLC0415  slow

    text = broken_example(rule)
    document = read(text)
    if document.valid:
        document = read(json.dumps(document.value, indent=2, ensure_ascii=False))
    checked = Checked(EXAMPLE, document, diagnose(document))
    return "\n".join(_reports(checked, style))


def _reports(checked: Checked, style: Style) -> Iterator[str]:
    for diagnostic in checked.diagnostics:
        yield report(checked, diagnostic, style)
