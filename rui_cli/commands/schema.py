"""`rui schema`: the vocabulary as JSON."""

from __future__ import annotations

import json

from rui_cli import output
from rui_cli.options import Command, Option

COMMAND = Command(
    "schema",
    "Print the vocabulary of RUI as JSON: what GET /api/schema answers.",
    Option("--json-schema", "print a JSON Schema (2020-12) of its structural part instead, for other tools"),
    notes="""
A JSON Schema cannot say everything: that ids are unique and references lead somewhere, only `rui check` tells.
""",
)


def main(argv: list[str]) -> int:
    """Print it; the exit code."""
    given = COMMAND.read(argv)
    from rui_common.describe import json_schema, vocabulary_payload  # noqa: PLC0415  slow

    described = json_schema() if "--json-schema" in given.flags else vocabulary_payload()
    output.write_utf8(json.dumps(described, indent=2, ensure_ascii=False) + "\n")
    return 0
