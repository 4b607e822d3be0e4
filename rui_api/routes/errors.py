"""Makes error responses of exceptions. Litestar calls these functions."""

import logging

from litestar import Response
from litestar.exceptions import HTTPException

from rui_api.config.options import Settings
from rui_api.contract import errors
from rui_api.contract.endpoints import API_PREFIX, JSON
from rui_api.http.errors import ServiceError
from rui_api.http.requests import HttpRequest, prefers
from rui_api.http.responses import CODES, NO_STORE, to_json
from rui_api.observability.logs import request_id
from rui_api.routes.dependencies import site_of
from rui_api.routes.html import error_page
from rui_api.routes.request_checks import is_exact, not_found
from rui_api.routes.specs import storage_unavailable
from rui_api.routes.tasks import TaskCancelledError
from rui_api.store.base import StorageUnavailable

log = logging.getLogger("rui_api")


def send_error(settings: Settings, request: HttpRequest, exception: Exception) -> Response[bytes]:
    """Return the response for an error: a page, if the path is outside of the API and Accept prefers HTML."""
    if isinstance(exception, TaskCancelledError):
        return Response(b"", status_code=204)
    error = _service_error(request, exception)
    request.scope["state"][CODES] = [error.code]
    headers = {**NO_STORE, **error.headers}
    if not request.scope["path"].startswith(API_PREFIX):
        if error.is_page or prefers(request, "text/html"):
            return error_page(site_of(request.scope, settings), error)
        headers["vary"] = "Accept"
    return Response(to_json(error.body), status_code=error.status, media_type=JSON, headers=headers)


def _service_error(request: HttpRequest, error: Exception) -> ServiceError:
    """Return the response for an error; for an unexpected one 500, with the stack trace in the log."""
    match error:
        case ServiceError():
            return error
        case StorageUnavailable():
            return storage_unavailable(error)
        case HTTPException(status_code=404):
            return ServiceError(errors.NOT_FOUND, not_found(request.scope["path"]))
        case HTTPException(status_code=405) if not is_exact(request.scope):
            return ServiceError(errors.NOT_FOUND, not_found(request.scope["path"]))
        case HTTPException(status_code=405):
            # Litestar takes the methods from a set, so their order differs between processes.
            methods = sorted((error.headers or {}).get("allow", "").split(", "))
            message = errors.METHOD_NOT_ALLOWED.message.format(method=request.method)
            is_spec = request.scope["path"].startswith((f"{API_PREFIX}specs/", "/specs/"))
            if is_spec and request.method in ("PUT", "PATCH", "DELETE"):
                message = errors.SPEC_IS_IMMUTABLE
            return ServiceError(errors.METHOD_NOT_ALLOWED, message, headers={"allow": ", ".join(methods)})
        case HTTPException() if error.status_code < 500:
            return ServiceError(errors.BAD_REQUEST)
    log.error("%s %s failed", request.method, request.scope["path"], exc_info=error)
    return ServiceError(errors.INTERNAL_ERROR, errors.INTERNAL_ERROR.message.format(id=request_id.get()))
