"""Metrics for Prometheus. Workers share them through files (prometheus_client's multiprocess mode).

The series that alerts need exist from the start with 0: `rate` does not see that one appears with 1.
"""

import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum, StrEnum
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler

from rui_common.vocabulary.rules import MESSAGES

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Variable that prometheus_client reads when it is imported: the folder of the files of all workers."""

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds of the durations, in seconds."""

CONNECTION_SECONDS = 30.0  # maximum time of a connection for the metrics: each one has a thread


class Verdict(StrEnum):
    """The result of a validation. A body is unreadable if it contains no RUI (specification, section 4.1)."""

    VALID = "valid"
    INVALID = "invalid"
    UNREADABLE = "unreadable"


class Work(Enum):
    """What a request asks for besides a validation, and how that can end: in a result, without one, or without time."""

    FIX = ("fix", "done", "nothing", "skipped")
    BASE = ("base", "done", "refused")
    CHANGES = ("changes", "done", "skipped")


class Metrics:
    """The metrics. Those of requests have labels: route, method and, of `requests`, status."""

    def __init__(self) -> None:
        from prometheus_client import Counter, Histogram  # after `FOLDER` is set

        self.requests = Counter("rui_requests", "Requests.", ["route", "method", "status"])
        self.seconds = Histogram(
            "rui_request_duration_seconds", "Durations of requests.", ["route", "method"], buckets=BUCKETS
        )
        validations = Counter("rui_validations", "Documents that clients of the API sent.", ["result"])
        self.validations = {verdict: validations.labels(verdict.value) for verdict in Verdict}
        errors = Counter("rui_validation_errors", "Errors in responses to documents.", ["code"])
        self.errors = {code: errors.labels(code) for code in MESSAGES}
        work = Counter("rui_work", "What requests asked for besides validations.", ["work", "result"])
        self.work = {
            (kind, result): work.labels(name, result)
            for kind in Work
            for name, *results in [kind.value]
            for result in results
        }


@cache
def metrics() -> Metrics:
    return Metrics()


def count_validation(verdict: Verdict, codes: Iterable[str] = ()) -> None:
    """Count a document of a client, and the errors in its response."""
    metrics().validations[verdict].inc()
    for code in codes:
        metrics().errors[code].inc()


def count_work(work: Work, result: str) -> None:
    """Count what a request asked for; `result` is one of those of `work`."""
    metrics().work[work, result].inc()


def restore_folder() -> None:
    """Create the folder of the metrics if something removed it, such as a program that cleans ``/tmp``."""
    if FOLDER in os.environ:
        Path(os.environ[FOLDER]).mkdir(0o700, parents=True, exist_ok=True)


@contextmanager
def serving_metrics(host: str, port: int) -> Iterator[None]:
    """Serve the metrics of this process, and of those that it starts, at a port of its own.

    Raises:
        OSError: the port cannot be used.
    """
    folder = mkdtemp(prefix="rui-metrics-")
    os.environ[FOLDER] = folder
    try:
        from prometheus_client import start_http_server  # after `FOLDER` is set
        from prometheus_client.multiprocess import MultiProcessCollector

        from rui_api.observability.registry import Registry

        registry = Registry()
        MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
        server, thread = start_http_server(port, host, registry)
        server.RequestHandlerClass = ScrapeHandler
        server.set_app(_unless_lost(Path(folder), server.get_app()))  # type: ignore[arg-type]
        try:
            yield
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
    finally:
        del os.environ[FOLDER]
        shutil.rmtree(folder, ignore_errors=True)


class ScrapeHandler(WSGIRequestHandler):
    """Handles a connection for the metrics. It logs neither requests nor connections that break or take too long."""

    def handle(self) -> None:
        timer = threading.Timer(CONNECTION_SECONDS, self._end)
        timer.start()
        try:
            with suppress(OSError):  # socketserver would print a stack trace into the log
                super().handle()
        finally:
            timer.cancel()

    def log_message(self, *_: object) -> None:
        pass

    def _end(self) -> None:
        with suppress(OSError):  # the client has ended it
            self.connection.shutdown(socket.SHUT_RDWR)


def _unless_lost(folder: Path, app: Callable[..., Any]) -> Callable[..., Any]:
    """Return a WSGI application that answers 503 in place of an empty list once the files of the metrics are lost."""
    had_files = False

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:  # noqa: ANN401  as WSGI has it
        nonlocal had_files
        has_files = any(folder.glob("*.db"))
        if has_files or not had_files:
            had_files = has_files
            return app(environ, start_response)
        start_response("503 Service Unavailable", [("Content-Type", "text/plain; charset=utf-8")])
        return [f"The files of the metrics in {folder} were removed; restart the service.\n".encode()]

    return answer
