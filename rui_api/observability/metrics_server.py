"""Metrics on a port of their own: a small server of threads that bears with its clients no longer than the service."""

from __future__ import annotations

import socket
import threading
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING, Any, cast
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry, make_wsgi_app

from rui_api.http.response_headers import METRICS, SECURITY
from rui_api.observability.prometheus import Collector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rui_api.observability.worker_metrics import Snapshot

PLACES = 64
"""Connections at the same time; Prometheus needs one."""
HEADERS = [*((name.decode().title(), value.decode()) for name, value in SECURITY), ("Server", "rui")]


def serve_metrics(host: str, port: int, ask: Callable[[], Sequence[Snapshot]], patience: float) -> int:
    """Serve the metrics of all workers at /metrics, from threads, until the process ends.

    Args:
        host: the address to listen on.
        port: 0 takes any free one.
        ask: gives the numbers of all workers.
        patience: seconds that a client may send and read nothing.

    Returns:
        The port.

    Raises:
        OSError: the port cannot be had.
    """
    registry = CollectorRegistry(auto_describe=False)
    registry.register(cast("Any", Collector(ask)))
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    handler = type("Handler", (_Handler,), {"timeout": patience})
    server = type("Server", (_Server,), {"address_family": found[0]})((found[4][0], port), handler)
    server.set_app(_application(make_wsgi_app(registry)))
    threading.Thread(target=server.serve_forever, name="rui-metrics", daemon=True).start()
    return int(server.server_port)


def _application(metrics: Any) -> Any:  # noqa: ANN401  WSGI, which has types for type checkers only
    """prometheus_client's own, at one path, with HEAD, and with the headers that every answer has."""

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]]) -> Any:  # noqa: ANN401
            return start_response(status, [*headers, *HEADERS])

        if environ["PATH_INFO"] != METRICS:
            start("404 Not Found", [("Content-Type", "text/plain; charset=utf-8")])
            return [f"There is nothing at this address but {METRICS}.\n".encode()]
        if environ["REQUEST_METHOD"] != "HEAD":
            return cast("Iterable[bytes]", metrics(environ, start))
        metrics({**environ, "REQUEST_METHOD": "GET"}, start)
        return []

    return application


class _Handler(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing: scrapes are no requests to the service."""


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True

    def __init__(self, *arguments: Any) -> None:  # noqa: ANN401
        super().__init__(*arguments)
        self._places = threading.BoundedSemaphore(PLACES)

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401
        """Answer in a thread, if there is a place for one more."""
        if self._places.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:  # noqa: ANN401
        """The same, in the thread."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, *_: object) -> None:
        """Nothing: the client left, or took too long."""
