"""The form of the front page and of comparisons: a document, and an action for it.

A form is longer than its document: it has boundaries, and a carriage return at the end of every line. So the limit of
the contract applies to the document, and the body may be longer.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qs

from litestar.types import HTTPScope, Receive
from multipart import MultipartError, MultipartSegment, PushMultipartParser

from rui_api.http.negotiation import JSON, MediaType, parse_media_type
from rui_api.http.request_body import InvalidBody, receive_body
from rui_api.work_thread import WorkThread
from rui_common.vocabulary.rules import MAX_BODY_BYTES

MULTIPART = "multipart/form-data"
URL_ENCODED = "application/x-www-form-urlencoded"
MAX_FORM_BYTES = 3 * MAX_BODY_BYTES + 16_384
"""URL encoding takes three bytes for most characters of JSON."""
MAX_FIELDS = 8
TOO_LONG = f"The form is longer than {MAX_FORM_BYTES:,} bytes; a document may have {MAX_BODY_BYTES:,} (256 KB)."


@dataclass(frozen=True)
class Form:
    """The fields of the form.

    Attributes:
        rui: the document, from the text box or a file; the file has priority.
        action: the value of the button, or ``""``.
        is_form: whether it is a form, and not the JSON that the page's script sends.
    """

    rui: bytes
    action: str
    is_form: bool


async def read_form(scope: HTTPScope, receive: Receive, thread: WorkThread) -> Form:
    """Read the body of a request of a form, or of the script of the front page.

    Args:
        scope: the request.
        receive: receives its body.
        thread: parses large bodies, which takes up to 0.1 s.

    Raises:
        InvalidBody: the body is too long, incomplete, or neither JSON nor a form.
    """
    headers = dict(scope["headers"])
    media_type = parse_media_type(headers.get(b"content-type", b"").decode("latin-1")) or MediaType("", [])
    if int(headers.get(b"content-length", b"0")[:20]) > MAX_FORM_BYTES:
        raise InvalidBody(TOO_LONG, is_incomplete=True)
    body = await receive_body(receive, MAX_FORM_BYTES, TOO_LONG)
    if media_type.name == JSON:
        return Form(_checked_length(body), "check", is_form=False)
    if media_type.name == MULTIPART:
        boundary = dict(media_type.parameters).get("boundary", "")
        fields = await thread.run_if_large(lambda: _parse_multipart(body, boundary), len(body))
    elif media_type.name == URL_ENCODED:
        fields = await thread.run_if_large(lambda: _parse_url_encoded(body), len(body))
    else:
        raise InvalidBody("Send a form, or the document itself as application/json.")
    # Browsers send CRLF for every line end of a text box, and an empty file if none was chosen.
    rui = fields.get("file") or fields.get("rui", b"").replace(b"\r\n", b"\n")
    return Form(_checked_length(rui), fields.get("do", b"").decode("utf-8", "replace"), is_form=True)


def _checked_length(rui: bytes) -> bytes:
    if len(rui) > MAX_BODY_BYTES:
        raise InvalidBody(f"The document has {len(rui):,} bytes; the limit is {MAX_BODY_BYTES:,} (256 KB).")
    return rui


def _parse_multipart(body: bytes, boundary: str) -> dict[str, bytes]:
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


def _parse_url_encoded(body: bytes) -> dict[str, bytes]:
    try:
        fields = parse_qs(body.decode("ascii"), keep_blank_values=True, max_num_fields=MAX_FIELDS, encoding="latin-1")
    except ValueError:
        raise InvalidBody("The form cannot be read: it is not URL-encoded.") from None
    return {name: values[-1].encode("latin-1") for name, values in fields.items()}
