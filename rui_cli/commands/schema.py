"""`rui schema`: print the vocabulary as JSON."""

from __future__ import annotations

import json

from rui_cli import output
from rui_cli.errors import ExitCode
from rui_cli.options import Command, Option
from rui_common.describe import json_schema, vocabulary_payload

COMMAND = Command(
    "schema",
    "Print the vocabulary of RUI as JSON, as GET /api/schema does.",
    Option("--json-schema", "print a JSON Schema (2020-12) of its structure instead, for other tools"),
    notes="""
JSON Schema cannot express all rules: only `rui check` checks unique ids and references.
""",
)


def main(argv: list[str]) -> int:
    """Print it; return the exit code."""
    args = COMMAND.parse(argv)
    payload = json_schema() if "--json-schema" in args.flags else vocabulary_payload()
    output.write_utf8(json.dumps(payload, indent=2, ensure_ascii=False) + "\n")
    return ExitCode.OK
