"""Exceptions of the client. Every message is one line that can be shown to a user."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rui_common.client.models import ErrorItem


class ServiceError(Exception):
    """A call has failed."""


class UnreachableError(ServiceError):
    """There was no complete response: connection refused, unknown host, broken connection.

    Attributes:
        sent: whether the service may have received the request. After a store, it is then unknown whether the
            document was stored.
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

    def __init__(
        self, text: str, status: int, body: bytes = b"", *, code: str = "", message: str = "",
        errors: tuple[ErrorItem, ...] = (),
    ) -> None:  # fmt: skip
        super().__init__(text)
        self.status = status
        self.body = body
        self.code = code
        self.message = message
        self.errors = errors


class InvalidRuiError(ResponseError):
    """The service does not store an invalid RUI (section 4.2); `errors` contains the reasons.

    Attributes:
        truncated: whether there are more errors than `errors` contains.
    """

    truncated = False


class NotFoundError(ResponseError):
    """No spec has this id (section 4.3)."""


class UnavailableError(ResponseError):
    """503 or 429: the service cannot do it now, and every retry failed.

    Attributes:
        retry_after: the seconds of ``Retry-After``, or None.
    """

    retry_after: float | None = None


class UnexpectedResponseError(ResponseError):
    """The response is not one of a RUI service: another program or a proxy has sent it."""
