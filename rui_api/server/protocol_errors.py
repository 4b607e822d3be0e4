"""Errors that the protocol finds before there is a request for the application; it sends the responses itself."""

from __future__ import annotations

import logging

from httptools import HttpParserError

from rui_api.http.error_responses import bad_request, internal_error, invalid_json
from rui_api.http.responses import Response
from rui_common.http_contract.errors import BAD_REQUEST, INTERNAL_ERROR, OVERLOADED
from rui_common.vocabulary.rules import MAX_BODY_BYTES

log = logging.getLogger("rui_api")

CODES = (BAD_REQUEST, OVERLOADED, INTERNAL_ERROR)
"""The error codes in responses of the protocol."""

HTTP_2 = "This service speaks HTTP/1.1, and HTTP/2 only through a proxy that translates it."
PARSER_MESSAGES = {
    "pri": HTTP_2,
    "upgrade": HTTP_2,
    "transfer-encoding": "A request has a Content-Length or a Transfer-Encoding, not both.",
    "content-length": "A request has at most one Content-Length, and it is a number of bytes.",
    "method": "The request line begins with the name of a method, such as GET or POST, and a blank.",
    "http version": "This service speaks HTTP/1.1.",
    "chunk": "A chunk of the body does not have the size in its first line.",
    "header": "A line of the request's head is not of the form `Name: value`.",
}
"""Words in an error of the HTTP parser → message of the response. The first match counts."""
BODY_TOO_LONG = f"The body has {2**64} bytes or more, according to its Content-Length; the limit is {MAX_BODY_BYTES}."
"""The reason for a Content-Length that the HTTP parser cannot represent."""


class ProtocolError(Exception):
    """A request that the application does not get. The connection is closed after the response.

    Attributes:
        response: the response.
    """

    def __init__(self, response: Response) -> None:
        super().__init__(response.codes)
        self.response = response


def invalid_request(message: str) -> ProtocolError:
    """Return the error for a request that is not valid HTTP, or not accepted by this service."""
    return ProtocolError(bad_request(message))


def from_parser_error(error: Exception) -> ProtocolError:
    """Return the error that one of our callbacks raised in the parser, or one for the parser's own error."""
    cause = error.__context__
    if isinstance(cause, ProtocolError):
        return cause
    if cause is not None and not isinstance(cause, HttpParserError):
        log.error("the HTTP parser failed", exc_info=cause)
        return ProtocolError(internal_error())
    words = str(error).lower()
    if "content-length overflow" in words:
        return ProtocolError(invalid_json(BODY_TOO_LONG, close=False))
    for part, message in PARSER_MESSAGES.items():
        if part in words:
            return invalid_request(message)
    return invalid_request("This is not a request of HTTP/1.1.")
