"""Headers that every response has: security and CORS (docs/decisions.md, section 6).

Litestar's `CORSConfig` is not used: it omits `Vary: Origin` from responses to requests without an Origin, so that a
shared cache would pass them on to other origins.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from litestar.types import Scope

Header = tuple[bytes, bytes]

SECURITY: tuple[Header, ...] = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),  # with no-referrer, own forms would have the Origin null
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

VARY = b"vary"
VARY_ORIGIN: Header = (VARY, b"Origin")
EXPOSED: Header = (b"access-control-expose-headers", b"Location, ETag, Retry-After, X-Request-ID")
PREFLIGHT: tuple[Header, ...] = (
    (b"access-control-allow-methods", b"GET, HEAD, POST"),
    (b"access-control-allow-headers", b"*"),
    (b"access-control-max-age", b"86400"),
)
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

    def add_to(self, headers: Iterable[Header], scope: Scope) -> list[Header]:
        """Return the headers of the application's response to the request in an ASGI scope, with these added.

        There is one Vary at most: nginx before 1.23 respects only one of several lines.
        """
        if self._allows_any:
            return [*headers, *self._for_response(scope)]
        return _with_one_vary([*headers, *self._for_response(scope)])

    def _for_response(self, scope: Scope) -> tuple[Header, ...]:
        headers = self.for_request(scope["headers"])
        if scope["method"] == "OPTIONS":  # type: ignore[typeddict-item]  # HTTP only
            headers += self._preflight(scope["headers"])
        return headers

    def for_request(self, request_headers: Iterable[Header]) -> tuple[Header, ...]:
        """Return the headers of every response to this request."""
        if self._allows_any:
            return self._any_origin
        origin = self._allowed_origin(request_headers)
        if origin is None:
            return (*SECURITY, VARY_ORIGIN)
        return (*SECURITY, VARY_ORIGIN, (b"access-control-allow-origin", origin), EXPOSED)

    def _preflight(self, request_headers: Iterable[Header]) -> tuple[Header, ...]:
        if self._allows_any or self._allowed_origin(request_headers) is not None:
            return PREFLIGHT
        return ()

    def _allowed_origin(self, request_headers: Iterable[Header]) -> bytes | None:
        for name, value in request_headers:
            if name == b"origin" and value in self._allowed:
                return value
        return None


def _with_one_vary(headers: Sequence[Header]) -> list[Header]:
    values = [value for name, value in headers if name == VARY]
    if len(values) < 2:
        return [*headers]
    return [*(header for header in headers if header[0] != VARY), (VARY, b", ".join(values))]
