"""The error responses of the service. Handlers raise them, and `rui_api.routes.errors` sends them.

Codes and messages are in `rui_common.http_contract.errors`; statuses and the texts of error pages are here.
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

STATUSES = {
    RULES["R0"].code: 400,
    BAD_REQUEST: 400,
    INVALID_SPEC_ID: 400,
    FORBIDDEN: 403,
    NOT_FOUND: 404,
    METHOD_NOT_ALLOWED: 405,
    GONE: 410,
    INTERNAL_ERROR: 500,
    STORAGE_UNAVAILABLE: 503,
    OVERLOADED: 503,
}
STORE_RETRY_AFTER = 5
"""Seconds in the Retry-After header of a service without its store."""
OVERLOADED_RETRY_AFTER = 1
"""Seconds in the Retry-After header of an overloaded service."""


class ErrorText(NamedTuple):
    """The text of an error page: the error, what happened, and what the reader can do."""

    title: str
    cause: str
    action: str


ERROR_TEXTS = {
    400: ErrorText(
        "The request cannot be understood",
        "This request is not valid HTTP.",
        "Load the address again; if it was written by hand, check it.",
    ),
    403: ErrorText(
        "Another site sent this form",
        "The forms of this service accept what its own pages send.",
        "Copy the document into the text box of the front page.",
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
    """An error response. The code decides its status.

    Attributes:
        body: the JSON. With an id of a spec, it has that in place of a message (section 4.3).
        text: the text of its page, by default that of the status.
        is_page: whether it is a page for every client, not only for those that prefer HTML.
    """

    is_page = False

    def __init__(
        self,
        code: str,
        message: str = "",
        *,
        spec_id: str = "",
        headers: Mapping[str, str] | None = None,
        text: ErrorText | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.status = STATUSES[code]
        self.headers = headers or {}
        self.text = text or ERROR_TEXTS[self.status]
        self.body: dict[str, object] = {"error": code}
        if spec_id:
            self.body["specId"] = spec_id
        else:
            self.body["message"] = message or ERROR_MESSAGES.get(code)

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
        # The connection is closed, because a part of the body was not read.
        code = RULES["R0"].code
        message, hint = MESSAGES[code]
        super().__init__(code, headers={"connection": "close"} if is_incomplete else {})
        item = {"path": "", "code": code, "message": message, "hint": f"{hint} {reason}"}
        self.body = {"valid": False, "errors": [item]}
        self.reason = reason


def method_not_allowed(method: str, allowed: str) -> ServiceError:
    """405: the path has other methods; `allowed` is the value of the Allow header."""
    message = ERROR_MESSAGES[METHOD_NOT_ALLOWED].format(method=method)
    return ServiceError(METHOD_NOT_ALLOWED, message, headers={"allow": allowed})


def storage_unavailable(retry_after: int = STORE_RETRY_AFTER, *, is_full: bool = False) -> ServiceError:
    """503: the store does not respond or is full (sections 4.2 and 4.3); `retry_after` is in seconds."""
    message = STORE_FULL if is_full else ""
    return ServiceError(STORAGE_UNAVAILABLE, message, headers={"retry-after": str(retry_after)})


def overloaded() -> ServiceError:
    """503: the limit of requests is reached."""
    text = ErrorText(
        "The service is busy",
        "Others wait for as much as it can do at the moment.",
        "Load this page again in some seconds.",
    )
    return ServiceError(OVERLOADED, headers={"retry-after": str(OVERLOADED_RETRY_AFTER)}, text=text)
