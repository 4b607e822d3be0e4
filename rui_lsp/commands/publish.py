"""``rui.publish``: stores the document in the service, and shows the page that people will see."""

from __future__ import annotations

import asyncio

from lsprotocol import types

from rui_common.client import Client as Service
from rui_common.client import InvalidRuiError, ServiceError, UnreachableError
from rui_common.json_values import JsonObject
from rui_common.publishing import request_body, service_diagnostics
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


async def publish(ls: RuiLanguageServer, *values: object) -> JsonObject:
    """Publish a document: ``[uri]``, or ``[{uri, show, report}]``.

    Returns:
        ``{published: true, specId, url, viewUrl, createdAt, contentHash}``, or ``{published: false, message}``. An
        invalid document adds its ``diagnostics``, a service that cannot be used its ``server``. The author has seen
        the ``message`` already, unless ``report`` is false.
    """
    arguments = Arguments(values, "uri", flags=("show", "report"))
    result = await _publish(ls, arguments)
    message = result.get("message")
    if isinstance(message, str):
        logger.info("%s", message)
        if arguments.flag("report", default=True):
            ls.show_message(types.MessageType.Error, message)
    return result


async def _publish(ls: RuiLanguageServer, arguments: Arguments) -> JsonObject:
    uri = arguments.text("uri")
    analysis = arguments.analysis(ls.documents)
    document = analysis.document
    diagnostics = analysis.diagnostics
    if any(is_error(diagnostic) for diagnostic in diagnostics):
        return _invalid(ls, uri, analysis, diagnostics)
    token = await ls.begin_progress(f"Publishing {name_of(uri)}")
    try:
        service = Service(ls.settings_for(uri).server_url, timeout=TIMEOUT, retries=2, user_agent="rui lsp")
        body = request_body(document)  # not in the thread: a document belongs to one thread
        spec = await asyncio.to_thread(service.store, body)
    except InvalidRuiError as refused:
        return _invalid(ls, uri, analysis, service_diagnostics(document, refused.errors))
    except (ServiceError, ValueError) as error:
        advice = ""
        if isinstance(error, UnreachableError) and not error.sent:
            advice = " Is it running (rui serve), or elsewhere (setting rui.server.url)?"
        message = f"{name_of(uri)} is not published: {error}.{advice}"
        return {"published": False, "message": message, "server": ls.settings_for(uri).server_url}
    finally:
        ls.end_progress(token)
    if arguments.flag("show", default=True):
        await ls.show_address(spec.view_url, f"{name_of(uri)} is published")
    return {
        "published": True,
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
