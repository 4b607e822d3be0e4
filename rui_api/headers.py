"""Headers that every answer has: security, and who may read it (docs/decisions.md, section 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from litestar.types import Message, Scope

    Header = tuple[bytes, bytes]
    Hook = Callable[[Message, Scope], Awaitable[None]]

SECURITY: tuple[Header, ...] = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)
CONTENT_SECURITY_POLICY: Header = (
    b"content-security-policy",
    b"default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; "
    b"frame-ancestors 'none'",
)
EXPOSED: Header = (b"access-control-expose-headers", b"Location, ETag, Retry-After")
PREFLIGHT: tuple[Header, ...] = (
    (b"access-control-allow-methods", b"GET, HEAD, POST"),
    (b"access-control-allow-headers", b"*"),
    (b"access-control-max-age", b"86400"),
)
ANYONE: Header = (b"access-control-allow-origin", b"*")


def headers_hook(allowed_origins: Sequence[str]) -> Hook:
    """A hook that adds them as answers are sent, those of Litestar itself too.

    Args:
        allowed_origins: the origins whose pages may read the answers; ``*`` means all.
    """
    anyone = "*" in allowed_origins
    allowed = {origin.encode() for origin in allowed_origins}

    async def add_headers(message: Message, scope: Scope) -> None:
        if message["type"] != "http.response.start":
            return
        headers = [*message["headers"], *SECURITY]
        if any(name == b"content-type" and value.startswith(b"text/html") for name, value in message["headers"]):
            headers.append(CONTENT_SECURITY_POLICY)
        origin = _header(scope["headers"], b"origin")
        if anyone:
            headers += (ANYONE, EXPOSED)
        else:
            headers.append((b"vary", b"Origin"))
            if origin in allowed:
                headers += ((b"access-control-allow-origin", origin), EXPOSED)
        if scope.get("method") == "OPTIONS" and (anyone or origin in allowed):
            headers += PREFLIGHT
        message["headers"] = headers

    return add_headers


def _header(headers: Iterable[Header], wanted: bytes) -> bytes:
    return next((value for name, value in headers if name == wanted), b"")
