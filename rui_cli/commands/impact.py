"""`rui impact`: say what breaks in documents when the OpenAPI description of their API changes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module

from rui_cli import files, output
from rui_cli.diff_formats import marked, painted
from rui_cli.errors import OperationalError, UsageError, exit_code
from rui_cli.output import Style, escape_line
from rui_cli.parser import Parser
from rui_common.document_files import SUFFIX
from rui_common.syntax.document import read
from rui_common.syntax.paths import format_path
from rui_common.validation.analysis import Analysis
from rui_common.version import missing_package
from rui_common.versions.sentences import escape, plain
from rui_openapi.description.api import Api, read_api
from rui_openapi.errors import OpenApiError
from rui_openapi.impact import Impact, Place

NOTES = """
OLD and NEW are two OpenAPI descriptions of one API, JSON or YAML; one of them may be a pipe. What breaks is what
rui check --openapi NEW reports and rui check --openapi OLD does not.

The documents are files and folders, for every *.rui.json in them; without any, the current folder. --store reads the
stored documents that no other one replaces; nothing else is read then, unless it is named.

What a branch changes: rui impact <(git show main:openapi.yaml) openapi.yaml

Exit codes: 0 nothing breaks, 1 something does, 2 a file or store could not be read.

--format json prints an object: breaks [{sentence, code, places [{document, path, message, hint}]}], documents, broken,
removed and unread (paths of operations that only OLD has, and those of them that no document reads).

Environment: NO_COLOR and FORCE_COLOR disable and enable colours.
"""


def main(argv: list[str]) -> int:
    """Compare two descriptions; return the exit code."""
    summary = "Say what breaks in RUI documents when the OpenAPI description of their API changes."
    parser = Parser("impact", summary, "OLD NEW [FILE|DIR|-]...", notes=NOTES)
    parser.add_argument("--format", choices=[*FORMATS], default="text", help="output format")
    parser.add_argument(
        "--store", metavar="STORE", default="", help="also the documents of this store: sqlite:///PATH, postgresql://…"
    )
    parser.add_no_exclude()
    parser.add_stdin_filename()
    args = parser.parse(argv)
    if len(args.files) < 2:
        raise UsageError("name two OpenAPI descriptions, the old one and the new one")
    old, new, *names = args.files
    excluding = files.Excluding.of(args, named=False)
    documents = files.Documents(names, "impact", args.stdin_filename, excluding=excluding)
    apis = (_api(old), _api(new))
    impact = Impact(*apis)
    if names or not args.store:
        for file in documents:
            impact.add(file.shown_name.removesuffix(SUFFIX), Analysis(read(file.data)))
    if args.store:
        for name, data in _stored(args.store):
            impact.add(name, Analysis(read(data)))
    for problem in dict.fromkeys(problem for api in apis for problem in api.references.problems):
        documents.note(problem)
    output.write_lines(FORMATS[args.format](impact, output.style_for(sys.stdout)), args.format)
    return exit_code(documents.problems, impact.broken)


def _api(name: str) -> Api:
    if name == files.STDIN:
        raise UsageError("a description is no standard input: name a file")
    if name.endswith(SUFFIX):
        raise UsageError(f"{name} is a document: name the two OpenAPI descriptions first")
    try:
        return read_api(name, may_be_pipe=True)
    except OpenApiError as error:
        raise OperationalError(str(error)) from None


def _stored(url: str) -> Iterator[tuple[str, bytes]]:
    """Yield the documents of a store, each with its name, unless another one replaces it."""
    try:
        documents = import_module("rui_api.commands.documents")
    except ModuleNotFoundError as error:
        raise OperationalError(missing_package(error.name, "api")) from None
    try:
        yield from documents.latest_documents(url)
    except documents.StoreError as error:
        raise OperationalError(str(error)) from None


def to_text(impact: Impact, style: Style) -> Iterator[str]:
    """Yield the lines for a terminal."""
    yield style.paint(impact.verdict, "1")
    for broken in impact.breaks:
        yield ""
        yield painted(broken.sentence, style)
        for hint in dict.fromkeys(_advice(place) for place in broken.places):
            yield from (f"  {escape_line(hint)}",) if hint else ()
    if impact.about_unread:
        yield ""
        yield impact.about_unread


def to_markdown(impact: Impact, _style: Style) -> Iterator[str]:
    yield f"### {impact.verdict}"
    if impact.breaks:
        yield ""
    for broken in impact.breaks:
        advice = " ".join(filter(None, dict.fromkeys(_advice(place) for place in broken.places)))
        yield f"- {marked(broken.sentence)} {marked(escape(advice))}".rstrip()
    if impact.about_unread:
        yield from ("", impact.about_unread)


def _advice(place: Place) -> str:
    """Return what the hint says besides that the text is wrong: the text that is meant, and those that exist."""
    finding = place.diagnostic.finding
    sentences = (
        [] if finding is None or place.is_moved else [suggestion.sentence for suggestion in finding.suggestions()]
    )
    return " ".join([sentence.text for sentence in sentences if sentence is not None])


def to_json(impact: Impact, _style: Style) -> Iterator[str]:
    yield output.to_json({
        "breaks": [
            {
                "sentence": plain(broken.sentence),
                "code": broken.places[0].diagnostic.code,
                "places": [
                    {
                        "document": place.document,
                        "path": format_path(place.diagnostic.path),
                        "message": place.diagnostic.message,
                        "hint": place.diagnostic.hint,
                    }
                    for place in broken.places
                ],
            }
            for broken in impact.breaks
        ],
        "documents": impact.documents,
        "broken": impact.broken,
        "removed": impact.removed,
        "unread": impact.unread,
    })  # fmt: skip


FORMATS: dict[str, Callable[[Impact, Style], Iterator[str]]] = {
    "text": to_text, "markdown": to_markdown, "json": to_json,
}  # fmt: skip
"""Functions that yield the lines of the report, by the name of the format."""
