"""Convert responses of the service to results or exceptions (specification, sections 2.4 to 4)."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from rui_common.client.errors import (
    InvalidRuiError,
    NotFoundError,
    ResponseError,
    UnavailableError,
    UnexpectedResponseError,
)
from rui_common.client.models import ErrorItem, SavedSpec, Validation
from rui_common.http_contract.errors import GONE, NOT_FOUND
from rui_common.redact import redact_all_userinfo

if TYPE_CHECKING:
    from rui_common.client.models import RawResponse

    Json = dict[str, Any]

UNAVAILABLE_STATUSES = (429, 503)
"""Statuses of a request that was not handled now: 503 of the service, 429 of a proxy with limits per client."""

GATEWAY_STATUSES = (502, 504)
"""Statuses of a proxy that cannot reach the service."""

_MAX_DIGITS = 9
"""Maximum length of a ``Retry-After`` in seconds."""


def json_object(response: RawResponse) -> Json:
    """The JSON object in a body; an empty one if there is none."""
    try:
        value = json.loads(response.body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def validation(response: RawResponse, url: str) -> Validation:
    """The result of a validation, of status 200 or 400.

    Raises:
        ResponseError: the body is not such a result.
    """
    body = json_object(response)
    rui = body.get("normalizedRui")
    truncated = body.get("truncated") is True
    if response.status in {200, 400}:
        if body.get("valid") is True and isinstance(rui, dict):
            return Validation(True, (), truncated, rui)
        errors = _errors(body)
        if body.get("valid") is False and errors:
            return Validation(False, errors, truncated, None)
    raise failure(response, url)


def saved_spec(response: RawResponse, url: str) -> SavedSpec:
    """The stored spec in a response.

    Raises:
        InvalidRuiError: the RUI is invalid and was not stored.
        ResponseError: the body is not a stored spec.
    """
    body = json_object(response)
    if response.status in {200, 201} and _is_saved_spec(body):
        return SavedSpec(
            spec_id=body["specId"],
            url=body["url"],
            view_url=body["viewUrl"],
            created_at=body["createdAt"],
            content_hash=body["contentHash"],
            validation_version=body["validationVersion"],
            registry_version=body["registryVersion"],
            normalized_rui=body["normalizedRui"],
        )
    errors = _errors(body)
    if response.status in {200, 400} and body.get("valid") is False and errors:
        raise _invalid_rui(response, errors, truncated=body.get("truncated") is True)
    raise failure(response, url)


def _is_saved_spec(body: Json) -> bool:
    urls = (body.get("url"), body.get("viewUrl"))
    texts = ("specId", "createdAt", "contentHash", "validationVersion", "registryVersion")
    return (
        # Callers open these URLs in a browser: other schemes would be a risk.
        all(isinstance(url, str) and url.startswith(("http://", "https://")) for url in urls)
        and all(isinstance(body.get(name), str) for name in texts)
        and isinstance(body.get("normalizedRui"), dict)
    )


def _invalid_rui(response: RawResponse, errors: tuple[ErrorItem, ...], *, truncated: bool) -> InvalidRuiError:
    first = errors[0]
    text = f"the service refuses the RUI: {first.message}"
    if len(errors) > 1:
        text += f" (and {len(errors) - 1} more)"
    error = InvalidRuiError(text, response.status, response.body, code=first.code, message=first.message, errors=errors)
    error.truncated = truncated
    return error


def failure(response: RawResponse, url: str) -> ResponseError:
    """The exception for a response that is not the expected one."""
    body = json_object(response)
    code = _text(body, "error")
    message = _text(body, "message")
    status = response.status
    details = f": {message}" if message else ""
    if status in UNAVAILABLE_STATUSES:
        text = f"{url} is not available now{details}"
        error = UnavailableError(text, status, response.body, code=code, message=message)
        error.retry_after = retry_after(response)
        return error
    if 300 <= status < 400 and "location" in response.headers:
        target = redact_all_userinfo(response.headers["location"])
        text = f"{url} redirects to {target!r:.300}; use the address of the service itself"
        return UnexpectedResponseError(text, status, response.body)
    if status == 404 and code == NOT_FOUND and "specId" in body:
        return NotFoundError(f"{url} has no spec {body['specId']!s:.80}", status, response.body, code=code)
    if status == 410 and code == GONE and "specId" in body:
        text = f"{url} no longer has spec {body['specId']!s:.80}: its operator deleted it"
        return NotFoundError(text, status, response.body, code=code)
    if code:
        text = f"{url} responds with {status} {code}{details}"
        return ResponseError(text, status, response.body, code=code, message=message)
    if status in GATEWAY_STATUSES:
        text = f"{url} responds with {status}: a proxy there does not reach the service; try again when it runs"
    else:
        media_type = response.headers.get("content-type", "").partition(";")[0] or "a body without a type"
        text = f"{url} responds with {status} and {media_type!r:.80}: it is no RUI service; check the address"
    return UnexpectedResponseError(text, status, response.body)


def retry_after(response: RawResponse) -> float | None:
    """The delay of ``Retry-After`` in seconds; None if there is none. The header may contain a date."""
    text = response.headers.get("retry-after", "").strip()
    if text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS:
        return float(text)
    if not text:
        return None
    from email.utils import parsedate_to_datetime  # noqa: PLC0415  slow to import, and rarely needed

    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError, OSError):
        return None


def _text(body: Json, name: str) -> str:
    value = body.get(name)
    return value if isinstance(value, str) else ""


def _errors(body: Json) -> tuple[ErrorItem, ...]:
    items = body.get("errors")
    if not isinstance(items, list):
        return ()
    return tuple(
        ErrorItem(*(str(item.get(name, "")) for name in ("path", "code", "message", "hint")))
        for item in items
        if isinstance(item, dict)
    )
