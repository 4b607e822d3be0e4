"""`rui skill`: print a skill for coding agents."""

from rui_cli import output
from rui_cli.errors import ExitCode
from rui_cli.parser import Parser
from rui_common.describe.skill import skill

COMMANDS = {
    "rui new app.rui.json": "write a valid document to start from",
    "rui check --fix --format agent app.rui.json": "apply the safe fixes, and print the other errors, and warnings of "
    "what is not shown; exit code 0 if no error is left",
    "rui explain CODE": "explain an error code, with an example",
    "rui diff OLD NEW": "describe the changes between two documents",
    "rui publish --server URL app.rui.json": "store the document in a service, and print the address for reviewers; "
    "`--replaces ID` links it to the spec that it replaces",
}
"""The commands that an agent needs, each with its effect."""

NOTES = "Save the output as SKILL.md in a folder `rui` of the skills of your coding agent."


def main(argv: list[str]) -> int:
    """Print it; return the exit code."""
    Parser("skill", "Print a skill for coding agents (SKILL.md), as Markdown.", notes=NOTES).parse(argv)
    output.write_utf8(skill(COMMANDS))
    return ExitCode.OK
