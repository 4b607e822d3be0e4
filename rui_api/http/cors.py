"""CORS: which pages of other origins may call the service, as ASGI middleware.

Litestar's sends nothing to a request without Origin, and replaces Vary. A shared cache then gives pages a response that
they may not read, or one of another representation.
"""

from collections.abc import Awaitable, Sequence

from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.response.base import ASGIResponse
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from rui_api.contract.endpoints import JSON
from rui_api.contract.errors import BAD_REQUEST, FORBIDDEN
from rui_api.http.responses import to_json

METHODS = ("GET", "HEAD", "POST")
SAFE_HEADERS = ("Accept", "Accept-Language", "Content-Language", "Content-Type")
"""Request headers of all preflight responses, in addition to those that the page asks for."""


class CrossOrigin:
    """ASGI middleware that answers preflights and adds the CORS headers to every response.

    For all origins (``*``) the headers are always the same. For a list they depend on Origin, which Vary names.
    """

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        self._app = app
        self._allows_all = "*" in origins
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        request = Headers.from_scope(scope)
        origin = request.get("origin", "")

        def send_with_headers(message: Message) -> Awaitable[None]:  # not async, which costs a coroutine per message
            if message["type"] == "http.response.start":
                headers = MutableScopeHeaders.from_message(message)
                self._allow(origin, headers)
                headers.add("access-control-expose-headers", "ETag, Location, Retry-After, X-Request-ID")
            return send(message)

        if origin and scope["method"] == "OPTIONS":
            await self._preflight_response(origin, request)(scope, receive, send_with_headers)
        else:
            await self._app(scope, receive, send_with_headers)

    def _allow(self, origin: str, headers: MutableScopeHeaders) -> None:
        """Add the permission for an origin, if it has one, and make one Vary of all."""
        if self._allows_all:
            headers.add("access-control-allow-origin", "*")
            return
        vary = headers.getall("vary", [])
        del headers["vary"]
        headers.add("vary", ", ".join([*vary, "Origin"]))
        if origin in self._origins:
            headers.add("access-control-allow-origin", origin)

    def _preflight_response(self, origin: str, request: Headers) -> ASGIResponse:
        """Return 204 with the permissions, or 400 to another origin (docs/decisions.md, section 6)."""
        if not self._allows_all and origin not in self._origins:
            body = to_json({"error": BAD_REQUEST.code, "message": FORBIDDEN.message})
            return ASGIResponse(body=body, status_code=400, media_type=JSON)
        asked = request.get("access-control-request-headers", "").split(",")
        names = {*SAFE_HEADERS, *(name.strip() for name in asked)} - {""}
        permissions = {
            "access-control-allow-methods": ", ".join(METHODS),
            "access-control-allow-headers": ", ".join(sorted(names)),
            "access-control-max-age": "86400",  # seconds for which a browser may use the response
        }
        return ASGIResponse(status_code=204, headers=permissions)
