"""The client with servers that misbehave, and without a server."""

import json
import os
import shutil
import ssl
import subprocess
from email.utils import formatdate
from unittest import mock

import pytest

from rui_common.client import Client, ServiceError, UnreachableError
from tests.rui_api.live import UUID
from tests.rui_common.client.hostile import answers, floods, free_port, hangs, hostile, resets, says

SAVED = {
    "specId": UUID, "url": "http://a/api/specs/1", "viewUrl": "http://a/specs/1",
    "createdAt": "2026-01-31T09:15:00.123Z", "contentHash": "sha256:0", "validationVersion": "0.1",
    "registryVersion": "0.1", "normalizedRui": {},
}  # fmt: skip
STORED = answers(201, json.dumps(SAVED).encode())
VALID = answers(200, b'{"valid": true, "normalizedRui": {}}')
DOWN = answers(503, b'{"error": "STORAGE_UNAVAILABLE", "message": "Soon."}')


@pytest.fixture(autouse=True)
def naps(monkeypatch):
    """Return the delays between attempts, which do not pass."""
    seconds: list[float] = []
    monkeypatch.setattr("rui_common.client.time.sleep", seconds.append)
    return seconds


def check(error: type[Exception], said: str, *treatments, connections: int = 1, store: bool = False, **more):
    """Check that the call fails with `error` after this number of connections. The message is one line that matches."""
    with hostile(*treatments) as server, pytest.raises(error, match=said) as raised:
        client = Client(server.url, **{"timeout": 10, **more})
        client.store({}) if store else client.validate({})
    assert "\n" not in str(raised.value)
    assert len(server.requests) == connections
    return raised.value


