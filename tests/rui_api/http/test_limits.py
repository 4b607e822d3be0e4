"""Limits of requests: their number, their hosts, and bodies that are in chunks, too long, incomplete, or missing."""

import asyncio
import itertools
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from litestar.types import Message, Receive, Scope, Send

from rui_api.config.options import Settings
from rui_api.http import limits
from rui_api.http.limits import MAX_DISCARDED, RequestLimits, UnreadBodies
from rui_common.describe import minimal_example
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.inputs.sample import sized
from tests.rui_api.live import PATIENT, Service, patient_app, running, wait_until

HEAD = b"POST /api/validate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
UPLOAD = HEAD + b"Content-Length: 99\r\nExpect: 100-continue\r\n\r\n"


def test_one_request_too_many(tmp_path: Path) -> None:
    """Above the limit, the service answers 503 with Retry-After, and is healthy."""
    few = RequestLimits(max_requests=3, body_seconds=PATIENT)
    app = patient_app(Settings(store=f"sqlite:///{tmp_path}/rui.db"), limits=few)
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


def test_the_bodies_of_all_requests_have_a_limit(tmp_path: Path) -> None:
    """Above it, the body that grows gets 503; what it held is free again."""
    few = RequestLimits(max_bodies_bytes=300_000, body_seconds=PATIENT)
    body = sized(MAX_BODY_BYTES, "ß")
    with running(patient_app(Settings(store=f"sqlite:///{tmp_path}/rui.db"), limits=few)) as service:
        with socket.create_connection(("127.0.0.1", service.port), timeout=60) as upload:
            upload.sendall(HEAD + b"Content-Length: 200001\r\n\r\n" + b" " * 200_000)
            wait_until(lambda: service.post("/api/validate", body).status_code == 503, "the upload counts")
            assert service.post("/api/validate", minimal_example()).status_code == 200
        wait_until(lambda: service.post("/api/validate", body).status_code == 200, "there is room")


@pytest.fixture(scope="module")
def choosy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with a list of hosts, and a short time for bodies."""
    store = f"sqlite:///{tmp_path_factory.mktemp('choosy')}/rui.db"
    settings = Settings(store=store, allow_hosts=("127.0.0.1", "a.example", "[::1]"))
    with running(patient_app(settings, limits=RequestLimits(body_seconds=0.2))) as service:
        yield service


KNOWN = ("a.example", "A.Example:8080", "[::1]:80", "[::1]")
OTHER = ("b.example", "a.example.evil", "xa.example", "", "::1", "a.example:x", "evil#a.example")


@pytest.mark.parametrize("path", ["/api/docs", "/docs"])
def test_allowed_hosts(choosy: Service, path: str) -> None:
    for host in (*KNOWN, *OTHER):
        answer = httpx.get(f"{choosy.url}{path}", headers={"Host": host}, timeout=60)
        assert answer.status_code == (200 if host in KNOWN else 400), host
        assert host in KNOWN or answer.json()["error"] == "BAD_REQUEST"


def test_requests_without_one_of_the_hosts(choosy: Service) -> None:
    assert choosy.raw(b"GET /api/docs HTTP/1.0\r\n\r\n")[0].startswith(b"HTTP/1.1 400 ")
    two_hosts = b"GET /api/docs HTTP/1.1\r\nHost: a.example\r\nHost: a.example\r\nConnection: close\r\n\r\n"
    assert choosy.raw(two_hosts)[0].startswith(b"HTTP/1.1 400 ")
    for path in ("/api/health", "/api/ready"):  # probes name any host
        assert httpx.get(f"{choosy.url}{path}", headers={"Host": "10.0.0.1"}, timeout=60).status_code == 200


def chunks(body: bytes, size: int) -> bytes:
    parts = (body[start : start + size] for start in range(0, len(body), size))
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


@pytest.mark.parametrize("size", [1000, 65_536, MAX_BODY_BYTES + 1])
def test_chunks(service: Service, size: int) -> None:
    body = sized(MAX_BODY_BYTES, "ß")
    parts = (body[start : start + size] for start in range(0, len(body), size))
    answer = service.client.post("/api/validate", content=parts, headers={"Content-Type": "application/json"})
    assert answer.json()["valid"] is True
    head, refused = service.raw(CHUNKED + chunks(sized(MAX_BODY_BYTES + 1, "ß"), size))
    assert head.startswith(b"HTTP/1.1 400 ") and b"connection: close" in head
    assert f"longer than {MAX_BODY_BYTES} bytes" in json.loads(refused)["errors"][0]["hint"]


def test_reading_stops_beyond_the_limit(service: Service) -> None:
    """A body without an end gets a response and a closed connection, though the system may have buffered some MB."""
    sent = 0
    with socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection:
        connection.sendall(CHUNKED)
        try:
            for _ in itertools.repeat(None, 100_000):
                sent += connection.send(b"1000\r\n" + b" " * 0x1000 + b"\r\n")
        except OSError:
            pass
    assert MAX_BODY_BYTES < sent < 50_000_000


def test_an_upload_that_is_too_long_is_answered(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also to a client that reads the answer only after it has sent everything."""
    monkeypatch.setattr(limits, "DISCARD_SECONDS", PATIENT)
    for size in (300_000, 3_000_000):
        answer = service.post("/api/validate", b" " * size)
        assert (answer.status_code, answer.json()["errors"][0]["code"]) == (400, "INVALID_JSON")


