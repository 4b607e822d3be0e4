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
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    b"base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
)
PAGES: tuple[Header, ...] = (
    CONTENT_SECURITY_POLICY,
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)
"""What pages have besides, against other pages that would open or frame them."""

EXPOSED: Header = (b"access-control-expose-headers", b"Location, ETag, Retry-After, X-Request-ID")
PREFLIGHT: tuple[Header, ...] = (
    (b"access-control-allow-methods", b"GET, HEAD, POST"),
    (b"access-control-allow-headers", b"*"),
    (b"access-control-max-age", b"86400"),
)
METRICS = "/metrics"
ANYONE: Header = (b"access-control-allow-origin", b"*")


class CommonHeaders:
    """The headers that depend on the request alone.

    Args:
        allowed_origins: the origins whose pages may read the answers; ``*`` means all.
    """

    def __init__(self, allowed_origins: Sequence[str]) -> None:
        self._anyone = "*" in allowed_origins
        self._allowed = {origin.encode() for origin in allowed_origins}
        self._for_anyone = (*SECURITY, ANYONE, EXPOSED)
        self._for_none = (*SECURITY, (b"vary", b"Origin"))
        self._lines_for_anyone = lines_of(self._for_anyone)

    def of(self, request: Iterable[Header]) -> tuple[Header, ...]:
        """Those of an answer to a request that has these headers."""
        if self._anyone:
            return self._for_anyone
        origin = self._allowed_origin(request)
        if origin is None:
            return self._for_none
        return (*self._for_none, (b"access-control-allow-origin", origin), EXPOSED)

    def lines_of(self, request: Iterable[Header]) -> bytes:
        """The same as they go over the wire."""
        if self._anyone:
            return self._lines_for_anyone
        return lines_of(self.of(request))

    def of_options(self, request: Iterable[Header]) -> tuple[Header, ...]:
        """What an answer to OPTIONS has besides: what a page of that origin may ask for."""
        return PREFLIGHT if self._anyone or self._allowed_origin(request) is not None else ()

    def _allowed_origin(self, request: Iterable[Header]) -> bytes | None:
        return next((value for name, value in request if name == b"origin" and value in self._allowed), None)


def lines_of(headers: Iterable[Header]) -> bytes:
    """Headers as they go over the wire."""
    return b"".join([b"%b: %b\r\n" % header for header in headers])


def headers_hook(allowed_origins: Sequence[str]) -> Hook:
    """A hook that adds them as answers are sent, those of Litestar itself too."""
    common = CommonHeaders(allowed_origins)

    async def add_headers(message: Message, scope: Scope) -> None:
        if message["type"] != "http.response.start":
            return
        is_public = scope.get("path") != METRICS  # those numbers are for the operator, and no web page
        headers = [*message["headers"], *(common.of(scope["headers"]) if is_public else SECURITY)]
        if any(name == b"content-type" and value.startswith(b"text/html") for name, value in message["headers"]):
            headers += PAGES
        if scope.get("method") == "OPTIONS" and is_public:
            headers += common.of_options(scope["headers"])
        message["headers"] = headers

    return add_headers
