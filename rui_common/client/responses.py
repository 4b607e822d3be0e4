"""Bodies of the service → typed results, or the exceptions that they amount to (specification, sections 2.4 to 4)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rui_common.client.errors import (
    InvalidRuiError,
    NotFoundError,
    ResponseError,
    UnavailableError,
    UnexpectedResponseError,
)
from rui_common.client.models import ErrorItem, SavedSpec, Validation
from rui_common.http_contract.endpoints import NOT_FOUND
from rui_common.redact import redact_all_userinfo

if TYPE_CHECKING:
    from rui_common.client.models import RawResponse

    Json = dict[str, Any]

GATEWAY = (502, 504)
"""What proxies say when there is nobody behind them."""
_TEXTS = ("specId", "url", "viewUrl", "createdAt", "contentHash", "validationVersion", "registryVersion")


def json_object(answer: RawResponse) -> Json:
    """The object in a body; an empty one if there is none."""
    try:
        value = json.loads(answer.body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def validation(answer: RawResponse, url: str) -> Validation:
    """What an answer of 200 or 400 says of a RUI.

    Raises:
        ResponseError: it says nothing about one.
    """
    body = json_object(answer)
    valid, rui = body.get("valid"), body.get("normalizedRui")
    if answer.status not in {200, 400} or not isinstance(valid, bool) or (valid and not isinstance(rui, dict)):
        raise failure(answer, url)
    errors = () if valid else _errors(body)
    if not valid and not errors:
        raise failure(answer, url)
    return Validation(valid, errors, body.get("truncated") is True, rui if valid else None)


def saved_spec(answer: RawResponse, url: str) -> SavedSpec:
    """The spec in an answer.

    Raises:
        InvalidRuiError: the RUI is invalid, so that it was not stored.
        ResponseError: there is no spec in it.
    """
    body = json_object(answer)
    texts = [body.get(name) for name in _TEXTS]
    rui = body.get("normalizedRui")
    # Whoever has them opened in a browser relies on their being web addresses.
    is_web = all(str(body.get(name)).startswith(("http://", "https://")) for name in ("url", "viewUrl"))
    is_whole = is_web and all(isinstance(text, str) for text in texts)
    if answer.status in {200, 201} and is_whole and isinstance(rui, dict):
        spec_id, address, view_url, created_at, content_hash, rules, registry = map(str, texts)
        return SavedSpec(spec_id, address, view_url, created_at, content_hash, rules, registry, rui)
    errors = _errors(body)
    if answer.status in {200, 400} and body.get("valid") is False and errors:
        text = f"the service refuses the RUI: {errors[0].message}" + (
            f" (and {len(errors) - 1} more)" * (len(errors) > 1)
        )
        refused = InvalidRuiError(
            text, answer.status, answer.body, code=errors[0].code, message=errors[0].message, errors=errors
        )
        refused.truncated = body.get("truncated") is True
        raise refused
    raise failure(answer, url)


def failure(answer: RawResponse, url: str) -> ResponseError:
    """The exception that an answer amounts to which is not what was asked for."""
    body, status = json_object(answer), answer.status
    code, message = (found if isinstance(found := body.get(name), str) else "" for name in ("error", "message"))
    if status == 503:
        text = f"{url} is not available now" + (f": {message}" if message else "")
        unavailable = UnavailableError(text, status, answer.body, code=code, message=message)
        unavailable.retry_after = retry_after(answer)
        return unavailable
    if 300 <= status < 400 and "location" in answer.headers:
        there = redact_all_userinfo(answer.headers["location"])
        text = f"{url} redirects to {there!r:.300}; use the address of the service itself"
        return UnexpectedResponseError(text, status, answer.body)
    if status == 404 and code == NOT_FOUND and "specId" in body:
        return NotFoundError(f"{url} has no spec {body['specId']!s:.80}", status, answer.body, code=code)
    if code:
        text = f"{url} answers {status} {code}" + (f": {message}" if message else "")
        return ResponseError(text, status, answer.body, code=code, message=message)
    if status in GATEWAY:
        text = f"{url} answers {status}: a proxy there does not reach the service; try again when it runs"
        return UnexpectedResponseError(text, status, answer.body)
    media_type = answer.headers.get("content-type", "").partition(";")[0] or "a body without a type"
    return UnexpectedResponseError(
        f"{url} answers {status} with {media_type!r:.80}, which no RUI service does; is this its address?",
        status, answer.body,
    )  # fmt: skip


def retry_after(answer: RawResponse) -> float | None:
    """The seconds of a ``Retry-After``, which may also name a time; None without one."""
    text = answer.headers.get("retry-after", "").strip()
    if text.isascii() and text.isdecimal() and len(text) < 10:
        return float(text)
    if not text:
        return None
    from email.utils import parsedate_to_datetime  # noqa: PLC0415  seldom

    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - _now())
    except (ValueError, OverflowError, OSError):
        return None


def _now() -> float:
    import time  # noqa: PLC0415

    return time.time()


def _errors(body: Json) -> tuple[ErrorItem, ...]:
    items = body.get("errors")
    return tuple(
        ErrorItem(*(str(item.get(name, "")) for name in ("path", "code", "message", "hint")))
        for item in (items if isinstance(items, list) else ())
        if isinstance(item, dict)
    )
