"""`rui publish`: store a document in a service, and print the address of its page."""

import os
import sys
from argparse import Namespace

from rui_cli import files, output
from rui_cli.errors import ExitCode, OperationalError, UsageError
from rui_cli.formats.full import render
from rui_cli.parser import Parser
from rui_cli.results import CheckResult, Summary
from rui_common.client import Client, InvalidRuiError, ServiceError, UnreachableError
from rui_common.problems.document import TOO_LARGE
from rui_common.publishing import request_body, service_diagnostics
from rui_common.spec_ids import spec_id_of
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import is_error

VARIABLE = "RUI_SERVER"
HEADER_VARIABLE = "RUI_HEADER"
DEFAULT_SERVER = "http://127.0.0.1:8000"
RETRIES = 3
TIMEOUT = 30.0
"""Seconds for the attempts and the delays between them."""

NOTES = f"""
The document is checked first, and sent only if it has no errors. Every run stores it under a new address; documents
that were stored before do not change.

--replaces ID writes the id of a stored spec into the document that is sent, as meta.replaces: its page shows first what
changed since. The file does not change.

Standard output is the address of the page; diagnostics go to standard error.

Exit codes: 0 stored, 1 the document has errors, 2 it could not be read, or the service does not respond or has failed.

A proxy in front of the service may need a login: --header 'Authorization: Bearer …' sends it, and can be repeated.
Other users of the computer can read command lines, so {HEADER_VARIABLE} is safer. The values are never printed.

Environment: {VARIABLE} is the service, {HEADER_VARIABLE} has headers, one in a line; http_proxy, https_proxy and
no_proxy are respected.
"""


def main(argv: list[str]) -> int:
    """Publish the document; return the exit code."""
    summary = "Store a RUI document in a service, and print the address of its page."
    parser = Parser("publish", summary, "FILE|-", notes=NOTES)
    parser.add_argument("--server", metavar="URL", help=f"the service (default: {VARIABLE}, else {DEFAULT_SERVER})")
    parser.add_argument(
        "--replaces", metavar="ID", default="", help="id or page of the stored spec that the document replaces"
    )
    parser.add_argument(
        "--header", metavar="TEXT", action="append", default=[],
        help=f"a header of each request (see {HEADER_VARIABLE})",
    )  # fmt: skip
    args = parser.parse(argv)
    if not args.files:
        raise UsageError("name the file to publish, or - for standard input")
    if len(args.files) > 1:
        raise UsageError('one file is published at a time: for file in *.rui.json; do rui publish "$file"; done')
    return _publish(args, _client(args), _spec_id(args.replaces))


def _publish(args: Namespace, client: Client, replaced_id: str) -> int:
    name = files.display_name(args.files[0])
    analysis = Analysis(read(files.read_bytes(args.files[0])))
    document = analysis.document
    diagnostics = analysis.diagnostics
    if any(is_error(diagnostic) for diagnostic in diagnostics):
        return _refuse(CheckResult(name, analysis, diagnostics))
    # The request has no layout, so that a document may be too large as a file only. The service checks the limit.
    if warnings := [diagnostic for diagnostic in diagnostics if diagnostic.code != TOO_LARGE.code]:
        _report(CheckResult(name, analysis, warnings))
    try:
        if replaced_id:
            _check_replaced(client, replaced_id)
        spec = client.store(request_body(document, replaced_id))
    except InvalidRuiError as error:
        return _refuse(CheckResult(name, analysis, service_diagnostics(document, error.errors)))
    except UnreachableError as error:
        advice = "" if error.sent else f"; is it running (rui serve), or elsewhere (--server, {VARIABLE})?"
        raise OperationalError(f"{error}{advice}") from None
    except ServiceError as error:
        advice = f"; --header or {HEADER_VARIABLE} sends one" if error.needs_login else ""
        raise OperationalError(f"{error}{advice}") from None
    output.write(output.escape_line(spec.view_url) + "\n")
    return ExitCode.OK


def _check_replaced(client: Client, spec_id: str) -> None:
    try:
        client.fetch(spec_id)
    except ServiceError as error:
        if error.code not in ("NOT_FOUND", "GONE"):
            raise
        raise OperationalError(f"not stored: there is no spec {spec_id} to replace: {error}") from None


def _client(args: Namespace) -> Client:
    address = args.server or os.environ.get(VARIABLE) or DEFAULT_SERVER
    try:
        client = Client(address, timeout=TIMEOUT, retries=RETRIES, user_agent="rui publish")
    except ValueError as error:
        source = "--server" if args.server else VARIABLE
        raise UsageError(f"{source}: {error}") from None
    lines = os.environ.get(HEADER_VARIABLE, "").splitlines()
    for source, headers in ((HEADER_VARIABLE, filter(str.strip, lines)), ("--header", args.header)):
        try:
            client.add_headers(headers)
        except ValueError as error:
            raise UsageError(f"{source}: {error}") from None
    return client


def _spec_id(text: str) -> str:
    """Return the id in an id or in the address of a page; ``""`` for ``""``."""
    if not text:
        return ""
    spec_id = spec_id_of(text)
    if spec_id is None:
        raise UsageError(f"--replaces: {text!r:.100} is no id of a spec, and no address of its page")
    return spec_id


def _refuse(result: CheckResult) -> int:
    """Report why the document is not published; return the exit code."""
    _report(result)
    output.print_message(f"{result.name} is not published: it has errors", "publish")
    return ExitCode.FINDINGS


def _report(result: CheckResult) -> None:
    summary = Summary()
    summary.add(result)
    for text in render([result], summary, output.style_for(sys.stderr)):
        output.write(text, to_stderr=True)
