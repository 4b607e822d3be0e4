"""A request that offers an upgrade is answered like any other (RFC 9110, 7.8), and its body is never a request."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rui_api.live import JSON, Service, process, wait_until
from tests.rui_api.raw_http import DOCUMENT, GET_HEALTH, H2C, OFFERS, exchange, framings, head_of, smuggled
from tests.support.tables import without_cross


def segmentations(head: bytes, content: bytes) -> Iterator[list[bytes]]:
    """Yield a request in one and in several segments."""
    yield [head + content]
    yield [head, content]
    yield [head[:-20], head[-20:] + content[:1], content[1:9], content[9:]]


@pytest.fixture
def connection(service: Service) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", service.port), timeout=60) as opened:
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield opened


def check_health(connection: socket.socket) -> None:
    """The next request of the connection gets its own response."""
    status, body = exchange(connection, [GET_HEALTH])
    assert (status, json.loads(body)) == (200, {"status": "ok"})


@pytest.mark.parametrize("offer", OFFERS)
def test_the_body_is_read(connection: socket.socket, offer: str) -> None:
    for body, expected in ((DOCUMENT, 200), (smuggled("a"), 400)):
        for framing in framings(body):
            headers = ("Host: a", "Content-Type: application/json", *OFFERS[offer], *framing.headers)
            for segments in segmentations(head_of("POST /api/validate", headers), framing.content):
                status, answer = exchange(connection, segments)
                assert status == expected, segments
                code = json.loads(answer).get("errors", [{"code": None}])[0]["code"]
                assert code == (None if expected == 200 else "INVALID_JSON")
                check_health(connection)


@pytest.mark.parametrize(("offer", "target"), without_cross(
    OFFERS, ["GET /api/docs", "HEAD /api/docs", "GET /", "OPTIONS /api/specs", "GET /nope"]
))  # fmt: skip
def test_requests_without_a_body(connection: socket.socket, service: Service, offer: str, target: str) -> None:
    method, _, path = target.partition(" ")
    plain = service.client.request(method, path)
    assert exchange(connection, [head_of(target, ("Host: a", *OFFERS[offer]))], method)[0] == plain.status_code
    check_health(connection)


@pytest.mark.parametrize("offer", OFFERS)
def test_forms(connection: socket.socket, offer: str) -> None:
    """The front page and the playground read their bodies, too."""
    headers = ("Host: a", "Content-Type: application/x-www-form-urlencoded", *OFFERS[offer])
    for path, body in (("/", b"do=check&rui=%7B%7D"), ("/playground/check", b"{}")):
        head = head_of(f"POST {path}", (*headers, f"Content-Length: {len(body)}"))
        status, page = exchange(connection, [head, body])
        assert status == 200 and b"MISSING_REQUIRED_PROP" in page
        check_health(connection)


def test_pipelined_requests(service: Service) -> None:
    """Each of them gets its response, in order."""
    framing = next(framings(DOCUMENT))
    request = (
        head_of("POST /api/validate", ("Host: a", "Content-Type: application/json", *H2C, *framing.headers)) + DOCUMENT
    )
    last = b"GET /api/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    head, rest = service.raw(request * 3 + last)
    assert head.startswith(b"HTTP/1.1 200 ") and rest.count(b"HTTP/1.1 200 OK\r\n") == 3
    assert rest.count(b'"valid":true') == 3 and rest.endswith(b'{"status":"ok"}')


def test_a_tunnel_is_not_opened(connection: socket.socket) -> None:
    """CONNECT is a method like others that are not supported, and what follows is a request."""
    for target, status in (("CONNECT a:443", 404), ("CONNECT /api/validate", 405)):
        assert exchange(connection, [head_of(target, ("Host: a",))])[0] == status
        check_health(connection)


def test_the_log(tmp_path: Path) -> None:
    """A line per request: an offer adds none, such as advice to install a library."""
    path = tmp_path / "log"
    store = f"sqlite:///{tmp_path}/rui.db"
    with path.open("wb") as log, process("--store", store, "--log-level", "info", stderr=log) as (_, service):
        for number, offer in enumerate((*OFFERS.values(), ("Connection: nonsense",))):
            headers = {
                **JSON,
                **dict(line.split(":", 1) for line in offer if "\r" not in line),
                "X-Request-ID": f"n{number}",
            }
            with socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection:
                lines = [f"{name}: {value.strip()}" for name, value in headers.items()]
                head = head_of("POST /api/validate", ("Host: a", *lines, f"Content-Length: {len(DOCUMENT)}"))
                assert exchange(connection, [head, DOCUMENT])[0] == 200
        service.raw(b"nonsense\r\n\r\n")
        wait_until(lambda: f'"n{len(OFFERS)}"' in path.read_text(), "the line of the last request")
    events = [json.loads(line)["event"] for line in path.read_text().splitlines()]
    assert events[1:] == ["request"] * (len(OFFERS) + 1)
