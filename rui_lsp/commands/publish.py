"""``rui.publish``: the document is stored in the service, and shown as people will see it."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress

from rui_common.client import Client as Service
from rui_common.client import InvalidRuiError, SavedSpec, ServiceError, UnreachableError
from rui_common.client.publish import request_body, service_diagnostics
from rui_common.validation.diagnostics import diagnose, is_error
from rui_lsp.client.convert import diagnostics_to_lsp
from rui_lsp.client.progress import Progress, new_token
from rui_lsp.commands.arguments import Arguments
from rui_lsp.commands.show_in_client import ERROR, location, name_of, say, show_address
from rui_lsp.documents.text_buffer import TextBuffer
from rui_lsp.protocol.log import logger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from rui_common.syntax.document import Document
    from rui_common.validation.diagnostics import Diagnostic
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import Workspace

    _T = TypeVar("_T")

TIMEOUT = 20.0
"""Seconds that an author waits at most."""


async def run(workspace: Workspace, params: Json) -> Json:
    """Publish a document: ``[uri]``, or ``[{uri, show}]``.

    Returns:
        ``{published: true, specId, url, viewUrl, createdAt, contentHash}``, or ``{published: false, message}``, for an
        invalid document with its ``diagnostics``. What is in ``message`` the user has been told already.
    """
    arguments = Arguments(params.get("arguments"), "uri", flags=("show",))
    uri, document = arguments.text("uri"), arguments.document(workspace)
    found = diagnose(document)
    if any(map(is_error, found)):
        return _refused(workspace, uri, document, found)
    settings = workspace.client.settings_for(uri)
    token = params.get("workDoneToken") or await new_token(workspace.client)
    progress = Progress(workspace.client, token, f"Publishing {name_of(uri)}")
    try:
        service = Service(settings.server_url, timeout=TIMEOUT, retries=2, user_agent="rui lsp")
        body = request_body(document)  # not in the thread: a document reads on when it is asked
        spec = await _in_thread(lambda: service.store(body))
    except InvalidRuiError as refused:
        return _refused(workspace, uri, document, service_diagnostics(document, refused.errors))
    except (ServiceError, ValueError) as error:
        unseen = isinstance(error, UnreachableError) and not error.sent
        advice = " Is it running (rui serve), or elsewhere (setting rui.server.url)?" if unseen else ""
        return _failed(workspace, f"{name_of(uri)} is not published: {error}.{advice}")
    finally:
        progress.end()
    return await _stored(workspace, uri, spec, show=arguments.flag("show", default=True))


async def _stored(workspace: Workspace, uri: str, spec: SavedSpec, *, show: bool) -> Json:
    workspace.published[uri] = spec.view_url
    if workspace.client.can("workspace", "codeLens", "refreshSupport"):
        workspace.client.ask("workspace/codeLens/refresh")
    if show:
        await show_address(workspace.client, spec.view_url, f"{name_of(uri)} is published")
    return {
        "published": True, "specId": spec.spec_id, "url": spec.url, "viewUrl": spec.view_url,
        "createdAt": spec.created_at, "contentHash": spec.content_hash,
    }  # fmt: skip


def _refused(workspace: Workspace, uri: str, document: Document, found: list[Diagnostic]) -> Json:
    """An invalid document is not published; what is wrong, and where."""
    errors = [diagnostic for diagnostic in found if is_error(diagnostic)]
    text = TextBuffer(document.text, workspace.encoding)
    settings = workspace.client.settings_for(uri).with_default_severities()
    items = diagnostics_to_lsp(errors, uri, text, settings, document)
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    what = f"{location(items[0])}: {errors[0].message}{more}"
    return {**_failed(workspace, f"{name_of(uri)} is not published, as it is not valid. {what}"), "diagnostics": items}


def _failed(workspace: Workspace, message: str) -> Json:
    logger().info("%s", message)
    say(workspace.client, ERROR, message)
    return {"published": False, "message": message}


async def _in_thread(function: Callable[[], _T]) -> _T:
    """What a function gives that may wait long; in a thread that nobody waits for when the server ends."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[_T] = loop.create_future()

    def settle(result: _T | None, error: Exception | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def work() -> None:
        result, error = None, None
        try:
            result = function()
        except Exception as failure:  # It is raised where it is waited for.
            error = failure
        with suppress(RuntimeError):  # The server has ended.
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=work, daemon=True).start()
    return await done
