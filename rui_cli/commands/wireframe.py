"""`rui wireframe`: draw the pages of a document, as an HTML page or SVG image that loads no other file."""

from __future__ import annotations

import os

from rui_cli import files, lazy, output
from rui_cli.errors import ExitCode, OperationalError, UsageError, reason
from rui_cli.options import Command, Option

WRITERS = {
    "html": ("rui_inspector.html.wireframe_page", "wireframe_page"),
    "svg": ("rui_inspector.html.wireframe_svg", "wireframe_svg"),
}
"""The function that draws a view, by format."""

COMMAND = Command(
    "wireframe",
    "Draw the pages of a RUI document with placeholders: structure, never data.",
    Option("-o", "write to this file (default: standard output)", metavar="FILE"),
    Option("--format", "the format (default: that of the name after -o, else html)", metavar="FORMAT", choices=WRITERS),
    arguments=("FILE|-", "the document; - is standard input"),
    max_arguments=1,
    notes="""
The document may have errors: what is missing is drawn as missing. The result loads no other file and contains
no script. A wireframe in a pull request: rui wireframe app.rui.json -o app.svg
""",
)


def main(argv: list[str]) -> int:
    """Draw the document; return the exit code."""
    args = COMMAND.parse(argv)
    if not args.arguments:
        raise UsageError("the name of a document is missing")
    target = args.values["-o"]
    module, function = WRITERS[_format_of(args.values["--format"], target)]
    text = lazy.import_attr(module, function)(_view_of(args.arguments[0]))
    data = text.encode("utf-8", "replace")
    if target:
        _write(target, data)
    else:
        output.write_bytes(data)
    return ExitCode.OK


def _format_of(name: str, target: str) -> str:
    """Return the format by its option, else by the name of the file."""
    if name:
        return name
    suffix = os.path.splitext(target)[1].lower().removeprefix(".")
    return suffix if suffix in WRITERS else "html"


def _view_of(name: str) -> object:
    from rui_common.syntax.document import read  # noqa: PLC0415  the help does not need these
    from rui_inspector.model.view import view_of  # noqa: PLC0415

    return view_of(read(files.read_bytes(name)).value)


def _write(name: str, data: bytes) -> None:
    """Write a file, or replace its content."""
    if os.path.isfile(name):
        files.write_bytes(name, data)
        return
    try:
        with open(name, "wb") as file:
            file.write(data)
    except OSError as error:
        raise OperationalError(f"cannot write {name}: {reason(error)}") from None
