"""The configurations of deploy/ for nginx and Caddy, which run in front of a service."""

import asyncio
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from rui_api.commands.store import main
from rui_api.config.options import Settings
from rui_api.contract.bodies import error_body
from rui_api.contract.endpoints import BODIES
from rui_api.contract.errors import RATE_LIMITED, TOO_LATE, UNREACHABLE
from rui_common.describe import minimal_example
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.rui_api.live import DEPLOY, JSON, UUID, Service, at_socket, process, wait_until
from tests.rui_api.postgres import need, program, wait_for_port
from tests.rui_api.raw_http import H2C, OFFERS, exchange, framings, head_of, smuggled
from tests.support.ports import free_port

HOST = "rui.example.org"
BASE_URL = f"https://{HOST}"
CACHE = "x-cache-status"
UNLIMITED = ((r"rate=\d+r/s", "rate=100000r/s"),)
MAIN = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1; {user}
events {{ worker_connections 512; }}
http {{
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    include {folder}/rui.conf;
}}
"""


class Front(NamedTuple):
    """The ports of a running proxy without and with TLS, its context, and a client that reaches it as `BASE_URL`."""

    plain_port: int
    port: int
    tls: ssl.SSLContext
    client: httpx.Client

    def connect(self) -> ssl.SSLSocket:
        """Return a connection for raw requests."""
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        return self.tls.wrap_socket(plain, server_hostname=HOST)


def to_host(request: httpx.Request) -> None:
    """Ask for the host of the configuration, unless the test names another one."""
    request.extensions["sni_hostname"] = HOST
    if request.headers["host"].startswith("127.0.0.1"):
        request.headers["host"] = HOST


def make_certificate(folder: Path) -> None:
    """Write privkey.pem and fullchain.pem for `HOST`."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}", "-keyout", "privkey.pem",
         "-out", "fullchain.pem"],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip


def replaced_in(name: str, replaced: Sequence[tuple[str, str]]) -> str:
    """Return a file of deploy/ with replacements of patterns, each of which it has."""
    text = (DEPLOY / name).read_text()
    for pattern, value in replaced:
        text, count = re.subn(pattern, value, text)
        assert count, f"deploy/{name} has no {pattern}"
    return text


