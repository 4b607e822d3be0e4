"""`rui wireframe`: draw the pages of a document, as an HTML page or SVG image that loads no other file."""

from __future__ import annotations

import os
from argparse import Namespace
from functools import cache
from typing import TYPE_CHECKING

from rui_cli import files, output
from rui_cli.errors import ExitCode, OperationalError, UsageError, reason
from rui_cli.parser import Parser
from rui_common.document_files import SUFFIX, leads_out
from rui_common.grounding import UNGROUNDED
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_inspector.html.wireframe import wireframe_page
from rui_inspector.html.wireframe_markdown import wireframe_markdown
from rui_inspector.html.wireframe_svg import wireframe_svg
from rui_inspector.model.problems import displayed_diagnostics, unmatched_of
from rui_inspector.model.view import view_of
from rui_openapi.discovery import find_configuration

if TYPE_CHECKING:
    from rui_cli.api_checks import Apis

FORMATS = {"html": "html", "svg": "svg", "markdown": "md"}
"""Name of a format → the suffix of its files."""

NOTES = """
FILE is a document, or - for standard input; there may be several, and folders with *.rui.json, if -o is a folder.
Documents may have errors: what is missing is drawn as missing. The result loads no other file and contains
no script. Wireframes for a pull request: rui wireframe --format svg apps -o wireframes/

With an OpenAPI description, of --openapi or of a rui.toml (see rui check --help), each block shows the operation, types
and examples that the description states, in place of placeholders. What it lacks is marked. No request is sent.
--format markdown lists the same in a table, also for several documents: for a pull request.

Exit codes: 0 success, 2 a file could not be read or written.
"""


def main(argv: list[str]) -> int:
    """Draw the documents; return the exit code."""
    summary = "Draw the pages of a RUI document with placeholders: structure, never data."
    parser = Parser("wireframe", summary, "FILE|FOLDER|-", notes=NOTES)
    parser.add_argument(
        "-o", metavar="FILE|FOLDER/", default="", dest="target",
        help="write to this file, or a file for each document into this folder (default: standard output)",
    )  # fmt: skip
    parser.add_argument("--format", choices=[*FORMATS], help="the format (default: that of the name after -o, or html)")
    parser.add_argument(
        "--openapi", metavar="FILE", default="",
        help="show what this OpenAPI description states, JSON or YAML, instead of that in rui.toml",
    )  # fmt: skip
    parser.add_stdin_filename()
    args = parser.parse(argv)
    target = args.target
    suffix = os.path.splitext(target)[1].lower().removeprefix(".")
    by_suffix = {one: name for name, one in FORMATS.items()}
    drawer = _Drawer(args, args.format or by_suffix.get(suffix, "html"))
    if target.endswith(("/", os.sep)) or os.path.isdir(target):
        return _draw_into_folder(args, drawer)
    if drawer.format_name == "markdown":
        documents = files.Documents(args.files, "wireframe", args.stdin_filename)
        data = b"\n".join([drawer.draw(name, content) for name, content in documents])
        problems = documents.problems
    elif len(args.files) == 1:
        data = drawer.draw(args.files[0], files.read_bytes(args.files[0], args.stdin_filename))
        problems = 0
    else:
        raise UsageError("name one document, or a folder after -o")
    if target:
        files.write_bytes(target, data)
    else:
        output.write_bytes(data)
    return drawer.exit_code(problems)


def _draw_into_folder(args: Namespace, drawer: _Drawer) -> int:
    """Draw all documents in the arguments; a file has the name of its document, with dashes between folders."""
    folder = args.target
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise OperationalError(f"cannot write {folder}: {reason(error)}") from None
    documents = files.Documents(args.files, "wireframe", args.stdin_filename)
    for name, data in documents:
        path = os.path.relpath(files.display_name(name, args.stdin_filename)).removesuffix(SUFFIX)
        stem = "-".join(part for part in path.split(os.sep) if part != os.pardir)
        file = os.path.join(folder, f"{stem}.{FORMATS[drawer.format_name]}")
        if leads_out(file, folder):
            raise OperationalError(f"cannot write {file}: it leads out of the folder")
        files.write_bytes(file, drawer.draw(name, data))
    return drawer.exit_code(documents.problems)


class _Drawer:
    """Draws the documents of one run.

    Args:
        args: the command line.
        format_name: the name of the format.
    """

    def __init__(self, args: Namespace, format_name: str) -> None:
        self.format_name = format_name
        self._openapi = args.openapi
        self._stdin_filename = args.stdin_filename
        self._find = cache(find_configuration)
        self._apis: Apis | None = None

    def draw(self, name: str, data: bytes) -> bytes:
        """Return the wireframe of a document."""
        analysis = Analysis(read(data))
        view = view_of(analysis.document.value)
        location = self._stdin_filename if name == files.STDIN else name
        configuration_path = self._find(files.configuration_folder(location))
        grounded = None
        shown_name = files.display_name(name, self._stdin_filename)
        if self._openapi or configuration_path:
            from rui_cli.api_checks import Apis, Document  # noqa: PLC0415  slow, and only with a description

            self._apis = self._apis or Apis(self._openapi, "wireframe")
            grounded = self._apis.grounding(Document(shown_name, location or name, configuration_path, analysis))
        grounding, differences = grounded or (UNGROUNDED, [])
        unmatched = unmatched_of(view, displayed_diagnostics(analysis.document, differences, view))
        if self.format_name == "markdown":
            text = wireframe_markdown(view, grounding, unmatched, shown_name)
        elif self.format_name == "svg":
            text = wireframe_svg(view, grounding, unmatched)
        else:
            text = wireframe_page(view, grounding, unmatched)
        return text.encode("utf-8", "replace")

    def exit_code(self, problems: int) -> int:
        """Report the references that could not be resolved; return the exit code after problems with documents."""
        if self._apis is not None:
            self._apis.report_problems()
            problems += self._apis.problems
        return ExitCode.FAILED if problems else ExitCode.OK
