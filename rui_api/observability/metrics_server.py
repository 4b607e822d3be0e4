"""Metrics on an address of their own: a small threaded server with a timeout and a limit of connections."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterable
from socketserver import ThreadingMixIn
from typing import Any, cast
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry, make_wsgi_app

from rui_api.http.response_headers import METRICS, SECURITY

MAX_CONNECTIONS = 64
HEADERS = [*((name.decode().title(), value.decode()) for name, value in SECURITY), ("Server", "rui")]


def serve_metrics(host: str, port: int, registry: CollectorRegistry, timeout: float) -> int:
    """Serve the metrics in `registry` at /metrics, from threads, until the process ends.

    Args:
        host: the address to listen on.
        port: 0 for any free one.
        registry: the metrics.
        timeout: seconds that a connection may be idle.

    Returns:
        The port.

    Raises:
        OSError: the port is not available.
    """
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    handler = type("Handler", (_Handler,), {"timeout": timeout})
    server = type("Server", (_Server,), {"address_family": family})((address[0], port), handler)
    server.set_app(_application(make_wsgi_app(registry)))
    threading.Thread(target=server.serve_forever, name="rui-metrics", daemon=True).start()
    return int(server.server_port)


def _application(metrics: Any) -> Any:  # noqa: ANN401  WSGI has types for type checkers only
    """Wrap the application of prometheus_client: one path, HEAD, and the headers of all responses of the service."""

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]]) -> Any:  # noqa: ANN401
            return start_response(status, [*headers, *HEADERS])

        if environ["PATH_INFO"] != METRICS:
            start("404 Not Found", [("Content-Type", "text/plain; charset=utf-8")])
            return [f"Not found. The metrics are at {METRICS}.\n".encode()]
        if environ["REQUEST_METHOD"] != "HEAD":
            return cast("Iterable[bytes]", metrics(environ, start))
        metrics({**environ, "REQUEST_METHOD": "GET"}, start)
        return []

    return application


class _Handler(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        """Do not log scrapes."""


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True

    def __init__(self, *arguments: Any) -> None:  # noqa: ANN401
        super().__init__(*arguments)
        self._slots = threading.BoundedSemaphore(MAX_CONNECTIONS)

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401
        if self._slots.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:  # noqa: ANN401
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._slots.release()

    def handle_error(self, *_: object) -> None:
        """Ignore clients that leave or time out."""
