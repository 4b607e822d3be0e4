"""ASGI middleware for every request: its id, the headers of its response, metrics, log and trace."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Iterable
from contextlib import nullcontext
from itertools import count
from secrets import token_hex
from time import perf_counter
from typing import Any, NamedTuple

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from rui_api.http.request_record import RECORD, RequestRecord
from rui_api.http.response_headers import CommonHeaders
from rui_api.observability.logs import FIELDS, request_id
from rui_api.observability.metrics import request_counter, request_seconds

HEADER = b"x-request-id"
METHODS = {"GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE"}
OTHER = "other"
"""Label of unknown routes and methods. It bounds the number of metrics."""
MAX_PATH = 300
MAX_CLIENT = 60
"""Characters. Addresses are shorter, but a trusted proxy may pass on any text of a client."""

_VALID_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/+=@~-]{0,99}")
_PARAMETER = re.compile(r"\{[^}]*\}")

log = logging.getLogger("rui_api.requests")


class RouteNames:
    """Names of routes for metrics and logs.

    Args:
        formats: such as ``/api/specs`` and ``/api/specs/{spec_id}``. A parameter matches any text without a slash.
    """

    def __init__(self, formats: Iterable[str]) -> None:
        self._fixed: set[str] = set()
        self._with_parameters: list[tuple[re.Pattern[str], str]] = []
        for path in sorted({*formats}):
            if "{" not in path:
                self._fixed.add(path)
                continue
            pattern = "[^/]*".join(map(re.escape, _PARAMETER.split(path)))
            self._with_parameters.append((re.compile(pattern), _PARAMETER.sub(":id", path)))

    def match(self, path: str) -> str:
        """Return the name of the route that `path` matches, or `OTHER`."""
        if path in self._fixed:
            return path
        return next((name for pattern, name in self._with_parameters if pattern.fullmatch(path)), OTHER)


class Route(NamedTuple):
    """Route and method of a request, as labels."""

    route: str
    method: str


class RequestObserver:
    """ASGI middleware that counts, logs and traces every request.

    Args:
        app: the ASGI application.
        common_headers: the headers of all responses.
        routes: the names of the routes.
        tracer: a tracer of OpenTelemetry, or None.
    """

    def __init__(self, app: ASGIApp, common_headers: CommonHeaders, routes: RouteNames, tracer: Any) -> None:  # noqa: ANN401  an optional dependency
        self._app = app
        self._common_headers = common_headers
        self._routes = routes
        self._tracer = tracer
        self._prefix = token_hex(8)
        self._numbers = count()
        self._counters: dict[tuple[Route, int], Any] = {}
        self._histograms: dict[Route, Any] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        record = RequestRecord()
        scope["state"][RECORD] = record
        id_ = self._id_of(scope["headers"])
        header = (HEADER, id_.encode())
        request_id.set(id_)

        def send_and_record(message: Message) -> Awaitable[None]:  # not async, which would cost a coroutine per message
            if message["type"] == "http.response.start":
                record.status = message["status"]
                message["headers"] = [*self._common_headers.add_to(message["headers"], scope), header]
            elif message["type"] == "http.response.body":
                record.sent += len(message.get("body", b""))
            return send(message)

        method = scope["method"]
        route = Route(self._routes.match(scope["path"]), method if method in METHODS else OTHER)
        started = perf_counter()
        try:
            with nullcontext() if self._tracer is None else self._span(scope, route, record):
                await self._app(scope, receive, send_and_record)
        finally:
            self._finish(scope, route, record, perf_counter() - started)

    def _id_of(self, headers: Iterable[tuple[bytes, bytes]]) -> str:
        """Return the value of the only X-Request-ID header if it is valid, else a new id."""
        values = [value for name, value in headers if name == HEADER]
        if len(values) == 1:
            text = values[0].decode("latin-1")
            if _VALID_ID.fullmatch(text):
                return text
        return f"{self._prefix}-{next(self._numbers):06x}"

    def _span(self, scope: Scope, route: Route, record: RequestRecord) -> Any:  # noqa: ANN401
        from rui_api.observability.tracing import request_span  # noqa: PLC0415  an optional dependency

        return request_span(self._tracer, scope["headers"], route.method, route.route, record)

    def _finish(self, scope: Any, route: Route, record: RequestRecord, seconds: float) -> None:  # noqa: ANN401  a TypedDict
        key = (route, record.status)
        if key not in self._counters:
            self._counters[key] = request_counter().labels(*route, str(record.status))
            self._histograms[route] = request_seconds().labels(*route)
        self._counters[key].inc()
        self._histograms[route].observe(seconds)
        level = _level(record.status)
        if not log.isEnabledFor(level):
            return
        fields: dict[str, object] = {
            "method": scope["method"][:20],
            "path": scope["path"][:MAX_PATH],
            "route": route.route,
            "status": record.status,
            "ms": round(seconds * 1000, 3),
            "sent": record.sent,
        }
        if scope["client"]:
            fields["client"] = scope["client"][0][:MAX_CLIENT]
        if record.codes:
            fields["codes"] = list(dict.fromkeys(record.codes))
        if record.stored is not None:
            fields["specId"] = record.stored.spec_id
            fields["size"] = len(record.stored.rui)
        # `log.log` would look for the line of the source that called it, which takes longer than the rest.
        log.handle(log.makeRecord(log.name, level, "", 0, "request", (), None, extra={FIELDS: fields}))


def _level(status: int) -> int:
    """Return the level of a request. A store that is unavailable logs that itself."""
    if status >= 500 and status != 503:
        return logging.ERROR
    return logging.INFO
