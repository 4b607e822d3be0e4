"""What a form of our own pages sends: a document and what is to be done with it.

A form sends more bytes than the document has: its boundaries, and a carriage return at the end of every line. So the
limit of the contract is held against the document, and the body may have twice that and some room.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from multipart import MultipartError, MultipartSegment, PushMultipartParser

from rui_api.http.negotiation import parse_media_type
from rui_api.http.request_body import InvalidBody
from rui_common.vocabulary.rules import MAX_BODY_BYTES

if TYPE_CHECKING:
    from litestar.types import HTTPScope, Receive

MULTIPART = "multipart/form-data"
URL_ENCODED = "application/x-www-form-urlencoded"
MAX_FORM_BYTES = 3 * MAX_BODY_BYTES + 16_384
"""Three bytes for each is what the URL encoding makes of most of JSON."""
MAX_FIELDS = 8
TOO_LONG = f"The form is longer than {MAX_FORM_BYTES:,} bytes; a document may have {MAX_BODY_BYTES:,} (256 KB)."


@dataclass(frozen=True)
class Form:
    """What was sent.

    Attributes:
        rui: the document, from the box or from a file; a file wins.
        action: what is to be done with it, or "".
        is_form: whether a form sent it, and not the script of the page.
    """

    rui: bytes
    action: str
    is_form: bool


async def read_form(scope: HTTPScope, receive: Receive) -> Form:
    """Read the body of a request that a form or the script of the front page has sent.

    Raises:
        InvalidBody: it is too long, incomplete, or neither JSON nor a form; `why` says so in a sentence.
    """
    given = next((value for name, value in scope["headers"] if name == b"content-type"), b"").decode("latin-1")
    media_type, parameters = parse_media_type(given) or ("", [])
    announced = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    if int(announced[:20]) > MAX_FORM_BYTES:
        raise InvalidBody(TOO_LONG, unread=True)
    body = await _read(receive)
    if media_type == "application/json":
        return Form(_limited(body), "check", is_form=False)
    if media_type == MULTIPART:
        fields = _multipart(body, dict(parameters).get("boundary", ""))
    elif media_type == URL_ENCODED:
        fields = _url_encoded(body)
    else:
        raise InvalidBody("Send a form, or the document itself as application/json.")
    # Browsers end lines with CRLF in forms, whatever the text had; and a file that was not chosen is empty.
    rui = fields.get("file") or fields.get("rui", b"").replace(b"\r\n", b"\n")
    return Form(_limited(rui), fields.get("do", b"").decode("utf-8", "replace"), is_form=True)


def _limited(rui: bytes) -> bytes:
    if len(rui) > MAX_BODY_BYTES:
        raise InvalidBody(f"The document has {len(rui):,} bytes; the limit is {MAX_BODY_BYTES:,} (256 KB).")
    return rui


async def _read(receive: Receive) -> bytes:
    """The whole body; how long it may take is the business of the protocol."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":  # the client is gone; nobody will read the answer
            raise InvalidBody("The form is incomplete.", unread=True)
        body += message["body"]
        if len(body) > MAX_FORM_BYTES:
            raise InvalidBody(TOO_LONG, unread=True)
        if not message.get("more_body"):
            return bytes(body)


def _multipart(body: bytes, boundary: str) -> dict[str, bytes]:
    fields: dict[str, bytes] = {}
    name = ""
    try:
        with PushMultipartParser(boundary, max_segment_count=MAX_FIELDS, content_length=len(body)) as parser:
            for part in (*parser.parse(body), *parser.parse(b"")):
                if isinstance(part, MultipartSegment):
                    name = part.name
                    fields[name] = b""
                elif part is not None:
                    fields[name] += bytes(part)
    except (MultipartError, ValueError):
        raise InvalidBody("The form cannot be read: its parts are not as multipart/form-data has them.") from None
    return fields


def _url_encoded(body: bytes) -> dict[str, bytes]:
    try:
        found = parse_qs(body.decode("ascii"), keep_blank_values=True, max_num_fields=MAX_FIELDS, encoding="latin-1")
    except ValueError:
        raise InvalidBody("The form cannot be read: it is not URL-encoded.") from None
    return {name: values[-1].encode("latin-1") for name, values in found.items()}
