"""Exception → error response. Litestar calls these functions."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from litestar import Request
from litestar.exceptions import HTTPException

from rui_api.http import error_responses
from rui_api.http.request_body import InvalidBody
from rui_api.http.responses import Response
from rui_api.http.urls import is_valid_host
from rui_api.playground.worker import TaskTimeoutError
from rui_api.routes.html import ErrorText, as_html_error
from rui_api.routes.specs import SPECS
from rui_api.routes.tasks import TaskCancelledError
from rui_api.store.base import StorageUnavailable, StoreFull
from rui_api.work_thread import OverloadedError

AnyRequest = Request[Any, Any, Any]

log = logging.getLogger("rui_api")

OVERLOAD_TEXT = ErrorText(
    "The service is busy",
    "Others wait for as much as it can do at the moment.",
    "Load this page again in some seconds.",
)
TIMEOUT_TEXT = ErrorText(
    "This takes too long", "The document takes longer than the service spends on one.",
    "Go back, where the document still is, and shorten or correct it.",
)  # fmt: skip


def on_invalid_body(_: AnyRequest, error: InvalidBody) -> Response:
    """400 `INVALID_JSON`."""
    return error_responses.invalid_json(error.reason, close=error.is_incomplete)


def on_storage_unavailable(_: AnyRequest, error: StorageUnavailable) -> Response:
    """503 `STORAGE_UNAVAILABLE`. The store has logged the cause."""
    return error_responses.storage_unavailable(is_full=isinstance(error, StoreFull))


def on_overload(request: AnyRequest, _: OverloadedError) -> Response:
    """503, in the form of the contract for storing; elsewhere `OVERLOADED`, or a page."""
    if request.scope["path"] == SPECS:
        return error_responses.storage_unavailable(error_responses.OVERLOADED_RETRY_AFTER)
    return as_html_error(request, error_responses.overloaded(), OVERLOAD_TEXT)


def on_task_timeout(request: AnyRequest, _: TaskTimeoutError) -> Response:
    """400: the playground process was ended, because the text takes it too long."""
    response = error_responses.bad_request("The answer takes too long for this text.")
    return as_html_error(request, response, TIMEOUT_TEXT)


def on_task_cancelled(_: AnyRequest, __: TaskCancelledError) -> Response:
    """204: no client waits for the response."""
    return Response(status=204)


def on_http_exception(request: AnyRequest, error: HTTPException) -> Response:
    """404, 405 and 400 of Litestar's router; as a page, if the client prefers HTML."""
    if error.status_code >= 500:
        return on_internal_error(request, error)
    if error.status_code == 404:
        response = error_responses.not_found()
    elif error.status_code == 405:
        # Litestar takes the methods from a set, so their order differs between processes.
        methods = (error.headers or {}).get("allow", "").split(", ")
        response = error_responses.method_not_allowed(request.method, ", ".join(sorted(methods)))
    elif all(is_valid_host(value) for name, value in request.scope["headers"] if name == b"host"):
        response = error_responses.bad_request()
    else:
        response = error_responses.bad_request("The Host of the request is the name of no host.")
    return as_html_error(request, response)


def on_internal_error(request: AnyRequest, error: Exception) -> Response:
    """500 `INTERNAL_ERROR`, with the stack trace in the log; as a page, if the client prefers HTML."""
    log.error("%s %s failed", request.method, request.scope["path"], exc_info=error)
    return as_html_error(request, error_responses.internal_error())


EXCEPTION_HANDLERS: dict[type[Exception], Callable[[AnyRequest, Any], Response]] = {
    InvalidBody: on_invalid_body,
    StorageUnavailable: on_storage_unavailable,
    OverloadedError: on_overload,
    TaskTimeoutError: on_task_timeout,
    TaskCancelledError: on_task_cancelled,
    HTTPException: on_http_exception,
    Exception: on_internal_error,
}
"""The most specific types first."""
