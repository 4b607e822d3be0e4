"""The shortcut past Litestar's routing for the requests that programs send most.

Routing costs a small POST 0.7 times the price of a bare ASGI echo (`benchmarks/api.py`). Requests in the table go
straight to the callables that Litestar routes to as well; all other requests go through Litestar. Litestar would take
``//api//specs/`` for ``/api/specs``: such paths get a 404 here.
"""

from __future__ import annotations

from litestar import Request
from litestar.enums import ScopeType
from litestar.exceptions import NotFoundException
from litestar.types import ASGIApp, Receive, Scope, Send

from rui_api.http.urls import is_exact_path, is_valid_host
from rui_api.routes.errors import error_response
from rui_api.routes.specs import SPECS, VALIDATE, SpecEndpoints

SPEC_ID_LENGTH = 36


class Shortcut:
    """ASGI middleware that calls the endpoints in its table directly.

    Args:
        app: the ASGI application for all other requests.
        specs: the endpoints.
    """

    def __init__(self, app: ASGIApp, specs: SpecEndpoints) -> None:
        self._app = app
        self._table: dict[tuple[str, str], ASGIApp] = {
            ("POST", VALIDATE): specs.validate,
            ("POST", SPECS): specs.create,
            ("GET", f"{SPECS}/:id"): specs.retrieve,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        endpoint = self._endpoint(scope)
        if endpoint is None:
            await self._forward(scope, receive, send)
            return
        try:
            await endpoint(scope, receive, send)
        except Exception as error:
            response = error_response(Request(scope), error)
            await response(scope, receive, send)

    async def _forward(self, scope: Scope, receive: Receive, send: Send) -> None:
        if is_exact_path(scope["path"]):
            await self._app(scope, receive, send)
        else:
            response = error_response(Request(scope), NotFoundException())
            await response(scope, receive, send)

    def _endpoint(self, scope: Scope) -> ASGIApp | None:
        if scope["type"] != ScopeType.HTTP:
            return None
        path = scope["path"]
        if scope["method"] == "GET":
            parent, _, spec_id = path.rpartition("/")
            if len(spec_id) != SPEC_ID_LENGTH:
                return None
            path = f"{parent}/:id"
        endpoint = self._table.get((scope["method"], path))
        if endpoint is None or not _has_valid_host(scope):
            return None
        return endpoint


def _has_valid_host(scope: Scope) -> bool:
    """Litestar rejects requests with an invalid Host. The server rejects those with several."""
    return is_valid_host(dict(scope["headers"]).get(b"host", b""))
