"""Plain requests to the endpoints that agents hammer go straight to them, as bare ASGI, and not through Litestar.

Routing, request objects and responses made by a framework cost more than validating a RUI does. So this stands
between Litestar's entrance, which adds the headers that every answer has, and its router. It takes the requests that
nothing is odd about: the very path, the method, a host that is one. Everything else takes the ordinary way, which
leads to the same code: what this takes is answered there alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from litestar.enums import ScopeType

from rui_api.http.request_record import RECORD
from rui_api.routes.inline import STORED, is_sound, say_all
from rui_api.routes.specs import SPECS, VALIDATE
from rui_api.server.request_cycle import ANSWER

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

    from rui_api.http.response_headers import CommonHeaders
    from rui_api.http.responses import Reply
    from rui_api.routes.inline import Faults, Say
    from rui_api.routes.specs import Specs


class FrontDoor:
    """An ASGI application around Litestar's own.

    Args:
        specs: the endpoints.
        faults: what is answered to exceptions.
        common: the headers that Litestar's entrance adds to what is answered as ASGI has it.
        around: the application for everything else.
    """

    def __init__(self, specs: Specs, faults: Faults, common: CommonHeaders, around: ASGIApp) -> None:
        self._common = common
        self._faults = faults
        self._around = around
        self._retrieve = specs.retrieve
        self._takes_body: dict[str, Callable[[HTTPScope, Receive], Awaitable[Reply]]] = {
            VALIDATE: specs.validate,
            SPECS: specs.create,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        say: Say | None = scope.pop(ANSWER, None)  # type: ignore[misc]  # our protocol's own, out of the cycle it is in
        if scope["type"] != ScopeType.HTTP or (reply := self._begin(scope, receive)) is None:
            await self._around(scope, receive, send)
            return
        try:
            answer = await reply
        except Exception as fault:
            answer = self._faults(scope, fault)
        else:
            if say is not None and say_all(scope, answer, say, self._common, scope["state"][RECORD]):
                return
        await answer(scope, receive, send)

    def _begin(self, scope: HTTPScope, receive: Receive) -> Awaitable[Reply] | None:
        """What answers the request, if nothing is odd about it."""
        if not is_sound(scope):
            return None
        path, method = scope["path"], scope["method"]
        if method == "POST":
            endpoint = self._takes_body.get(path)
            return None if endpoint is None else endpoint(scope, receive)
        if method == "GET" and path.startswith(STORED):
            spec_id = path[len(STORED) :]
            return None if "/" in spec_id or not spec_id else self._retrieve(scope, spec_id)
        return None
