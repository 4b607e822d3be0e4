"""``rui.publish``: stores the document in the service, and shows the page that people will see."""

from __future__ import annotations

import asyncio

from lsprotocol import types

from rui_common.client import Client as Service
from rui_common.client import InvalidRuiError, SavedSpec, ServiceError, UnreachableError
from rui_common.json_values import JsonObject
from rui_common.publishing import is_unchanged, request_body, service_diagnostics
from rui_common.syntax.document import Document
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic, is_error
from rui_lsp.commands.arguments import Arguments
from rui_lsp.convert import Positions
from rui_lsp.protocol.log import logger
from rui_lsp.server import RuiLanguageServer
from rui_lsp.session.diagnostics import add_fixes, shown_diagnostics, to_diagnostic
from rui_lsp.session.uris import name_of

TIMEOUT = 20.0
"""Seconds that an author waits at most."""

_NOT_THERE = ("NOT_FOUND", "GONE", "INVALID_SPEC_ID")
"""Error codes of the service for a spec that it does not have."""


async def publish(ls: RuiLanguageServer, *values: object) -> JsonObject:
    """Publish a document: ``[uri]``, or ``[{uri, last, show, report}]``.

    `last` is the ``specId`` of the document's last publication, which the client remembers for each document and
    ``server``. The new spec then replaces that one (``meta.replaces``); the document does not change.

    Returns:
        ``{published: true, server, specId, url, viewUrl, createdAt, contentHash, replaces}``; `replaces` is ``""``
        without `last`, and if the service does not have that spec any more. Else ``{published: false, message}``: a
        document with the content of `last` adds ``unchanged: true`` and the fields of that spec, an invalid one its
        ``diagnostics``, a service that cannot be used its ``server``. The author has seen the ``message`` already,
        unless ``report`` is false.
    """
    arguments = Arguments(values, "uri", flags=("show", "report"), texts=("last",))
    result = await _publish(ls, arguments)
    message = result.get("message")
    if isinstance(message, str):
        logger.info("%s", message)
        if arguments.flag("report", default=True):
            kind = types.MessageType.Info if result.get("unchanged") else types.MessageType.Error
            ls.show_message(kind, message)
    return result


async def _publish(ls: RuiLanguageServer, arguments: Arguments) -> JsonObject:
    uri = arguments.text("uri")
    analysis = arguments.analysis(ls.documents)
    document = analysis.document
    diagnostics = analysis.diagnostics
    if any(is_error(diagnostic) for diagnostic in diagnostics):
        return _invalid(ls, uri, analysis, diagnostics)
    server = ls.settings_for(uri).server_url
    token = await ls.begin_progress(f"Publishing {name_of(uri)}")
    try:
        service = Service(server, timeout=TIMEOUT, retries=2, user_agent="rui lsp")
        last = await fetch_last(service, arguments.text("last"))
        if last is not None and is_unchanged(document, last):
            return _unchanged(uri, server, last)
        spec = await _store(service, document, last)
    except InvalidRuiError as refused:
        return _invalid(ls, uri, analysis, service_diagnostics(document, refused.errors))
    except (ServiceError, ValueError) as error:
        return {"published": False, "message": f"{name_of(uri)} is not published: {describe(error)}", "server": server}
    finally:
        ls.end_progress(token)
    if arguments.flag("show", default=True):
        await ls.show_address(spec.view_url, f"{name_of(uri)} is published")
    replaces = "" if last is None else last.spec_id
    return {"published": True, **_fields(server, spec), "replaces": replaces}


async def fetch_last(service: Service, last: str) -> SavedSpec | None:
    """Return the spec of the last publication; None if the service does not have it.

    Raises:
        ServiceError: the service cannot be used.
    """
    if not last:
        return None
    try:
        return await asyncio.to_thread(service.fetch, last)
    except ServiceError as error:
        if error.code in _NOT_THERE:
            return None
        raise


def describe(error: ServiceError | ValueError) -> str:
    """Return why a service cannot be used, with advice, as sentences."""
    if isinstance(error, UnreachableError) and not error.sent:
        return f"{error}. Is it running (rui serve), or elsewhere (setting rui.server.url)?"
    if isinstance(error, ServiceError) and error.needs_login:
        return f"{error}. The editor sends no login; rui publish --header sends one."
    return f"{error}."


async def _store(service: Service, document: Document, last: SavedSpec | None) -> SavedSpec:
    body = request_body(document, "" if last is None else last.spec_id)  # a document belongs to one thread
    return await asyncio.to_thread(service.store, body)


def _unchanged(uri: str, server: str, last: SavedSpec) -> JsonObject:
    message = f"{name_of(uri)} is unchanged since it was published at {last.created_at}: {last.view_url}"
    return {"published": False, "unchanged": True, "message": message, **_fields(server, last)}


def _fields(server: str, spec: SavedSpec) -> JsonObject:
    return {
        "server": server,
        "specId": spec.spec_id,
        "url": spec.url,
        "viewUrl": spec.view_url,
        "createdAt": spec.created_at,
        "contentHash": spec.content_hash,
    }


def _invalid(ls: RuiLanguageServer, uri: str, analysis: Analysis, diagnostics: list[Diagnostic]) -> JsonObject:
    """Return the result for an invalid document, with the errors and the line of the first."""
    errors = [diagnostic for diagnostic in diagnostics if is_error(diagnostic)]
    positions = Positions(analysis.document.lines, ls.documents.encoding)
    settings = ls.settings_for(uri).with_default_severities()
    shown = shown_diagnostics(errors, settings)
    items = [to_diagnostic(error, uri, positions, settings) for error in shown]
    add_fixes(items, shown, analysis, positions)
    reason = f"line {items[0].range.start.line + 1}: {errors[0].message}"
    if len(errors) > 1:
        reason += f" (and {len(errors) - 1} more)"
    message = f"{name_of(uri)} is not published, as it is not valid. {reason}"
    return {"published": False, "message": message, "diagnostics": items}
