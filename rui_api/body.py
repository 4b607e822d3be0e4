"""R0: reading the raw body of a request and judging it (specification, section 4.1; docs/decisions.md, section 4)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from rui_api.negotiation import is_json
from rui_common.catalog import MAX_BODY_BYTES
from rui_common.diagnostics import root_fault
from rui_common.document import read

if TYPE_CHECKING:
    from litestar import Request

    from rui_common.document import Document

BODY_TIMEOUT = 30.0
"""Seconds in which a whole body has to arrive."""


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


async def read_rui(request: Request[Any, Any, Any]) -> dict[str, object]:
    """The root object in the body of a request.

    Raises:
        InvalidBody: the body is too long, not sent as JSON, empty, no JSON, or its root is no object.
    """
    body = await _read(request)
    _judge_headers(request)
    if not body:
        raise InvalidBody("The body is empty.")
    document = read(body)
    if not document.valid:
        raise InvalidBody(_syntax_fault(document))
    if not isinstance(document.value, dict):
        raise InvalidBody(root_fault(document.value))
    return document.value


async def _read(request: Request[Any, Any, Any]) -> bytes:
    """The bytes of the body. Reading stops as soon as they are too many, also when they come in chunks."""
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:20]) > MAX_BODY_BYTES:
        raise InvalidBody(f"The body has {announced[:20]} bytes; the limit is {MAX_BODY_BYTES}.", unread=True)
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_TIMEOUT):
            while True:
                message = await request.receive()
                if message["type"] != "http.request":  # the client is gone; nobody will read the answer
                    raise InvalidBody("The body is incomplete.", unread=True)
                body += message["body"]
                if len(body) > MAX_BODY_BYTES:
                    raise InvalidBody(f"The body is longer than {MAX_BODY_BYTES} bytes.", unread=True)
                if not message.get("more_body"):
                    return bytes(body)
    except TimeoutError:
        raise InvalidBody(f"The body was not complete within {BODY_TIMEOUT:.0f} seconds.", unread=True) from None


def _judge_headers(request: Request[Any, Any, Any]) -> None:
    given = request.headers.getall("content-type", [])
    if not given:
        raise InvalidBody("The request has no Content-Type.")
    if len(given) > 1 or not is_json(given[0]):
        raise InvalidBody(f"The Content-Type was {_shown(', '.join(given))}.")
    codings = ", ".join(request.headers.getall("content-encoding", []))
    if any(coding.strip().lower() not in ("", "identity") for coding in codings.split(",")):
        raise InvalidBody(f"The Content-Encoding was {_shown(codings)}; send the body as it is.")


def _syntax_fault(document: Document) -> str:
    fault = document.syntax[0]
    line, column = document.lines.position(fault.span.start, "utf-32")
    return f"Line {line + 1}, column {column + 1}: {_sentence(fault.message)} {_sentence(fault.hint)}".rstrip()


def _sentence(text: str) -> str:
    return text if not text or text[-1] in ".!?" else text + "."


def _shown(value: str) -> str:
    """A header value for a hint: short, and printable whatever was sent."""
    text = "".join(character if character.isprintable() else "�" for character in value)
    return text if len(text) <= 60 else text[:59] + "…"
