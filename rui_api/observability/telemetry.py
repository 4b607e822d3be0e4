"""The sources of logs, metrics and traces of one process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rui_api.observability.counters import RequestCounters
from rui_api.observability.log_writer import LogWriter
from rui_api.observability.worker_metrics import WorkerMetrics


class Telemetry:
    """Collects what the parts of a process provide for logs, metrics and traces.

    Attributes:
        counters: the requests.
        log: the log, or None.
        connections: returns the number of open connections.
        refused: returns the number of requests that the HTTP server refused, by error code.
        workers: metrics of all workers, or None if there is one process.
        tracer: an OpenTelemetry tracer, or None.
        is_draining: whether the process is about to stop, so that probes of its readiness fail.
    """

    def __init__(self) -> None:
        self.counters = RequestCounters()
        self.log: LogWriter | None = None
        self.connections: Callable[[], int] = lambda: 0
        self.refused: Callable[[], Mapping[str, int]] = dict
        self.workers: WorkerMetrics | None = None
        self.tracer: Any = None
        self.is_draining = False
