"""`rui wireframe`: draw the pages of a document, as an HTML page or SVG image that loads no other file."""

from __future__ import annotations

import os

from rui_cli import files, lazy, output
from rui_cli.errors import ExitCode, OperationalError, UsageError, reason
from rui_cli.options import Command, Option
from rui_common.document_files import SUFFIX, leads_out
from rui_common.syntax.document import read
from rui_inspector.model.view import view_of

WRITERS = {
    "html": ("rui_inspector.html.wireframe_page", "wireframe_page"),
    "svg": ("rui_inspector.html.wireframe_svg", "wireframe_svg"),
}
"""The function that draws a view, by format."""

COMMAND = Command(
    "wireframe",
    "Draw the pages of a RUI document with placeholders: structure, never data.",
    Option("-o", "write to this file, or a file for each document into this folder (default: standard output)",
           metavar="FILE|FOLDER/"),
    Option("--format", "the format (default: that of the name after -o, else html)", metavar="FORMAT", choices=WRITERS),
    arguments=("FILE|FOLDER|-", "the document; several, and folders with *.rui.json, if -o is a folder"),
    notes="""
The document may have errors: what is missing is drawn as missing. The result loads no other file and contains
no script. Wireframes for a pull request: rui wireframe --format svg apps -o wireframes/
""",
)  # fmt: skip


def main(argv: list[str]) -> int:
    """Draw the documents; return the exit code."""
    args = COMMAND.parse(argv)
    target = args.values["-o"]
    format_name = _format_of(args.values["--format"], target)
    if target.endswith(("/", os.sep)) or os.path.isdir(target):
        return _draw_into_folder(args.arguments, target, format_name)
    if len(args.arguments) != 1:
        raise UsageError("name one document, or a folder after -o")
    data = _draw(args.arguments[0], format_name)
    if target:
        files.write_or_create(target, data)
    else:
        output.write_bytes(data)
    return ExitCode.OK


def _draw_into_folder(arguments: list[str], folder: str, format_name: str) -> int:
    """Draw all documents in the arguments; a file has the name of its document, with dashes between folders."""
    problems: list[str] = []
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise OperationalError(f"cannot write {folder}: {reason(error)}") from None
    for name in files.find(arguments, COMMAND.name, problems.append):
        path = os.path.relpath(files.display_name(name)).removesuffix(SUFFIX)
        stem = "-".join(part for part in path.split(os.sep) if part != os.pardir)
        file = os.path.join(folder, f"{stem}.{format_name}")
        if leads_out(file, folder):
            raise OperationalError(f"cannot write {file}: it leads out of the folder")
        files.write_or_create(file, _draw(name, format_name))
    for problem in problems:
        output.print_error(problem, COMMAND.name)
    return ExitCode.FAILED if problems else ExitCode.OK


def _draw(name: str, format_name: str) -> bytes:
    view = view_of(read(files.read_bytes(name)).value)
    module, function = WRITERS[format_name]
    text: str = lazy.import_attr(module, function)(view)
    return text.encode("utf-8", "replace")


def _format_of(name: str, target: str) -> str:
    """Return the format by its option, else by the name of the file."""
    if name:
        return name
    suffix = os.path.splitext(target)[1].lower().removeprefix(".")
    return suffix if suffix in WRITERS else "html"
