"""Numbers → metrics in Prometheus's text format. Nothing of this runs before somebody asks."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any, cast

from prometheus_client import generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

from rui_api.observability.counters import BYTES, SECONDS
from rui_api.store.stats import DURATION_BOUNDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from prometheus_client import Metric

    from rui_api.observability.worker_metrics import Snapshot

WORKER = "worker"

NUMBERS: tuple[tuple[type[Any], str, str, Callable[[Snapshot], float]], ...] = (
    (GaugeMetricFamily, "rui_requests_running", "Requests that are being answered.", lambda found: found["running"]),
    (GaugeMetricFamily, "rui_connections", "Clients that are connected.", lambda found: found["connections"]),
    (CounterMetricFamily, "rui_log_lines_dropped", "Lines that could not be logged.", lambda found: found["dropped"]),
)
STORE_NUMBERS: tuple[tuple[type[Any], str, str, str], ...] = (
    (CounterMetricFamily, "rui_store_done", "Requests that the store answered.", "done"),
    (
        CounterMetricFamily,
        "rui_store_failed",
        "Requests that the store did not answer, the refused ones too.",
        "failed",
    ),
    (CounterMetricFamily, "rui_store_refused", "Requests that were refused because too many waited.", "refused"),
    (CounterMetricFamily, "rui_store_batches", "Transactions, each for all that waited together.", "batches"),
    (GaugeMetricFamily, "rui_store_waiting", "Requests that wait for the store now.", "waiting"),
    (GaugeMetricFamily, "rui_store_waiting_bytes", "The size of the specs that wait to be stored.", "waiting_bytes"),
)
HISTOGRAMS: tuple[tuple[str, str, tuple[float, ...]], ...] = (
    ("rui_request_duration_seconds", "From the request to the end of its answer.", SECONDS),
    ("rui_request_size_bytes", "The bodies of requests.", BYTES),
    ("rui_response_size_bytes", "The bodies of answers.", BYTES),
)


def exposition(snapshots: Sequence[Snapshot]) -> bytes:
    """The metrics of all workers."""
    text: bytes = generate_latest(cast("Any", Collector(lambda: snapshots)))
    return text


class Collector:
    """What prometheus_client asks for metrics.

    Args:
        ask: gives the numbers of all processes.
    """

    def __init__(self, ask: Callable[[], Sequence[Snapshot]]) -> None:
        self._ask = ask

    def collect(self) -> Iterator[Metric]:
        """Every metric."""
        snapshots = self._ask()
        # A label for the worker is there only when there are workers.
        own = [WORKER] if any(found["worker"] for found in snapshots) else []

        def worker(found: Snapshot) -> list[str]:
            return [found["worker"]] if own else []

        build = GaugeMetricFamily("rui_build_info", "1, for the version that runs.", labels=[*own, "version"])
        for found in snapshots:
            build.add_metric([*worker(found), found["version"]], 1)
        yield build
        yield from _of_requests(snapshots, own, worker)
        for name, text, key in (
            ("rui_errors", "Errors in answers by code, those of the rules too.", "codes"),
            ("rui_refused", "What was refused before it was a request, by code.", "refused"),
        ):
            errors = CounterMetricFamily(name, text, labels=[*own, "code"])
            for found in snapshots:
                for code, number in sorted(found[key].items()):
                    errors.add_metric([*worker(found), code], number)
            yield errors
        for kind, name, text, read in NUMBERS:
            family = kind(name, text, labels=own)
            for found in snapshots:
                family.add_metric(worker(found), read(found))
            yield family
        yield from _of_store(snapshots, own, worker)
        yield from _of_processes(snapshots, own, worker)


def _of_requests(
    snapshots: Iterable[Snapshot], own: list[str], worker: Callable[[Snapshot], list[str]]
) -> Iterator[Metric]:
    requests = CounterMetricFamily(
        "rui_requests", "Requests that were answered.", labels=[*own, "route", "method", "status"]
    )
    families = [HistogramMetricFamily(name, text, labels=[*own, "route", "method"]) for name, text, _ in HISTOGRAMS]
    for found in snapshots:
        merged: dict[tuple[str, str], list[tuple[list[int], float]]] = {}
        for route, method, status, *histograms in found["requests"]:
            requests.add_metric([*worker(found), route, method, str(status)], sum(histograms[0][0]))
            before = merged.get((route, method))
            merged[route, method] = [
                (buckets, total) if before is None else _plus(before[number], (buckets, total))
                for number, (buckets, total) in enumerate(histograms)
            ]
        for key, histograms in sorted(merged.items()):
            for family, (_, _, bounds), (buckets, total) in zip(families, HISTOGRAMS, histograms, strict=True):
                family.add_metric([*worker(found), *key], _summed(bounds, buckets), total)
    yield requests
    yield from families


def _of_store(
    snapshots: Iterable[Snapshot], own: list[str], worker: Callable[[Snapshot], list[str]]
) -> Iterator[Metric]:
    labels = [*own, "operation"]
    for kind, name, text, key in STORE_NUMBERS:
        family = kind(name, text, labels=labels)
        for found in snapshots:
            for operation, stats in found["store"].items():
                if key in stats:
                    family.add_metric([*worker(found), operation], stats[key])
        yield family
    seconds = HistogramMetricFamily("rui_store_duration_seconds", "How long the store took.", labels=labels)
    for found in snapshots:
        for operation, stats in found["store"].items():
            buckets, total = stats["seconds"]
            seconds.add_metric([*worker(found), operation], _summed(DURATION_BOUNDS, buckets), total)
    yield seconds


def _of_processes(
    snapshots: Iterable[Snapshot], own: list[str], worker: Callable[[Snapshot], list[str]]
) -> Iterator[Metric]:
    kinds = {"counter": CounterMetricFamily, "gauge": GaugeMetricFamily}
    families: dict[str, Any] = {}
    for found in snapshots:
        for name, kind, text, value in found["process"]:
            family = families.get(name)
            if family is None:
                family = families[name] = kinds[kind](name, text, labels=own)
            family.add_metric(worker(found), value)
    yield from families.values()


def _plus(one: tuple[list[int], float], other: tuple[list[int], float]) -> tuple[list[int], float]:
    return [a + b for a, b in zip(one[0], other[0], strict=True)], one[1] + other[1]


def _summed(bounds: Sequence[float], buckets: Sequence[int]) -> list[tuple[str, float]]:
    """Buckets as Prometheus has them: each holds those below it, too."""
    names = [*(f"{bound:g}" if bound < 1 else str(bound) for bound in bounds), "+Inf"]
    return list(zip(names, accumulate(buckets), strict=True))
