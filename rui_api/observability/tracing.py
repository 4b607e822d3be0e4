"""Spans for OpenTelemetry: one for a request, one for what the store does in it. Only with ``--tracing on``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opentelemetry.propagate import extract
from opentelemetry.trace import SpanKind, Status, StatusCode

from rui_api.http.request_record import RECORD
from rui_api.observability.middleware import Routes
from rui_api.observability.request_id import current

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Receive, Scope, Send

    from rui_api.store.base import Store, StoredSpec
    from rui_api.store.stats import StoreStats

CARRIED = (b"traceparent", b"tracestate", b"baggage")
"""The headers that a trace comes with from the client."""


def provider() -> Any:  # noqa: ANN401  of a package that may be missing
    """What makes tracers; it sends spans where the variables of OpenTelemetry say. `shutdown` sends the last ones."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    # OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win over what is said here.
    made = TracerProvider(resource=Resource({"service.name": "rui"}).merge(Resource.create()))
    made.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return made


class Traced:
    """An ASGI application around another: a span for every request.

    Args:
        around: the application, in which an `Observer` is.
        routes: what spans are called by.
        tracer: of OpenTelemetry.
    """

    def __init__(self, around: ASGIApp, routes: Routes, tracer: Any) -> None:  # noqa: ANN401
        self._around = around
        self._routes = routes
        self._tracer = tracer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        request: Any = scope
        method, route = request["method"], self._routes.of(request["path"])
        carried = {name.decode(): value.decode("latin-1") for name, value in scope["headers"] if name in CARRIED}
        attributes = {"http.request.method": method, "http.route": route, "url.scheme": request["scheme"]}
        with self._tracer.start_as_current_span(
            f"{method} {route}", context=extract(carried), kind=SpanKind.SERVER, attributes=attributes
        ) as span:
            await self._around(scope, receive, send)
            record = scope["state"][RECORD]
            span.set_attribute("http.response.status_code", record.status)
            span.set_attribute("rui.request_id", current.get().decode())
            if record.codes:
                span.set_attribute("rui.codes", sorted(set(record.codes)))
            if record.status >= 500:
                span.set_status(Status(StatusCode.ERROR))


class TracedStore:
    """A store around another: a span for everything that is asked of it."""

    def __init__(self, store: Store, tracer: Any) -> None:  # noqa: ANN401
        self._store = store
        self._tracer = tracer

    async def put(self, spec: StoredSpec) -> None:
        """See `rui_api.store.base.Store`."""
        with self._tracer.start_as_current_span("store put", kind=SpanKind.CLIENT):
            await self._store.put(spec)

    async def get(self, spec_id: str) -> StoredSpec | None:
        """See `rui_api.store.base.Store`."""
        with self._tracer.start_as_current_span("store get", kind=SpanKind.CLIENT):
            return await self._store.get(spec_id)

    async def ready(self) -> None:
        """See `rui_api.store.base.Store`."""
        await self._store.ready()

    def stats(self) -> StoreStats:
        """See `rui_api.store.base.Store`."""
        return self._store.stats()

    async def close(self) -> None:
        """See `rui_api.store.base.Store`."""
        await self._store.close()
