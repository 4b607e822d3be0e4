"""Exception → error response. Litestar calls these functions."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from litestar import Response
from litestar.exceptions import HTTPException

from rui_api.config.options import Settings
from rui_api.http import errors
from rui_api.http.errors import ErrorText, ServiceError
from rui_api.http.requests import prefers
from rui_api.http.responses import CODES, NO_STORE, to_json
from rui_api.playground.worker import TaskTimeoutError
from rui_api.routes.dependencies import AnyRequest, site_of
from rui_api.routes.html import error_page
from rui_api.routes.playground import TaskCancelledError
from rui_api.routes.specs import SPECS
from rui_api.store.base import StorageUnavailable, StoreFull
from rui_api.work_thread import OverloadedError
from rui_common.http_contract.endpoints import API_PREFIX, JSON
from rui_common.http_contract.errors import BAD_REQUEST, INTERNAL_ERROR, NOT_FOUND

log = logging.getLogger("rui_api")

Handler = Callable[[AnyRequest, Any], Response[bytes]]


def exception_handlers(settings: Settings) -> dict[type[Exception], Handler]:
    """Return the function for each sort of exceptions."""

    def handle(convert: Callable[[AnyRequest, Any], ServiceError], request: AnyRequest, error: Any) -> Response[bytes]:  # noqa: ANN401
        return _send(request, convert(request, error), settings)

    conversions: dict[type[Exception], Callable[[AnyRequest, Any], ServiceError]] = {
        ServiceError: lambda _, error: error,
        StorageUnavailable: lambda _, error: errors.storage_unavailable(is_full=isinstance(error, StoreFull)),
        OverloadedError: _overload,
        TaskTimeoutError: _timeout,
        HTTPException: _http_exception,
        Exception: _internal_error,
    }
    handlers = {error: partial(handle, convert) for error, convert in conversions.items()}
    return {**handlers, TaskCancelledError: lambda _, __: Response(b"", status_code=204)}


def _send(request: AnyRequest, error: ServiceError, settings: Settings) -> Response[bytes]:
    """Return the response for an error: a page, if the path is outside of the API and Accept prefers HTML."""
    request.scope["state"][CODES] = [error.code]
    headers = {**NO_STORE, **error.headers}
    if not request.scope["path"].startswith(API_PREFIX):
        if error.is_page or prefers(request, "text/html"):
            return error_page(error, site_of(request, settings))
        headers["vary"] = "Accept"
    return Response(to_json(error.body), status_code=error.status, media_type=JSON, headers=headers)


def _overload(request: AnyRequest, _: OverloadedError) -> ServiceError:
    """503, in the form of the contract for storing."""
    if request.scope["path"] == SPECS:
        return errors.storage_unavailable(errors.OVERLOADED_RETRY_AFTER)
    return errors.overloaded()


def _timeout(_: AnyRequest, __: TaskTimeoutError) -> ServiceError:
    """400: the playground process was ended, because the text takes it too long."""
    text = ErrorText(
        "This takes too long",
        "The document takes longer than the service spends on one.",
        "Go back, where the document still is, and shorten or correct it.",
    )
    return ServiceError(BAD_REQUEST, "The answer takes too long for this text.", text=text)


def _http_exception(request: AnyRequest, error: HTTPException) -> ServiceError:
    """404, 405 and 400 of Litestar's router."""
    if error.status_code >= 500:
        return _internal_error(request, error)
    if error.status_code == 404:
        return ServiceError(NOT_FOUND)
    if error.status_code == 405:
        # Litestar takes the methods from a set, so their order differs between processes.
        methods = (error.headers or {}).get("allow", "").split(", ")
        return errors.method_not_allowed(request.method, ", ".join(sorted(methods)))
    return ServiceError(BAD_REQUEST)


def _internal_error(request: AnyRequest, error: Exception) -> ServiceError:
    """500, with the stack trace in the log."""
    log.error("%s %s failed", request.method, request.scope["path"], exc_info=error)
    return ServiceError(INTERNAL_ERROR)
