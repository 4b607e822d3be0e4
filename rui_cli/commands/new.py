"""`rui new`: write a valid document to start from, made of the examples in the vocabulary."""

from __future__ import annotations

import os

from rui_cli import files, output
from rui_cli.errors import ExitCode, OperationalError, UsageError, reason
from rui_cli.parser import Parser
from rui_common.describe.template import new_document_text
from rui_common.document_files import SUFFIX


def main(argv: list[str]) -> int:
    """Write the document; return the exit code."""
    parser = Parser("new", "Write a valid RUI document to start from.", "[FILE|-]", max_arguments=1)
    parser.add_argument("--title", default="", help="the title of the app")
    parser.add_argument("--full", action="store_true", help="with all types of blocks and all properties")
    parser.add_argument("--force", action="store_true", help="overwrite FILE if it exists")
    args = parser.parse(argv)
    text = _new_document_text(args.title, full=args.full)
    name = args.files[0] if args.files else files.STDIN
    if name == files.STDIN:
        output.write_utf8(text)
        return ExitCode.OK
    if not name:
        raise UsageError("the name of the file is empty")
    if args.force and os.path.exists(name):
        files.write_bytes(name, text.encode())
    else:
        _create(name, text.encode())
    display_name = output.escape_control(name)
    output.write(f"{display_name} written; check it with: rui check {display_name}\n")
    if not name.endswith(SUFFIX):
        advice = f"{name} does not end in {SUFFIX}: `rui check` does not find it in a folder"
        output.print_error(advice, "new")
    return ExitCode.OK


def _new_document_text(title: str, *, full: bool) -> str:
    try:
        return new_document_text(title, full=full)
    except UnicodeEncodeError:
        raise UsageError("the title is not in the encoding of this terminal") from None


def _create(name: str, data: bytes) -> None:
    """Write a new file."""
    try:
        with open(name, "xb") as file:
            file.write(data)
    except FileExistsError:
        raise OperationalError(f"{name} exists already; --force overwrites it") from None
    except OSError as error:
        raise OperationalError(f"cannot write {name}: {reason(error)}") from None
    except ValueError as error:
        raise OperationalError(f"cannot write {name}: {error}") from None
