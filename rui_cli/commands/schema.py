"""`rui schema`: print the vocabulary as JSON or as TypeScript types."""

import json

from rui_cli import output
from rui_cli.errors import ExitCode
from rui_cli.parser import Parser
from rui_common.describe import json_schema, vocabulary_payload
from rui_common.describe.structured_schema import structured_schema
from rui_common.describe.typescript import typescript

NOTES = """
JSON Schema and types cannot express all rules: only `rui check` checks unique ids and references.

rui schema --typescript > rui.d.ts
"""


def main(argv: list[str]) -> int:
    """Print it; return the exit code."""
    parser = Parser("schema", "Print the vocabulary of RUI, as GET /api/schema does.", notes=NOTES)
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument(
        "--json-schema", action="store_true", help="a JSON Schema (2020-12) of its structure instead, for other tools"
    )
    kinds.add_argument(
        "--structured", action="store_true", help="a JSON Schema for the structured output of language models instead"
    )
    kinds.add_argument(
        "--typescript", action="store_true", help="TypeScript types instead, for a program that reads valid RUIs"
    )
    args = parser.parse(argv)
    if args.typescript:
        output.write_utf8(typescript())
        return ExitCode.OK
    if args.structured:
        payload = structured_schema()
    elif args.json_schema:
        payload = json_schema()
    else:
        payload = vocabulary_payload()
    output.write_utf8(json.dumps(payload, indent=2, ensure_ascii=False) + "\n")
    return ExitCode.OK
