"""Every error response of the service, one function each; their texts are in `rui_common.http_contract.errors`.

Outside of the API, `rui_api.routes.html.error_page` renders the same errors as pages.
"""

from __future__ import annotations

from collections.abc import Mapping

from rui_api.http.caching import NO_STORE
from rui_api.http.responses import Response, to_json
from rui_common.http_contract.errors import (
    BAD_REQUEST,
    ERROR_MESSAGES,
    FORBIDDEN,
    GONE,
    INTERNAL_ERROR,
    INVALID_SPEC_ID,
    METHOD_NOT_ALLOWED,
    NOT_FOUND,
    OVERLOADED,
    STORAGE_UNAVAILABLE,
    STORE_FULL,
)
from rui_common.vocabulary.rules import MESSAGES, RULES

STORE_RETRY_AFTER = 5
"""Seconds in the Retry-After header of a service without its store."""
OVERLOADED_RETRY_AFTER = 1
"""Seconds in the Retry-After header of an overloaded service."""


def invalid_json(reason: str, *, close: bool) -> Response:
    """400: the body contains no RUI (section 4.1).

    Args:
        reason: sentences that are added to the hint.
        close: close the connection, because a part of the body was not read.
    """
    code = RULES["R0"].code
    message, hint = MESSAGES[code]
    item = {"path": "", "code": code, "message": message, "hint": f"{hint} {reason}"}
    headers = {"connection": "close"} if close else {}
    return Response(to_json({"valid": False, "errors": [item]}), status=400, headers=headers, codes=[code])


def bad_request(message: str = ERROR_MESSAGES[BAD_REQUEST]) -> Response:
    """400: the request is not valid HTTP, or has parameters that the endpoint does not accept."""
    return _error(400, BAD_REQUEST, message)


def invalid_spec_id() -> Response:
    """400: the id is no UUID (section 4.3)."""
    return _error(400, INVALID_SPEC_ID, ERROR_MESSAGES[INVALID_SPEC_ID])


def not_found(message: str = ERROR_MESSAGES[NOT_FOUND]) -> Response:
    """404: no endpoint has this path, or a parameter names an unknown part of the vocabulary."""
    return _error(404, NOT_FOUND, message)


def forbidden(message: str = ERROR_MESSAGES[FORBIDDEN]) -> Response:
    """403: a page of another origin sent the request, and may not."""
    return _error(403, FORBIDDEN, message)


def spec_not_found(spec_id: str) -> Response:
    """404: no spec has this id (section 4.3)."""
    return Response(to_json({"error": NOT_FOUND, "specId": spec_id}), status=404, headers=NO_STORE, codes=[NOT_FOUND])


def spec_deleted(spec_id: str) -> Response:
    """410: the operator deleted the spec with this id."""
    return Response(to_json({"error": GONE, "specId": spec_id}), status=410, headers=NO_STORE, codes=[GONE])


def method_not_allowed(method: str, allowed: str) -> Response:
    """405: the path has other methods; `allowed` is the value of the Allow header."""
    message = ERROR_MESSAGES[METHOD_NOT_ALLOWED].format(method=method)
    return _error(405, METHOD_NOT_ALLOWED, message, {"allow": allowed})


def internal_error() -> Response:
    """500: the service failed. The cause is in the log, not in the response."""
    return _error(500, INTERNAL_ERROR, ERROR_MESSAGES[INTERNAL_ERROR])


def storage_unavailable(retry_after: int = STORE_RETRY_AFTER, *, is_full: bool = False) -> Response:
    """503: the store does not respond or is full (sections 4.2 and 4.3); `retry_after` is in seconds."""
    message = STORE_FULL if is_full else ERROR_MESSAGES[STORAGE_UNAVAILABLE]
    return _unavailable(STORAGE_UNAVAILABLE, message, retry_after)


def overloaded() -> Response:
    """503: the limit of requests is reached."""
    return _unavailable(OVERLOADED, ERROR_MESSAGES[OVERLOADED], OVERLOADED_RETRY_AFTER)


def _unavailable(code: str, message: str, retry_after: int) -> Response:
    return _error(503, code, message, {"retry-after": str(retry_after)})


def _error(status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> Response:
    headers = {**NO_STORE, **(headers or {})}
    return Response(to_json({"error": code, "message": message}), status=status, headers=headers, codes=[code])
