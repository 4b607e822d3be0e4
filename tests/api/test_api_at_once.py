"""What is answered where it arrives is answered as on the way of ASGI, and in its turn."""

import json
import re
from pathlib import Path

import pytest

from rui_api.app import create_app
from rui_api.settings import Settings
from rui_common.describe import minimal_example
from tests.api.live import Service, running

VALID = json.dumps(minimal_example()).encode()
BODIES = {
    "valid": VALID,
    "invalid": b'{"version":"0.1","pages":3}',
    "no JSON": b"{",
    "no object": b"[]",
    "nothing": b"",
}
ORIGIN = "https://a.example"


def ask(body: bytes, *lines: str, path: str = "/api/validate") -> bytes:
    head = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json", *lines]
    return "\r\n".join([*head, f"Content-Length: {len(body)}", "", ""]).encode() + body


def said(service: Service, request: bytes) -> bytes:
    """All that comes back, without what differs each time."""
    head, body = service.raw(request, b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    return re.sub(rb"(?im)^(date|x-request-id): .*\r\n", b"", head + b"\r\n\r\n" + body)


@pytest.mark.parametrize("origins", [("*",), (ORIGIN,), ()])
@pytest.mark.parametrize("name", BODIES)
def test_both_ways_say_the_same(name: str, origins: tuple[str, ...], tmp_path: Path) -> None:
    settings = Settings(store=f"sqlite:///{tmp_path}/rui.db", allowed_origins=origins)
    taken: list[bool] = []
    app = create_app(settings)
    at_once = app.state.at_once

    def counting(*request: object) -> bool:
        taken.append(at_once(*request))
        return taken[-1]

    request = ask(BODIES[name], f"Origin: {ORIGIN}", "X-Request-ID: mine")
    app.state.at_once = counting
    with running(app) as service:
        one = said(service, request)
    app = create_app(settings)
    app.state.at_once = None
    with running(app) as service:
        assert said(service, request) == one
    assert taken[0] is (name in {"valid", "invalid"})


def test_answers_come_in_the_order_of_the_requests(service: Service) -> None:
    invalid = ask(b'{"version":1}')
    requests = [ask(VALID), invalid, ask(VALID, path="/api/specs"), ask(VALID), invalid]
    last = invalid.replace(b"\r\nHost", b"\r\nConnection: close\r\nHost")
    head, rest = service.raw(b"".join([*requests, last]))
    found = re.findall(rb'"valid":(?:true|false)|"specId"', head + rest)
    assert found == [b'"valid":true', b'"valid":false', b'"specId"', b'"valid":true', *[b'"valid":false'] * 2]
