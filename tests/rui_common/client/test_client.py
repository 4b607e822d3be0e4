"""The client with the real service, with servers that misbehave, and without a server."""

import json
import os
import shutil
import ssl
import subprocess
from email.utils import formatdate
from unittest import mock

import pytest

from rui_common.client import Client, InvalidRuiError, ServiceError, UnreachableError
from rui_common.describe import full_example, minimal_example
from rui_common.hashing import content_hash
from rui_common.vocabulary.rules import MAX_BODY_BYTES, MAX_ERRORS
from tests.rui_api.live import UUID
from tests.rui_common.client.hostile import answers, floods, free_port, hangs, hostile, resets, says

SAVED = {
    "specId": UUID, "url": "http://a/api/specs/1", "viewUrl": "http://a/specs/1",
    "createdAt": "2026-01-31T09:15:00.123Z", "contentHash": "sha256:0", "validationVersion": "0.1",
    "registryVersion": "0.1", "normalizedRui": {},
}  # fmt: skip
STORED = answers(201, json.dumps(SAVED).encode())
VALID = answers(200, b'{"valid": true, "normalizedRui": {}}')
SOON = b'{"error": "STORAGE_UNAVAILABLE", "message": "Soon."}'


@pytest.fixture(autouse=True)
def naps(monkeypatch):
    """Return the delays between attempts, which do not pass."""
    seconds: list[float] = []
    monkeypatch.setattr("rui_common.client.time.sleep", seconds.append)
    return seconds


# The service ----------------------------------------------------------------------------------------------------------


def test_what_is_stored_can_be_fetched(service):
    client = Client(service.url)
    assert client.validate(minimal_example()) == (True, (), False, minimal_example(), ())
    saved = client.store(full_example())
    assert client.fetch(saved.spec_id) == saved
    assert (saved.normalized_rui, saved.content_hash) == (full_example(), content_hash(full_example()))
    assert saved.view_url == f"{service.url}/specs/{saved.spec_id}"
    assert client.store(full_example()).spec_id != saved.spec_id
    for unknown in ("../..", "", "a/b?c#d", "{" + UUID + "}", UUID):
        with pytest.raises(ServiceError) as refused:
            client.fetch(unknown)
        assert refused.value.code in {"INVALID_SPEC_ID", "NOT_FOUND", "METHOD_NOT_ALLOWED"}


def test_warnings_are_given_on_request(service):
    client = Client(service.url)
    doubtful = minimal_example() | {"meta": {"name": "Orders"}}
    (warning,) = client.validate(doubtful, warnings=True).warnings
    assert (warning.path, warning.code) == ("meta.name", "NOT_SHOWN")
    assert client.validate(doubtful | {"version": 1}, warnings=True).warnings == (warning,)
    assert client.store(doubtful, warnings=True).warnings == (warning,)
    assert (client.validate(doubtful).warnings, client.store(doubtful).warnings) == ((), ())


MANY = {**minimal_example(), **{f"x{number}": 1 for number in range(MAX_ERRORS + 1)}}


@pytest.mark.parametrize(
    ("rui", "code", "count"),
    [
        ({**minimal_example(), "version": "9"}, "VERSION_MISMATCH", 1),
        (b"\xff", "INVALID_JSON", 1),
        ('"\ud800"', "INVALID_JSON", 1),
        (" " * (MAX_BODY_BYTES + 1), "INVALID_JSON", 1),
        (MANY, "UNKNOWN_PROP", MAX_ERRORS),
    ],
)
def test_an_invalid_document_has_errors_and_is_not_stored(service, rui, code, count):
    client = Client(service.url)
    validation = client.validate(rui)
    assert [item.code for item in validation.errors] == [code] * count
    assert (validation.valid, validation.truncated, validation.normalized_rui) == (False, count > 1, None)
    assert all(item.message and item.hint for item in validation.errors)
    with pytest.raises(InvalidRuiError) as refused:
        client.store(rui)
    assert (refused.value.errors, refused.value.truncated) == (validation.errors, validation.truncated)
    assert validation.errors[0].message in str(refused.value)


def test_a_dictionary_that_is_no_json_is_a_fault_of_the_caller(service):
    with pytest.raises(ValueError, match="JSON compliant"):
        Client(service.url).store({"version": float("nan")})


# Hostile servers ------------------------------------------------------------------------------------------------------

UNKNOWN = "no response .*; the spec may be stored"
# Response, error of a store, its message. The store is not tried again.
HOSTILE = {
    "HTML": (answers(200, b"<html>", media_type="text/html"), ServiceError, "responds with 200: it is no RUI service"),
    "no result": (answers(200, b'{"valid": true}'), ServiceError, "no RUI service"),
    "no errors": (answers(200, b'{"valid": false, "errors": []}'), ServiceError, "no RUI service"),
    "nested": (answers(200, b"[" * 100_000), ServiceError, "no RUI service"),
    "no text": (answers(200, b"\xff\xfe"), ServiceError, "no RUI service"),
    "404": (answers(404, b"not here", media_type="text/plain"), ServiceError, "responds with 404"),
    "500": (answers(500, b'{"error": "INTERNAL", "message": "It\\nfailed"}'), ServiceError, "500 INTERNAL: It failed"),
    "SSH": (says(b"SSH-2.0-OpenSSH\r\n"), ServiceError, "does not speak HTTP"),
    "headers": (says(b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200), ServiceError, "does not speak HTTP"),
    "endless": (floods, ServiceError, "is larger than"),
    "silent": (hangs, UnreachableError, "does not respond in time"),
    "closed": (says(b""), UnreachableError, UNKNOWN),
    "reset": (resets, UnreachableError, UNKNOWN),
    "half": (says(b'HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{"specId"'), UnreachableError, UNKNOWN),
    "half a chunk": (
        says(b"HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"), UnreachableError, UNKNOWN),
    "503 for long": (
        answers(503, SOON, "Retry-After: 3600"), ServiceError, "is not available now"),
}  # fmt: skip


