"""Commands for publishing: a document is stored in the service, and compared with what was stored last."""

import json

from lsprotocol import types

from rui_common.client import Client as Service
from rui_common.client import InvalidRuiError, SavedSpec, ServiceError, UnreachableError
from rui_common.editing.formatter import CannotFormatError, format_document
from rui_common.json_values import JsonObject
from rui_common.publishing import is_unchanged, replaced_id_of, request_body, service_diagnostics, without_replaced_id
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic, is_error
from rui_lsp.commands.arguments import Arguments
from rui_lsp.protocol.errors import RequestFailedError
from rui_lsp.protocol.log import logger
from rui_lsp.server import RuiLanguageServer
from rui_lsp.session.threads import in_thread
from rui_lsp.session.uris import name_of

TIMEOUT = 20.0  # seconds that an author waits at most
_NOT_THERE = ("NOT_FOUND", "GONE", "INVALID_SPEC_ID")  # error codes of the service for a spec that it does not have


async def publish(ls: RuiLanguageServer, *values: object) -> JsonObject:
    """Store a document in the service, and show the page that people will see.

    Arguments: ``[uri]``, or ``[{uri, last, show, report}]``. `last` is the ``specId`` of the document's last
    publication, which the client remembers for each document and ``server``. The new spec then replaces that one
    (``meta.replaces``); the document does not change.

    Returns:
        ``{published: true, server, specId, url, viewUrl, createdAt, contentHash, replaces}``; `replaces` is ``""``
        without `last`, and if the service does not have that spec any more. Else ``{published: false, message}``. A
        document with the content of `last` adds ``unchanged: true`` and the fields of that spec, a service that cannot
        be used its ``server``. The author has seen the ``message`` already, unless ``report`` is false.
    """
    arguments = Arguments(values, uri="", last="", show=True, report=True)
    result = await _publish(ls, arguments)
    message = result.get("message")
    if isinstance(message, str):
        logger.info("%s", message)
        if arguments.flag("report"):
            kind = types.MessageType.Info if result.get("unchanged") else types.MessageType.Error
            ls.show_message(kind, message)
    return result


async def _publish(ls: RuiLanguageServer, arguments: Arguments) -> JsonObject:
    uri = arguments.text("uri")
    analysis = arguments.analysis(ls.documents)
    document = analysis.document
    if any(is_error(diagnostic) for diagnostic in analysis.diagnostics):
        return _invalid(uri, analysis, analysis.diagnostics)
    server = ls.settings_for(uri).server_url
    name = name_of(uri)
    token = await ls.begin_progress(f"Publishing {name}")
    try:
        service = _service(server)
        last = await _fetch_last(service, arguments.text("last"))
        if last is not None and is_unchanged(document, last):
            message = f"{name} is unchanged since it was published at {last.created_at}: {last.view_url}"
            return {"published": False, "unchanged": True, "message": message, **_fields(server, last)}
        replaces = "" if last is None else last.spec_id
        body = request_body(document, replaces)  # a document belongs to one thread
        spec = await in_thread(service.store, body)
    except InvalidRuiError as refused:
        return _invalid(uri, analysis, service_diagnostics(document, refused.errors))
    except (ServiceError, ValueError) as error:
        return {"published": False, "message": f"{name} is not published: {_describe(error)}", "server": server}
    finally:
        ls.end_progress(token)
    if arguments.flag("show"):
        await ls.show_address(spec.view_url, f"{name} is published")
    return {"published": True, **_fields(server, spec), "replaces": replaces}


async def published(ls: RuiLanguageServer, *values: object) -> JsonObject:
    """Return the service that a document is published to, and the text of its last publication.

    Arguments: ``[uri]``, or ``[{uri, last}]``. `last` is the ``specId`` that ``rui.publish`` has returned.

    Returns:
        ``{server}``; with `last`, ``{server, text, viewUrl, createdAt}``. The text has the layout of ``rui format``,
        and no ``meta.replaces`` if the document has none.
    """
    arguments = Arguments(values, uri="", last="")
    uri = arguments.text("uri")
    server = ls.settings_for(uri).server_url
    last = arguments.text("last")
    if not last:
        return {"server": server}
    name = name_of(uri)
    document = arguments.analysis(ls.documents).document
    try:
        spec = await _fetch_last(_service(server), last)
    except (ServiceError, ValueError) as error:
        raise RequestFailedError(f"The last publication of {name} is not read: {_describe(error)}") from None
    if spec is None:
        raise RequestFailedError(f"{server} does not have the last publication of {name} any more: {last}")
    value: object = spec.normalized_rui
    if not replaced_id_of(document.value):
        value = without_replaced_id(value)
    try:
        text = format_document(Analysis(read(json.dumps(value, ensure_ascii=False))))
    except CannotFormatError as error:
        raise RequestFailedError(f"{server} has no JSON as the last publication of {name}: {error}") from None
    return {"server": server, "text": text, "viewUrl": spec.view_url, "createdAt": spec.created_at}


def _service(server: str) -> Service:
    return Service(server, timeout=TIMEOUT, retries=2, user_agent="rui lsp")


async def _fetch_last(service: Service, last: str) -> SavedSpec | None:
    """Return the spec of the last publication; None if the service does not have it.

    Raises:
        ServiceError: the service cannot be used.
    """
    if not last:
        return None
    try:
        return await in_thread(service.fetch, last)
    except ServiceError as error:
        if error.code in _NOT_THERE:
            return None
        raise


def _describe(error: ServiceError | ValueError) -> str:
    """Return why a service cannot be used, with advice, as sentences."""
    if isinstance(error, UnreachableError) and not error.sent:
        return f"{error}. Is it running (rui serve), or elsewhere (setting rui.server.url)?"
    if isinstance(error, ServiceError) and error.needs_login:
        return f"{error}. The editor sends no login; rui publish --header sends one."
    return f"{error}."


def _fields(server: str, spec: SavedSpec) -> JsonObject:
    return {
        "server": server,
        "specId": spec.spec_id,
        "url": spec.url,
        "viewUrl": spec.view_url,
        "createdAt": spec.created_at,
        "contentHash": spec.content_hash,
    }


def _invalid(uri: str, analysis: Analysis, diagnostics: list[Diagnostic]) -> JsonObject:
    """Return the result for an invalid document, with the line of the first error."""
    errors = [diagnostic for diagnostic in diagnostics if is_error(diagnostic)]
    line = analysis.document.lines.line_of(errors[0].span.start) + 1
    reason = f"line {line}: {errors[0].message}"
    if len(errors) > 1:
        reason += f" (and {len(errors) - 1} more)"
    return {"published": False, "message": f"{name_of(uri)} is not published, as it is not valid. {reason}"}
