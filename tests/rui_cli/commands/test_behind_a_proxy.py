"""The client and `rui publish` behind a proxy: its own responses, logins, and headers that stay secret."""

import json
import logging
import os
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rui_cli.commands.publish import HEADER_VARIABLE
from rui_common.client import Client, ServiceError
from rui_common.describe import minimal_example
from tests.rui_api.live import Service, wait_until
from tests.rui_api.postgres import need, program, wait_for_port
from tests.rui_cli.running import rui
from tests.rui_common.client.hostile import Hostile, Treatment, answers, hangs, hostile, says
from tests.rui_common.client.responses import SAVED, SOON, STORED, UUID, VALID
from tests.support.ports import free_port

SECRET = "unmistakable-token-4711"
LOGIN = f"Authorization: Bearer {SECRET}"
MAYBE = "; the spec may be stored"


def page(status: int, *headers: str, body: bytes = b"<html>") -> Treatment:
    return answers(status, body, *headers, media_type="text/html")


@pytest.fixture(autouse=True)
def naps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Delays between attempts do not pass."""
    monkeypatch.setattr("rui_common.client.time.sleep", lambda _: None)


BUSY = b'{"error": "OVERLOADED", "message": "Busy."}'
UNREACHABLE = b'{"error": "UNREACHABLE", "message": "No answer."}'

# A store is sent once; the response, the message without the address.
ONCE = {
    "502": (page(502), f"responds with 502: a proxy has no response of the service{MAYBE}"),
    "504": (page(504), f"responds with 504: a proxy has no response of the service{MAYBE}"),
    "503 of a proxy": (page(503), f"responds with 503: a proxy has no response of the service{MAYBE}"),
    "503 of a mesh": (page(503, body=b"upstream connect error"), f"responds with 503: a proxy has no response{MAYBE}"),
    "503 of a gateway": (answers(503, b'{"error": "upstream", "message": "No."}'), f"503 upstream: No{MAYBE}"),
    "502 with a code of the service": (answers(502, BUSY, "Retry-After: 1"), f"502 OVERLOADED: Busy{MAYBE}"),
    "504 with a code of the service": (answers(504, SOON, "Retry-After: 1"), f"504 STORAGE_UNAVAILABLE: Soon{MAYBE}"),
    "502 of the shipped proxies": (answers(502, UNREACHABLE), f"502 UNREACHABLE: No answer{MAYBE}"),
    "503 of the service that does not know": (answers(503, SOON), f"503 STORAGE_UNAVAILABLE: Soon{MAYBE}"),
    "502 without a body": (page(502, body=b""), f"responds with 502: a proxy has no response of the service{MAYBE}"),
    "503 without a body": (page(503, "Retry-After: 1", body=b""), f"responds with 503: a proxy has no response{MAYBE}"),
    "503 that is no object": (answers(503, b"[]", "Retry-After: 1"), f"responds with 503: a proxy has no resp{MAYBE}"),
    "500": (page(500), f"responds with 500: the service or a proxy has failed{MAYBE}"),
    "500 with a code of the service": (answers(500, SOON, "Retry-After: 1"), f"500 STORAGE_UNAVAILABLE: Soon{MAYBE}"),
    "501": (page(501), f"responds with 501: the service or a proxy has failed{MAYBE}"),
    "507": (page(507), f"responds with 507: the service or a proxy has failed{MAYBE}"),
    "500 of the service": (answers(500, b'{"error": "INTERNAL_ERROR", "message": "It failed."}'), f"It failed{MAYBE}"),
    "520": (page(520), f"responds with 520: a proxy has no response of the service{MAYBE}"),
    "524": (page(524), f"responds with 524: a proxy has no response of the service{MAYBE}"),
    "530": (page(530, body=b"error code: 1016"), f"responds with 530: a proxy has no response of the service{MAYBE}"),
    "202 of a queue": (page(202), f"responds with 202: it is no RUI service; check the address{MAYBE}"),
    "206": (page(206), f"responds with 206: it is no RUI service; check the address{MAYBE}"),
    "511 of a network": (page(511), "responds with 511: it needs a login"),
    "511 with a code": (answers(511, b'{"error": "captive"}'), "responds with 511: it needs a login"),
    "201 that was cut": (page(201), f"responds with 201: it is no RUI service; check the address{MAYBE}"),
    "401": (page(401, "WWW-Authenticate: Basic"), "responds with 401: it needs a login"),
    "401 of a gateway": (answers(401, b'{"error": "unauthorized"}'), "responds with 401: it needs a login"),
    "403": (page(403), "responds with 403: it needs a login"),
    "407": (page(407), "responds with 407: it needs a login"),
    "403 of the service": (answers(403, b'{"error": "FORBIDDEN", "message": "No."}'), "403 FORBIDDEN: No."),
    "404": (page(404), "responds with 404: it is no RUI service; check the address"),
    "404 with a code of the service": (answers(404, BUSY, "Retry-After: 1"), "responds with 404 OVERLOADED: Busy."),
    "408": (page(408), "responds with 408: the request was too slow for a proxy"),
    "413": (page(413), "responds with 413: the request is too large for a proxy"),
    "413 of a gateway": (answers(413, b'{"error": "too_large", "message": "1 MB."}'), "413 too_large: 1 MB."),
    "414": (page(414), "responds with 414: the address is too long for a proxy"),
    "431": (page(431), "responds with 431: the headers are too large for a proxy"),
    "451": (page(451), "responds with 451: it is no RUI service; check the address"),
    "200": (page(200), "responds with 200: it is no RUI service; check the address"),
    "200 without a body": (page(200, body=b""), "responds with 200: it is no RUI service; check the address"),
    "200 with a code of the service": (answers(200, BUSY), "responds with 200 OVERLOADED: Busy."),
    "304": (says(b"HTTP/1.1 304 X\r\n\r\n"), "responds with 304: it is no RUI service; check the address"),
    "308": (page(308, "Location: https://rui.example/x/api/specs"),
            "redirects with 308: the address of the service is https://rui.example/x"),
    "301 without a host": (page(301, "Location: /rui/api/specs"),
                           "redirects with 301: the address of the service is {url}/rui"),
    "302 to a login": (page(302, f"Location: https://sso.example/login?state={SECRET}#x"),
                       "redirects with 302 to https://sso.example/login; it may need a login"),
    "307 with a user": (page(307, f"Location: https://kim:{SECRET}@sso.example/"),
                        "redirects with 307 to https://***@sso.example/; it may need a login"),
    "303 to nonsense": (page(303, "Location: http://[::1"), "redirects with 303 to http://[::1; it may need a login"),
    "302 to nothing": (page(302), "redirects with 302 to ; it may need a login"),
}  # fmt: skip


@pytest.mark.parametrize(("treatment", "words"), ONCE.values(), ids=ONCE)
def test_a_response_of_a_proxy(treatment: Treatment, words: str) -> None:
    with hostile(treatment) as server, pytest.raises(ServiceError) as raised:
        Client(server.url).store({})
    message = str(raised.value)
    head, _, note = words.partition(MAYBE)
    assert message.startswith(f"{server.url} ") and head.format(url=server.url) in message
    assert message.endswith(MAYBE) == (MAYBE in words) and note == ""
    assert SECRET not in message
    assert len(server.requests) == 1
    assert raised.value.may_be_stored == (MAYBE in words)
    assert raised.value.needs_login == ("needs a login" in words or "may need" in words)


EQUAL = {name: case for name, case in ONCE.items() if not name.startswith(("30", "503"))}
"""Those whose words do not depend on the path, or on whether the request stores."""


@pytest.mark.parametrize(("treatment", "words"), EQUAL.values(), ids=EQUAL)
def test_a_response_of_a_proxy_to_a_request_that_stores_nothing(treatment: Treatment, words: str) -> None:
    with hostile(treatment) as server, pytest.raises(ServiceError) as raised:
        Client(server.url, retries=0).fetch(UUID)
    assert words.partition(MAYBE)[0] in str(raised.value)
    assert MAYBE not in str(raised.value) and not raised.value.may_be_stored


@pytest.mark.parametrize("status", [502, 503, 504])
def test_what_stores_nothing_is_repeated(status: int) -> None:
    with hostile(page(status), page(status), VALID) as server:
        assert Client(server.url).validate({}).valid
    assert len(server.requests) == 3
    with hostile(page(status), answers(200, json.dumps(SAVED).encode())) as server:
        assert Client(server.url).fetch(UUID).spec_id == UUID
    with hostile(page(status)) as server, pytest.raises(ServiceError) as raised:
        Client(server.url, retries=2).validate({})
    assert len(server.requests) == 3 and MAYBE not in str(raised.value)


@pytest.mark.parametrize("treatment", [
    answers(503, SOON, "Retry-After: 0"), answers(503, BUSY, "Retry-After: 1"), page(429), page(429, "Retry-After: 1"),
])  # fmt: skip
def test_a_refused_store_is_repeated(treatment: Treatment) -> None:
    with hostile(treatment, STORED) as server:
        assert Client(server.url).store({}).spec_id == UUID
    with (
        hostile(treatment) as server,
        pytest.raises(ServiceError, match=r"is not available now|too many requests") as raised,
    ):
        Client(server.url).store({})
    assert len(server.requests) == 4 and MAYBE not in str(raised.value)


# Logins -------------------------------------------------------------------------------------------------------------


def sent(server: Hostile) -> str:
    return server.requests[-1].decode("latin-1").lower()


def test_headers_are_sent(tmp_path: Path) -> None:
    file = tmp_path / "a.rui.json"
    file.write_text(json.dumps(minimal_example()))
    with hostile(STORED) as server:
        client = Client(server.url)
        client.add_headers([LOGIN, "X-Api-Key:  k\xe9y 1 ", "user-agent: mine"])
        client.store({})
        assert "\r\nauthorization: bearer " + SECRET in sent(server) and "\r\nx-api-key: k\xe9y 1\r\n" in sent(server)
        assert sent(server).count("user-agent:") == 1
        ran = rui("publish", file, "--server", server.url, environment={HEADER_VARIABLE: f"A: 1\r\n\n{LOGIN}\nB: 2\n"})
        assert (ran.code, ran.err) == (0, "")
        assert all(text in sent(server) for text in ("\r\na: 1\r\n", f"bearer {SECRET}\r\n", "\r\nb: 2\r\n"))
        rui(
            "publish",
            file,
            "--server",
            server.url,
            "--header",
            "A: 3",
            "--header=C: 4",
            environment={HEADER_VARIABLE: "a: 1"},
        )
        assert "\r\na: 3\r\n" in sent(server) and "a: 1" not in sent(server) and "\r\nc: 4\r\n" in sent(server)


WRONG = [
    SECRET, f"Bearer {SECRET}", f"Authorization {SECRET}: x", f"A: {SECRET}\r\nB: 1", f"A: {SECRET}\0",
    f"A: {SECRET}\u20ac", f"A:{SECRET}\x7f", f": {SECRET}", "A:", f"Content-Length: {SECRET}", f"host: {SECRET}",
    f"Transfer-Encoding: {SECRET}", f"CONNECTION: {SECRET}", f"Content-Type: {SECRET}", f"A b: {SECRET}",
]  # fmt: skip


@pytest.mark.parametrize("header", WRONG)
def test_a_wrong_header_is_named_without_its_value(header: str) -> None:
    with pytest.raises(ValueError, match=r"a header is like|is the client's own") as raised:
        Client("http://a").add_headers([header])
    assert SECRET not in "".join(traceback.format_exception(raised.value))
    ran = rui("publish", "a", f"--header={header}")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith("rui publish: --header: ") and SECRET not in ran.err
    if "\n" not in header and "\0" not in header:
        ran = rui("publish", "a", environment={HEADER_VARIABLE: header})
        assert ran.err.startswith(f"rui publish: {HEADER_VARIABLE}: ") and SECRET not in ran.err


ECHOES = {
    "an error": answers(400, json.dumps({"error": "BAD", "message": f"no {LOGIN}, no {SECRET}"}).encode()),
    "a login": page(401, f"WWW-Authenticate: {SECRET}"),
    "a redirect": page(302, f"Location: https://sso.example/{SECRET}"),
    "a code": answers(500, json.dumps({"error": SECRET, "message": SECRET}).encode()),
    "a wrong status": answers(200, SECRET.encode()),
    "a hung service": hangs,
}


@pytest.mark.parametrize("treatment", ECHOES.values(), ids=ECHOES)
def test_a_value_is_never_shown(treatment: Treatment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog) -> None:
    """Not in messages, tracebacks, debug logs and the object, even if the proxy echoes it."""
    seconds = 2 if treatment is hangs else 60
    monkeypatch.setattr("rui_cli.commands.publish.TIMEOUT", seconds)
    monkeypatch.setenv("RUI_DEBUG", "1")
    caplog.set_level(logging.DEBUG)
    file = tmp_path / "a.rui.json"
    file.write_text(json.dumps(minimal_example()))
    with hostile(treatment) as server:
        client = Client(server.url, timeout=seconds)
        client.add_headers([LOGIN])
        with pytest.raises(ServiceError) as raised:
            client.store({})
        ran = rui("publish", file, "--server", server.url, "--header", LOGIN)
    assert (ran.code, ran.out) == (2, "")
    shown = ["".join(traceback.format_exception(raised.value)), repr(client), str(client), ran.err, caplog.text]
    assert SECRET in sent(server)
    assert not [text for text in shown if SECRET in text]


def test_help_shows_no_value() -> None:
    ran = rui("publish", "--help", environment={HEADER_VARIABLE: LOGIN})
    assert ran.code == 0 and HEADER_VARIABLE in ran.out and SECRET not in ran.out
    for arguments in (("-H", LOGIN, "a"), ("--headers", LOGIN, "a"), ("--headr", LOGIN), ("a", "--header")):
        ran = rui("publish", *arguments)
        assert ran.code == 2 and SECRET not in ran.err


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="needs /proc")
def test_a_variable_is_not_in_the_process_title(tmp_path: Path) -> None:
    file = tmp_path / "a.rui.json"
    file.write_text(json.dumps(minimal_example()))
    with hostile(hangs) as server:
        command = [sys.executable, "-m", "rui_cli", "publish", str(file), "--server", server.url]
        with subprocess.Popen(command, env={**os.environ, HEADER_VARIABLE: LOGIN}) as child:
            wait_until(lambda: bool(server.requests), "the request has arrived")
            title = Path(f"/proc/{child.pid}/cmdline").read_text() + Path(f"/proc/{child.pid}/comm").read_text()
            child.kill()
    assert "publish" in title and SECRET not in title and SECRET in sent(server)


# nginx --------------------------------------------------------------------------------------------------------------

NGINX = """
daemon off; pid {folder}/pid; error_log {folder}/error.log; {user} events {{ worker_connections 64; }}
http {{
    access_log off; client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
    uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e; limit_req_zone $binary_remote_addr zone=one:1m rate=1r/m;
    server {{
        listen 127.0.0.1:{port};
        location /login/ {{
            auth_basic rui; auth_basic_user_file {folder}/users; proxy_set_header Authorization "";
            proxy_pass {service}/;
        }}
        location /moved/ {{ rewrite ^/moved/(.*) /login/$1 permanent; }}
        location /down/ {{ proxy_pass http://127.0.0.1:{down}/; }}
        location /slow/ {{ proxy_pass {slow}/; proxy_read_timeout 2; }}
        location /limited/ {{ limit_req zone=one; proxy_pass {service}/; }}
        location /small/ {{ client_max_body_size 10; proxy_pass {service}/; }}
    }}
}}
"""


@contextmanager
def nginx(folder: Path, service: str, slow: str) -> Iterator[str]:
    need("nginx", "openssl")
    port = free_port()
    hashed = subprocess.run(["openssl", "passwd", "-apr1", SECRET], capture_output=True, text=True, check=True).stdout
    (folder / "users").write_text(f"kim:{hashed}")
    user = "user root;" if os.geteuid() == 0 else ""
    text = NGINX.format(folder=folder, port=port, service=service, slow=slow, down=free_port(), user=user)
    (folder / "nginx.conf").write_text(text)
    with subprocess.Popen(
        [program("nginx"), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    ) as child:
        try:
            wait_for_port(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            child.terminate()


def test_nginx(tmp_path: Path, service: Service) -> None:
    login = "Authorization: Basic a2ltOnVubWlzdGFrYWJsZS10b2tlbi00NzEx"
    with hostile(hangs) as slow, nginx(tmp_path, service.url, slow.url) as address:
        file = tmp_path / "a.rui.json"
        file.write_text(json.dumps(minimal_example()))

        def failed(path: str) -> str:
            ran = rui("publish", file, "--server", f"{address}/{path}")
            assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
            return ran.err

        assert failed("login").endswith(f"401: it needs a login; --header or {HEADER_VARIABLE} sends one\n")
        assert failed("moved").endswith(f"redirects with 301: the address of the service is {address}/login\n")
        assert failed("down").endswith(f"responds with 502: a proxy has no response of the service{MAYBE}\n")
        assert failed("slow").endswith(f"responds with 504: a proxy has no response of the service{MAYBE}\n")
        assert "responds with 413: the request is too large for a proxy" in failed("small")
        assert rui("publish", file, "--server", f"{address}/limited").code == 0
        assert failed("limited").endswith(f"responds with 503: a proxy has no response of the service{MAYBE}\n")
        assert len(slow.requests) == 1
        ran = rui("publish", file, "--server", f"{address}/login", "--header", login)
        assert (ran.code, ran.err) == (0, "")
