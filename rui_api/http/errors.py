"""Every error response of the service, one function each. Handlers raise them, and `rui_api.routes.errors` sends them.

Their texts are in `rui_common.http_contract.errors`; those of error pages are here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

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


class ErrorText(NamedTuple):
    """The text of an error page.

    Attributes:
        title: the error.
        cause: what happened.
        action: what the reader can do.
    """

    title: str
    cause: str
    action: str


ERROR_TEXTS = {
    400: ErrorText(
        "The request cannot be understood",
        "This request is not valid HTTP.",
        "Load the address again; if it was written by hand, check it.",
    ),
    404: ErrorText(
        "There is no page at this address",
        "No page of this service has this address.",
        "Check that it was copied whole. A spec is at /specs/ and its id.",
    ),
    405: ErrorText(
        "This page cannot be used like that",
        "The address is right, but it does not take this kind of request.",
        "Go to the front page, and from there.",
    ),
    410: ErrorText(
        "This spec was deleted",
        "The operator of this service deleted it.",
        "Ask the operator of this service for the reason. A document can be stored again, under a new address.",
    ),
    500: ErrorText(
        "Something broke on our side",
        "The service failed at this; the fault is not in your request.",
        "Load the page again. If that does not help, tell the operator of this service when it happened.",
    ),
    503: ErrorText(
        "The store does not answer",
        "What is stored cannot be read or added to at the moment.",
        "Load this page again in some seconds. Checking documents works meanwhile.",
    ),
}
"""The default text of error pages, by status."""


class ServiceError(Exception):
    """An error response.

    Attributes:
        status: the HTTP status.
        body: the JSON.
        code: the code in it.
        headers: further headers.
        text: the text of its page.
        is_page: whether it is a page for every client, not only for those that prefer HTML.
    """

    is_page = False

    def __init__(
        self,
        status: int,
        code: str,
        body: Mapping[str, object],
        headers: Mapping[str, str] | None = None,
        text: ErrorText | None = None,
    ) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.body = body
        self.headers = headers or {}
        self.text = text or ERROR_TEXTS[status]

    def as_page(self, text: ErrorText) -> ServiceError:
        """Return this error, as a page for every client."""
        self.text = text
        self.is_page = True
        return self


class InvalidBody(ServiceError):  # noqa: N818  an error of the client
    """400: the body contains no RUI (section 4.1), or no form.

    Attributes:
        reason: sentences for the hint.
    """

    def __init__(self, reason: str, *, is_incomplete: bool = False) -> None:
        """Describe the error.

        Args:
            reason: sentences for the hint.
            is_incomplete: whether a part of the body was not read, so that the connection has to be closed.
        """
        code = RULES["R0"].code
        message, hint = MESSAGES[code]
        item = {"path": "", "code": code, "message": message, "hint": f"{hint} {reason}"}
        headers = {"connection": "close"} if is_incomplete else {}
        super().__init__(400, code, {"valid": False, "errors": [item]}, headers)
        self.reason = reason


def bad_request(message: str = ERROR_MESSAGES[BAD_REQUEST], text: ErrorText | None = None) -> ServiceError:
    """400: the request is not valid HTTP, or has parameters that the endpoint does not accept."""
    return _error(400, BAD_REQUEST, message, text=text)


def invalid_spec_id() -> ServiceError:
    """400: the id is no UUID (section 4.3)."""
    return _error(400, INVALID_SPEC_ID, ERROR_MESSAGES[INVALID_SPEC_ID])


def forbidden(message: str = ERROR_MESSAGES[FORBIDDEN], text: ErrorText | None = None) -> ServiceError:
    """403: a page of another origin sent the request, and may not."""
    return _error(403, FORBIDDEN, message, text=text or ERROR_TEXTS[400])


def not_found(message: str = ERROR_MESSAGES[NOT_FOUND]) -> ServiceError:
    """404: no endpoint has this path, or a parameter names an unknown part of the vocabulary."""
    return _error(404, NOT_FOUND, message)


def spec_not_found(spec_id: str) -> ServiceError:
    """404: no spec has this id (section 4.3)."""
    return ServiceError(404, NOT_FOUND, {"error": NOT_FOUND, "specId": spec_id})


def method_not_allowed(method: str, allowed: str) -> ServiceError:
    """405: the path has other methods; `allowed` is the value of the Allow header."""
    message = ERROR_MESSAGES[METHOD_NOT_ALLOWED].format(method=method)
    return _error(405, METHOD_NOT_ALLOWED, message, {"allow": allowed})


def spec_deleted(spec_id: str) -> ServiceError:
    """410: the operator deleted the spec with this id."""
    return ServiceError(410, GONE, {"error": GONE, "specId": spec_id})


def internal_error() -> ServiceError:
    """500: the service failed. The cause is in the log, not in the response."""
    return _error(500, INTERNAL_ERROR, ERROR_MESSAGES[INTERNAL_ERROR])


def storage_unavailable(retry_after: int = STORE_RETRY_AFTER, *, is_full: bool = False) -> ServiceError:
    """503: the store does not respond or is full (sections 4.2 and 4.3); `retry_after` is in seconds."""
    message = STORE_FULL if is_full else ERROR_MESSAGES[STORAGE_UNAVAILABLE]
    return _error(503, STORAGE_UNAVAILABLE, message, {"retry-after": str(retry_after)})


def overloaded() -> ServiceError:
    """503: the limit of requests is reached."""
    text = ErrorText(
        "The service is busy",
        "Others wait for as much as it can do at the moment.",
        "Load this page again in some seconds.",
    )
    headers = {"retry-after": str(OVERLOADED_RETRY_AFTER)}
    return _error(503, OVERLOADED, ERROR_MESSAGES[OVERLOADED], headers, text)


def _error(
    status: int, code: str, message: str, headers: Mapping[str, str] | None = None, text: ErrorText | None = None
) -> ServiceError:
    return ServiceError(status, code, {"error": code, "message": message}, headers, text)
