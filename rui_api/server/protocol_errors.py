"""What the protocol answers itself, before there is a request that the application could be asked.

It says what the application would: `{error, message}`, with the headers that every answer has.
"""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import TYPE_CHECKING

from httptools import HttpParserError

from rui_api.http.error_responses import _error as fault
from rui_common.http_contract.endpoints import BAD_REQUEST, ERROR_MESSAGES, INTERNAL_ERROR, OVERLOADED

if TYPE_CHECKING:
    from collections.abc import Iterable

    Header = tuple[bytes, bytes]

log = logging.getLogger("rui_api")

CODES = (BAD_REQUEST, OVERLOADED, INTERNAL_ERROR)
"""What the protocol answers by itself."""
RETRY_AFTER = "1"
"""Seconds after which a client may ask a busy service again."""


REASONS = {
    "pri": "This service speaks HTTP/1.1, and HTTP/2 only through a proxy that translates it.",
    "upgrade": "This service speaks HTTP/1.1, and HTTP/2 only through a proxy that translates it.",
    "transfer-encoding": "A request says how long its body is by Content-Length or by Transfer-Encoding, not by both.",
    "content-length": "A request has at most one Content-Length, and it is a number of bytes.",
    "method": "The request line begins with the name of a method, such as GET or POST, and a blank.",
    "http version": "This service speaks HTTP/1.1.",
    "chunk": "A chunk of the body does not have the size that it says.",
    "header": "A line of the request's head is not of the form `Name: value`.",
}
"""What is said of a reason of the HTTP parser, by words in it; the first that fit count."""
NOT_HTTP = "This is not a request of HTTP/1.1."


class Refusal(Exception):  # noqa: N818  it is no error of ours
    """A request that gets no further.

    Attributes:
        status: the HTTP status.
        code: the code of `rui_common.http_contract.endpoints`.
        message: what is wrong, as a sentence.
    """

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message

    def to_http(self, common: Iterable[Header], *, head: bool) -> tuple[bytes, bytes]:
        """The head and the body of the answer, after which the connection is closed.

        Args:
            common: the headers that every answer has.
            head: whether the request is known to be a HEAD: then there is no body.
        """
        headers = {"retry-after": RETRY_AFTER} if self.status == HTTPStatus.SERVICE_UNAVAILABLE else None
        reply = fault(self.status, self.code, self.message, headers)
        lines = b"".join(b"%b: %b\r\n" % pair for pair in (*common, *reply.raw_headers))
        phrase = HTTPStatus(self.status).phrase.encode()
        said = b"HTTP/1.1 %d %b\r\n%bconnection: close\r\n\r\n" % (self.status, phrase, lines)
        return said, b"" if head else reply.content


def nonsense(message: str) -> Refusal:
    """400: this is not HTTP, or not as this service takes it."""
    return Refusal(400, BAD_REQUEST, message)


def overloaded() -> Refusal:
    """503: others have to be served first."""
    return Refusal(503, OVERLOADED, ERROR_MESSAGES[OVERLOADED])


def stopping() -> Refusal:
    """503: the service is being stopped, and most likely started again."""
    return Refusal(503, OVERLOADED, "The service is being stopped; try again soon.")


def failed() -> Refusal:
    """500: the fault is ours."""
    return Refusal(500, INTERNAL_ERROR, ERROR_MESSAGES[INTERNAL_ERROR])


def of_parser(error: Exception) -> Refusal:
    """Our own refusal, if that stopped the parser; else 400 with a sentence for what is wrong."""
    cause = error.__context__
    if isinstance(cause, Refusal):
        return cause
    if cause is not None and not isinstance(cause, HttpParserError):
        log.error("the HTTP parser failed", exc_info=cause)
        return failed()
    words = str(error).lower()
    return nonsense(next((sentence for part, sentence in REASONS.items() if part in words), NOT_HTTP))
