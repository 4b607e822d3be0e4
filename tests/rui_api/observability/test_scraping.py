"""Connections for the metrics that break, or on which nothing more arrives."""

import socket
import struct
import threading
from collections.abc import Iterator
from wsgiref.simple_server import demo_app, make_server

import pytest
from prometheus_client.exposition import ThreadingWSGIServer

from rui_api.observability import metrics
from rui_api.observability.metrics import ScrapeHandler
from tests.rui_api.live import PATIENT, wait_until

REQUEST = b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n"


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(metrics, "CONNECTION_SECONDS", 0.2)
    with make_server("127.0.0.1", 0, demo_app, ThreadingWSGIServer, ScrapeHandler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("request_", [b"", REQUEST[:-2], b"\r\n", b"GET"])
@pytest.mark.parametrize("is_reset", [False, True])
def test_it_ends_and_prints_nothing(port: int, request_: bytes, is_reset: bool, capfd) -> None:
    threads = threading.active_count()
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENT) as connection:
        connection.sendall(request_)
        if is_reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        else:
            assert connection.recv(100) == b""
    wait_until(lambda: threading.active_count() <= threads, "its thread has ended")
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENT) as connection:
        connection.sendall(REQUEST)
        assert connection.recv(100).startswith(b"HTTP/1.0 200 ")
    assert "Traceback" not in capfd.readouterr().err
