"""`rui explain`: a rule, or the rules of an error code, with an example and its report."""

from __future__ import annotations

import json
import sys
import textwrap

from rui_cli import output
from rui_cli.errors import ExitCode, UsageError
from rui_cli.formats.full import report
from rui_cli.output import Style
from rui_cli.parser import Parser, did_you_mean
from rui_cli.results import CheckResult
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose
from rui_common.validation.wording import AnswerHints
from rui_common.vocabulary.rules import MESSAGES, RULES, WARNINGS, OwnWarning, Rule

EXAMPLE_NAME = "example.rui.json"
WIDTH = 100
SHORT = 60
"""Length up to which an example stays on one line."""


def main(argv: list[str]) -> int:
    """Print the explanation; return the exit code."""
    summary = "Explain a rule such as R7b, or an error code such as UNKNOWN_PROP; without one, list all rules."
    parser = Parser("explain", summary, "[RULE|CODE]", max_arguments=1)
    parser.add_color()
    args = parser.parse(argv)
    style = Style(color=output.use_color(args.color, sys.stdout), width=WIDTH)
    if not args.files:
        output.write(_rule_list())
        return ExitCode.OK
    word = args.files[0].strip()
    name = word.upper().replace("-", "_")
    pages = [_rule_page(rule, style) for rule in RULES.values() if name in {rule.number.upper(), rule.code}]
    if name in WARNINGS:
        pages.append(_warning_page(WARNINGS[name], style))
    if not pages:
        names = [*MESSAGES, *WARNINGS]
        if len(name) < 5:
            names += RULES
        raise UsageError(f"no rule or code is called {word}{did_you_mean(name, names)} (rui explain lists all)")
    output.write("\n\n".join(pages))
    return ExitCode.OK


def _rule_list() -> str:
    code_width = max(len(rule.code) for rule in RULES.values())
    rows = [f"{rule.number:<5} {rule.code:<{code_width}}  {rule.condition}" for rule in RULES.values()]
    for code, warning in WARNINGS.items():
        rows.append(f"{'':<5} {code:<{code_width}}  {warning.condition} (a warning)")
    return "\n".join(rows) + "\n\n`rui explain R7` explains a rule.\n"


def _rule_page(rule: Rule, style: Style) -> str:
    message, hint = MESSAGES[rule.code]
    example_title = "Example"
    if rule.at:
        example_title = f"Example, at {rule.at} of the minimal document"
    sections = [
        style.paint(f"{rule.number} {rule.code}", "1;31"),
        _section("What it reports", rule.condition, style),
        _section("Why it matters", rule.why, style),
        _section("Message", message, style),
        _section("Hint", hint, style),
        _section(example_title, _pretty(rule.wrong), style, is_code=True),
        _section("Report of rui check", _example_report(rule, style), style, is_code=True),
        _section("Use instead", _pretty(rule.right), style, is_code=True),
    ]
    return "\n\n".join(sections) + "\n"


def _warning_page(warning: OwnWarning, style: Style) -> str:
    sections = [
        style.paint(f"{warning.code} (a warning)", "1;33"),
        _section("Why it matters", warning.why, style),
        _section("Message", warning.message, style),
        _section("Hint", warning.hint, style),
    ]
    if warning.wrong:
        sections.append(_section("Example", warning.wrong, style, is_code=True))
        sections.append(_section("Use instead", warning.right, style, is_code=True))
    return "\n\n".join(sections) + "\n"


def _section(title: str, text: str, style: Style, *, is_code: bool = False) -> str:
    body = text
    if not is_code:
        body = textwrap.fill(text, WIDTH - 2, break_on_hyphens=False)
    return f"{style.paint(title, '1')}\n{textwrap.indent(body.rstrip(), '  ')}"


def _pretty(text: str) -> str:
    """Return a snippet over several lines if it is long and JSON."""
    document = read(text)
    if document.valid and len(text) >= SHORT:
        return json.dumps(document.value, indent=2, ensure_ascii=False)
    return "\n".join(textwrap.wrap(text, WIDTH - 2, break_on_hyphens=False))


def _example_report(rule: Rule, style: Style) -> str:
    from rui_common.describe.examples import broken_example  # noqa: PLC0415  slow

    document = read(broken_example(rule))
    if document.valid:
        document = read(json.dumps(document.value, indent=2, ensure_ascii=False))
    result = CheckResult(EXAMPLE_NAME, document, diagnose(document))
    hints = AnswerHints()
    return "\n".join([report(result, diagnostic, style, hints) for diagnostic in result.diagnostics])
