"""The error responses of the service. Handlers raise them, and `rui_api.routes.errors` sends them.

Codes and messages are in `rui_common.http_contract.errors`; statuses and the titles of error pages are here.
"""

from __future__ import annotations

from collections.abc import Mapping

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
TITLES = {
    400: "The request cannot be understood",
    403: "Another site sent this request",
    404: "There is no page at this address",
    405: "This page cannot be used like that",
    410: "This spec was deleted",
    500: "Something broke on our side",
    503: "The store does not answer",
}
"""The default title of error pages, by status."""


class ServiceError(Exception):
    """An error response. The code decides its status.

    Attributes:
        body: the JSON. With an id of a spec, it has that in place of a message (section 4.3).
        title: the title of its page, by default that of the status.
        cause: what the page says, by default the message.
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
        title: str = "",
    ) -> None:
        super().__init__(code)
        self.code = code
        self.status = STATUSES[code]
        self.headers = headers or {}
        self.title = title or TITLES[self.status]
        self.cause = message or ERROR_MESSAGES.get(code, "")
        self.body: dict[str, object] = {"error": code}
        if spec_id:
            self.body["specId"] = spec_id
        else:
            self.body["message"] = self.cause

    def as_page(self, cause: str, title: str = "") -> ServiceError:
        """Return this error, as a page for every client."""
        self.cause = cause
        self.title = title or self.title
        self.is_page = True
        return self


class InvalidBody(ServiceError):  # noqa: N818  an error of the client
    """400: the body contains no RUI (section 4.1), or no form. The hint contains `reason`."""

    def __init__(self, reason: str, *, is_incomplete: bool = False) -> None:
        # The connection is closed, because a part of the body was not read.
        code = RULES["R0"].code
        message, hint = MESSAGES[code]
        super().__init__(code, reason, headers={"connection": "close"} if is_incomplete else {})
        item = {"path": "", "code": code, "message": message, "hint": f"{hint} {reason}"}
        self.body = {"valid": False, "errors": [item]}


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
    return ServiceError(OVERLOADED, headers={"retry-after": str(OVERLOADED_RETRY_AFTER)}, title="The service is busy")
