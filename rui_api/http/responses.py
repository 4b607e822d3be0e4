"""Responses of the API, apart from errors: see `rui_api.http.error_responses` (specification, sections 2.4 and 4)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from litestar.types import Receive, Scope, Send

from rui_api.http.negotiation import JSON
from rui_api.http.request_record import record_codes
from rui_api.store.base import StoredSpec
from rui_common.validation.validator import validate
from rui_common.validation.wording import error_items
from rui_common.vocabulary.rui_0_1 import VERSION
from rui_common.vocabulary.rules import MAX_ERRORS

VERSIONS = {"validationVersion": VERSION, "registryVersion": VERSION}


class Response:
    """A response with a complete body, as an ASGI application. HEAD requests get the headers only.

    Attributes:
        status: the HTTP status.
        content: the body.
        headers: headers besides Content-Type and Content-Length, with names in lower case.
        codes: the error codes in the body, for log, metrics and traces.
    """

    __slots__ = ("_media_type", "codes", "content", "headers", "status")

    def __init__(
        self,
        content: bytes = b"",
        *,
        status: int = 200,
        media_type: str = JSON,
        headers: Mapping[str, str] | None = None,
        codes: Sequence[str] = (),
    ) -> None:
        self.status = status
        self.codes = codes
        self.content = content
        self.headers = headers or {}
        self._media_type = media_type

    @property
    def raw_headers(self) -> list[tuple[bytes, bytes]]:
        """All headers in the form that ASGI requires."""
        headers = [(name.encode(), value.encode()) for name, value in self.headers.items()]
        if self.status != 304:
            headers.append((b"content-type", self._media_type.encode()))
            headers.append((b"content-length", b"%d" % len(self.content)))
        return headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  ASGI's signature
        """Send the response."""
        if self.codes:
            record_codes(scope, self.codes)
        body = b"" if scope["method"] == "HEAD" else self.content  # type: ignore[typeddict-item]  # HTTP only
        await send({"type": "http.response.start", "status": self.status, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def to_asgi_response(self, **_: object) -> Response:
        """Return this object: Litestar calls this method on the results of exception handlers."""
        return self


_encode = msgspec.json.Encoder().encode


def to_json(value: object) -> bytes:
    """Encode a JSON value in its most compact form, in UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


_Valid = msgspec.defstruct(
    "Valid",
    [*((name, Any, value) for name, value in {"valid": True, **VERSIONS}.items()), ("normalizedRui", Any)],
    kw_only=True,
    gc=False,
)


def valid(rui: object) -> Response:
    """200: the RUI is valid. `rui` is a value that msgspec encodes as the normal form."""
    return Response(_encode(_Valid(normalizedRui=rui)))


def invalid(value: dict[str, object]) -> Response | None:
    """200: the RUI is invalid, with its first errors; None if it is valid (docs/decisions.md, section 3)."""
    findings = validate(value, limit=MAX_ERRORS + 1)
    if not findings:
        return None
    errors = error_items(findings[:MAX_ERRORS])
    truncated = len(findings) > MAX_ERRORS
    codes = [error["code"] for error in errors]
    return Response(_encode({"valid": False, **VERSIONS, "errors": errors, "truncated": truncated}), codes=codes)


class SavedSpec(NamedTuple):
    """The JSON of a stored spec (section 2.4).

    Attributes:
        content: all of it.
        head: everything before the RUI, which determines the RUI: it contains the id.
    """

    content: bytes
    head: bytes


def saved_spec(spec: StoredSpec, base_url: str) -> SavedSpec:
    """Encode a stored spec; the stored bytes of the RUI are copied."""
    fields = {
        "specId": spec.spec_id,
        "url": f"{base_url}/api/specs/{spec.spec_id}",
        "viewUrl": f"{base_url}/specs/{spec.spec_id}",
        "createdAt": spec.created_at,
        "contentHash": spec.content_hash,
        "validationVersion": spec.validation_version,
        "registryVersion": spec.registry_version,
    }
    head = _encode(fields)  # ten times faster than `to_json`
    content = b"".join((head[:-1], b',"normalizedRui":', spec.rui, b"}"))
    return SavedSpec(content, head)
