"""Headers that every response has: security and CORS (docs/decisions.md, section 6).

Litestar's `CORSConfig` is not used: it omits `Vary: Origin` from responses to requests without an Origin, and does not
cover the responses of the protocol (`rui_api.server.protocol_errors`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable, Sequence

    from litestar.types import ASGIApp, Message, Receive, Scope, Send

    Header = tuple[bytes, bytes]

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
"""Additional headers of HTML pages; `rui_api.routes.html.page` sets them."""

VARY_ORIGIN: Header = (b"vary", b"Origin")
EXPOSED: Header = (b"access-control-expose-headers", b"Location, ETag, Retry-After, X-Request-ID")
PREFLIGHT: tuple[Header, ...] = (
    (b"access-control-allow-methods", b"GET, HEAD, POST"),
    (b"access-control-allow-headers", b"*"),
    (b"access-control-max-age", b"86400"),
)
METRICS = "/metrics"
ANYONE: Header = (b"access-control-allow-origin", b"*")


class CommonHeaders:
    """Computes the security and CORS headers of a response from the headers of the request.

    Args:
        allowed_origins: the origins whose pages may read responses; ``*`` means all.
    """

    def __init__(self, allowed_origins: Sequence[str]) -> None:
        self._allows_any = "*" in allowed_origins
        self._allowed = {origin.encode() for origin in allowed_origins}
        self._any_origin = (*SECURITY, ANYONE, EXPOSED)

    def for_request(self, request_headers: Iterable[Header]) -> tuple[Header, ...]:
        """Return the headers of every response to this request."""
        if self._allows_any:
            return self._any_origin
        origin = self._allowed_origin(request_headers)
        if origin is None:
            return (*SECURITY, VARY_ORIGIN)
        return (*SECURITY, VARY_ORIGIN, (b"access-control-allow-origin", origin), EXPOSED)

    def for_preflight(self, request_headers: Iterable[Header]) -> tuple[Header, ...]:
        """Return the additional headers of a response to OPTIONS."""
        if self._allows_any or self._allowed_origin(request_headers) is not None:
            return PREFLIGHT
        return ()

    def _allowed_origin(self, request_headers: Iterable[Header]) -> bytes | None:
        for name, value in request_headers:
            if name == b"origin" and value in self._allowed:
                return value
        return None


class ResponseHeadersMiddleware:
    """ASGI middleware that adds the common headers to every response, those of Litestar included.

    Args:
        app: the ASGI application.
        common: computes the headers.
    """

    def __init__(self, app: ASGIApp, common: CommonHeaders) -> None:
        self._app = app
        self._common = common

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""

        def send_with_headers(message: Message) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._headers(scope)]
            return send(message)

        await self._app(scope, receive, send_with_headers)

    def _headers(self, scope: Scope) -> tuple[Header, ...]:
        if scope["path"] == METRICS:  # for the operator only: no origin may read it
            return SECURITY
        headers = self._common.for_request(scope["headers"])
        if scope["method"] == "OPTIONS":  # type: ignore[typeddict-item]  # HTTP only
            headers += self._common.for_preflight(scope["headers"])
        return headers
