"""`rui publish`: a document → a stored spec, and where people can look at it."""

from __future__ import annotations

import json
import os
import sys

from rui_cli import files, output
from rui_cli.errors import ProblemError, UsageError
from rui_cli.formats import Style
from rui_cli.options import Command, Option
from rui_cli.results import Checked, Tally
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose, is_error
from rui_common.vocabulary.rules import TOO_LARGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rui_cli.options import Given
    from rui_common.client import Client, SavedSpec, ServiceError
    from rui_common.syntax.document import Document
    from rui_common.validation.diagnostics import Diagnostic

VARIABLE = "RUI_SERVER"
DEFAULT = "http://127.0.0.1:8000"
FORMATS = ("text", "json")
RETRIES = 3
FAULTY = 1

COMMAND = Command(
    "publish",
    "Store a RUI document in a service, and say where it can be looked at.",
    Option("--server", f"the service; without it {VARIABLE}, else {DEFAULT}", metavar="URL"),
    Option("--format", "how to tell the result", metavar="FORMAT", choices=FORMATS, default=FORMATS[0]),
    Option("--open", "show it in the browser"),
    Option("--timeout", "seconds to wait at most, retries included", metavar="SECONDS", default="30"),
    output.COLOR,
    arguments=("FILE|-", "the document; - for standard input"),
    most=1,
    notes=f"""
The document is checked first, and sent only if it has no errors. Every time it is stored anew, under an address of its
own; what was stored before stays as it is.

Standard output gets the address where people can look at it, and nothing else; what is wrong goes to standard error.
With --format json it gets an object: file, specId, url, viewUrl, createdAt, contentHash; or, of a document with
errors, file and errors, which are like those of rui check --format json.

Exit codes: 0 stored, 1 the document has errors, 2 it could not be read, or the service does not answer or has failed.

Environment: {VARIABLE} is the service; http_proxy, https_proxy and no_proxy count, too.
""",
)


def main(argv: list[str]) -> int:
    """Publish it; the exit code."""
    given = COMMAND.read(argv)
    if not given.arguments:
        raise UsageError("name the file to publish, or - for standard input")
    client = _client(given)
    name = given.arguments[0]
    document = read(files.read_bytes(name))
    found = diagnose(document)
    if any(map(is_error, found)):
        return _refuse(name, document, found, given)
    # What is too large only because of its layout is sent without; of all else the service says so.
    told = [one for one in found if one.code != TOO_LARGE]
    if told:
        _report(name, document, told, given)
    from rui_common.client import InvalidRuiError, ServiceError, UnreachableError  # noqa: PLC0415  slow
    from rui_common.client.publish import request_body, service_diagnostics  # noqa: PLC0415

    try:
        spec = client.store(request_body(document))
    except InvalidRuiError as refused:
        return _refuse(name, document, service_diagnostics(document, refused.errors), given)
    except UnreachableError as error:
        nobody = error.may_pass and not error.sent
        advice = f"; is it running (rui serve), or elsewhere (--server, {VARIABLE})?" if nobody else ""
        raise ProblemError(f"{error}{advice}") from None
    except ServiceError as error:
        raise ProblemError(str(error)) from None
    _tell(name, spec, given)
    return 0


def _client(given: Given) -> Client:
    from rui_common.client import Client  # noqa: PLC0415  slow

    option = given.values["--server"]
    try:
        timeout = float(given.values["--timeout"])
    except ValueError:
        timeout = 0
    if not 0 < timeout < 86_400:
        raise UsageError(f"--timeout is a number of seconds, not {given.values['--timeout']!r}")
    on_wait = _tells_of_waiting(timeout) if output.is_terminal(sys.stderr) else None
    address = option or os.environ.get(VARIABLE) or DEFAULT
    try:
        return Client(address, timeout=timeout, retries=RETRIES, user_agent="rui publish", on_wait=on_wait)
    except ValueError as error:
        raise UsageError(f"{'--server' if option else VARIABLE}: {error}") from None


def _tells_of_waiting(timeout: float) -> Callable[[ServiceError, float], None]:
    """Who watches is told, once, why it takes so long; not of the moments until a refused connection is tried again."""
    from rui_common.client import UnavailableError  # noqa: PLC0415  slow

    has_told = False

    def tell(error: ServiceError, seconds: float) -> None:
        nonlocal has_told
        if has_told or not isinstance(error, UnavailableError):
            return
        has_told = True
        asked = ", as it asks for," * bool(error.retry_after)
        again = f"trying again in {round(seconds, 1):g} s{asked} up to {RETRIES} times in {timeout:g} s"
        output.print_error(f"{error} ({again})", COMMAND.name)
        output.flush()

    return tell


def _refuse(name: str, document: Document, found: list[Diagnostic], given: Given) -> int:
    """Say why it is not published."""
    if given.values["--format"] == "json":
        from rui_cli.formats.json import item  # noqa: PLC0415

        checked = Checked(files.shown_name(name), document, found)
        items = [item(checked, diagnostic) for diagnostic in found]
        output.write_utf8(json.dumps({"file": checked.name, "errors": items}, ensure_ascii=False) + "\n")
    else:
        _report(name, document, found, given)
    output.print_error(f"{files.shown_name(name)} is not published: it has errors", COMMAND.name)
    return FAULTY


def _report(name: str, document: Document, found: list[Diagnostic], given: Given) -> None:
    from rui_cli.formats.full import render  # noqa: PLC0415  only where something is wrong

    color = output.use_color(given.values["--color"], sys.stderr)
    checked, tally = Checked(files.shown_name(name), document, found), Tally()
    tally.add(checked)
    for text in render([checked], tally, Style(color=color, width=output.width_of(sys.stderr))):
        output.write(text, to_stderr=True)


def _tell(name: str, spec: SavedSpec, given: Given) -> None:
    if given.values["--format"] == "json":
        told = {
            "file": files.shown_name(name), "specId": spec.spec_id, "url": spec.url, "viewUrl": spec.view_url,
            "createdAt": spec.created_at, "contentHash": spec.content_hash,
        }  # fmt: skip
        output.write_utf8(json.dumps(told, ensure_ascii=False) + "\n")
    else:
        output.write(output.visible(spec.view_url) + "\n")
    if "--open" in given.flags:
        import webbrowser  # noqa: PLC0415  slow

        if not webbrowser.open(spec.view_url):
            output.print_error("there is no browser to show it in", COMMAND.name)