@pytest.mark.parametrize(("treatment", "error", "message"), HOSTILE.values(), ids=HOSTILE)
def test_a_failure_is_one_line(treatment, error, message):
    with hostile(treatment) as server, pytest.raises(error, match=message) as raised:
        Client(server.url, timeout=0.4 if treatment is hangs else 10).store({})
    assert "\n" not in str(raised.value)
    assert len(server.requests) == 1
    assert getattr(raised.value, "sent", True)


def test_only_what_stores_nothing_is_tried_again_after_a_broken_connection():
    with hostile(resets) as server, pytest.raises(UnreachableError):
        Client(server.url).validate({})
    assert len(server.requests) == 4
    with hostile(resets, resets, VALID) as server:
        assert Client(server.url).validate({}).valid


@pytest.mark.parametrize(("host", "reason"), [("127.0.0.1", ".*refused"), ("nowhere.invalid", "")])
def test_a_service_that_cannot_be_reached(naps, host, reason):
    """A store is also tried again, because the service has not received the request."""
    with pytest.raises(UnreachableError, match=f"cannot reach http://{host}:{reason}") as raised:
        Client(f"http://{host}:{free_port()}", retries=4).store({})
    assert not raised.value.sent
    assert [0.1 * 2**number <= nap <= 0.3 * 2**number for number, nap in enumerate(naps)] == [True] * 4


@pytest.mark.parametrize("wait", ["0", "", "soon", "-1", "1e9", formatdate(0, usegmt=True), "7"])
def test_503_is_tried_again_for_a_store_too(wait, naps):
    down = answers(503, SOON, f"Retry-After: {wait}")
    with hostile(down, down, STORED) as server:
        assert Client(server.url).store({}).spec_id == UUID
    assert len(server.requests) == 3
    assert naps == [7.0, 7.0] or (wait != "7" and max(naps) < 1)
    with hostile(down) as server, pytest.raises(ServiceError, match="is not available now: Soon") as raised:
        Client(server.url, retries=2).validate({})
    assert (raised.value.status, raised.value.code) == (503, "STORAGE_UNAVAILABLE")
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    "url",
    [
        "", "localhost:8000", "ftp://a.org", "http://", "http://a b", "http://a:0", "http://a:x", "http://a:99999",
        "http://u:secret@a.org", "http://a.org?x=1", "http://a.org#x", "http://[::1", "http://a\r\nX: y",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_at_once(url):
    with pytest.raises(ValueError, match="the address of a service is like") as refused:
        Client(url)
    assert "secret" not in str(refused.value)


def proxied(**variables: str):
    clean = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    return mock.patch.dict(os.environ, {**clean, **variables}, clear=True)


def test_a_base_url_may_have_a_path_and_a_local_service_needs_no_proxy():
    with hostile(STORED) as server, proxied(http_proxy="http://nowhere.invalid:1"):
        Client(f"{server.url}/rui/").store({"a": "é"})
    [request] = server.requests
    assert request.startswith(b"POST /rui/api/specs HTTP/1.1\r\n")
    assert f"Host: localhost:{server.port}\r\n".encode() in request
    assert b"\r\nContent-Type: application/json\r\n" in request
    assert request.endswith('\r\n\r\n{"a": "é"}'.encode())


def test_a_proxy_of_the_environment_is_used():
    with hostile(STORED) as proxy, proxied(http_proxy=f"http://me:se%20cret@localhost:{proxy.port}"):
        Client("http://rui.test:81/x").store({})
    [request] = proxy.requests
    assert request.startswith(b"POST http://rui.test:81/x/api/specs HTTP/1.1\r\n")
    assert b"\r\nHost: rui.test:81\r\n" in request
    assert b"Proxy-Authorization: Basic bWU6c2UgY3JldA==\r\n" in request


# https ----------------------------------------------------------------------------------------------------------------


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


def test_https(certificate, naps):
    server_side, authority = certificate
    with mock.patch.dict(os.environ, {"SSL_CERT_FILE": authority}), hostile(STORED, tls=server_side) as server:
        assert Client(server.url).store({}).spec_id == UUID
    with hostile(STORED, tls=server_side) as server:
        with pytest.raises(ServiceError, match=r"cannot be trusted: self.signed certificate"):
            Client(server.url).store({})
    with hostile(VALID) as server, pytest.raises(ServiceError, match=r"does not speak TLS \(should the address"):
        Client(server.url.replace("http:", "https:")).store({})
    assert naps == []
