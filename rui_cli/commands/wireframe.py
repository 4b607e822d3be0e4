"""`rui wireframe`: draw the pages of a document, as an HTML page or SVG image that loads no other file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rui_cli import files, output
from rui_cli.errors import OperationalError, UsageError, exit_code, reason
from rui_cli.parser import Parser
from rui_common.document_files import SUFFIX, leads_out
from rui_common.grounding import UNGROUNDED
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic
from rui_inspector.html.wireframe import wireframe_page
from rui_inspector.html.wireframe_markdown import wireframe_markdown
from rui_inspector.html.wireframe_svg import wireframe_svg
from rui_inspector.model.problems import displayed_diagnostics, unmatched_of
from rui_inspector.model.view import View

if TYPE_CHECKING:
    from rui_cli.api_checks import Apis

FORMATS = {"html": "html", "svg": "svg", "markdown": "md"}  # name of a format → the suffix of its files

ONE_DOCUMENT = "name one document, or a folder after -o"

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
    parser.add_no_exclude()
    parser.add_stdin_filename()
    args = parser.parse(argv)
    target = args.target
    is_folder = target.endswith(("/", os.sep)) or os.path.isdir(target)
    if not is_folder:
        files.check_target(target, args.files)
    format_name = args.format or ("html" if is_folder else _format_of(target))
    is_one = not is_folder and format_name != "markdown"
    if is_one and len(args.files) != 1:
        raise UsageError(ONE_DOCUMENT)
    excluding = files.Excluding.of(args, named=False)
    documents = files.Documents(args.files, "wireframe", args.stdin_filename, excluding=excluding)
    drawings = _drawings(documents, args.openapi, format_name)
    if is_folder:
        _write_into_folder(target, drawings, FORMATS[format_name])
        return exit_code(documents.problems, 0)
    drawn = [data for _, data in drawings]
    is_nothing = not drawn and not documents.problems
    if is_one and (len(drawn) > 1 or is_nothing):
        raise UsageError(ONE_DOCUMENT)  # It is a folder or a glob.
    if target and drawn:
        files.write_bytes(target, b"\n".join(drawn))
    else:
        output.write_bytes(b"\n".join(drawn))
    return exit_code(documents.problems, 0)


def _format_of(target: str) -> str:
    """Return the format of a file by its suffix; HTML without one.

    Raises:
        UsageError: the suffix is that of no format.
    """
    formats = {f".{suffix}": name for name, suffix in FORMATS.items()}
    return formats.get(files.suffix_of_target(target, [*formats], ", or --format"), "html")


def _write_into_folder(folder: str, drawings: Iterable[tuple[files.File, bytes]], suffix: str) -> None:
    """Write each drawing to a file with the name of its document, with dashes between folders."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise OperationalError(f"cannot write {folder}: {reason(error)}") from None
    written = set()
    for file, data in drawings:
        path = os.path.relpath(file.shown_name).removesuffix(SUFFIX)
        stem = "-".join(part for part in path.split(os.sep) if part != os.pardir)
        target = os.path.join(folder, f"{stem}.{suffix}")
        if leads_out(target, folder):
            raise OperationalError(f"cannot write {target}: it leads out of the folder")
        if target in written:
            raise OperationalError(f"cannot write {target}: it is the drawing of another document")
        written.add(target)
        files.write_bytes(target, data)


def _drawings(documents: files.Documents, openapi: str, format_name: str) -> Iterator[tuple[files.File, bytes]]:
    """Yield each document with its wireframe. Files that a description needs and that fail are problems, too."""
    apis: Apis | None = None
    for file in documents:
        analysis = Analysis(read(file.data))
        view = View(analysis.document.value)
        grounding = UNGROUNDED
        differences: list[Diagnostic] = []
        configuration = documents.configuration_of(file)
        if openapi or (configuration is not None and configuration.names_api):
            from rui_cli.api_checks import Apis  # slow, and only with a description

            apis = apis or Apis(documents, openapi)
            grounding, differences = apis.grounding(file, analysis)
        unmatched = unmatched_of(view, displayed_diagnostics(analysis.document, differences, view))
        if format_name == "markdown":
            text = wireframe_markdown(view, grounding, unmatched, file.shown_name)
        elif format_name == "svg":
            text = wireframe_svg(view, grounding, unmatched)
        else:
            text = wireframe_page(view, grounding, unmatched)
        yield file, text.encode("utf-8", "replace")
    if apis is not None:
        apis.report_notes()
