"""What can go wrong with a call to the service. Every message is one line that can be shown to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rui_common.client.models import ErrorItem


class ServiceError(Exception):
    """A call has failed."""


class UnreachableError(ServiceError):
    """There was no whole answer: nobody listens, the name is unknown, the connection broke.

    Attributes:
        sent: whether the service may have had the request all the same. Of a store that was sent nobody knows
            whether it was stored.
        may_pass: whether the same call may go well a moment later.
    """

    def __init__(self, message: str, *, sent: bool, may_pass: bool = True) -> None:
        super().__init__(message)
        self.sent = sent
        self.may_pass = may_pass


class ServiceTimeoutError(UnreachableError):
    """The service did not answer in time."""


class ResponseError(ServiceError):
    """The service has answered, but not with what was asked for.

    Attributes:
        status: the HTTP status.
        code: the error code of the body, such as ``STORAGE_UNAVAILABLE`` (section 7.4), or ``""``.
        message: what the service says about it, or ``""``.
        errors: ``errors[]`` of the body (section 2.5); empty unless the RUI is invalid.
        body: the answer's body as it came.
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
    """The service does not store an invalid RUI (section 4.2); `errors` says what is wrong with it.

    Attributes:
        truncated: whether more is wrong than `errors` says.
    """

    truncated = False


class NotFoundError(ResponseError):
    """No spec has this id (section 4.3)."""


class UnavailableError(ResponseError):
    """503: the service cannot do it now, and every retry was in vain.

    Attributes:
        retry_after: the seconds that the service asked to be left alone for, or None.
    """

    retry_after: float | None = None


class UnexpectedResponseError(ResponseError):
    """The answer is none that a RUI service gives: another program listens there, or one in between answers."""
