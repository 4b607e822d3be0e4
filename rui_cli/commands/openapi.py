"""`rui openapi`: derive an OpenAPI description from documents, or report what one lacks for them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rui_cli import files, output
from rui_cli.errors import ExitCode, OperationalError, UsageError
from rui_cli.parser import Parser
from rui_cli.results import count
from rui_common.syntax.document import read

if TYPE_CHECKING:  # loaded after the arguments are checked
    from rui_openapi.description.api import Api


NOTES = """
The arguments are documents, and folders, for every *.rui.json in them (default: the current folder).
A response has what the documents show of it: value paths, columns, and types by formats. A path with {id} or :id has
a parameter; the query of a path becomes parameters with examples. The documents pass `rui check` with the result.

Exit codes: 0 success, 1 the description lacks something, 2 a file could not be read or written.
"""


def main(argv: list[str]) -> int:
    """Write a description, or compare one; return the exit code."""
    summary = "Write an OpenAPI 3.1 description of the endpoints that RUI documents need, or compare one with them."
    parser = Parser("openapi", summary, "[FILE|DIR|-]...", notes=NOTES)
    parser.add_argument("-o", metavar="FILE", dest="target", help="write to this file (default: standard output)")
    parser.add_argument(
        "--check", metavar="FILE", help="report what this OpenAPI description, JSON or YAML, lacks for the documents"
    )
    parser.add_argument("--title", default="API", help="the title of the API")
    args = parser.parse(argv)
    if args.check and args.target:
        raise UsageError("--check writes no file, and cannot be combined with -o")
    api = _load(args.check) if args.check else None
    found = files.Documents(args.files, "openapi")
    documents = {files.display_name(name): read(data).value for name, data in found}
    if api is not None:
        differences = _report(documents, api, args.check)
        code = ExitCode.FINDINGS if differences else ExitCode.OK
    else:
        _write(documents, args.target, args.title)
        code = ExitCode.OK
    if found.problems:
        return ExitCode.FAILED
    return code


def _load(path: str) -> Api:
    from rui_openapi.description.api import load_api  # noqa: PLC0415  only with --check
    from rui_openapi.errors import OpenApiError  # noqa: PLC0415

    try:
        return load_api(path)
    except OpenApiError as error:
        raise OperationalError(str(error)) from None


def _write(documents: dict[str, object], target: str | None, title: str) -> None:
    from rui_openapi.derive import derive  # noqa: PLC0415  not for --check

    text = json.dumps(derive(documents.values(), title), indent=2, ensure_ascii=False) + "\n"
    data = text.encode("utf-8", "replace")
    if target:
        files.write_or_create(target, data)
    else:
        output.write_bytes(data)


def _report(documents: dict[str, object], api: Api, path: str) -> int:
    """Write what a description lacks, by endpoint; return the number of differences."""
    from rui_openapi.bindings import bindings_of  # noqa: PLC0415  only with --check
    from rui_openapi.comparison.check import mismatches  # noqa: PLC0415

    lacking: dict[str, dict[str, list[str]]] = {}
    endpoints = set()
    for name, value in documents.items():
        endpoints |= {binding.endpoint.value for binding in bindings_of(value)}
        for mismatch in mismatches(value, api):
            messages = lacking.setdefault(mismatch.endpoint, {})
            names = messages.setdefault(mismatch.message(), [])
            if name not in names:
                names.append(name)
    for endpoint, messages in lacking.items():
        output.write(f"{output.escape_control(f'GET {endpoint}')}\n")
        for message, names in messages.items():
            output.write(f"  {output.escape_control(message)} ({output.escape_control(', '.join(names))})\n")
    differences = sum(map(len, lacking.values()))
    total = count(len(endpoints), "endpoint")
    if differences:
        found = count(differences, "difference")
        output.write(f"{found} in {len(lacking)} of {total}\n")
    else:
        output.write(f"{output.escape_control(path)} has all that the documents need of {total}\n")
    for problem in api.problems:
        output.print_error(f"note: {problem}", "openapi")
    return differences
