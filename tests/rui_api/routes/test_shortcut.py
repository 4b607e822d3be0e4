"""The shortcut and Litestar's router give the same responses, in the order of the requests."""

import asyncio
import dataclasses
import gc
import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from litestar.types import ASGIApp, Scope

from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_api.observability.telemetry import Telemetry
from rui_api.process import _config
from rui_api.routes import specs
from rui_api.routes.shortcut import Shortcut
from rui_api.server.uvicorn_classes import RequestCycle
from rui_api.store.base import StoredSpec
from rui_common.describe import minimal_example
from rui_common.vocabulary.rui_0_1 import VERSION
from tests.rui_api.live import Service, running

VALID = json.dumps(minimal_example()).encode()
BODIES = {
    "valid": VALID,
    "invalid": b'{"version":"0.1","pages":3}',
    "no JSON": b"{",
    "no object": b"[]",
    "nothing": b"",
}
ORIGIN = "https://a.example"
ID, OTHER = "0f0e0d0c-0b0a-4908-8706-050403020100", "1f0e0d0c-0b0a-4908-8706-050403020100"


def post_request(body: bytes, *lines: str, path: str = "/api/validate") -> bytes:
    head = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json", *lines]
    return "\r\n".join([*head, f"Content-Length: {len(body)}", "", ""]).encode() + body


def response_bytes(service: Service, request: bytes) -> bytes:
    """Return all received bytes, without the parts that differ in each response."""
    head, body = service.raw(request, b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    return re.sub(rb"(?im)^(date|x-request-id): .*\r\n", b"", head + b"\r\n\r\n" + body)


@contextmanager
def counted(settings: Settings) -> Iterator[tuple[Service, list[bool]]]:
    """A service, and for each request whether the shortcut handled it."""
    taken: list[bool] = []
    find = Shortcut._endpoint

    def counting(shortcut: Shortcut, scope: Scope) -> ASGIApp | None:
        endpoint = find(shortcut, scope)
        taken.append(endpoint is not None)
        return endpoint

    with pytest.MonkeyPatch.context() as patch, running(create_app(settings)) as service:
        patch.setattr(Shortcut, "_endpoint", counting)
        yield service, taken


def check_both_ways(settings: Settings, request: bytes) -> bool:
    """Return whether the shortcut handles a request; compare the response with that of the router."""
    with counted(settings) as (service, taken):
        one = response_bytes(service, request)
    with pytest.MonkeyPatch.context() as patch, running(create_app(settings)) as service:
        patch.setattr(Shortcut, "_endpoint", lambda *_: None)
        assert response_bytes(service, request) == one
    return taken[0]


def settings_of(folder: Path, origins: tuple[str, ...] = ("*",)) -> Settings:
    return Settings(store=f"sqlite:///{folder}/rui.db", allowed_origins=origins)


@pytest.fixture
def same_spec(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix id and time of stored specs."""
    monkeypatch.setattr(specs, "new_spec", lambda rui, digest: StoredSpec(ID, "2026-01-31T09:15:00.123Z", digest,
                                                                          VERSION, VERSION, rui))  # fmt: skip


@pytest.mark.usefixtures("same_spec")
@pytest.mark.parametrize(("path", "origins"), [
    ("/api/validate", ("*",)), ("/api/validate", (ORIGIN,)), ("/api/validate", ()), ("/api/specs", (ORIGIN,)),
])  # fmt: skip
@pytest.mark.parametrize("name", BODIES)
def test_both_ways_say_the_same(name: str, origins: tuple[str, ...], path: str, tmp_path: Path) -> None:
    request = post_request(BODIES[name], f"Origin: {ORIGIN}", "X-Request-ID: mine", path=path)
    assert check_both_ways(settings_of(tmp_path, origins), request) == bool(origins)  # 403 without any


@pytest.mark.usefixtures("same_spec")
@pytest.mark.parametrize(("spec_id", "condition", "status", "taken"), [
    (ID, "", 200, True), (ID.upper(), "", 200, True), (ID, "*", 304, True), (OTHER, "*", 404, True),
    ("x", "", 400, False), ("", "", 404, False), (f"{ID}/x", "", 404, False),
])  # fmt: skip
def test_both_ways_find_the_same(spec_id: str, condition: str, status: int, taken: bool, tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    lines = [f"If-None-Match: {condition}"] if condition else []
    request = "\r\n".join([f"GET /api/specs/{spec_id} HTTP/1.1", "Host: localhost", *lines, "", ""]).encode()
    with counted(settings) as (service, _):
        assert response_bytes(service, post_request(VALID, path="/api/specs")).startswith(b"HTTP/1.1 201 ")
        assert response_bytes(service, request).startswith(f"HTTP/1.1 {status} ".encode())
    assert check_both_ways(settings, request) is taken


@pytest.mark.parametrize(("peer", "client", "scheme"), [
    ("127.0.0.1", ("1.2.3.4", 0), "https"), ("10.9.9.9", ("1.2.3.4", 0), "https"), ("9.9.9.9", ("9.9.9.9", 1), "http"),
])  # fmt: skip
def test_headers_of_trusted_proxies(peer: str, client: tuple[str, int], scheme: str, tmp_path: Path) -> None:
    settings = dataclasses.replace(settings_of(tmp_path), trusted_proxies=("127.0.0.1", "10.0.0.0/8"))
    config = _config(settings, Telemetry())
    config.load()
    headers = [
        (b"host", b"localhost"), (b"content-type", b"application/json"),
        (b"x-forwarded-for", b"evil, 1.2.3.4, 10.1.1.1"), (b"x-forwarded-proto", b"https"),
    ]  # fmt: skip
    scope = {"type": "http", "method": "POST", "path": "/api/validate", "headers": headers, "client": (peer, 1),
             "scheme": "http", "server": ("127.0.0.1", 80)}  # fmt: skip
    sent: list[dict[str, object]] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": VALID}

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    asyncio.run(config.loaded_app(scope, receive, send))
    assert (sent[0]["status"], scope["client"], scope["scheme"]) == (200, client, scheme)


def test_answers_come_in_the_order_of_the_requests(service: Service) -> None:
    invalid = post_request(b'{"version":1}')
    requests = [post_request(VALID), invalid, post_request(VALID, path="/api/specs"), post_request(VALID), invalid]
    last = invalid.replace(b"\r\nHost", b"\r\nConnection: close\r\nHost")
    head, rest = service.raw(b"".join([*requests, last]))
    found = re.findall(rb'"valid":(?:true|false)|"specId"', head + rest)
    assert found == [b'"valid":true', b'"valid":false', b'"specId"', b'"valid":true', *[b'"valid":false'] * 2]


def test_a_connection_that_rests_keeps_no_body(service: Service) -> None:
    """A thousand idle connections kept a quarter of a gigabyte of old responses."""
    body = VALID + b" " * 100_000
    with socket.create_connection(("127.0.0.1", service.port), timeout=10) as connection:
        connection.sendall(post_request(body))
        assert connection.recv(100).startswith(b"HTTP/1.1 200 ")
        cycles = [found for found in gc.get_objects() if isinstance(found, RequestCycle)]
        assert cycles
        assert not any(cycle.content for cycle in cycles)
