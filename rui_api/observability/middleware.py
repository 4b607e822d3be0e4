"""ASGI middleware for every request: its id, the security headers of its response, metrics and log."""

import asyncio
import logging
import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import count
from secrets import token_hex
from time import perf_counter
from typing import TYPE_CHECKING, Any

from h11 import LocalProtocolError
from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.response.base import ASGIResponse
from litestar.routes import BaseRoute, HTTPRoute
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from rui_api.contract.endpoints import API_PREFIX, JSON
from rui_api.contract.errors import OVERLOADED
from rui_api.http.connection import CLIENT, ClientState
from rui_api.http.errors import ServiceError
from rui_api.http.requests import disconnected, origin_form
from rui_api.http.responses import CODES, NO_STORE, SECURITY_HEADERS, STORED, to_json
from rui_api.observability.logs import FIELDS, request_id
from rui_api.observability.metrics import metrics

if TYPE_CHECKING:
    from prometheus_client import Counter, Histogram

HEADER = "x-request-id"
METHODS = {"GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE"}
OTHER = "other"
"""Label of unknown routes and methods. It bounds the number of metrics."""
CLIENT_CLOSED_REQUEST = 499
"""Status in logs and metrics when the client left before there was a response; nginx has the same number."""

_VALID_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/+=@~-]{0,99}")
_PARAMETER = re.compile(r"\{[^}]*\}")

log = logging.getLogger("rui_api.requests")


class RequestObserver:
    """ASGI middleware that counts and logs every request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._prefix = token_hex(8)
        self._numbers = count()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        if not scope["raw_path"].startswith(b"/"):
            scope = origin_form(scope)
        id_ = _label(scope, HEADER) or f"{self._prefix}-{next(self._numbers):06x}"
        request_id.set(id_)
        client = scope["state"].get(CLIENT, ClientState())
        has_body = scope["method"] != "HEAD"
        status = CLIENT_CLOSED_REQUEST
        sent = 0

        async def send_and_count(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                if not client.has_left:
                    status = message["status"]
                headers = MutableScopeHeaders.from_message(message)
                for name, value in (*SECURITY_HEADERS.items(), (HEADER, id_)):
                    headers.add(name, value)
            elif message["type"] == "http.response.body" and has_body and not client.has_left:
                sent += len(message.get("body", b""))
            try:
                await send(message)
            except LocalProtocolError:
                # More bytes followed the last request of the connection. uvicorn has sent 400 and closes it.
                status = CLIENT_CLOSED_REQUEST
                await disconnected(receive)

        started = perf_counter()
        try:
            await self._app(scope, receive, send_and_count)
        except asyncio.CancelledError:
            # uvicorn cancels what still runs when the service has to end. It closes a connection with half a response.
            if status == CLIENT_CLOSED_REQUEST:
                await _overloaded()(scope, receive, send_and_count)
        finally:
            _record(scope, status, sent, perf_counter() - started)


def _overloaded() -> ASGIResponse:
    """Return 503, after which the connection is closed."""
    error = ServiceError(OVERLOADED)
    headers = {**NO_STORE, **error.headers, "connection": "close"}
    return ASGIResponse(body=to_json(error.body), status_code=error.status, media_type=JSON, headers=headers)


def _label(scope: Scope, header: str) -> str:
    """Return the value of the only header of this name if it is a valid label, else ``""``."""
    values = Headers.from_scope(scope).getall(header, [])
    if len(values) == 1 and _VALID_LABEL.fullmatch(values[0]):
        return values[0]
    return ""


def create_series(routes: Iterable[BaseRoute]) -> None:
    """Create the series that alerts need with 0."""
    known = [route for route in routes if isinstance(route, HTTPRoute)]
    pairs = {(_route_name(route.path), method) for route in known for method in route.methods}
    for route, method in pairs | {(OTHER, method) for method in (*METHODS, OTHER)}:
        _counter(route, method, 500)
        _counter(route, method, 503)
        if route.startswith(API_PREFIX):
            _histogram(route, method)


@lru_cache(64)
def _route_name(template: str) -> str:
    """Return the path of a route, such as ``/api/specs/:id``."""
    return _PARAMETER.sub(":id", template)


@lru_cache(1024)
def _counter(route: str, method: str, status: int) -> "Counter":
    return metrics().requests.labels(route, method, str(status))


@lru_cache(1024)
def _histogram(route: str, method: str) -> "Histogram":
    return metrics().seconds.labels(route, method)


def _record(scope: Any, status: int, sent: int, seconds: float) -> None:  # noqa: ANN401  a TypedDict
    """Count and log a request."""
    method = scope["method"] if scope["method"] in METHODS else OTHER
    route = _route_name(scope.get("path_template", OTHER))  # Litestar adds it to the scope
    _counter(route, method, status).inc()
    _histogram(route, method).observe(seconds)
    # A store that is unavailable logs that itself.
    level = logging.ERROR if status >= 500 and status != 503 else logging.INFO
    if not log.isEnabledFor(level):
        return
    fields: dict[str, object] = {
        "method": scope["method"][:20],
        "path": scope["path"][:300],
        "route": route,
        "status": status,
        "ms": round(seconds * 1000, 3),
        "sent": sent,
    }
    if scope["client"]:
        # Addresses are shorter, but a trusted proxy may pass on any text of a client.
        fields["client"] = scope["client"][0][:60]
    session = _label(scope, "x-rui-session")  # an agent sends it with all requests about one document
    if session:
        fields["session"] = session
    if CODES in scope["state"]:
        fields["codes"] = list(dict.fromkeys(scope["state"][CODES]))
    fields |= scope["state"].get(STORED, {})
    log.log(level, "request", extra={FIELDS: fields})
