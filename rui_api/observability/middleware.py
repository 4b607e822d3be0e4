"""Sees every request go by: counts it, gives it an id, has a line written about it."""

from __future__ import annotations

import re
from time import perf_counter, time
from typing import TYPE_CHECKING, Any

from rui_api.http.request_record import RECORD, RequestRecord
from rui_api.observability.request_id import HEADER, RequestIds, current

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable, Sequence

    from litestar.types import ASGIApp, Message, Receive, Scope, Send

    from rui_api.observability.counters import Counts
    from rui_api.observability.log_writer import Log

METHODS = {"GET": "GET", "HEAD": "HEAD", "POST": "POST", "OPTIONS": "OPTIONS", "PUT": "PUT", "DELETE": "DELETE"}
OTHER = "other"
_PARAMETER = re.compile(r"\{[^}]*\}")
"""In the path of a route: anything without a slash."""


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
        record = RequestRecord(request_id)
        header = (HEADER, request_id)
        scope["state"][RECORD] = record
        current.set(request_id)

        def watched(message: Message) -> Awaitable[None]:  # no coroutine of its own: it is called for every message
            if message["type"] == "http.response.start":
                record.status = message["status"]
                message["headers"] = [*message["headers"], header]
            elif message["type"] == "http.response.body":
                record.sent += len(message.get("body", b""))
            return send(message)

        counts = self.counts
        counts.running += 1
        begun = perf_counter()
        try:
            await self._around(scope, receive, watched)
        finally:
            seconds = perf_counter() - begun
            counts.running -= 1
            self.keep(scope, record, seconds)

    def keep(self, scope: Any, record: RequestRecord, seconds: float) -> None:  # noqa: ANN401  any scope
        """Count a request that was answered in so many seconds, and have its line written."""
        method, path = scope["method"], scope["path"]
        route = self._routes.of(path)
        self.counts.add((route, METHODS.get(method, OTHER), record.status), seconds, record.received, record.sent)
        if record.codes:
            self.counts.codes.update(record.codes)
        if self._log is not None:
            self._log.request(
                (time(), record.request_id, method, path, route, record.status, record.codes, seconds, record.received,
                 record.sent, scope["client"])
            )  # fmt: skip
