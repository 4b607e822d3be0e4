"""Request bodies in chunks, above the limit, incomplete, or missing."""

import itertools
import json
import logging
import socket
import time

import pytest

from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_common.describe import minimal_example
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.rui_api.live import Service, running
from tests.rui_api.routes.test_validate import sized

HEAD = b"POST /api/validate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


def chunks(body: bytes, size: int) -> bytes:
    parts = (body[at : at + size] for at in range(0, len(body), size))
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


@pytest.mark.parametrize("size", [1000, 65_536, MAX_BODY_BYTES])
def test_chunks_up_to_the_limit(service: Service, size: int) -> None:
    body = sized(MAX_BODY_BYTES, "ß")
    answer = service.client.post(
        "/api/validate",
        content=(body[at : at + size] for at in range(0, len(body), size)),
        headers={"Content-Type": "application/json"},
    )
    assert answer.json()["valid"] is True


@pytest.mark.parametrize("size", [1000, 65_536, MAX_BODY_BYTES + 1])
def test_chunks_beyond_the_limit(service: Service, size: int) -> None:
    head, body = service.raw(CHUNKED + chunks(sized(MAX_BODY_BYTES + 1, "ß"), size))
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"connection: close" in head
    assert f"longer than {MAX_BODY_BYTES} bytes" in json.loads(body)["errors"][0]["hint"]


def test_reading_stops_beyond_the_limit(service: Service) -> None:
    """A body without an end gets a response and a closed connection, though the system may have buffered some MB."""
    sent = 0
    with socket.create_connection(("127.0.0.1", service.port), timeout=10) as connection:
        connection.sendall(CHUNKED)
        try:
            for _ in itertools.repeat(None, 100_000):
                sent += connection.send(b"1000\r\n" + b" " * 0x1000 + b"\r\n")
        except OSError:
            pass
    assert MAX_BODY_BYTES < sent < 50_000_000


def test_announced_length_is_refused_unread(service: Service) -> None:
    head, body = service.raw(HEAD + b"Content-Length: 262145\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"connection: close" in head
    assert "262145 bytes" in json.loads(body)["errors"][0]["hint"]


@pytest.mark.parametrize("length", [b"9" * 30, b"262145", b"9223372036854775807"])
def test_huge_announced_lengths(service: Service, length: bytes) -> None:
    head, _ = service.raw(HEAD + b"Content-Length: " + length + b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("request_", [
    HEAD + b"Content-Length: -1\r\n\r\n", HEAD + b"Content-Length: x\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
    b"POST /api/validate\r\n\r\n", CHUNKED + b"zz\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
])  # fmt: skip
def test_no_http(service: Service, request_: bytes) -> None:
    head, body = service.raw(request_)
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"Traceback" not in body


def test_body_in_single_bytes(service: Service) -> None:
    body = json.dumps(minimal_example()).encode()
    request = HEAD + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
    head, answer = service.raw(request, *(bytes([byte]) for byte in body))
    assert head.startswith(b"HTTP/1.1 200 ")
    assert json.loads(answer)["valid"] is True


def test_several_requests_on_one_connection(service: Service) -> None:
    """No byte of a refused body counts as part of the next request."""
    body = json.dumps(minimal_example()).encode()
    wrong = HEAD.replace(b"application/json", b"text/plain") + b"Content-Length: %d\r\n\r\n" % len(body) + body
    right = HEAD + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    head, rest = service.raw(wrong + right)
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"HTTP/1.1 200 OK" in rest


@pytest.mark.parametrize("part", [
    HEAD, HEAD + b"Content-Length: 100\r\n\r\n", HEAD + b"Content-Length: 100\r\n\r\n{", CHUNKED + b"5\r\n{",
])  # fmt: skip
def test_client_that_goes_away(service: Service, part: bytes, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        with socket.create_connection(("127.0.0.1", service.port)) as connection:
            connection.sendall(part)
            time.sleep(0.05)
        assert service.client.get("/api/health").status_code == 200
        time.sleep(0.05)
    assert caplog.records == []


@pytest.fixture(scope="module")
def impatient(tmp_path_factory):
    """A service with a short time for bodies."""
    app = create_app(Settings(store=f"sqlite:///{tmp_path_factory.mktemp('impatient')}/rui.db"), body_seconds=0.2)
    with running(app) as service:
        yield service


def test_body_that_does_not_come(impatient: Service) -> None:
    head, body = impatient.raw(HEAD + b"Content-Length: 100\r\n\r\n{")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"connection: close" in head
    assert "not complete" in json.loads(body)["errors"][0]["hint"]
