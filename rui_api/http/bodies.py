"""Bodies of requests: a RUI (specification, section 4.1; docs/decisions.md, section 4), or the form of a page."""

from collections.abc import Mapping
from io import BytesIO
from typing import NamedTuple
from urllib.parse import parse_qs

from multipart import MultipartError, MultipartParser

from rui_api.contract.endpoints import JSON
from rui_api.http.errors import InvalidBody
from rui_api.http.requests import HttpRequest
from rui_common.describe.unreadable import root_hint, where_broken
from rui_common.redact import escape_control
from rui_common.syntax.document import Document, read
from rui_common.texts import shorten
from rui_common.vocabulary.rules import MAX_BODY_BYTES

FORM = "multipart/form-data"
URL_ENCODED = "application/x-www-form-urlencoded"
MAX_FIELDS = 8


async def receive_body(request: HttpRequest) -> bytes:
    """Return the body of a request.

    `Request.body` keeps it in the scope, which an idle connection has until its next request.
    """
    return b"".join([part async for part in request.stream()])


async def read_body(request: HttpRequest) -> bytes:
    """Return the body of a request. Its headers are validated, its JSON is not.

    Raises:
        InvalidBody: the body is too long, incomplete or empty, or its headers do not describe plain JSON.
    """
    body = await receive_body(request)
    _validate_headers(request)
    if not body:
        raise InvalidBody("The body is empty.")
    return body


def read_rui(body: bytes) -> Document:
    """Return the document in a body. Raises `InvalidBody` if it is not valid JSON, or its root is not an object."""
    document = read(body)
    if not document.valid:
        raise InvalidBody(where_broken(document))
    if not isinstance(document.value, dict):
        raise InvalidBody(root_hint(document.value))
    return document


def _validate_headers(request: HttpRequest) -> None:
    types = request.headers.getall("content-type", [])
    if not types:
        raise InvalidBody("The request has no Content-Type.")
    if types != [JSON]:
        name, parameters = request.content_type
        if len(types) > 1 or name != JSON or parameters.get("charset", "utf-8").lower() != "utf-8":
            advice = " Write charset=utf-8, or none." if name == JSON and len(types) == 1 else ""
            raise InvalidBody(f"The Content-Type was {shorten(escape_control(', '.join(types)))}.{advice}")
    codings = ", ".join(request.headers.getall("content-encoding", []))
    if any(coding.strip().lower() not in ("", "identity") for coding in codings.split(",")):
        raise InvalidBody(f"The Content-Encoding was {shorten(escape_control(codings))}; send the body as it is.")


class Form(NamedTuple):
    """The form of the front page."""

    rui: bytes  # the document, from the file or else the text box
    box: str  # the text box, or ``""`` if it is not UTF-8
    action: str  # the value of the button, or ``""``


async def read_form(request: HttpRequest) -> Form:
    """Return the fields of a form.

    Litestar's `Request.form` keeps the last 1,024 URL-encoded bodies in memory, and refuses invalid UTF-8.

    Raises:
        InvalidBody: the body is too long, incomplete, or no form.
    """
    fields = _parse_form(await receive_body(request), *request.content_type)
    # Browsers send CRLF for every line end of a text box, and an empty file if none was chosen.
    box = fields.get("rui", b"").replace(b"\r\n", b"\n")
    rui = fields.get("file") or box
    if len(rui) > MAX_BODY_BYTES:
        raise InvalidBody(f"The document has {len(rui):,} bytes; the limit is {MAX_BODY_BYTES:,} (256 KB).")
    return Form(rui, decoded(box), fields.get("do", b"").decode("utf-8", "replace"))


def decoded(content: bytes, default: str = "") -> str:
    """Return bytes as text, or the default if they are not UTF-8."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return default


def _parse_form(body: bytes, media_type: str, parameters: Mapping[str, str]) -> dict[str, bytes]:
    """Return the fields of a form. Their charset does not matter: the document is bytes."""
    size = len(body)
    try:
        if media_type == FORM:
            stream, boundary = BytesIO(body), parameters.get("boundary", "")
            parts = MultipartParser(
                stream, boundary, size, part_limit=MAX_FIELDS, spool_limit=size, memory_limit=size + 1
            )
            return {part.name: part.raw for part in parts}
        if media_type == URL_ENCODED:
            # Latin-1 maps bytes to characters, and back.
            found = parse_qs(body.decode("ascii"), max_num_fields=MAX_FIELDS, encoding="latin-1")
            return {name: values[-1].encode("latin-1") for name, values in found.items()}
    except (MultipartError, ValueError):
        pass
    raise InvalidBody("The form cannot be read. Programs use POST /api/validate and POST /api/specs.")