@pytest.mark.parametrize(("most", "expected"), [(0, 0), (1, 2 * MAX_DISCARDED)])
def test_an_upload_without_an_end_is_answered(monkeypatch: pytest.MonkeyPatch, most: int, expected: int) -> None:
    """Two requests, one after the other. A part of a body that nobody reads is received, and no more."""
    monkeypatch.setattr(limits, "DISCARD_SECONDS", PATIENT)
    monkeypatch.setattr(limits, "MAX_DISCARDING", most)
    received = 0
    sent: list[Message] = []

    async def receive() -> Message:
        nonlocal received
        received += 1 << 16
        assert received <= expected, "it is received without a limit"
        return {"type": "http.request", "body": bytes(1 << 16), "more_body": True}

    async def send(message: Message) -> None:
        sent.append(message)

    async def refuse(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 404, "headers": []})

    async def scenario() -> None:
        app = UnreadBodies(refuse)
        for _ in range(2):
            await app({"type": "http", "headers": [(b"transfer-encoding", b"chunked")]}, receive, send)

    asyncio.run(scenario())
    assert received == expected
    assert [message["headers"] for message in sent] == [[(b"connection", b"close")]] * 2


@pytest.mark.parametrize("length", [b"262145", b"9" * 30, b"9223372036854775807"])
def test_announced_length_is_refused_unread(service: Service, length: bytes) -> None:
    head, body = service.raw(HEAD + b"Content-Length: " + length + b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    if len(length) < 10:
        assert b"connection: close" in head
        assert "262145 bytes" in json.loads(body)["errors"][0]["hint"]


def test_several_requests_on_one_connection(service: Service) -> None:
    """No byte of a refused body counts as part of the next request."""
    body = json.dumps(minimal_example()).encode()
    wrong = HEAD.replace(b"application/json", b"text/plain") + b"Content-Length: %d\r\n\r\n" % len(body) + body
    right = HEAD + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
    head, rest = service.raw(wrong + right, *(bytes([byte]) for byte in body))
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"HTTP/1.1 200 OK" in rest


def test_body_that_does_not_come(choosy: Service) -> None:
    head, body = choosy.raw(HEAD.replace(b"Host: a", b"Host: a.example") + b"Content-Length: 100\r\n\r\n{")
    assert head.startswith(b"HTTP/1.1 400 ") and b"connection: close" in head
    assert "not complete" in json.loads(body)["errors"][0]["hint"]