@pytest.mark.parametrize(
    ("treatment", "said"),
    [
        (answers(200, b"<html>", media_type="text/html"), "responds with 200: it is no RUI service"),
        (answers(200, b"{}"), "no RUI service"),
        (answers(200, b'{"valid": true}'), "no RUI service"),
        (answers(200, b'{"valid": false, "errors": []}'), "no RUI service"),
        (answers(200, b"[" * 100_000), "no RUI service"),
        (answers(200, b"\xff\xfe"), "no RUI service"),
        (answers(404, b"not here", media_type="text/plain"), "responds with 404"),
        (says(b"SSH-2.0-OpenSSH\r\n"), "does not speak HTTP"),
        (says(b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200), "does not speak HTTP"),
        (says(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n{}"), "no response from|larger than"),
        (floods, "is larger than"),
    ],
)
def test_an_answer_of_something_else_is_said_to_be_one(treatment, said):
    check(ServiceError, said, treatment, store=True)


def test_any_other_refusal_carries_the_answer():
    body = b'{"error": "INTERNAL_ERROR", "message": "The service failed."}'
    error = check(ServiceError, "500 INTERNAL_ERROR: The service failed.", answers(500, body))
    assert (error.status, error.code) == (500, "INTERNAL_ERROR")


HALF = says(b'HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{"specId"')
CHUNK = says(b"HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{")


@pytest.mark.parametrize("treatment", [says(b""), resets, HALF, CHUNK])
def test_a_connection_that_breaks(treatment):
    """Only a call that stores nothing is tried again."""
    error = check(UnreachableError, "no response .* whether the RUI is stored is not known", treatment, store=True)
    assert error.sent
    check(UnreachableError, "no response from", treatment, connections=4)
    with hostile(treatment, treatment, VALID) as server:
        assert Client(server.url).validate({}).valid


def test_a_service_that_is_silent():
    assert check(UnreachableError, "does not respond in time", hangs, timeout=0.4).sent


@pytest.mark.parametrize(("host", "said"), [("127.0.0.1", ".*refused"), ("nowhere.invalid", "")])
def test_a_service_that_cannot_be_reached(naps, host, said):
    """A store is also tried again, because the service has not received the request."""
    with pytest.raises(UnreachableError, match=f"cannot reach http://{host}:{said}") as raised:
        Client(f"http://{host}:{free_port()}", retries=4).store({})
    assert not raised.value.sent
    assert [0.1 * 2**number <= nap <= 0.3 * 2**number for number, nap in enumerate(naps)] == [True] * 4


@pytest.mark.parametrize("wait", ["0", "", "soon", "-1", "1e9", formatdate(0, usegmt=True)])
def test_503_is_tried_again_for_a_store_too(wait):
    down = answers(503, b'{"error": "STORAGE_UNAVAILABLE", "message": "Soon."}', f"Retry-After: {wait}")
    with hostile(down, down, STORED) as server:
        assert Client(server.url).store({}).spec_id == UUID
    assert len(server.requests) == 3


def test_the_delay_that_is_asked_for_is_kept(naps):
    with hostile(answers(429, b"{}", "Retry-After: 7"), VALID) as server:
        assert Client(server.url).validate({}).valid
    assert naps == [7.0]


def test_a_service_that_stays_unavailable():
    error = check(ServiceError, "is not available now: Soon.", DOWN, connections=3, retries=2)
    assert (error.status, error.code) == (503, "STORAGE_UNAVAILABLE")
    check(ServiceError, "is not available now", answers(503, b"<h1>Maintenance", "Retry-After: 3600"))


@pytest.mark.parametrize(
    "url",
    [
        "", "localhost:8000", "rui.example.org", "ftp://a.org", "http://", "http://a b", "http://a:0", "http://a:x",
        "http://a:99999", "http://u:secret@a.org", "http://a.org?x=1", "http://a.org#x", "http://[::1",
        "http://a\r\nX: y", "file:///etc/passwd",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_at_once(url):
    with pytest.raises(ValueError, match="the address of a service is like") as refused:
        Client(url)
    assert "secret" not in str(refused.value)


def test_a_base_url_may_have_a_path():
    with hostile(STORED) as server:
        client = Client(f"{server.url}/rui/")
        client.store({"a": "é"})
        assert client.base_url == f"{server.url}/rui"
    [request] = server.requests
    assert request.startswith(b"POST /rui/api/specs HTTP/1.1\r\n")
    assert f"Host: localhost:{server.port}\r\n".encode() in request
    assert b"\r\nContent-Type: application/json\r\n" in request
    assert request.endswith('\r\n\r\n{"a": "é"}'.encode())


# Proxies


def proxied(**variables: str):
    clean = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    return mock.patch.dict(os.environ, {**clean, **variables}, clear=True)


def test_a_proxy_of_the_environment_is_used():
    with hostile(STORED) as proxy, proxied(http_proxy=f"http://me:se%20cret@localhost:{proxy.port}"):
        Client("http://rui.test:81/x").store({})
    [request] = proxy.requests
    with hostile(STORED) as server, proxied(http_proxy="http://nowhere.invalid:1"):
        Client(server.url).store({})  # a local service needs no proxy
    assert request.startswith(b"POST http://rui.test:81/x/api/specs HTTP/1.1\r\n")
    assert b"\r\nHost: rui.test:81\r\n" in request
    assert b"Proxy-Authorization: Basic bWU6c2UgY3JldA==\r\n" in request


# https


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A self-signed certificate for localhost."""
    if shutil.which("openssl") is None:
        if os.environ.get("CI"):
            pytest.fail("openssl is not installed")
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", folder / "key.pem", "-out", folder / "cert.pem", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost"],
        check=True, capture_output=True,
    )  # fmt: skip
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return server, str(folder / "cert.pem")


def test_https(certificate):
    server_side, authority = certificate
    with mock.patch.dict(os.environ, {"SSL_CERT_FILE": authority}), hostile(STORED, tls=server_side) as server:
        assert Client(server.url).store({}).spec_id == UUID


def test_https_that_is_not_trusted_is_refused_and_not_tried_again(certificate, naps):
    with hostile(STORED, tls=certificate[0]) as server:
        with pytest.raises(ServiceError, match=r"cannot be trusted: self.signed certificate"):
            Client(server.url).store({})
    assert naps == []
    with hostile(VALID) as server, pytest.raises(ServiceError, match="does not speak TLS; should the address"):
        Client(server.url.replace("http:", "https:")).store({})