@contextmanager
def run_proxy(command: list[str | None], folder: Path, ports: list[int], **popen: object) -> Iterator[Front]:
    """Run a proxy with the certificate in a folder."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **popen) as child:
        try:
            wait_for_port(ports[1])
            tls = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
            # One connection per request: nginx may close a kept one in the moment in which a client sends on it.
            limits = httpx.Limits(max_keepalive_connections=0)
            hooks = {"request": [to_host]}
            with httpx.Client(
                base_url=f"https://127.0.0.1:{ports[1]}", verify=tls, timeout=60, limits=limits, event_hooks=hooks
            ) as client:
                yield Front(*ports, tls, client)
        finally:
            child.send_signal(signal.SIGTERM)


@contextmanager
def nginx(folder: Path, service_port: int, replaced: Sequence[tuple[str, str]]) -> Iterator[Front]:
    """Run nginx with deploy/nginx.conf in front of a service; `replaced` are patterns and their replacements."""
    need("nginx", "openssl")
    make_certificate(folder)
    ports = [free_port(), free_port()]
    config = replaced_in("nginx.conf", (
        (r"listen \[::\].*\n", "\n"),
        (r"listen 80\b", f"listen 127.0.0.1:{ports[0]}"),
        (r"listen 443\b", f"listen 127.0.0.1:{ports[1]}"),
        (r"127\.0\.0\.1:8000", f"127.0.0.1:{service_port}"),
        (r"/etc/ssl/rui/", f"{folder}/"),
        (r"/var/cache/nginx/rui", f"{folder}/cache"),
        (r"/var/log/nginx/rui.log", f"{folder}/access.log"),
        *replaced,
    ))  # fmt: skip
    (folder / "rui.conf").write_text(config)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=user))
    command = [program("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")]
    checked = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert (checked.returncode, "warn" in checked.stderr) == (0, False), checked.stderr
    with run_proxy(command, folder, ports) as front:
        yield front


@contextmanager
def caddy(folder: Path, service_port: int, replaced: Sequence[tuple[str, str]]) -> Iterator[Front]:
    """Run Caddy with deploy/Caddyfile in front of a service; `replaced` are patterns and their replacements."""
    need("caddy", "openssl")
    make_certificate(folder)
    ports = [free_port(), free_port()]
    options = f"admin off\nhttp_port {ports[0]}\nhttps_port {ports[1]}\ndefault_bind 127.0.0.1"
    config = replaced_in("Caddyfile", (
        (r"\A([^{]*)\{", rf"\1{{\n{options}"),
        (r"\nrui\.example\.org \{", f"\\g<0>\n\ttls {folder}/fullchain.pem {folder}/privkey.pem"),
        (r"127\.0\.0\.1:8000", f"127.0.0.1:{service_port}"),
        *replaced,
    ))  # fmt: skip
    (folder / "Caddyfile").write_text(config)
    command = [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    environment = {**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)}
    with run_proxy(command, folder, ports, env=environment) as front:
        yield front


PROXIES = {"nginx": nginx, "caddy": caddy}
SHIPPED = {"nginx": UNLIMITED, "caddy": ()}


@contextmanager
def serving(
    folder: Path, *options: str, proxy: str = "nginx", replaced: Sequence[tuple[str, str]] = ()
) -> Iterator[tuple[Service, Front]]:
    """Run a service as the first lines of the configurations describe, and a proxy in front of it."""
    (folder / proxy).mkdir()
    arguments = (
        "--store", f"sqlite:///{folder}/rui.db", "--base-url", BASE_URL, "--trust-proxies", "127.0.0.1",
        "--log-level", "info", "--cache-max-age", "3600", *options,
    )  # fmt: skip
    with (
        (folder / "rui.log").open("wb") as log,
        process(*arguments, stderr=log) as (_, service),
        PROXIES[proxy](folder / proxy, service.port, replaced) as front,
    ):
        yield service, front


FORGED = [
    {"Host": "evil.example"}, {"X-Forwarded-Host": "evil.example"}, {"X-Forwarded-Proto": "gopher"},
    {"Forwarded": "for=6.6.6.6;host=evil.example;proto=gopher"}, {"X-HTTP-Method-Override": "POST"},
    {"Accept": "text/html"}, {"Accept-Encoding": "gzip, evil"}, {"Origin": "https://evil.example"},
    {"Range": "bytes=0-9"}, {"If-None-Match": '"evil"'}, {"Upgrade": "h2c", "Connection": "Upgrade"},
]  # fmt: skip
POISONED = [
    *(("GET", "", headers) for headers in FORGED), *(("GET", query, {}) for query in ("?evil", "?open=all")),
    *((method, "", {}) for method in ("HEAD", "DELETE", "OPTIONS")),
]  # fmt: skip


def check_caching(service: Service, front: Front) -> None:
    spec_id = service.store()["specId"]
    for path in (f"/api/specs/{spec_id}", f"/specs/{spec_id}", f"/specs/{spec_id}/rui.json", "/docs", "/api/schema"):
        answers = [front.client.get(path) for _ in range(3)]
        assert [answer.headers[CACHE] for answer in answers] == ["MISS", "HIT", "HIT"]
        assert {answer.content for answer in answers} == {service.client.get(path).content}
        assert len({answer.headers["x-request-id"] for answer in answers}) == 3
        unchanged = front.client.get(path, headers={"If-None-Match": answers[0].headers["etag"]})
        assert (unchanged.status_code, unchanged.headers[CACHE]) == (304, "HIT")
    for path in (f"/api/specs/{UUID}", "/api/specs/x", "/nope", "/api/health", "/api/ready", "/"):
        assert {front.client.get(path).headers[CACHE] for _ in range(2)} == {"MISS"}, path
    # The first request has the header, query or method; what others get is what the service sends to them.
    for number, (method, query, headers) in enumerate(POISONED):
        fresh = f"{('/api', '')[number % 2]}/specs/{service.store()['specId']}"
        try:
            front.client.request(method, fresh + query, headers=headers)
        except httpx.RemoteProtocolError:
            assert "Host" in headers, "nginx closes the connection: another host"
        for accepted in ({"Accept-Encoding": "gzip"}, {"Accept-Encoding": "identity", "Accept": "text/html"}):
            through, direct = (server.client.get(fresh, headers=accepted) for server in (front, service))
            assert (through.status_code, through.content) == (200, direct.content)
            for name in ("etag", "content-type", "content-encoding", "vary", "cache-control"):
                assert through.headers.get(name) == direct.headers.get(name), name


def check_origins(service: Service, front: Front) -> None:
    """Pages of every origin may read what the cache got from another one, or without Origin."""
    origins = ("", "https://a.example", "https://b.example", "null")
    for first in origins:
        spec_id = service.store()["specId"]
        for path in (f"/api/specs/{spec_id}", f"/specs/{spec_id}"):
            for number, origin in enumerate((first, *origins, *origins)):
                headers = {"Origin": origin} if origin else {}
                response = front.client.get(path, headers=headers)
                assert response.headers[CACHE] == ("HIT" if number else "MISS"), (path, first, origin)
                known = front.client.get(path, headers={**headers, "If-None-Match": response.headers["etag"]})
                assert (response.status_code, known.status_code) == (200, 304)
                for answer in (response, known):
                    assert answer.headers.get_list("access-control-allow-origin") == ["*"], (path, first, origin)


def check_hosts(front: Front) -> None:
    """Other hosts lead nowhere, and HTTP leads to HTTPS."""
    with pytest.raises(httpx.RemoteProtocolError):
        httpx.get(f"http://127.0.0.1:{front.plain_port}/", timeout=60)
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"https://127.0.0.1:{front.port}/", verify=front.tls, timeout=60)
    to_tls = httpx.get(f"http://127.0.0.1:{front.plain_port}/api/docs?x=1", headers={"Host": HOST}, timeout=60)
    assert (to_tls.status_code, to_tls.headers["location"]) == (308, f"{BASE_URL}/api/docs?x=1")


def check_forwarded_headers(front: Front, log: Path) -> None:
    """The service logs the address of the client, which cannot forge it, and the id of nginx."""
    forged = {"X-Forwarded-For": "6.6.6.6", "X-Forwarded-Proto": "gopher", "X-Request-ID": "evil"}
    saved = front.client.post("/api/specs", json=minimal_example(), headers=forged)
    assert saved.json()["url"].startswith(f"{BASE_URL}/api/specs/")
    request_id = saved.headers["x-request-id"]
    wait_until(lambda: f'{request_id}"' in log.read_text(), "the line of the request")
    line = next(json.loads(line) for line in log.read_text().splitlines() if request_id in line)
    assert line["client"] == "127.0.0.1"
    assert "6.6.6.6" not in log.read_text() and "evil" not in log.read_text()


def test_nginx_in_front_of_a_service(tmp_path: Path) -> None:
    with serving(tmp_path, replaced=UNLIMITED) as (service, front):
        check_forwarded_headers(front, tmp_path / "rui.log")
        check_caching(service, front)
        check_origins(service, front)
        check_hosts(front)
        for size in (MAX_BODY_BYTES + 1, 3_000_000):  # the limit of the service, and that of nginx
            answer = front.client.post("/api/validate", content=b" " * size, headers=JSON)
            assert (answer.status_code, answer.json()["errors"][0]["code"]) == (400, "INVALID_JSON"), size


@pytest.mark.parametrize("file", ["nginx.conf", "Caddyfile"])
def test_the_bodies_of_the_proxies_are_in_the_catalogue(file: str) -> None:
    """They have codes of their own: with those of the service, clients would repeat what may be stored."""
    bodies = [json.loads(body) for body in re.findall(r"""['`](\{"error".*\})['`]""", (DEPLOY / file).read_text())]
    expected = [error_body(error).example for error in (RATE_LIMITED, UNREACHABLE)]
    assert bodies == expected
    described = {body.name for body in BODIES}
    assert {error_body(error).name for error in (RATE_LIMITED, UNREACHABLE, TOO_LATE)} <= described


def check_own_answer(answer: httpx.Response) -> None:
    """An answer of the proxy itself can be read by pages of other origins, and has the headers of the others."""
    assert answer.headers.get_list("access-control-allow-origin") == ["*"]
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["strict-transport-security"] == "max-age=31536000"


@pytest.mark.parametrize("proxy", PROXIES)
def test_answers_of_the_proxy_itself(tmp_path: Path, proxy: str) -> None:
    """To a body of any length, with Content-Length or chunked, the client gets a whole answer."""
    with serving(tmp_path, proxy=proxy, replaced=SHIPPED[proxy]) as (service, front):
        for size in (MAX_BODY_BYTES + 1, 1_900_000, 2_100_000, 3_999_999, 4_000_000, 9_999_999, 20_000_000):
            for body in (b" " * size, (b" " * 10_000 for _ in range(size // 10_000 + 1))):
                answer = front.client.post("/api/validate", content=body, headers=JSON)
                assert (answer.status_code, answer.json()["errors"][0]["code"]) == (400, "INVALID_JSON"), size
                check_own_answer(answer)
        service.client.close()
        service.child.kill()
        service.child.wait()
        answer = front.client.post("/api/validate", json=minimal_example())
        assert (answer.status_code, answer.json()["error"]) == (502, UNREACHABLE.code)
        assert "retry-after" not in answer.headers, "a POST may be stored"
        check_own_answer(answer)


@contextmanager
def slow_link(port: int, seconds: float) -> Iterator[int]:
    """Pass connections on to a port, each way with a delay; yield the port of the link."""

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        while data := await reader.read(65_536):
            loop.call_later(seconds, writer.write, data)
        loop.call_later(seconds, writer.close)

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers = [writer]
        try:
            with suppress(OSError):
                there, back = await asyncio.open_connection("127.0.0.1", port)
                writers.append(back)
                await asyncio.gather(pass_on(reader, back), pass_on(there, writer))
            await asyncio.sleep(2 * seconds)  # the end is late, too
        finally:
            for writer in writers:
                writer.transport.abort()

    async def run() -> None:
        server = await asyncio.start_server(connect, "127.0.0.1", 0)
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        started.set_result((server.sockets[0].getsockname()[1], partial(loop.call_soon_threadsafe, stop.set)))
        async with server:
            await stop.wait()

    started: Future[tuple[int, Callable[[], object]]] = Future()
    with ThreadPoolExecutor(1) as pool:
        ran = pool.submit(asyncio.run, run())
        link, stop = started.result(20)
        try:
            yield link
        finally:
            stop()
            ran.result(20)


@pytest.mark.parametrize(("options", "statuses"), [((), {200}), (("--keep-alive", "1"), {200, 502})])
def test_connections_that_the_proxy_keeps(tmp_path: Path, options: tuple[str, ...], statuses: set[int]) -> None:
    """Over a slow link, a request may meet a connection that the service closes; then a POST is lost with 502.

    With the default, the service keeps connections for longer than the proxy does.
    """
    arguments = ("--store", f"sqlite:///{tmp_path}/rui.db", "--allow-hosts", f"{HOST},127.0.0.1", *options)
    with (
        process(*arguments) as (_, service),
        slow_link(service.port, 0.4) as port,
        nginx(tmp_path, port, UNLIMITED) as front,
    ):
        found: Counter[int] = Counter()
        while found.total() < 4 or (found.keys() < statuses and found.total() < 40):
            found[front.client.post("/api/validate", json=minimal_example()).status_code] += 1
            time.sleep(0.5)  # with the delay, longer than the shorter time
    assert found.keys() == statuses


def test_proxies_close_connections_first() -> None:
    kept = [
        re.search(r"upstream rui \{.*?keepalive_timeout (\d+)s;", (DEPLOY / "nginx.conf").read_text(), re.DOTALL),
        re.search(r"\skeepalive (\d+)s\s", (DEPLOY / "Caddyfile").read_text()),
    ]
    assert [int(match[1]) for match in kept if match] == [60, 60] and Settings().keep_alive > 60


@pytest.mark.parametrize("proxy", PROXIES)
def test_a_unix_socket_behind_a_proxy(tmp_path: Path, proxy: str) -> None:
    """As the comments in the configurations have it."""
    path = tmp_path / "rui.sock"
    text = (DEPLOY / {"nginx": "nginx.conf", "caddy": "Caddyfile"}[proxy]).read_text()
    place = {"nginx": f"server unix:{path}", "caddy": f"reverse_proxy unix/{path}"}[proxy]
    assert place.replace(str(path), "/run/rui/rui.sock") in text
    replaced = (*SHIPPED[proxy], (r"(server|reverse_proxy) 127\.0\.0\.1:1\b", place))
    store = f"sqlite:///{tmp_path}/rui.db"
    options = ("--store", store, "--base-url", BASE_URL, "--trust-proxies", "*", "--log-format", "json")
    with at_socket(path, *options) as (child, _), PROXIES[proxy](tmp_path, 1, replaced) as front:
        saved = front.client.post("/api/specs", json=minimal_example(), headers={"X-Forwarded-For": "6.6.6.6"})
        assert saved.status_code == 201
        child.terminate()
        _, err = child.communicate(timeout=60)
    stored = json.loads(err.splitlines()[1])
    assert (stored["client"], stored["id"]) == ("127.0.0.1", saved.headers["x-request-id"])


UPLOAD = f"POST /api/validate HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 9\r\n\r\n".encode()
"""A request whose body does not come."""
TIMEOUTS = r"(client_header_timeout|client_body_timeout) \d+s"


def test_the_requests_of_a_client_are_limited(tmp_path: Path) -> None:
    """So slow a rate that no machine sends fewer requests: what is above the burst is refused."""
    replaced = ((r"(zone=rui_writes:10m) rate=\d+r/s", r"\1 rate=1r/m"),)
    with serving(tmp_path, replaced=replaced) as (_, front):
        with ThreadPoolExecutor(6) as pool:
            answers = list(pool.map(lambda _: front.client.post("/api/validate", json=minimal_example()), range(80)))
        statuses = Counter(answer.status_code for answer in answers)
        assert {*statuses} == {200, 429}
        assert statuses[200] >= 40, "the burst"
        limited = next(answer for answer in answers if answer.status_code == 429)
        assert (limited.json()["error"], limited.headers["retry-after"]) == ("RATE_LIMITED", "1")
        check_own_answer(limited)
        assert front.client.get("/api/health").status_code == 200, "reading has a limit of its own"


def test_slow_clients_wait_in_nginx_and_are_cut_off(tmp_path: Path) -> None:
    with serving(tmp_path, replaced=((TIMEOUTS, r"\1 2s"),)) as (_, front):
        for part in (b"GET / HT", UPLOAD + b"{"):
            with front.connect() as connection:
                connection.sendall(part)
                received = connection.recv(65_536)
                assert received == b"" or received.startswith(b"HTTP/1.1 408 ")
        assert front.client.get("/api/docs").status_code == 200
        log = tmp_path / "rui.log"
        wait_until(lambda: "/api/docs" in log.read_text(), "the line of the last request")
        assert "/api/validate" not in log.read_text(), "the service has seen the upload"


def test_the_connections_of_a_client_are_limited(tmp_path: Path) -> None:
    replaced = ((TIMEOUTS, r"\1 600s"), (r"limit_conn rui_connections \d+", "limit_conn rui_connections 8"))
    with serving(tmp_path, replaced=replaced) as (_, front), ExitStack() as stack:
        for _ in range(8):
            assert front.client.get("/api/health").status_code == 200
            stack.enter_context(front.connect()).sendall(UPLOAD)
        wait_until(lambda: front.client.get("/api/health").status_code == 429, "one connection more is refused")


def test_a_list_of_origins_behind_nginx(tmp_path: Path) -> None:
    """Each origin of the list may read every response, and no other one."""
    allowed = ("https://a.example", "https://b.example")
    with serving(tmp_path, "--allow-origins", ",".join(allowed), replaced=UNLIMITED) as (service, front):
        path = f"/api/specs/{service.store()['specId']}"
        for origin in ("", *allowed, "https://evil.example", *allowed, ""):
            response = front.client.get(path, headers={"Origin": origin} if origin else {})
            assert response.status_code == (403 if "evil" in origin else 200)
            assert response.headers.get("access-control-allow-origin", "") == (origin if origin in allowed else "")
            assert response.headers["vary"] == "Origin"


def test_stale_and_deleted_specs(tmp_path: Path) -> None:
    """A deleted spec leaves the cache. What is cached is served while the service is away (`stale-if-error`)."""
    with serving(tmp_path, "--cache-max-age", "1", replaced=UNLIMITED) as (service, front):
        path, gone = (f"/api/specs/{service.store()['specId']}" for _ in range(2))
        fresh = front.client.get(path)
        pages = [gone, gone.removeprefix("/api")]
        assert [front.client.get(page).status_code for page in pages] == [200, 200]
        assert main(["delete", gone, "--reason", "illegal", "--store", f"sqlite:///{tmp_path}/rui.db"]) == 0
        for page in pages:
            wait_until(lambda page=page: front.client.get(page).status_code == 410, "the spec is gone")
        service.client.close()
        service.child.kill()
        service.child.wait()
        wait_until(lambda: front.client.get(path).headers[CACHE] in ("STALE", "UPDATING"), "the cached spec is stale")
        answers = [front.client.get(path) for _ in range(3)]
        assert [(answer.status_code, answer.content) for answer in answers] == [(200, fresh.content)] * 3
        assert front.client.post("/api/validate", json=minimal_example()).status_code == 502


def test_the_configuration_of_caddy() -> None:
    """Debian's Caddy has the standard modules."""
    need("caddy")
    command = ["caddy", "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


PASSING = {
    "nginx": (
        *UNLIMITED,
        (r'Connection "";', 'Connection "upgrade";'),
        (r'Upgrade "";', "Upgrade $http_upgrade;"),
        (r'HTTP2-Settings "";', "HTTP2-Settings $http_http2_settings;"),
    ),
    "caddy": ((r"header_up -(Connection|Upgrade|HTTP2-Settings)\n", "\n"),),
}
"""Configurations that pass on what is offered, as those for WebSockets do."""


@pytest.mark.parametrize("changes", [SHIPPED, PASSING], ids=["shipped", "passing"])
@pytest.mark.parametrize("proxy", PROXIES)
def test_offered_upgrades(tmp_path: Path, proxy: str, changes: dict[str, Sequence[tuple[str, str]]]) -> None:
    """The body of such a request is its body, and the next client of the proxy gets its own response."""
    options = ("--log-format", "json")
    with serving(tmp_path, *options, proxy=proxy, replaced=changes[proxy]) as (_, front):
        sent = 0
        for name, offer in OFFERS.items():
            if name == "obs-fold":
                continue  # the proxies refuse it
            for framing in framings(smuggled(HOST)):
                headers = (f"Host: {HOST}", "Content-Type: application/json", *offer, *framing.headers)
                with front.connect() as connection:
                    status, answer = exchange(connection, [head_of("POST /api/specs", headers), framing.content])
                assert (status, json.loads(answer)["errors"][0]["code"]) == (400, "INVALID_JSON"), name
                document = minimal_example() | {"meta": {"by": f"client {sent}"}}
                for _ in range(3):
                    stored = front.client.post("/api/specs", json=document)
                    assert (stored.status_code, stored.json()["normalizedRui"]["meta"]) == (201, document["meta"]), name
                sent += 4
        log = tmp_path / "rui.log"
        wait_until(lambda: log.read_text().count('"event":"request"') >= sent, "the lines of all requests")
        assert log.read_text().count('"event":"request"') == sent


@pytest.mark.parametrize("proxy", PROXIES)
def test_headers_of_one_connection(tmp_path: Path, proxy: str) -> None:
    """No proxy passes on an offered upgrade, or what belongs to it."""
    offer = dict(line.split(": ") for line in H2C)
    with (
        socket.create_server(("127.0.0.1", 0)) as upstream,
        PROXIES[proxy](tmp_path, upstream.getsockname()[1], ()) as front,
        ThreadPoolExecutor() as pool,
    ):
        answer = pool.submit(front.client.post, "/api/validate", json={}, headers=offer)
        received, _ = upstream.accept()
        with received:
            head = b""
            while b"\r\n\r\n" not in head:
                head += received.recv(65_536)
            received.sendall(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        assert answer.result().status_code == 204
    assert b"\r\ncontent-length: 2\r\n" in head.lower()
    assert b"upgrade" not in head.lower() and b"http2-settings" not in head.lower()
