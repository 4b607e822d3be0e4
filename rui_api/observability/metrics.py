"""Metrics for Prometheus. Workers share them through files (prometheus_client's multiprocess mode)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prometheus_client import Counter, Histogram

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Variable that prometheus_client reads when it is imported: the folder of the files of all workers."""

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds of the durations, in seconds."""


@cache
def request_counter() -> Counter:
    """Return the counter of requests by route, method and status."""
    from prometheus_client import Counter  # noqa: PLC0415  after `FOLDER` is set

    return Counter("rui_requests", "Requests.", ["route", "method", "status"])


@cache
def request_seconds() -> Histogram:
    """Return the durations of requests by route and method."""
    from prometheus_client import Histogram  # noqa: PLC0415  after `FOLDER` is set

    return Histogram("rui_request_duration_seconds", "Durations of requests.", ["route", "method"], buckets=BUCKETS)


@contextmanager
def serving_metrics(host: str, port: int) -> Iterator[None]:
    """Serve the metrics of this process, and of those that it starts, at a port of its own.

    Raises:
        OSError: the port cannot be used.
    """
    with TemporaryDirectory(prefix="rui-metrics-") as folder:
        os.environ[FOLDER] = folder
        from prometheus_client import CollectorRegistry, start_http_server  # noqa: PLC0415  after `FOLDER` is set
        from prometheus_client.multiprocess import MultiProcessCollector  # noqa: PLC0415

        registry = CollectorRegistry()
        MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
        server, thread = start_http_server(port, host, registry)
        try:
            yield
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
            del os.environ[FOLDER]
