"""OpenTelemetry: a span for every request. Used with ``--otel on`` only."""

from time import time_ns
from typing import Any

from opentelemetry.propagate import extract
from opentelemetry.trace import SpanKind, StatusCode

from rui_api.http.responses import CODES
from rui_api.observability.logs import request_id

TRACE_HEADERS = (b"traceparent", b"tracestate", b"baggage")
"""Headers in which a client passes the context of its trace."""


def create_tracer() -> Any:  # noqa: ANN401  the package may be missing
    """Return a tracer whose spans are exported as OpenTelemetry's environment variables define."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    # OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override the name.
    provider = TracerProvider(resource=Resource({"service.name": "rui"}).merge(Resource.create()))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider.get_tracer("rui_api")


def record_span(tracer: Any, scope: Any, method: str, route: str, status: int, seconds: float) -> None:  # noqa: ANN401
    """Record the span of a request that has ended, in the trace of the client."""
    headers = {name.decode(): value.decode("latin-1") for name, value in scope["headers"] if name in TRACE_HEADERS}
    attributes: dict[str, object] = {
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": status,
        "rui.request_id": request_id.get(),
        "rui.codes": sorted({*scope["state"].get(CODES, ())}),
    }
    end = time_ns()
    start = end - int(seconds * 1e9)
    span = tracer.start_span(f"{method} {route}", extract(headers), SpanKind.SERVER, attributes, start_time=start)
    if status >= 500:
        span.set_status(StatusCode.ERROR)
    span.end(end)
