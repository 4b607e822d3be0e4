"""The metrics of the service as prometheus_client's collectors. They are created when they are scraped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.parser import text_string_to_metric_families

from rui_api.observability.counters import DURATION_BOUNDS, SIZE_BOUNDS, Histogram, RequestCounters, RouteCounters
from rui_api.observability.telemetry import Telemetry
from rui_api.observability.worker_metrics import WorkerMetrics
from rui_common.version import TOOL_VERSION

HISTOGRAMS: tuple[tuple[str, str, tuple[float, ...], Callable[[RouteCounters], Histogram]], ...] = (
    ("rui_request_duration_seconds", "From the request to the end of its response.", DURATION_BOUNDS,
     lambda counters: counters.seconds),
    ("rui_request_size_bytes", "Bodies of requests.", SIZE_BOUNDS, lambda counters: counters.received),
    ("rui_response_size_bytes", "Bodies of responses.", SIZE_BOUNDS, lambda counters: counters.sent),
)  # fmt: skip


def process_registry(telemetry: Telemetry) -> CollectorRegistry:
    """Return a registry with the metrics of this process."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(cast("Any", ServiceCollector(telemetry)))
    ProcessCollector(registry=registry)
    return registry


def service_registry(telemetry: Telemetry) -> CollectorRegistry:
    """Return a registry with the metrics of the whole service: of all workers, if there are several."""
    if telemetry.workers is None:
        return process_registry(telemetry)
    registry = CollectorRegistry(auto_describe=False)
    registry.register(cast("Any", WorkersCollector(telemetry.workers)))
    return registry


def exposition(registry: CollectorRegistry) -> bytes:
    text: bytes = generate_latest(registry)
    return text


class WorkersCollector:
    """Collector of the metrics of all workers. The label ``worker`` keeps them apart.

    A replaced worker is one counter that starts again at 0, which Prometheus can handle.
    """

    def __init__(self, workers: WorkerMetrics) -> None:
        self._workers = workers

    def collect(self) -> list[Metric]:
        merged: dict[str, Metric] = {}
        for worker, text in self._workers.collect():
            for family in text_string_to_metric_families(text):
                metric = merged.setdefault(family.name, Metric(family.name, family.documentation, family.type))
                for sample in family.samples:
                    metric.samples.append(sample._replace(labels={"worker": worker, **sample.labels}))
        return list(merged.values())


class ServiceCollector:
    """Collector of the metrics of this process, except those of the operating system."""

    def __init__(self, telemetry: Telemetry) -> None:
        self._telemetry = telemetry

    def collect(self) -> Iterator[Metric]:
        telemetry = self._telemetry
        counters = telemetry.counters
        build = GaugeMetricFamily("rui_build_info", "1, for the running version.", labels=["version"])
        build.add_metric([TOOL_VERSION], 1)
        yield build
        yield from _request_metrics(counters)
        yield _counter_by_code("rui_errors", "Errors in responses by code, those of the rules too.", counters.codes)
        yield _counter_by_code("rui_refused", "Requests that the HTTP server refused, by code.", telemetry.refused())
        yield GaugeMetricFamily("rui_requests_running", "Requests in progress.", value=counters.running)
        yield GaugeMetricFamily("rui_connections", "Open connections.", value=telemetry.connections())
        dropped = 0 if telemetry.log is None else telemetry.log.dropped
        yield CounterMetricFamily("rui_log_lines_dropped", "Log lines that could not be written.", value=dropped)


def _counter_by_code(name: str, text: str, counts: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(name, text, labels=["code"])
    for code, number in sorted(counts.items()):
        family.add_metric([code], number)
    return family


def _request_metrics(counters: RequestCounters) -> Iterator[Metric]:
    routes = sorted(counters.routes.items())
    requests = CounterMetricFamily("rui_requests", "Requests.", labels=["route", "method", "status"])
    for (route, method, status), one in routes:
        requests.add_metric([route, method, str(status)], sum(one.seconds.buckets))
    yield requests
    for name, text, bounds, get_histogram in HISTOGRAMS:
        merged: dict[tuple[str, str], Histogram] = {}
        for (route, method, _), one in routes:
            merged.setdefault((route, method), Histogram(bounds)).add(get_histogram(one))
        family = HistogramMetricFamily(name, text, labels=["route", "method"])
        for labels, histogram in merged.items():
            family.add_metric(labels, histogram.cumulative(), histogram.total)
        yield family
