"""`rui openapi`: derive an OpenAPI description from documents."""

import json

from rui_cli import files, output
from rui_cli.errors import ExitCode
from rui_cli.parser import Parser
from rui_cli.results import first_error
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_openapi.derive import derive

SUFFIXES = (".json", ".yaml", ".yml")  # JSON is YAML, too.

NOTES = """
The arguments are documents, and folders, for every *.rui.json in them (default: the current folder).
A response has what the documents show of it: value paths, columns, and types by formats. A path with {id} or :id has
a parameter; the query of a path becomes parameters with examples. The documents pass `rui check` with the result.

To compare documents with a description: rui check --openapi FILE

Exit codes: 0 success, 2 there is no document, or a file could not be read or written, or is not JSON.
"""


def main(argv: list[str]) -> int:
    """Write a description; return the exit code."""
    summary = "Write an OpenAPI 3.1 description of the endpoints that RUI documents need."
    parser = Parser("openapi", summary, "[FILE|DIR|-]...", notes=NOTES)
    parser.add_argument(
        "-o", metavar="FILE", dest="target", default="", help="write to this file (default: standard output)"
    )
    parser.add_argument("--title", default="", help="the title of the API")
    parser.add_no_exclude()
    args = parser.parse(argv)
    files.check_target(args.target, args.files)
    files.suffix_of_target(args.target, SUFFIXES)
    documents = files.Documents(args.files, "openapi", excluding=files.Excluding.of(args, named=False))
    trees = []
    for file in documents:
        analysis = Analysis(read(file.data))
        if not analysis.document.valid or not isinstance(analysis.document.value, dict):
            documents.report(first_error(file.shown_name, analysis), file.shown_name)
        trees.append(analysis.tree)
    if documents.problems or not trees:
        return ExitCode.FAILED
    text = json.dumps(derive(trees, args.title), indent=2, ensure_ascii=False) + "\n"
    data = text.encode("utf-8", "replace")
    if args.target:
        files.write_bytes(args.target, data)
    else:
        output.write_bytes(data)
    return ExitCode.OK
