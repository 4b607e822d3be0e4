"""The error responses of the service. Handlers raise them, and `rui_api.routes.errors` sends them.

Codes and messages are in `rui_api.contract.errors`; statuses and titles of error pages are here.
"""

from __future__ import annotations

from collections.abc import Mapping

from rui_api.contract import errors as codes
from rui_common.vocabulary.rules import MESSAGES, RULES

UNCLEAR = "The request cannot be understood"
ERRORS = {
    RULES["R0"].code: (400, UNCLEAR),
    codes.BAD_REQUEST: (400, UNCLEAR),
    codes.INVALID_SPEC_ID: (400, UNCLEAR),
    codes.FORBIDDEN: (403, "Another site sent this request"),
    codes.NOT_FOUND: (404, "There is no page at this address"),
    codes.METHOD_NOT_ALLOWED: (405, "This page cannot be used like that"),
    codes.GONE: (410, "This spec was deleted"),
    codes.INTERNAL_ERROR: (500, "Something broke on our side"),
    codes.STORAGE_UNAVAILABLE: (503, "The store does not answer"),
    codes.OVERLOADED: (503, "The service is busy"),
}
"""Error code → its status, and the default title of its page."""
RETRY_AFTER = {codes.STORAGE_UNAVAILABLE: {"retry-after": "5"}, codes.OVERLOADED: {"retry-after": "1"}}
"""The headers of the errors that pass, in seconds."""


class ServiceError(Exception):
    """An error response. The code decides its status.

    Attributes:
        body: the JSON. With an id of a spec, it has that in place of a message (section 4.3).
        title: the title of its page, by default that of the code.
        cause: the text of its page, by default the message.
        is_page: whether it is a page for every client outside of the API, not only for those that prefer HTML.
    """

    def __init__(
        self,
        code: str,
        message: str = "",
        *,
        spec_id: str = "",
        headers: Mapping[str, str] | None = None,
        title: str = "",
        cause: str = "",
    ) -> None:
        super().__init__(code)
        self.code = code
        self.status, default_title = ERRORS[code]
        self.headers = headers or RETRY_AFTER.get(code, {})
        self.title = title or default_title
        message = message or codes.ERROR_MESSAGES.get(code, "")
        self.cause = cause or message
        self.is_page = bool(cause)
        self.body: dict[str, object] = {"error": code, "message": message}
        if spec_id:
            self.body = {"error": code, "specId": spec_id}


class InvalidBody(ServiceError):  # noqa: N818  an error of the client
    """400: the body contains no RUI (section 4.1), or no form. The hint contains `reason`."""

    def __init__(self, reason: str, *, is_incomplete: bool = False) -> None:
        # The connection is closed, because a part of the body was not read.
        code = RULES["R0"].code
        message, hint = MESSAGES[code]
        super().__init__(code, reason, headers={"connection": "close"} if is_incomplete else {})
        item = {"path": "", "code": code, "message": message, "hint": f"{hint} {reason}"}
        self.body = {"valid": False, "errors": [item]}


def overloaded() -> ServiceError:
    """503: too much work waits, or too many requests."""
    return ServiceError(codes.OVERLOADED)
