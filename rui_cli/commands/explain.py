"""`rui explain`: a rule, or the rules of an error code, as in docs/rules.md."""

from rui_cli import output
from rui_cli.errors import ExitCode, UsageError
from rui_cli.parser import Parser
from rui_common.describe.rule_pages import pages_of
from rui_common.problems.lints import WARNINGS
from rui_common.suggest import did_you_mean
from rui_common.vocabulary.rules import MESSAGES, RULES


def main(argv: list[str]) -> int:
    """Print the explanation; return the exit code."""
    summary = "Explain a rule such as R7b, or an error code such as UNKNOWN_PROP; without one, list all rules."
    args = Parser("explain", summary, "[RULE|CODE]", max_arguments=1).parse(argv)
    if not args.files:
        output.write(_rule_list())
        return ExitCode.OK
    name = args.files[0].strip().upper().replace("-", "_")
    pages = pages_of(name) if name else []
    if not pages:
        meant = did_you_mean(name, [*MESSAGES, *WARNINGS, *RULES]) or " (rui explain lists all)"
        raise UsageError(f"no rule or code is called {args.files[0]}{meant}")
    output.write("\n".join([page.markdown() for page in pages]))
    return ExitCode.OK


def _rule_list() -> str:
    code_width = max(len(rule.code) for rule in RULES.values())
    rows = [f"{rule.number:<5} {rule.code:<{code_width}}  {rule.condition}" for rule in RULES.values()]
    for code, warning in WARNINGS.items():
        rows.append(f"{'':<5} {code:<{code_width}}  {warning.condition} (a warning)")
    return "\n".join(rows) + "\n\n`rui explain R7` explains a rule.\n"
