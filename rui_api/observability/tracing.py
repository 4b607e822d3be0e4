"""OpenTelemetry: a span for every request. Used with ``--otel on`` only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from opentelemetry.propagate import extract
from opentelemetry.trace import SpanKind, Status, StatusCode

from rui_api.observability.logs import request_id

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


def request_span(tracer: Any, headers: Iterable[tuple[bytes, bytes]]) -> Any:  # noqa: ANN401
    """Return a context manager with a span for a request, in the trace of the client."""
    context = extract({name.decode(): value.decode("latin-1") for name, value in headers if name in TRACE_HEADERS})
    return tracer.start_as_current_span("request", context=context, kind=SpanKind.SERVER)


def describe_span(span: Any, method: str, route: str, status: int, codes: Sequence[str]) -> None:  # noqa: ANN401
    """Name a span by method and route, and add status, request id and error codes."""
    span.update_name(f"{method} {route}")
    span.set_attribute("http.request.method", method)
    span.set_attribute("http.route", route)
    span.set_attribute("http.response.status_code", status)
    span.set_attribute("rui.request_id", request_id.get())
    if codes:
        span.set_attribute("rui.codes", sorted(set(codes)))
    if status >= 500:
        span.set_status(Status(StatusCode.ERROR))
