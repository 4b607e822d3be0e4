"""``rui.publish``: stores the document in the service, and shows the page that people will see."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from lsprotocol import types

from rui_common.client import Client as Service
from rui_common.client import InvalidRuiError, ServiceError, UnreachableError
from rui_common.publishing import request_body, service_diagnostics
from rui_common.syntax.document import Document
from rui_common.validation.diagnostics import Diagnostic, diagnose, is_error
from rui_lsp.client.convert import Json, to_diagnostics
from rui_lsp.commands.arguments import Arguments
from rui_lsp.commands.show_in_client import name_of, show_address
from rui_lsp.documents.text_buffer import TextBuffer
from rui_lsp.protocol.log import logger
from rui_lsp.server.server import RuiLanguageServer

_T = TypeVar("_T")

TIMEOUT = 20.0
"""Seconds that an author waits at most."""


async def publish(ls: RuiLanguageServer, params: types.ExecuteCommandParams) -> Json:
    """Publish a document: ``[uri]``, or ``[{uri, show, report}]``.

    Returns:
        ``{published: true, specId, url, viewUrl, createdAt, contentHash}``, or ``{published: false, message}``, for an
        invalid document with its ``diagnostics``, for a service that cannot be used with its ``server``. The
        ``message`` has been shown to the author already, unless ``report`` is false.
    """
    arguments = Arguments(params.arguments, "uri", flags=("show", "report"))
    result = await _publish(ls, params, arguments)
    message = result.get("message")
    if isinstance(message, str):
        logger.info("%s", message)
        if arguments.flag("report", default=True):
            ls.show_message(types.MessageType.Error, message)
    return result


async def _publish(ls: RuiLanguageServer, params: types.ExecuteCommandParams, arguments: Arguments) -> Json:
    uri = arguments.text("uri")
    document = arguments.document(ls.workspace)
    diagnostics = diagnose(document)
    if any(is_error(diagnostic) for diagnostic in diagnostics):
        return _invalid(ls, uri, document, diagnostics)
    token = params.work_done_token or await ls.create_progress_token()
    try:
        with ls.show_progress(token, f"Publishing {name_of(uri)}"):
            service = Service(ls.settings_for(uri).server_url, timeout=TIMEOUT, retries=2, user_agent="rui lsp")
            body = request_body(document)  # not in the thread: a document belongs to one thread
            spec = await _run_in_thread(lambda: service.store(body))
    except InvalidRuiError as refused:
        return _invalid(ls, uri, document, service_diagnostics(document, refused.errors))
    except (ServiceError, ValueError) as error:
        advice = ""
        if isinstance(error, UnreachableError) and not error.sent:
            advice = " Is it running (rui serve), or elsewhere (setting rui.server.url)?"
        message = f"{name_of(uri)} is not published: {error}.{advice}"
        return {"published": False, "message": message, "server": ls.settings_for(uri).server_url}
    if arguments.flag("show", default=True):
        await show_address(ls, spec.view_url, f"{name_of(uri)} is published")
    return {
        "published": True,
        "specId": spec.spec_id,
        "url": spec.url,
        "viewUrl": spec.view_url,
        "createdAt": spec.created_at,
        "contentHash": spec.content_hash,
    }


def _invalid(ls: RuiLanguageServer, uri: str, document: Document, diagnostics: list[Diagnostic]) -> Json:
    """The result for an invalid document, with the errors and the line of the first."""
    errors = [diagnostic for diagnostic in diagnostics if is_error(diagnostic)]
    text = TextBuffer(document.text, ls.workspace.encoding)
    settings = ls.settings_for(uri).with_default_severities()
    items = to_diagnostics(errors, uri, text, settings, document)
    reason = f"line {items[0].range.start.line + 1}: {errors[0].message}"
    if len(errors) > 1:
        reason += f" (and {len(errors) - 1} more)"
    message = f"{name_of(uri)} is not published, as it is not valid. {reason}"
    return {"published": False, "message": message, "diagnostics": items}


async def _run_in_thread(function: Callable[[], _T]) -> _T:
    """The result of a function that may block for long; in a daemon thread, which does not delay the server's end."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_T] = loop.create_future()

    def resolve(result: _T | None, error: Exception | None) -> None:
        if future.cancelled():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def work() -> None:
        result: _T | None = None
        error: Exception | None = None
        try:
            result = function()
        except Exception as failure:  # It is raised in the event loop.
            error = failure
        with suppress(RuntimeError):  # The server has ended.
            loop.call_soon_threadsafe(resolve, result, error)

    threading.Thread(target=work, daemon=True).start()
    return await future
