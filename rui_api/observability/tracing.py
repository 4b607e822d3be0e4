"""OpenTelemetry traces: a span per request, and one per call of the store in it. Used with ``--tracing on`` only."""

from __future__ import annotations

from typing import Any

from litestar.types import ASGIApp, Receive, Scope, Send
from opentelemetry.propagate import extract
from opentelemetry.trace import SpanKind, Status, StatusCode

from rui_api.http.request_record import RECORD
from rui_api.observability.middleware import RouteNames
from rui_api.observability.request_id import current
from rui_api.store.base import DeletedSpec, ListedId, ReadResult, Store, StoredSpec

TRACE_HEADERS = (b"traceparent", b"tracestate", b"baggage")
"""Headers in which a client passes the context of its trace."""


def create_tracer_provider() -> Any:  # noqa: ANN401  the package may be missing
    """Return a provider that exports spans as OpenTelemetry's environment variables define."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    # OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override the name.
    provider = TracerProvider(resource=Resource({"service.name": "rui"}).merge(Resource.create()))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


class TracingMiddleware:
    """ASGI middleware that makes a span for every request."""

    def __init__(self, app: ASGIApp, routes: RouteNames, tracer: Any) -> None:  # noqa: ANN401
        self._app = app
        self._routes = routes
        self._tracer = tracer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request: Any = scope
        method = request["method"]
        route = self._routes.match(request["path"])
        headers = {name.decode(): value.decode("latin-1") for name, value in scope["headers"] if name in TRACE_HEADERS}
        attributes = {"http.request.method": method, "http.route": route, "url.scheme": request["scheme"]}
        with self._tracer.start_as_current_span(
            f"{method} {route}", context=extract(headers), kind=SpanKind.SERVER, attributes=attributes
        ) as span:
            await self._app(scope, receive, send)
            record = scope["state"][RECORD]
            span.set_attribute("http.response.status_code", record.status)
            span.set_attribute("rui.request_id", current.get().decode())
            if record.codes:
                span.set_attribute("rui.codes", sorted(set(record.codes)))
            if record.status >= 500:
                span.set_status(Status(StatusCode.ERROR))


class TracedStore:
    """A `rui_api.store.base.Store` that makes a span for each `store` and `fetch` of another store."""

    def __init__(self, store: Store, tracer: Any) -> None:  # noqa: ANN401
        self._store = store
        self._tracer = tracer

    async def store(self, spec: StoredSpec) -> None:
        with self._tracer.start_as_current_span("store spec", kind=SpanKind.CLIENT):
            await self._store.store(spec)

    async def fetch(self, spec_id: str) -> ReadResult:
        with self._tracer.start_as_current_span("fetch spec", kind=SpanKind.CLIENT):
            return await self._store.fetch(spec_id)

    async def ready(self) -> None:
        await self._store.ready()

    async def open(self) -> None:
        await self._store.open()

    async def delete(self, spec: DeletedSpec) -> None:
        await self._store.delete(spec)

    async def list_ids(self, after: str, limit: int) -> list[ListedId]:
        return await self._store.list_ids(after, limit)

    async def close(self) -> None:
        await self._store.close()
