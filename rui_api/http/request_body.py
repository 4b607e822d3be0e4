"""Reading the body of a request: rule R0 (specification, section 4.1; docs/decisions.md, section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rui_api.decoding.json_values import decode_json
from rui_api.http.negotiation import JSON, is_json
from rui_api.http.request_record import record_received
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import root_fault, where_broken
from rui_common.vocabulary.rules import MAX_BODY_BYTES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litestar.types import Receive, Scope

COMMON_CONTENT_TYPE = [JSON.encode()]
"""The Content-Type lines of nearly all requests, which are not parsed."""
MAX_QUOTED = 60
"""Characters of a header value in a hint."""


class InvalidBody(Exception):  # noqa: N818  an error of the client
    """The body contains no RUI, or no form.

    Attributes:
        reason: sentences for the hint.
        is_incomplete: whether a part of the body was not read, so that the connection has to be closed.
    """

    def __init__(self, reason: str, *, is_incomplete: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_incomplete = is_incomplete


async def read_body(scope: Scope, receive: Receive) -> bytes:
    """Return the body of a request. Its headers are validated, its JSON is not.

    Raises:
        InvalidBody: the body is too long, incomplete or empty, or its headers do not describe plain JSON.
    """
    length = b""
    types: list[bytes] = []
    codings: list[bytes] = []
    for name, value in scope["headers"]:
        if name == b"content-length":
            length = value
        elif name == b"content-type":
            types.append(value)
        elif name == b"content-encoding":
            codings.append(value)
    if length.isdigit() and int(length[:20]) > MAX_BODY_BYTES:
        message = f"The body has {length[:20].decode()} bytes; the limit is {MAX_BODY_BYTES}."
        raise InvalidBody(message, is_incomplete=True)
    body = await receive_body(receive, MAX_BODY_BYTES, f"The body is longer than {MAX_BODY_BYTES} bytes.")
    record_received(scope, len(body))
    _validate_headers(types, codings)
    if not body:
        raise InvalidBody("The body is empty.")
    return body


def read_rui(body: bytes) -> dict[str, object]:
    """Return the root object of a body.

    Raises:
        InvalidBody: the body is not valid JSON, or its root is not an object.
    """
    value = decode_json(body)
    if isinstance(value, dict):
        return value
    document = read(body)
    if not document.valid:
        raise InvalidBody(where_broken(document))
    if not isinstance(document.value, dict):
        raise InvalidBody(root_fault(document.value))
    return document.value


async def receive_body(receive: Receive, max_bytes: int, too_long: str) -> bytes:
    """Receive a body, at most `max_bytes` of it.

    Raises:
        InvalidBody: the body is too long, with `too_long` as the reason, or incomplete.
    """
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":  # the client has disconnected, or the body timeout has passed
            raise InvalidBody("The body was not complete in time.", is_incomplete=True)
        chunk = message["body"]
        if len(body) + len(chunk) > max_bytes:
            raise InvalidBody(too_long, is_incomplete=True)
        if not message.get("more_body"):
            return bytes(body + chunk) if body else chunk
        body += chunk


def _validate_headers(types: Sequence[bytes], codings: Sequence[bytes]) -> None:
    if not types:
        raise InvalidBody("The request has no Content-Type.")
    if types != COMMON_CONTENT_TYPE and (len(types) > 1 or not is_json(types[0].decode("latin-1"))):
        raise InvalidBody(f"The Content-Type was {_quote(b', '.join(types))}.")
    if codings and any(coding.strip().lower() not in (b"", b"identity") for coding in b",".join(codings).split(b",")):
        raise InvalidBody(f"The Content-Encoding was {_quote(b', '.join(codings))}; send the body as it is.")


def _quote(value: bytes) -> str:
    """Return a header value for a hint: printable, and of limited length."""
    text = "".join(character if character.isprintable() else "�" for character in value.decode("latin-1"))
    if len(text) > MAX_QUOTED:
        return text[: MAX_QUOTED - 1] + "…"
    return text
