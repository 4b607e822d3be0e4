"""Responses: their JSON (specification, sections 2.4 and 4), entity tags, caching, and the security headers."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256

import msgspec
from litestar import Response

from rui_api.contract.endpoints import API_PREFIX, JSON
from rui_api.http.requests import HttpRequest
from rui_api.store.base import StoredSpec
from rui_common.problems.finding import Finding
from rui_common.validation.answers import error_items
from rui_common.version import RUI_VERSION
from rui_common.vocabulary.rules import MAX_ERRORS

CODES = "rui.codes"  # key of the error codes of a response in the state of its ASGI scope, for the log
STORED = "rui.stored"  # key of the fields of the log about the spec that the request stored
REVALIDATE = "no-cache"  # Cache-Control: a cache asks the service before each use
NO_STORE = {"cache-control": "no-store"}
"""Headers of errors and of the state of the service. Caches may keep 404 and 410 unless a response forbids it."""
IMMUTABLE = "public, max-age=31536000, immutable"  # Cache-Control of a URL that has the hash of its content

SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # with no-referrer, own forms would have the Origin null
}
"""Headers of every response."""
PAGE_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "x-frame-options": "DENY",
}
"""Additional headers of HTML pages."""

_VERSIONS = {"validationVersion": RUI_VERSION, "registryVersion": RUI_VERSION}
_encode = msgspec.json.Encoder().encode


def to_json(value: object) -> bytes:
    """Encode a JSON value in its most compact form, in UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


Further = Mapping[str, object]
"""The last fields of a response, of warnings and of fixes, if the client asked for them."""
NOTHING: Further = {}


def valid(rui: bytes, further: Further) -> bytes:
    """Return the verdict on a valid RUI, whose normal form is `rui`."""
    return _encode({"valid": True, **_VERSIONS, "normalizedRui": msgspec.Raw(rui), **further})


def invalid(findings: Sequence[Finding], further: Further) -> tuple[bytes, list[str]]:
    """Return the verdict on an invalid RUI, with its first errors (docs/decisions.md, section 3), and their codes."""
    errors = error_items(findings[:MAX_ERRORS])
    verdict = {"valid": False, **_VERSIONS, "errors": errors, "truncated": len(findings) > MAX_ERRORS, **further}
    return _encode(verdict), [error["code"] for error in errors]


def saved_spec(spec: StoredSpec, base_url: str, further: Further = NOTHING) -> bytes:
    """Return the JSON of a stored spec (section 2.4); the stored bytes of the RUI are copied."""
    fields = {
        "specId": spec.spec_id,
        "url": f"{base_url}/api/specs/{spec.spec_id}",
        "viewUrl": f"{base_url}/specs/{spec.spec_id}",
        "createdAt": spec.created_at,
        "contentHash": spec.content_hash,
        "validationVersion": spec.validation_version,
        "registryVersion": spec.registry_version,
        "normalizedRui": msgspec.Raw(spec.rui),
    }
    return _encode({**fields, **further})


def entity_tag(content: bytes) -> str:
    """Return a strong entity tag (RFC 9110, section 8.8.3), with quotes."""
    return f'"{sha256(content).hexdigest()[:32]}"'


def conditional(
    request: HttpRequest,
    content: bytes,
    cache_control: str,
    media_type: str = JSON,
    headers: Mapping[str, str] | None = None,
) -> Response[bytes]:
    """Return a response with an entity tag, or 304 if If-None-Match has it (RFC 9110, section 13.1.2).

    Outside of the API the tag is weak, because Litestar compresses the response.
    """
    etag = entity_tag(content)
    known = ",".join(request.headers.getall("if-none-match", []))
    is_known = known.strip() == "*" or etag in [tag.strip().removeprefix("W/") for tag in known.split(",")]
    if not request.scope["path"].startswith(API_PREFIX):
        etag = f"W/{etag}"
    headers = {**(headers or {}), "etag": etag, "cache-control": cache_control}
    if is_known:
        return Response(b"", status_code=304, headers=headers)
    # Litestar adds the charset.
    return Response(content, media_type=media_type.partition(";")[0], headers=headers)
