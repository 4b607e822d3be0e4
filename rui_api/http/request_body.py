"""Reading the body of a request: rule R0 (specification, section 4.1; docs/decisions.md, section 4)."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from litestar.types import Receive, Scope

from rui_api.http.negotiation import JSON, is_json
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import root_fault, where_broken
from rui_common.vocabulary.rules import MAX_BODY_BYTES

JSON_TYPE = JSON.encode()
MAX_QUOTED = 60
"""Characters of a header value in a hint."""


DISCARD_SECONDS = 1.0
MAX_DISCARDED = 4 << 20
"""Bytes of a body above its limit that are received. The connection is closed after the response."""


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
    raw_headers = [*scope["headers"]]
    headers = dict(raw_headers)
    length = headers.get(b"content-length", b"")
    if length.isdigit() and int(length[:20]) > MAX_BODY_BYTES:
        if b"expect" not in headers:  # the client waits for 100 Continue before it sends the body
            await _discard(receive)
        message = f"The body has {length[:20].decode()} bytes; the limit is {MAX_BODY_BYTES}."
        raise InvalidBody(message, is_incomplete=True)
    body = await receive_body(receive, MAX_BODY_BYTES, f"The body is longer than {MAX_BODY_BYTES} bytes.")
    # Most requests have these headers: comparing them is cheaper than parsing.
    has_duplicates = len(headers) < len(raw_headers)
    if has_duplicates or headers.get(b"content-type") != JSON_TYPE or b"content-encoding" in headers:
        _validate_headers(scope)
    if not body:
        raise InvalidBody("The body is empty.")
    return body


def read_rui(body: bytes) -> dict[str, object]:
    """Return the root object of a body.

    Raises:
        InvalidBody: the body is not valid JSON, or its root is not an object.
    """
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
        if message["type"] != "http.request":  # the client has sent the end of its data, or the body timeout has passed
            raise InvalidBody("The body is not complete: it was cut off, or took too long.", is_incomplete=True)
        chunk = message["body"]
        if len(body) + len(chunk) > max_bytes:
            if message.get("more_body"):
                await _discard(receive)
            raise InvalidBody(too_long, is_incomplete=True)
        if not message.get("more_body"):
            return bytes(body + chunk) if body else chunk
        body += chunk


async def _discard(receive: Receive) -> None:
    """Receive more of a body, for a short time: a client that is still sending may not read the response."""
    size = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(DISCARD_SECONDS):
            while size < MAX_DISCARDED:
                message = await receive()
                if message["type"] != "http.request" or not message.get("more_body"):
                    return
                size += len(message["body"])


def _validate_headers(scope: Scope) -> None:
    types = [value for name, value in scope["headers"] if name == b"content-type"]
    if not types:
        raise InvalidBody("The request has no Content-Type.")
    if len(types) > 1 or not is_json(types[0].decode("latin-1")):
        raise InvalidBody(f"The Content-Type was {_quote(b', '.join(types))}.")
    codings = b", ".join(value for name, value in scope["headers"] if name == b"content-encoding")
    if any(coding.strip().lower() not in (b"", b"identity") for coding in codings.split(b",")):
        raise InvalidBody(f"The Content-Encoding was {_quote(codings)}; send the body as it is.")


def _quote(value: bytes) -> str:
    """Return a header value for a hint: printable, and of limited length."""
    text = "".join(character if character.isprintable() else "�" for character in value.decode("latin-1"))
    if len(text) > MAX_QUOTED:
        return text[: MAX_QUOTED - 1] + "…"
    return text
