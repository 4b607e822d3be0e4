"""`rui new`: a valid document to start from, made from the examples of the vocabulary."""

from __future__ import annotations

import os

from rui_cli import files, output
from rui_cli.errors import ProblemError, UsageError, reason
from rui_cli.options import Command, Option

COMMAND = Command(
    "new",
    "Write a valid RUI document to start from.",
    Option("--title", "the name of the app", metavar="TITLE"),
    Option("--full", "with every sort of block and every property, to learn from"),
    Option("--force", "overwrite FILE if it is there"),
    arguments=("[FILE|-]", "where to write it; - or nothing is standard output"),
    most=1,
)


def main(argv: list[str]) -> int:
    """Write it; the exit code."""
    given = COMMAND.read(argv)
    text = _starter(given.values["--title"], full="--full" in given.flags)
    name = given.arguments[0] if given.arguments else files.STDIN
    if name == files.STDIN:
        output.write_utf8(text)
        return 0
    if not name:
        raise UsageError("the name of the file is empty")
    if "--force" in given.flags and os.path.exists(name):
        files.write_bytes(name, text.encode())
    else:
        _create(name, text.encode())
    output.write(f"{output.visible(name)} written; check it with: rui check {output.visible(name)}\n")
    if not name.endswith(files.SUFFIX):
        output.print_error(
            f"{name} does not end in {files.SUFFIX}: `rui check` finds it only by its name", COMMAND.name
        )
    return 0


def _starter(title: str, *, full: bool) -> str:
    from rui_common.describe.template import starter_text  # noqa: PLC0415  slow

    try:
        return starter_text(title, full=full)
    except UnicodeEncodeError:
        raise UsageError("the title is not in the encoding of this terminal") from None


def _create(name: str, data: bytes) -> None:
    """Write a file that is not there yet."""
    try:
        with open(name, "xb") as file:
            file.write(data)
    except FileExistsError:
        raise ProblemError(f"{name} is there already; --force overwrites it") from None
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise ProblemError(f"cannot write {name}: {why}") from None
