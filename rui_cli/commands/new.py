"""`rui new`: write a valid document to start from, made of the examples in the vocabulary."""

import os

from rui_cli import files, output
from rui_cli.errors import ExitCode, OperationalError, UsageError
from rui_cli.parser import Parser
from rui_common.describe.examples import new_document_text
from rui_common.document_files import SUFFIX


def main(argv: list[str]) -> int:
    """Write the document; return the exit code."""
    parser = Parser("new", "Write a valid RUI document to start from.", "[FILE|-]", max_arguments=1)
    parser.add_argument("--title", default="", help="the title of the app")
    parser.add_argument("--full", action="store_true", help="with all types of blocks and all properties")
    parser.add_argument("--force", action="store_true", help="overwrite FILE if it exists")
    args = parser.parse(argv)
    try:
        data = new_document_text(args.title, full=args.full).encode()
    except UnicodeEncodeError:
        raise UsageError("the title is not in the encoding of this terminal") from None
    name = args.files[0] if args.files else files.STDIN
    if name == files.STDIN:
        output.write_bytes(data)
        return ExitCode.OK
    if os.path.exists(name) and not args.force:
        raise OperationalError(f"{name} exists already; --force overwrites it")
    files.write_bytes(name, data)
    command = f"rui check {output.shell_word(name)}"
    output.write(output.escape_line(f"{name} written; check it with: {command}") + "\n")
    if not name.endswith(SUFFIX):
        advice = f"{name} does not end in {SUFFIX}: `rui check` does not find it in a folder"
        output.print_message(advice, "new")
    return ExitCode.OK
