"""Sees every request go by: counts it, gives it an id, has a line written about it."""

from __future__ import annotations

import re
from time import perf_counter, time
from typing import TYPE_CHECKING, Any

from rui_api.observability.request_id import HEADER, RequestIds, current

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable, Sequence

    from litestar.types import ASGIApp, Message, Receive, Scope, Send

    from rui_api.observability.counters import Counts
    from rui_api.observability.log_writer import Log

SEEN = "rui.seen"
"""Where, in the state of a request, its `Seen` is."""

METHODS = {"GET": "GET", "HEAD": "HEAD", "POST": "POST", "OPTIONS": "OPTIONS", "PUT": "PUT", "DELETE": "DELETE"}
OTHER = "other"
_PARAMETER = re.compile(r"\{[^}]*\}")
"""In the path of a route: anything without a slash."""
GONE = 499
"""What is noted as the status when a client left before there was an answer."""


class Seen:
    """What is known of one request; whoever answers it adds to it.

    Attributes:
        request_id: what it is called.
        codes: the codes of the errors in the answer.
        received: the size of its body, as far as that was read.
        sent: the size of the body of the answer.
        status: of the answer, or `GONE`.
    """

    __slots__ = ("codes", "received", "request_id", "sent", "status")

    def __init__(self, request_id: bytes) -> None:
        self.request_id = request_id
        self.codes: Sequence[str] = ()
        self.received = 0
        self.sent = 0
        self.status = GONE


def note(scope: Scope, *, codes: Sequence[str] = (), received: int = 0) -> None:
    """Add to what is known of the request in `scope`, if anybody watches it."""
    seen = scope["state"].get(SEEN)
    if seen is not None:
        if codes:
            seen.codes = codes
        if received:
            seen.received = received


class Routes:
    """Paths → the routes that they belong to: a small number of them, whatever is asked for.

    Args:
        formats: such as ``/api/specs`` and ``/api/specs/{spec_id}``.
    """

    def __init__(self, formats: Iterable[str]) -> None:
        every = sorted(set(formats))
        self._plain = {path: path for path in every if "{" not in path}
        self._open = [(_PARAMETER.split(path), _PARAMETER.sub(":id", path)) for path in every if "{" in path]

    def of(self, path: str) -> str:
        """The route of a path, or `OTHER`."""
        route = self._plain.get(path)
        if route is None:
            for parts, name in self._open:
                if path.startswith(parts[0]) and _fits(parts, path):
                    return name
            return OTHER
        return route


def _fits(parts: Sequence[str], path: str) -> bool:
    """Whether a path is these parts, with what has no slash between them."""
    at = len(parts[0])
    for part in parts[1:]:
        end = path.find("/", at)
        at = len(path) if end < 0 else end
        if not path.startswith(part, at):
            return False
        at += len(part)
    return at == len(path)


class Observer:
    """An ASGI application around another.

    Args:
        around: the application.
        routes: what requests are counted by.
        counts: where that is.
        log: where lines go, or None.

    Attributes:
        ids: where the ids of requests come from.
        counts: where requests are counted.
    """

    def __init__(self, around: ASGIApp, routes: Routes, counts: Counts, log: Log | None) -> None:
        self._around = around
        self._routes = routes
        self.counts = counts
        self._log = log
        self.ids = RequestIds()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, and keep what is to be known of it."""
        request_id = self.ids.of(scope["headers"])
        seen = Seen(request_id)
        header = (HEADER, request_id)
        scope["state"][SEEN] = seen
        current.set(request_id)

        def watched(message: Message) -> Awaitable[None]:  # no coroutine of its own: it is called for every message
            if message["type"] == "http.response.start":
                seen.status = message["status"]
                message["headers"] = [*message["headers"], header]
            elif message["type"] == "http.response.body":
                seen.sent += len(message.get("body", b""))
            return send(message)

        counts = self.counts
        counts.running += 1
        begun = perf_counter()
        try:
            await self._around(scope, receive, watched)
        finally:
            seconds = perf_counter() - begun
            counts.running -= 1
            self.keep(scope, seen, seconds)

    def keep(self, scope: Any, seen: Seen, seconds: float) -> None:  # noqa: ANN401  any scope
        """Count a request that was answered in so many seconds, and have its line written."""
        method, path = scope["method"], scope["path"]
        route = self._routes.of(path)
        self.counts.add((route, METHODS.get(method, OTHER), seen.status), seconds, seen.received, seen.sent)
        if seen.codes:
            self.counts.codes.update(seen.codes)
        if self._log is not None:
            self._log.request(
                (time(), seen.request_id, method, path, route, seen.status, seen.codes, seconds, seen.received,
                 seen.sent, scope["client"])
            )  # fmt: skip
