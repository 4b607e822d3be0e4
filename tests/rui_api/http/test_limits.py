"""Limits of requests: their number, and the hosts that they may name."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_common.describe import minimal_example
from tests.rui_api.live import Service, running
from tests.rui_api.load import wait_until

UPLOAD = (
    b"POST /api/validate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n"
    b"Expect: 100-continue\r\n\r\n"
)


def test_one_request_too_many(tmp_path) -> None:
    """Above the limit, the service answers 503 with Retry-After, and is healthy."""
    app = create_app(Settings(store=f"sqlite:///{tmp_path}/rui.db"), max_requests=3)
    with running(app) as service, ExitStack() as stack:
        uploads = []
        for _ in range(3):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", service.port), timeout=60))
            connection.sendall(UPLOAD)
            assert connection.recv(100).startswith(b"HTTP/1.1 100 "), "the request is running"
            uploads.append(connection)
        refused = service.post("/api/validate", minimal_example())
        assert (refused.status_code, refused.json()["error"]) == (503, "OVERLOADED")
        assert refused.headers["retry-after"] == "1"
        assert service.client.get("/api/health").status_code == 200
        uploads[0].close()
        wait_until(lambda: service.post("/api/validate", minimal_example()).status_code == 200, "there is room")


@pytest.fixture(scope="module")
def choosy(tmp_path_factory) -> Iterator[Service]:
    settings = Settings(
        store=f"sqlite:///{tmp_path_factory.mktemp('choosy')}/rui.db", allowed_hosts=("127.0.0.1", "a.example", "[::1]")
    )
    with running(create_app(settings)) as service:
        yield service


@pytest.mark.parametrize(("host", "known"), [
    ("a.example", True), ("A.Example:8080", True), ("[::1]:80", True), ("[::1]", True), ("b.example", False),
    ("a.example.evil", False), ("xa.example", False), ("", False), ("::1", False), ("a.example:x", False),
    ("evil#a.example", False),
])  # fmt: skip
@pytest.mark.parametrize("path", ["/api/docs", "/api/specs/x", "/nope", "/inspector.css"])
def test_allowed_hosts(choosy: Service, host: str, known: bool, path: str) -> None:
    answer = httpx.get(f"{choosy.url}{path}", headers={"Host": host})
    refused = answer.status_code == 400 and json.loads(answer.content).get("error") == "BAD_REQUEST"
    assert refused is not known


def test_allowed_hosts_of_http_1_0(choosy: Service) -> None:
    head, _ = choosy.raw(b"GET /api/docs HTTP/1.0\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")


def test_probes_name_any_host(choosy: Service) -> None:
    for path in ("/api/health", "/api/ready", "/api/ready/validation"):
        assert httpx.get(f"{choosy.url}{path}", headers={"Host": "10.0.0.1"}).status_code == 200


def test_an_upload_that_is_too_long_is_answered(choosy: Service) -> None:
    """Also to a client that reads the answer only after it has sent everything."""
    for size in (300_000, 3_000_000):
        answer = choosy.post("/api/validate", b" " * size)
        assert (answer.status_code, answer.json()["errors"][0]["code"]) == (400, "INVALID_JSON")
