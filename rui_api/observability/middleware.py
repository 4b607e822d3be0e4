"""ASGI middleware for every request: its id, the headers of its response, counters and log."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Iterable, Sequence
from time import perf_counter, time
from typing import Any

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from rui_api.http.request_record import RECORD, RequestRecord
from rui_api.http.response_headers import CommonHeaders
from rui_api.observability.counters import RequestCounters
from rui_api.observability.log_records import RequestLogRecord
from rui_api.observability.log_writer import LogWriter
from rui_api.observability.request_id import HEADER, RequestIds, current

METHODS = {"GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE"}
OTHER = "other"
"""Label of unknown routes and methods. It bounds the number of metrics."""
_PARAMETER = re.compile(r"\{[^}]*\}")


class RouteNames:
    """Names of routes for metrics and logs.

    Args:
        formats: such as ``/api/specs`` and ``/api/specs/{spec_id}``. A parameter matches any text without a slash.
    """

    def __init__(self, formats: Iterable[str]) -> None:
        self._fixed: dict[str, str] = {}
        self._with_parameters: list[tuple[list[str], str]] = []
        for path in sorted(set(formats)):
            if "{" in path:
                self._with_parameters.append((_PARAMETER.split(path), _PARAMETER.sub(":id", path)))
            else:
                self._fixed[path] = path

    def match(self, path: str) -> str:
        """Return the name of the route that `path` matches, or `OTHER`."""
        name = self._fixed.get(path)
        if name is not None:
            return name
        for parts, name in self._with_parameters:
            if path.startswith(parts[0]) and _matches(parts, path):
                return name
        return OTHER


def _matches(parts: Sequence[str], path: str) -> bool:
    """Return whether `path` consists of `parts` with one segment between each two."""
    position = len(parts[0])
    for part in parts[1:]:
        slash = path.find("/", position)
        position = len(path) if slash < 0 else slash
        if not path.startswith(part, position):
            return False
        position += len(part)
    return position == len(path)


class RequestObserver:
    """ASGI middleware that counts and logs every request."""

    def __init__(
        self,
        app: ASGIApp,
        common_headers: CommonHeaders,
        routes: RouteNames,
        counters: RequestCounters,
        log: LogWriter | None,
    ) -> None:
        self._app = app
        self._common_headers = common_headers
        self._routes = routes
        self._counters = counters
        self._log = log
        self._ids = RequestIds()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = self._ids.of(scope["headers"])
        record = RequestRecord(request_id)
        header = (HEADER, request_id)
        scope["state"][RECORD] = record
        current.set(request_id)

        def send_and_record(message: Message) -> Awaitable[None]:  # not async, which would cost a coroutine per message
            if message["type"] == "http.response.start":
                record.status = message["status"]
                message["headers"] = [*self._common_headers.add_to(message["headers"], scope), header]
            elif message["type"] == "http.response.body":
                record.sent += len(message.get("body", b""))
            return send(message)

        counters = self._counters
        counters.running += 1
        started = perf_counter()
        try:
            await self._app(scope, receive, send_and_record)
        finally:
            seconds = perf_counter() - started
            counters.running -= 1
            self._record(scope, record, seconds)

    def _record(self, scope: Any, record: RequestRecord, seconds: float) -> None:  # noqa: ANN401  a TypedDict
        method = scope["method"]
        path = scope["path"]
        route = self._routes.match(path)
        key = (route, method if method in METHODS else OTHER, record.status)
        self._counters.add(key, seconds, record.received, record.sent)
        if record.codes:
            self._counters.codes.update(record.codes)
        if self._log is not None:
            stored = record.stored
            self._log.log_request(
                RequestLogRecord(
                    time(), record.request_id, method, path, route, record.status, record.codes, seconds,
                    record.received, record.sent, scope["client"],
                    "" if stored is None else stored.spec_id, 0 if stored is None else len(stored.rui),
                )
            )  # fmt: skip
