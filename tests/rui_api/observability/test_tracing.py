"""Spans for OpenTelemetry."""

from functools import partial
from pathlib import Path

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from rui_api.config.options import Settings
from rui_api.observability.tracing import record_span
from rui_common.describe import minimal_example
from tests.rui_api.live import UUID, patient_app, running

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_spans(tmp_path: Path) -> None:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    settings = Settings(store=f"sqlite:///{tmp_path}/rui.db")
    with running(patient_app(settings, record_span=partial(record_span, provider.get_tracer("test")))) as service:
        service.post("/api/specs", minimal_example(), traceparent=PARENT, **{"X-Request-ID": "agent-7"})
        service.post("/api/validate", {})
        service.client.get(f"/api/specs/{UUID}")
    created, validated, got = exporter.get_finished_spans()
    names = [span.name for span in (created, validated, got)]
    assert names == ["POST /api/specs", "POST /api/validate", "GET /api/specs/:id"]
    assert f"{created.context.trace_id:032x}-{created.parent.span_id:016x}" == PARENT[3:52]
    assert created.attributes["http.response.status_code"] == 201
    assert created.attributes["rui.request_id"] == "agent-7"
    assert validated.attributes["rui.codes"] == ("MISSING_REQUIRED_PROP",)
    assert got.attributes["http.response.status_code"] == 404
