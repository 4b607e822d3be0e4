"""Every body that the API answers, as bytes (specification, sections 2.4 and 4; docs/decisions.md, section 6)."""

from __future__ import annotations

import json
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from rui_api.http.negotiation import JSON
from rui_api.http.request_record import record_codes
from rui_common.http_contract.endpoints import FAULTS, INTERNAL_ERROR, INVALID_SPEC_ID, NOT_FOUND, STORAGE_UNAVAILABLE
from rui_common.validation.run import validate
from rui_common.vocabulary.rui_0_1 import VERSION
from rui_common.vocabulary.rules import MAX_ERRORS, MESSAGES, RULES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from litestar.types import HTTPScope, Receive, Send

    from rui_api.store.base import StoredSpec

VERSIONS = {"validationVersion": VERSION, "registryVersion": VERSION}


class Reply:
    """An answer whose bytes are ready, as an ASGI application. To HEAD it says all but the body.

    Attributes:
        status: the HTTP status.
        content: the body.
        codes: of the errors in it, for whoever watches the service.
    """

    __slots__ = ("_headers", "_media_type", "codes", "content", "status")

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
        self._media_type = media_type
        self._headers = headers or {}

    @property
    def _fields(self) -> dict[str, str]:
        own = {"content-type": self._media_type, "content-length": str(len(self.content))} if self.status != 304 else {}
        return {**own, **self._headers}

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """As ASGI wants them: names in lower case and values, as bytes."""
        return [(name.encode(), value.encode()) for name, value in self._fields.items()]

    @property
    def lines(self) -> bytes:
        """The same as they go over the wire."""
        return "".join([f"{name}: {value}\r\n" for name, value in self._fields.items()]).encode()

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:  # noqa: ARG002  ASGI's signature
        """Send it."""
        if self.codes:
            record_codes(scope, self.codes)
        head = scope["method"] == "HEAD"
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        await send({"type": "http.response.body", "body": b"" if head else self.content, "more_body": False})

    def to_asgi_response(self, **_: object) -> Reply:
        """Itself, for Litestar, which asks this of what its exception handlers answer."""
        return self


_encode = msgspec.json.Encoder().encode


def to_json(value: object) -> bytes:
    """A JSON value in its most compact form, in UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


_Valid = msgspec.defstruct(
    "Valid",
    [*((name, Any, value) for name, value in {"valid": True, **VERSIONS}.items()), ("normalizedRui", Any)],
    kw_only=True,
    gc=False,
)


def valid(rui: object) -> Reply:
    """200: the RUI is valid; `rui` is what msgspec writes as its normal form, at one go with the rest."""
    return Reply(_encode(_Valid(normalizedRui=rui)))


def invalid(value: dict[str, object]) -> Reply | None:
    """200: the RUI is invalid, with its first faults; None if it has none (docs/decisions.md, section 3)."""
    findings = list(islice(validate(value), MAX_ERRORS + 1))
    if not findings:
        return None
    errors = [finding.to_item() for finding in findings[:MAX_ERRORS]]
    truncated = len(findings) > MAX_ERRORS
    codes = [error["code"] for error in errors]
    return Reply(_encode({"valid": False, **VERSIONS, "errors": errors, "truncated": truncated}), codes=codes)


def transport_failure(why: str, *, close: bool) -> Reply:
    """400: no RUI could be read; `why` goes behind the hint's gist. `close` ends the connection."""
    code = RULES["R0"].code
    message, gist = MESSAGES[code]
    item = {"path": "", "code": code, "message": message, "hint": f"{gist} {why}"}
    headers = {"connection": "close"} if close else {}
    return Reply(to_json({"valid": False, "errors": [item]}), status=400, headers=headers, codes=[code])


def saved(spec: StoredSpec, base_url: str) -> tuple[bytes, str]:
    """The SavedSpec of section 2.4 up to the RUI in it, and its strong entity tag with quotes.

    The stored bytes go into it as they are. All the rest of it, the base URL too, makes the tag: with the id, that
    says which bytes they are.
    """
    head = {
        "specId": spec.spec_id,
        "url": f"{base_url}/api/specs/{spec.spec_id}",
        "viewUrl": f"{base_url}/specs/{spec.spec_id}",
        "createdAt": spec.created_at,
        "contentHash": spec.content_hash,
        "validationVersion": spec.validation_version,
        "registryVersion": spec.registry_version,
    }
    texts = _encode(head)  # as `to_json` has it, which takes ten times as long for these few
    return texts[:-1] + b',"normalizedRui":', f'"{sha256(texts).hexdigest()[:32]}"'


def with_rui(before: bytes, rui: bytes) -> bytes:
    """The whole of an answer that ends with a RUI."""
    return b"".join((before, rui, b"}"))


def fault(status: int, error: str, message: str, headers: Mapping[str, str] | None = None) -> Reply:
    """Any other fault: ``{error, message}``."""
    return Reply(to_json({"error": error, "message": message}), status=status, headers=headers, codes=[error])


def invalid_spec_id() -> Reply:
    """400: the id is no UUID (section 4.3)."""
    return fault(400, INVALID_SPEC_ID, FAULTS[INVALID_SPEC_ID])


def no_such_spec(spec_id: str) -> Reply:
    """404: no spec has this id (section 4.3)."""
    return Reply(to_json({"error": NOT_FOUND, "specId": spec_id}), status=404, codes=[NOT_FOUND])


def storage_unavailable(retry_after: int) -> Reply:
    """503: the store does not answer (sections 4.2 and 4.3); it may be asked again after so many seconds."""
    return fault(503, STORAGE_UNAVAILABLE, FAULTS[STORAGE_UNAVAILABLE], {"retry-after": str(retry_after)})


def internal_error() -> Reply:
    """500: the fault is ours; nothing is told about it but that."""
    return fault(500, INTERNAL_ERROR, FAULTS[INTERNAL_ERROR])
