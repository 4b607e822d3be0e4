"""Results and exceptions of the client, and their conversion from responses (specification, sections 2.4 to 4)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from rui_common.http_contract.errors import GONE, NOT_FOUND
from rui_common.redact import redact_all_userinfo

Json = dict[str, Any]

UNAVAILABLE_STATUSES = (429, 503)
"""503 of the service, 429 of a proxy with limits per client."""

GATEWAY_STATUSES = (502, 504)
"""Statuses of a proxy that cannot reach the service."""

_MAX_DIGITS = 9
"""Maximum length of a ``Retry-After`` in seconds."""


class RawResponse(NamedTuple):
    """An HTTP response; the names of its headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Json:
        """The JSON object in the body; an empty one if there is none."""
        try:
            value = json.loads(self.body)
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}


class ErrorItem(NamedTuple):
    """One item of ``errors[]`` (section 2.5)."""

    path: str
    code: str
    message: str
    hint: str


class Validation(NamedTuple):
    """The result of validating a RUI (section 4.1).

    Attributes:
        errors: empty if it is valid; one item with the code ``INVALID_JSON`` if the body is not JSON.
        truncated: whether there are more errors than `errors` contains.
        normalized_rui: the normal form of a valid RUI, else None.
    """

    valid: bool
    errors: tuple[ErrorItem, ...]
    truncated: bool
    normalized_rui: Json | None


class SavedSpec(NamedTuple):
    """A stored RUI (section 2.4); `view_url` is its page in the inspector."""

    spec_id: str
    url: str
    view_url: str
    created_at: str
    content_hash: str
    validation_version: str
    registry_version: str
    normalized_rui: Json


_SPEC_NAMES = (
    "specId", "url", "viewUrl", "createdAt", "contentHash", "validationVersion", "registryVersion", "normalizedRui",
)  # fmt: skip
"""The names of the fields of `SavedSpec` in a response."""


class ServiceError(Exception):
    """A call has failed. The message is one line that can be shown to a user."""


class UnreachableError(ServiceError):
    """There was no complete response: connection refused, unknown host, broken connection.

    Attributes:
        sent: whether the service may have received the request, and thus may have stored the document.
        may_pass: whether the same call may succeed later.
    """

    def __init__(self, message: str, *, sent: bool, may_pass: bool = True) -> None:
        super().__init__(message)
        self.sent = sent
        self.may_pass = may_pass


class ServiceTimeoutError(UnreachableError):
    """The service did not respond in time."""


class ResponseError(ServiceError):
    """The service has responded, but not with the expected result.

    Attributes:
        status: the HTTP status.
        code: the error code of the body, such as ``STORAGE_UNAVAILABLE`` (section 7.4), or ``""``.
        message: the message of the body, or ``""``.
        errors: ``errors[]`` of the body (section 2.5); empty unless the RUI is invalid.
        body: the body as received.
    """

    def __init__(self, text: str, response: RawResponse) -> None:
        super().__init__(text)
        body = response.json()
        self.status = response.status
        self.body = response.body
        self.errors = _errors(body)
        self.code = _text(body, "error")
        self.message = _text(body, "message")


class InvalidRuiError(ResponseError):
    """The service does not store an invalid RUI (section 4.2); `errors` contains the reasons.

    Attributes:
        truncated: whether there are more errors than `errors` contains.
    """

    def __init__(self, text: str, response: RawResponse) -> None:
        super().__init__(text, response)
        self.truncated = response.json().get("truncated") is True


class NotFoundError(ResponseError):
    """No spec has this id (section 4.3)."""


class UnavailableError(ResponseError):
    """503 or 429: the service cannot do it now, and every retry failed.

    Attributes:
        retry_after: the seconds of ``Retry-After``, or None.
    """

    def __init__(self, text: str, response: RawResponse) -> None:
        super().__init__(text, response)
        delay = response.headers.get("retry-after", "").strip()
        is_number = delay.isascii() and delay.isdecimal() and len(delay) <= _MAX_DIGITS
        self.retry_after = float(delay) if is_number else None


class UnexpectedResponseError(ResponseError):
    """The response is not one of a RUI service: another program or a proxy has sent it."""


def validation(response: RawResponse, url: str) -> Validation:
    """The result in a response with status 200 or 400.

    Raises:
        ResponseError: the body is not such a result.
    """
    body = response.json()
    rui = body.get("normalizedRui")
    errors = _errors(body)
    if response.status == 200 and body.get("valid") is True and isinstance(rui, dict):
        return Validation(True, (), False, rui)
    if _is_invalid(response, body, errors):
        return Validation(False, errors, body.get("truncated") is True, None)
    raise failure(response, url)


def saved_spec(response: RawResponse, url: str) -> SavedSpec:
    """The stored spec in a response.

    Raises:
        InvalidRuiError: the RUI is invalid and was not stored.
        ResponseError: the body is not a stored spec.
    """
    body = response.json()
    # Callers open the page in a browser: other schemes would be a risk.
    is_page = _text(body, "viewUrl").startswith(("http://", "https://"))
    if response.status in {200, 201} and is_page and all(name in body for name in _SPEC_NAMES):
        return SavedSpec(*(body[name] for name in _SPEC_NAMES))
    errors = _errors(body)
    if _is_invalid(response, body, errors):
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        raise InvalidRuiError(f"the service refuses the RUI: {errors[0].message}{more}", response)
    raise failure(response, url)


def failure(response: RawResponse, url: str) -> ResponseError:
    """The exception for a response that is not the expected one."""
    body = response.json()
    status = response.status
    code = _text(body, "error")
    message = _text(body, "message")
    details = f": {message}" if message else ""
    if status in UNAVAILABLE_STATUSES:
        return UnavailableError(f"{url} is not available now{details}", response)
    if 300 <= status < 400 and "location" in response.headers:
        target = redact_all_userinfo(response.headers["location"])
        text = f"{url} redirects to {target!r:.300}; use the address of the service itself"
        return UnexpectedResponseError(text, response)
    if code in {NOT_FOUND, GONE} and "specId" in body:
        text = f"{url} has no spec {body['specId']!s:.80}"
        if code == GONE:
            text += " any more: its operator deleted it"
        return NotFoundError(text, response)
    if code:
        return ResponseError(f"{url} responds with {status} {code}{details}", response)
    if status in GATEWAY_STATUSES:
        text = f"{url} responds with {status}: a proxy there does not reach the service; try again when it runs"
        return UnexpectedResponseError(text, response)
    media_type = response.headers.get("content-type", "").partition(";")[0] or "a body without a type"
    text = f"{url} responds with {status} and {media_type!r:.80}: it is no RUI service; check the address"
    return UnexpectedResponseError(text, response)


def _is_invalid(response: RawResponse, body: Json, errors: tuple[ErrorItem, ...]) -> bool:
    return response.status in {200, 400} and body.get("valid") is False and bool(errors)


def _text(body: Json, name: str) -> str:
    value = body.get(name)
    return value if isinstance(value, str) else ""


def _errors(body: Json) -> tuple[ErrorItem, ...]:
    items = body.get("errors")
    if not isinstance(items, list):
        return ()
    return tuple(
        ErrorItem(*(str(item.get(name, "")) for name in ErrorItem._fields)) for item in items if isinstance(item, dict)
    )
