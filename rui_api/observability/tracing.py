"""OpenTelemetry: a span for every request. Used with ``--otel on`` only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from opentelemetry.propagate import extract
from opentelemetry.trace import SpanKind, Status, StatusCode

from rui_api.http.request_record import RequestRecord
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


@contextmanager
def request_span(
    tracer: Any,  # noqa: ANN401
    headers: Iterable[tuple[bytes, bytes]],
    method: str,
    route: str,
    record: RequestRecord,
) -> Iterator[None]:
    """Make a span for a request; `record` describes its response at the end."""
    context = extract({name.decode(): value.decode("latin-1") for name, value in headers if name in TRACE_HEADERS})
    attributes = {"http.request.method": method, "http.route": route}
    with tracer.start_as_current_span(
        f"{method} {route}", context=context, kind=SpanKind.SERVER, attributes=attributes
    ) as span:
        yield
        span.set_attribute("http.response.status_code", record.status)
        span.set_attribute("rui.request_id", request_id.get())
        if record.codes:
            span.set_attribute("rui.codes", sorted(set(record.codes)))
        if record.status >= 500:
            span.set_status(Status(StatusCode.ERROR))
