"""CORS: which pages of other origins may call the service, as ASGI middleware.

Litestar's sends nothing to a request without Origin, and replaces Vary. A shared cache then gives pages a response that
they may not read, or one of another representation.
"""

from collections.abc import Awaitable, Sequence

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from rui_api.contract.endpoints import JSON
from rui_api.contract.errors import BAD_REQUEST, FORBIDDEN
from rui_api.http.responses import send_response, to_json

METHODS = ("GET", "HEAD", "POST")
SAFE_HEADERS = ("Accept", "Accept-Language", "Content-Language", "Content-Type")
"""Request headers of all preflight responses, in addition to those that the page asks for."""

_ALLOW_ALL = (b"access-control-allow-origin", b"*")
_EXPOSE = (b"access-control-expose-headers", b"ETag, Location, Retry-After, X-Request-ID")

Headers = list[tuple[bytes, bytes]]


class CrossOrigin:
    """ASGI middleware that answers preflights and adds the CORS headers to every response.

    For all origins (``*``) the headers are always the same. For a list they depend on Origin, which Vary names.
    """

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        self._app = app
        self._allows_all = "*" in origins
        self._origins = {origin.encode() for origin in origins}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        origin = headers.get(b"origin", b"")

        def send_with_headers(message: Message) -> Awaitable[None]:  # not async, which costs a coroutine per message
            if message["type"] == "http.response.start":
                message["headers"] = [*self._with_origin(origin, [*message["headers"]]), _EXPOSE]
            return send(message)

        if origin and scope["method"] == "OPTIONS":
            await self._answer_preflight(origin, headers, send_with_headers)
        else:
            await self._app(scope, receive, send_with_headers)

    def _with_origin(self, origin: bytes, headers: Headers) -> Headers:
        """Return headers with the permission for an origin, if it has one, and one Vary."""
        if self._allows_all:
            return [*headers, _ALLOW_ALL]
        vary = [value for name, value in headers if name == b"vary"]
        headers = [header for header in headers if header[0] != b"vary"]
        headers.append((b"vary", b", ".join([*vary, b"Origin"])))
        if origin in self._origins:
            headers.append((b"access-control-allow-origin", origin))
        return headers

    async def _answer_preflight(self, origin: bytes, request: dict[bytes, bytes], send: Send) -> None:
        """Send 204 with the permissions, or 400 to another origin (docs/decisions.md, section 6)."""
        if not self._allows_all and origin not in self._origins:
            body = to_json({"error": BAD_REQUEST.code, "message": FORBIDDEN.message})
            await send_response(send, 400, {"content-type": JSON}, body)
            return
        asked = request.get(b"access-control-request-headers", b"").decode("latin-1").split(",")
        names = {*SAFE_HEADERS, *(name.strip() for name in asked)} - {""}
        permissions = {
            "access-control-allow-methods": ", ".join(METHODS),
            "access-control-allow-headers": ", ".join(sorted(names)),
            "access-control-max-age": "86400",  # seconds for which a browser may use the response
        }
        await send_response(send, 204, permissions)
