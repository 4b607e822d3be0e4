"""`rui wireframe`: draw the pages of a document, as an HTML page or SVG image that loads no other file."""

from __future__ import annotations

import os

from rui_cli import files, output
from rui_cli.errors import ExitCode, OperationalError, UsageError, reason
from rui_cli.parser import Parser
from rui_common.document_files import SUFFIX, leads_out
from rui_common.syntax.document import read
from rui_inspector.html.wireframe import wireframe_page
from rui_inspector.html.wireframe_svg import wireframe_svg
from rui_inspector.model.view import view_of

WRITERS = {"html": wireframe_page, "svg": wireframe_svg}
"""The function that draws a view, by format."""

NOTES = """
FILE is a document, or - for standard input; there may be several, and folders with *.rui.json, if -o is a folder.
Documents may have errors: what is missing is drawn as missing. The result loads no other file and contains
no script. Wireframes for a pull request: rui wireframe --format svg apps -o wireframes/
"""


def main(argv: list[str]) -> int:
    """Draw the documents; return the exit code."""
    summary = "Draw the pages of a RUI document with placeholders: structure, never data."
    parser = Parser("wireframe", summary, "FILE|FOLDER|-", notes=NOTES)
    parser.add_argument(
        "-o", metavar="FILE|FOLDER/", default="", dest="target",
        help="write to this file, or a file for each document into this folder (default: standard output)",
    )  # fmt: skip
    parser.add_argument("--format", choices=[*WRITERS], help="the format (default: that of the name after -o, or html)")
    args = parser.parse(argv)
    target = args.target
    suffix = os.path.splitext(target)[1].lower().removeprefix(".")
    format_name = args.format or (suffix if suffix in WRITERS else "html")
    if target.endswith(("/", os.sep)) or os.path.isdir(target):
        return _draw_into_folder(args.files, target, format_name)
    if len(args.files) != 1:
        raise UsageError("name one document, or a folder after -o")
    data = _draw(files.read_bytes(args.files[0]), format_name)
    if target:
        files.write_bytes(target, data)
    else:
        output.write_bytes(data)
    return ExitCode.OK


def _draw_into_folder(arguments: list[str], folder: str, format_name: str) -> int:
    """Draw all documents in the arguments; a file has the name of its document, with dashes between folders."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise OperationalError(f"cannot write {folder}: {reason(error)}") from None
    documents = files.Documents(arguments, "wireframe")
    for name, data in documents:
        path = os.path.relpath(files.display_name(name)).removesuffix(SUFFIX)
        stem = "-".join(part for part in path.split(os.sep) if part != os.pardir)
        file = os.path.join(folder, f"{stem}.{format_name}")
        if leads_out(file, folder):
            raise OperationalError(f"cannot write {file}: it leads out of the folder")
        files.write_bytes(file, _draw(data, format_name))
    if documents.problems:
        return ExitCode.FAILED
    return ExitCode.OK


def _draw(data: bytes, format_name: str) -> bytes:
    view = view_of(read(data).value)
    return WRITERS[format_name](view).encode("utf-8", "replace")
