"""ASGI middleware with the limits of requests: their number, and the time for a body.

The size of a body depends on the endpoint: see `rui_api.http.request_body`.
"""

from __future__ import annotations

import asyncio

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPReceiveMessage, Receive, Scope, Send

from rui_api.http.error_responses import overloaded

MAX_REQUESTS = 500
"""Requests of a process at the same time. A body has up to 256 KB, a form three times as much."""

BODY_SECONDS = 30.0
"""Maximum time for the body of a request."""

HEALTH = "/api/health"


class RequestLimits:
    """ASGI middleware that answers 503 above the limit of requests, and ends bodies that take too long.

    Args:
        app: the ASGI application.
        max_requests: the limit. `HEALTH` is answered above it, too.
        body_seconds: the time for a body.
    """

    def __init__(self, app: ASGIApp, max_requests: int = MAX_REQUESTS, body_seconds: float = BODY_SECONDS) -> None:
        self._app = app
        self._max_requests = max_requests
        self._body_seconds = body_seconds
        self._running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != ScopeType.HTTP or scope["path"] == HEALTH:
            await self._app(scope, receive, send)
            return
        if self._running >= self._max_requests:
            await overloaded()(scope, receive, send)
            return
        self._running += 1
        try:
            if scope["method"] == "POST":
                receive = self._with_deadline(receive)
            await self._app(scope, receive, send)
        finally:
            self._running -= 1

    def _with_deadline(self, receive: Receive) -> Receive:
        """Return a `receive` that reports the end of the connection if the body is not complete in time."""
        deadline = asyncio.get_running_loop().time() + self._body_seconds
        is_complete = False

        async def receive_in_time() -> HTTPReceiveMessage:
            nonlocal is_complete
            if is_complete:  # only the end of the connection is awaited
                return await receive()  # type: ignore[return-value]
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                return {"type": "http.disconnect"}
            is_complete = not message.get("more_body")
            return message  # type: ignore[return-value]

        return receive_in_time
