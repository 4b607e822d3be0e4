"""R0: reading the raw body of a request and judging it (specification, section 4.1; docs/decisions.md, section 4)."""

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

PLAINLY_JSON = [JSON.encode()]
"""The Content-Type that nearly all requests have."""


class InvalidBody(Exception):  # noqa: N818  it is no error of ours
    """A body that no RUI can be read from.

    Attributes:
        why: what is wrong, as sentences for the hint.
        unread: whether a part of the body was not read, so that the connection has to be closed.
    """

    def __init__(self, why: str, *, unread: bool = False) -> None:
        super().__init__(why)
        self.why = why
        self.unread = unread


async def read_body(scope: Scope, receive: Receive) -> bytes:
    """The body of a request, sent as JSON and not empty; whether it is JSON nobody has asked yet.

    Raises:
        InvalidBody: it is too long, incomplete, not sent as JSON, or empty.
    """
    lengths: list[bytes] = []
    types: list[bytes] = []
    codings: list[bytes] = []
    for name, value in scope["headers"]:
        if name == b"content-length":
            lengths.append(value)
        elif name == b"content-type":
            types.append(value)
        elif name == b"content-encoding":
            codings.append(value)
    body = await _read(lengths, receive)
    record_received(scope, len(body))
    _judge_headers(types, codings)
    if not body:
        raise InvalidBody("The body is empty.")
    return body


def read_rui(body: bytes) -> dict[str, object]:
    """The root object in a body.

    Raises:
        InvalidBody: it is no JSON, or its root is no object.
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


async def _read(lengths: Sequence[bytes], receive: Receive) -> bytes:
    """The bytes of the body. Reading stops as soon as they are too many, also when they come in chunks."""
    announced = lengths[0].decode("latin-1") if lengths else ""
    if announced.isdecimal() and int(announced[:20]) > MAX_BODY_BYTES:
        raise InvalidBody(f"The body has {announced[:20]} bytes; the limit is {MAX_BODY_BYTES}.", unread=True)
    body = bytearray()
    while True:
        message = await receive()
        if (
            message["type"] != "http.request"
        ):  # the client is gone, or has had its time (`rui_api.server.http_protocol`)
            raise InvalidBody("The body was not complete in time.", unread=True)
        chunk = message["body"]
        if len(body) + len(chunk) > MAX_BODY_BYTES:
            raise InvalidBody(f"The body is longer than {MAX_BODY_BYTES} bytes.", unread=True)
        if not message.get("more_body"):
            return bytes(body + chunk) if body else chunk
        body += chunk


def _judge_headers(given: Sequence[bytes], codings: Sequence[bytes]) -> None:
    if not given:
        raise InvalidBody("The request has no Content-Type.")
    if given != PLAINLY_JSON and (len(given) > 1 or not is_json(given[0].decode("latin-1"))):
        raise InvalidBody(f"The Content-Type was {_shown(b', '.join(given))}.")
    if codings and any(coding.strip().lower() not in (b"", b"identity") for coding in b",".join(codings).split(b",")):
        raise InvalidBody(f"The Content-Encoding was {_shown(b', '.join(codings))}; send the body as it is.")


def _shown(value: bytes) -> str:
    """A header value for a hint: short, and printable whatever was sent."""
    text = "".join(character if character.isprintable() else "�" for character in value.decode("latin-1"))
    return text if len(text) <= 60 else text[:59] + "…"
