"""The client with servers that misbehave, and without a server. tests/rui_api/test_client.py uses the service."""

import json
import os
import socket
import ssl
import subprocess
from email.utils import formatdate
from pathlib import Path
from unittest import mock

import pytest

from rui_common.client import Client, ServiceError, UnreachableError
from tests.rui_common.client.hostile import answers, floods, hangs, hostile, resets, says
from tests.rui_common.client.responses import SOON, STORED, UUID, VALID
from tests.support.ports import free_port
from tests.support.skipping import need_program


@pytest.fixture(autouse=True)
def naps(monkeypatch):
    """Return the delays between attempts, which do not pass."""
    seconds: list[float] = []
    monkeypatch.setattr("rui_common.client.time.sleep", seconds.append)
    return seconds


# Hostile servers ------------------------------------------------------------------------------------------------------

MAYBE = "; the spec may be stored$"
UNKNOWN = f"no response .*{MAYBE}"
# Response, error of a store, its message. The store is not tried again.
HOSTILE = {
    "HTML": (answers(200, b"<html>", media_type="text/html"), ServiceError, "responds with 200: it is no RUI service"),
    "no result": (answers(200, b'{"valid": true}'), ServiceError, "no RUI service"),
    "no errors": (answers(200, b'{"valid": false, "errors": []}'), ServiceError, "no RUI service"),
    "nested": (answers(200, b"[" * 100_000), ServiceError, "no RUI service"),
    "no text": (answers(200, b"\xff\xfe"), ServiceError, "no RUI service"),
    "404": (answers(404, b"not here", media_type="text/plain"), ServiceError, "responds with 404"),
    "500": (answers(500, b'{"error": "INTERNAL", "message": "It\\nfailed"}'), ServiceError, "500 INTERNAL: It failed"),
    "SSH": (says(b"SSH-2.0-OpenSSH\r\n"), ServiceError, f"does not speak HTTP .*{MAYBE}"),
    "headers": (says(b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200), ServiceError, f"does not speak HTTP .*{MAYBE}"),
    "endless": (floods, ServiceError, f"is larger than .*{MAYBE}"),
    "silent": (hangs, UnreachableError, f"does not respond in time{MAYBE}"),
    "early hints": (
        says(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"),
        ServiceError, f"responds with 103: .*{MAYBE}"),
    "accepted": (answers(202, b"{}"), ServiceError, f"responds with 202: .*{MAYBE}"),
    "no content": (says(b"HTTP/1.1 204 No Content\r\n\r\n"), ServiceError, f"responds with 204: .*{MAYBE}"),
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
        Client(server.url, timeout=2 if treatment is hangs else 60).store({})
    assert "\n" not in str(raised.value)
    assert len(server.requests) == 1
    assert raised.value.sent
    assert raised.value.may_be_stored == str(raised.value).endswith("; the spec may be stored")


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
    assert not raised.value.sent and not raised.value.may_be_stored
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
    """Callers that expect a ServiceError, or a ValueError, catch it."""
    with pytest.raises(ServiceError, match="the address of a service is like") as refused:
        Client(url)
    assert isinstance(refused.value, ValueError)
    assert "secret" not in str(refused.value)
    assert ("http:// or https:// is missing" in str(refused.value)) == ("://" not in url)


@pytest.mark.parametrize(("value", "way"), [
    (Path("a.rui.json"), "for a file pass path.read_bytes()"), (5, "int$"), (None, "NoneType$"),
    (["x"], "list$"),
])  # fmt: skip
def test_what_is_no_document_is_refused(value, way):
    client = Client("http://nowhere.invalid")
    for call in (client.validate, client.store):
        with pytest.raises(TypeError, match=f"the document is a dict, str or bytes, not .*{way}"):
            call(value)


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
    need_program("openssl")
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
    with (
        hostile(VALID) as server,
        pytest.raises(ServiceError, match=r"does not speak TLS \(should the .*\?\)$") as plain,
    ):
        Client(server.url.replace("http:", "https:")).store({})
    assert not plain.value.sent
    broken = says_in_plain_text(b"HTTP/1.1 201 Created\r\n\r\n")
    with mock.patch.dict(os.environ, {"SSL_CERT_FILE": authority}), hostile(broken, tls=server_side) as server:
        with pytest.raises(UnreachableError, match=UNKNOWN):
            Client(server.url).store({})
    assert naps == []


def says_in_plain_text(data: bytes):
    """Return a treatment that sends bytes past the encryption of a connection."""

    def treat(connection):
        with socket.socket(fileno=os.dup(connection.fileno())) as plain:
            plain.sendall(data)

    return treat


INVALID = {"valid": False, "errors": [{"path": "", "code": "C", "message": "M", "hint": "H"}]}
FIXED = {"rui": {"version": "0.1"}, "applied": [{"path": "p", "code": "C", "title": "T"}], "errors": []}


@pytest.mark.parametrize(("fields", "fixed", "skipped"), [
    ({}, None, ""), ({"fixSkipped": "No time."}, None, "No time."), ({"fixed": None}, None, ""),
    ({"fixed": {"rui": []}}, None, ""), ({"fixed": FIXED}, (FIXED["rui"], (("p", "C", "T"),), ()), ""),
    ({"fixed": {"rui": {}, "applied": 1, "errors": [1]}}, ({}, (), (("", "", "", ""),)), ""),
])  # fmt: skip
def test_fixes_in_a_response(fields, fixed, skipped):
    with hostile(answers(400, json.dumps(INVALID | fields).encode())) as server:
        result = Client(server.url).validate({}, fix=True)
    assert (result.fixed, result.fix_skipped) == (fixed, skipped)
    assert result.errors[0].hint == "H"
    assert server.requests[0].startswith(b"POST /api/validate?fix=true ")
