"""Every input over a socket gets a response of the contract, or the connection is closed."""

import json
import logging
import socket
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_api.http.error_responses import bad_request
from rui_api.http.response_headers import SECURITY
from rui_api.server.connection_registry import ConnectionRegistry
from rui_api.server.limits import Limits
from rui_common.http_contract.endpoints import ANY_ENDPOINT, JSON
from tests.rui_api.live import Service, rest, running, validator
from tests.rui_api.probes import GET, POST, PROBES

WITHOUT_BODY = {"100", "204", "304"}
SHAPES = {
    "BAD_REQUEST": "BadRequest", "OVERLOADED": "Overloaded", "INTERNAL_ERROR": "InternalError",
    "INVALID_SPEC_ID": "InvalidSpecId", "INVALID_JSON": "TransportFailure",
}  # fmt: skip


@pytest.fixture(scope="module")
def service(tmp_path_factory) -> Iterator[Service]:
    """A service that waits one second for clients."""
    app = create_app(Settings(store=f"sqlite:///{tmp_path_factory.mktemp('probed')}/rui.db"))
    with running(app, Limits(headers_seconds=0.5, body_seconds=0.5, linger_seconds=0.5)) as service:
        yield service


def spoken(service: Service, request: bytes, *, waits: bool) -> bytes:
    """Return all received bytes; after `request`, the client ends its side unless it `waits`."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=10) as connection:
        try:
            connection.sendall(request)
            if not waits:
                connection.shutdown(socket.SHUT_WR)
        except OSError:  # The service may close before the end of the request.
            pass
        return rest(connection)


def answers_in(received: bytes, expected: list[str]) -> list[str]:
    """Return status and code of each response after a check against the contract."""
    answers = []
    while received:
        head, end, received = received.partition(b"\r\n\r\n")
        assert end, "half a head"
        status_line, *lines = head.decode("ascii").split("\r\n")
        version, status, _ = status_line.split(" ", 2)
        assert version == "HTTP/1.1"
        if status == "100":
            assert lines == []
            answers.append(status)
            continue
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        assert len(headers) == len(lines), "a header twice"
        for name, value in SECURITY:
            assert headers[name.decode()] == value.decode()
        if "text/plain; version" not in headers.get("content-type", ""):  # Only operators read these responses.
            assert headers["access-control-allow-origin"] == "*"
        assert headers["x-request-id"]
        assert "transfer-encoding" not in headers
        outcome = expected[len(answers)] if len(answers) < len(expected) else ""
        if status in WITHOUT_BODY or outcome.endswith(" head"):
            answers.append(f"{status} head")
            continue
        length = int(headers["content-length"])
        body, received = received[:length], received[length:]
        assert len(body) == length, "half a body"
        answers.append(f"{status} {code_in(status, headers, body)}".strip())
    return answers


def code_in(status: str, headers: dict[str, str], body: bytes) -> str:
    """Return the error code of a body after a check against its schema in the OpenAPI document."""
    if headers["content-type"] != JSON or status == "200":
        return ""
    value = json.loads(body)
    code = value["error"] if "error" in value else value["errors"][0]["code"]
    if code in SHAPES:
        validator(json.dumps({"$ref": f"#/components/schemas/{SHAPES[code]}"})).validate(value)
    return code


@pytest.mark.parametrize("name", PROBES)
def test_probe(service: Service, caplog: pytest.LogCaptureFixture, name: str) -> None:
    request, expected = PROBES[name]
    with caplog.at_level(logging.WARNING):
        received = spoken(service, request, waits=name.endswith("..."))
        assert answers_in(received, expected) == expected
        assert service.client.get("/api/health").status_code == 200
    assert caplog.records == []


@pytest.mark.parametrize(("request_", "words"), [
    (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/1.1"),
    (b"NO / HTTP/1.1\r\n\r\n", "name of a method"),
    (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n", "not both"),
    (b"POST /api/validate HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n", "one Content-Length"),
    (b"POST /api/validate HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", "one Content-Length"),
    (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", "Name: value"),
    (b"GET / HTTP/9.9\r\n\r\n", "HTTP/1.1"),
    (b"GET /nope HTTP/1.1\r\nHost: a b\r\n\r\n", "the name of no host"),
    (b"\0\0\0\r\n\r\n", "method"),
])  # fmt: skip
def test_the_message_names_the_fault_of_a_request(service: Service, request_: bytes, words: str) -> None:
    message = json.loads(spoken(service, request_, waits=False).partition(b"\r\n\r\n")[2])["message"]
    assert words in message, message


@pytest.mark.parametrize(("rest", "reason"), [
    (b"Content-Length: " + b"9" * 26 + b"\r\n\r\n{}", "The body has 18446744073709551616 bytes or more"),
    (b"Content-Length: 100\r\n\r\n{}", "The body is not complete: it was cut off"),
    (b"Transfer-Encoding: chunked\r\n\r\n9\r\n{}", "The body is not complete: it was cut off"),
])  # fmt: skip
def test_the_hint_has_the_true_reason(service: Service, rest: bytes, reason: str) -> None:
    [item] = json.loads(spoken(service, POST + rest, waits=False).partition(b"\r\n\r\n")[2])["errors"]
    assert (item["code"], item["path"]) == ("INVALID_JSON", "")
    assert reason in item["hint"]


def test_refusals_are_logged_with_what_is_known(service: Service) -> None:
    records: list[tuple[object, ...]] = []
    registry = ConnectionRegistry(Limits())
    registry.log_request = lambda record: records.append(record[1:])
    registry.record_error(bad_request("?"), ("::1", 1), (b"mine", "GET", b"/a?b"), (2, 70), 0.5)
    assert records == [(b"mine", "GET", "/a", "", 400, ("BAD_REQUEST",), 0.5, 2, 70, ("::1", 1), "", 0)]
    registry.record_error(bad_request("?"), None, (b"mine", "GET", b"http://ann:secret@a.org/x?y"), (0, 0), None)
    assert records[1][2] == "http://***@a.org/x"
    received = spoken(service, b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nX-Request-ID: mine\r\n\r\n", waits=False)
    assert b"x-request-id: mine\r\n" in received


ALPHABET = [
    *GET.split(b"\r\n"), *POST.split(b"\r\n"), b"\r\n", b"\r\n", b"\r\n\r\n", b"\n", b"\0", b" ", b":", b"\xff", b"{}",
    b"GET ", b"POST ", b"/", b"HTTP/1.1", b"Content-Length: 2", b"Transfer-Encoding: chunked", b"0\r\n\r\n", b"2\r\n{}",
    b"Connection: close", b"Connection: Upgrade", b"Upgrade: h2c", b"Expect: 100-continue", b"Host: b", b"a" * 9000,
]  # fmt: skip


@given(parts=st.lists(st.sampled_from(ALPHABET) | st.binary(max_size=20), max_size=25))
def test_any_bytes(service: Service, parts: list[bytes]) -> None:
    received = spoken(service, b"".join(parts), waits=False)
    known = {str(answer.status) for answer in ANY_ENDPOINT} | {"100", "200", "204"}
    assert {answer.split()[0] for answer in answers_in(received, [])} <= known - {"500"}
