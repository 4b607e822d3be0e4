"""The configurations of deploy/ for nginx and Caddy; nginx runs in front of a service."""

import json
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from rui_api.commands.store import main
from rui_common.describe import minimal_example
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.rui_api import nginx as proxy
from tests.rui_api.live import JSON, Service, process
from tests.rui_api.load import wait_until
from tests.rui_api.nginx import BASE_URL, HOST, Nginx, nginx
from tests.rui_api.test_api_operations import DEPLOY, need

CACHE = "x-cache-status"
MAX_AGE = "60"
UNLIMITED = ((r"rate=\d+r/s", "rate=100000r/s"),)


@contextmanager
def serving(folder: Path, *options: str, replaced: Sequence[tuple[str, str]] = ()) -> Iterator[tuple[Service, Nginx]]:
    """Run a service as the first lines of deploy/nginx.conf describe, and nginx in front of it."""
    proxy.require()
    arguments = (
        "--store", f"sqlite:///{folder}/rui.db", "--base-url", BASE_URL, "--trust-proxies", "127.0.0.1",
        "--log-level", "info", "--cache-max-age", MAX_AGE, *options,
    )  # fmt: skip
    with (
        (folder / "rui.log").open("wb") as log,
        process(*arguments, stderr=log) as (_, service),
        nginx(folder / "nginx", service.port, *replaced) as front,
    ):
        yield service, front


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[tuple[Service, Nginx]]:
    """Without limits of requests, which many tests together would reach."""
    with serving(tmp_path_factory.mktemp("proxy"), replaced=UNLIMITED) as pair:
        yield pair


def new_path(service: Service) -> str:
    return f"/api/specs/{service.store()['specId']}"


def test_fifty_of_fifty_hits(served: tuple[Service, Nginx]) -> None:
    service, front = served
    path = new_path(service)
    first = front.client.get(path)
    assert (first.status_code, first.headers[CACHE]) == (200, "MISS")
    hits = [front.client.get(path) for _ in range(50)]
    assert Counter(hit.headers[CACHE] for hit in hits) == {"HIT": 50}
    assert {hit.content for hit in hits} == {first.content}
    assert len({hit.headers["x-request-id"] for hit in hits}) == 50


def test_a_304_comes_from_the_cache(served: tuple[Service, Nginx]) -> None:
    service, front = served
    path = new_path(service)
    etag = front.client.get(path).headers["etag"]
    unchanged = front.client.get(path, headers={"If-None-Match": etag})
    assert (unchanged.status_code, unchanged.headers[CACHE]) == (304, "HIT")


@pytest.mark.parametrize("path", ["/specs/ID", "/specs/ID/rui.json", "/docs", "/api/schema"])
def test_pages_are_cached(served: tuple[Service, Nginx], path: str) -> None:
    service, front = served
    path = path.replace("ID", str(service.store()["specId"]))
    first, second = front.client.get(path), front.client.get(path)
    assert (first.headers[CACHE], second.headers[CACHE]) == ("MISS", "HIT")
    assert second.content == first.content == service.client.get(path).content


FORGED = [
    {"Host": "evil.example"}, {"Host": f"{HOST}:1234"}, {"Host": HOST.upper()}, {"X-Forwarded-Host": "evil.example"},
    {"X-Forwarded-Proto": "gopher"}, {"X-Forwarded-For": "6.6.6.6"}, {"X-Forwarded-Port": "1"},
    {"X-Forwarded-Prefix": "/evil"}, {"Forwarded": "for=6.6.6.6;host=evil.example;proto=gopher"},
    {"X-Original-URL": "/api/health"}, {"X-Rewrite-URL": "/api/health"}, {"X-Host": "evil.example"},
    {"X-HTTP-Method-Override": "POST"}, {"Accept": "text/html"}, {"Accept": "image/png;q=1, */*;q=0"},
    {"Accept-Encoding": "br"}, {"Accept-Encoding": "gzip, evil"}, {"Accept-Language": "xx"}, {"Cookie": "session=evil"},
    {"Authorization": "Basic ZXZpbDpldmls"}, {"Origin": "https://evil.example"}, {"X-Request-ID": "evil"},
    {"User-Agent": "evil"}, {"Range": "bytes=0-9"}, {"If-None-Match": '"evil"'}, {"If-Match": '"evil"'},
    {"Cache-Control": "no-store"}, {"Pragma": "no-cache"}, {"Upgrade": "h2c", "Connection": "Upgrade"},
]  # fmt: skip


@pytest.mark.parametrize("headers", FORGED, ids=str)
@pytest.mark.parametrize("path", ["/api/specs/ID", "/specs/ID"])
def test_no_header_poisons_the_cache(served: tuple[Service, Nginx], headers: dict[str, str], path: str) -> None:
    """The first request has the header; what others get is what the service sends to them."""
    service, front = served
    path = path.replace("ID", str(service.store()["specId"]))
    try:
        front.client.get(path, headers=headers)
    except httpx.RemoteProtocolError:
        assert "Host" in headers, "nginx closes the connection: another host"
    check_clean(service, front, path)


@pytest.mark.parametrize("query", [
    "?evil", "?q=evil", "?part=JSON", "?open=all", "?callback=evil", "?", "?%00", "?a=%0d%0aX-Evil:%201",
    "?/../../nope",
])  # fmt: skip
@pytest.mark.parametrize("path", ["/api/specs/ID", "/specs/ID"])
def test_no_query_poisons_the_cache(served: tuple[Service, Nginx], path: str, query: str) -> None:
    service, front = served
    path = path.replace("ID", str(service.store()["specId"]))
    front.client.get(path + query)
    check_clean(service, front, path)


@pytest.mark.parametrize("prefix", ["/%2e%2e", "//", "/.", "/x/.."])
def test_no_spelling_of_a_path_poisons_the_cache(served: tuple[Service, Nginx], prefix: str) -> None:
    """nginx asks for the path as the client wrote it, and the service refuses these."""
    service, front = served
    path = new_path(service)
    with front.connect() as connection:
        connection.sendall(f"GET {prefix}{path} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode())
        assert connection.recv(65_536)
    check_clean(service, front, path)


def test_neither_head_nor_errors_poison_the_cache(served: tuple[Service, Nginx]) -> None:
    service, front = served
    path = new_path(service)
    front.client.head(path)
    front.client.request("DELETE", path)
    front.client.options(path)
    check_clean(service, front, path)


def check_clean(service: Service, front: Nginx, path: str) -> None:
    """Three clients get through nginx what the service sends to each of them directly."""
    for headers in ({}, {"Accept-Encoding": "gzip"}, {"Accept-Encoding": "identity", "Accept": "text/html"}):
        for _ in range(2):
            through = front.client.get(path, headers=headers)
            direct = service.client.get(path, headers=headers)
            assert (through.status_code, through.content) == (200, direct.content)
            for name in ("etag", "content-type", "content-encoding", "vary", "cache-control"):
                assert through.headers.get(name) == direct.headers.get(name), name
            assert through.headers["x-request-id"] != "evil"


def test_errors_and_what_depends_on_the_client_are_not_cached(served: tuple[Service, Nginx]) -> None:
    _, front = served
    missing = "/api/specs/00000000-0000-4000-8000-000000000000"
    for path in (missing, "/api/specs/x", "/nope", "/api/health", "/api/ready", "/"):
        assert {front.client.get(path).headers[CACHE] for _ in range(3)} == {"MISS"}, path


def test_other_hosts_lead_nowhere(served: tuple[Service, Nginx]) -> None:
    _, front = served
    with pytest.raises(httpx.RemoteProtocolError):
        httpx.get(f"http://127.0.0.1:{front.plain_port}/")
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"https://127.0.0.1:{front.port}/", verify=front.tls)
    to_tls = httpx.get(f"http://127.0.0.1:{front.plain_port}/api/docs?x=1", headers={"Host": HOST})
    assert (to_tls.status_code, to_tls.headers["location"]) == (308, f"{BASE_URL}/api/docs?x=1")


def test_forwarded_headers_are_those_of_nginx(served: tuple[Service, Nginx]) -> None:
    """The service logs the address of the client, which cannot forge it, and the id of nginx."""
    _, front = served
    log = front.folder.parent / "rui.log"
    forged = {
        "X-Forwarded-For": "6.6.6.6", "X-Forwarded-Proto": "gopher", "X-Request-ID": "evil", "Forwarded": "for=6.6.6.6",
    }  # fmt: skip
    answer = front.client.get("/api/health", headers=forged)
    wait_until(lambda: answer.headers["x-request-id"] in log.read_text(), "the line of the request")
    line = next(json.loads(line) for line in log.read_text().splitlines() if answer.headers["x-request-id"] in line)
    assert line["client"] == "127.0.0.1"
    saved = front.client.post("/api/specs", json=minimal_example(), headers=forged).json()
    assert saved["url"].startswith(f"{BASE_URL}/api/specs/")
    assert "6.6.6.6" not in log.read_text()


def test_body_size(served: tuple[Service, Nginx]) -> None:
    """The service answers up to nginx's limit, and nginx answers in the same form beyond it."""
    _, front = served
    for size in (MAX_BODY_BYTES + 1, 1_900_000, 3_000_000):
        answer = front.client.post("/api/validate", content=b" " * size, headers=JSON)
        assert (answer.status_code, answer.headers["content-type"]) == (400, "application/json"), size
        assert answer.json()["valid"] is False
        assert [error["code"] for error in answer.json()["errors"]] == ["INVALID_JSON"]


def test_requests_are_limited_per_client(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, front):
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda _: front.client.post("/api/validate", json=minimal_example()), range(300)))
        statuses = Counter(answer.status_code for answer in answers)
        assert {*statuses} == {200, 429}
        assert statuses[200] >= 40, "the burst"
        limited = next(answer for answer in answers if answer.status_code == 429)
        assert limited.json()["error"] == "RATE_LIMITED"
        assert limited.headers["retry-after"] == "1"
        assert front.client.get("/api/health").status_code == 200, "reading has a limit of its own"


def test_connections_are_limited_per_client(tmp_path: Path) -> None:
    with (
        serving(tmp_path, replaced=((r"limit_conn rui_connections \d+", "limit_conn rui_connections 3"),)) as (
            _,
            front,
        ),
        ExitStack() as stack,
    ):
        for _ in range(3):
            slow = stack.enter_context(front.connect())
            slow.sendall(f"POST /api/validate HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 9\r\n\r\n".encode())
        wait_until(lambda: front.client.get("/api/health").status_code == 429, "the fourth connection is refused")


def test_slow_clients_are_cut_off(tmp_path: Path) -> None:
    """They wait in nginx; the service gets complete requests only."""
    times = ((r"(client_header_timeout|client_body_timeout) \d+s", r"\1 1s"),)
    body = f"POST /api/validate HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 9\r\n\r\n{{".encode()
    with serving(tmp_path, replaced=times) as (_, front):
        for part in (b"GET / HT", body):
            with front.connect() as connection:
                connection.sendall(part)
                begun = time.monotonic()
                received = connection.recv(65_536)
                assert received == b"" or received.startswith(b"HTTP/1.1 408 ")
                assert time.monotonic() - begun < 15
        assert "INVALID_JSON" not in (tmp_path / "rui.log").read_text()


def test_the_cache_outlives_the_service(tmp_path: Path) -> None:
    """`stale-if-error`: what is cached is served while the service is away."""
    with serving(tmp_path, "--cache-max-age", "1") as (service, front):
        path = new_path(service)
        fresh = front.client.get(path)
        time.sleep(2.1)
        service.client.close()
        service.child.kill()
        service.child.wait()
        answers = [front.client.get(path) for _ in range(3)]
        assert [(answer.status_code, answer.content) for answer in answers] == [(200, fresh.content)] * 3
        assert {answer.headers[CACHE] for answer in answers} <= {"STALE", "UPDATING"}
        assert front.client.post("/api/validate", json=minimal_example()).status_code == 502


def test_a_deleted_spec_leaves_the_caches(tmp_path: Path) -> None:
    with serving(tmp_path, "--cache-max-age", "1") as (service, front):
        path = new_path(service)
        assert {front.client.get(path).status_code for _ in range(5)} == {200}
        page = path.removeprefix("/api")
        assert front.client.get(page).status_code == 200
        words = ["delete", path, "--reason", "illegal", "--store", f"sqlite:///{tmp_path}/rui.db"]
        assert main(words) == 0
        for gone in (path, page):
            wait_until(lambda gone=gone: front.client.get(gone).status_code == 410, "the spec is gone")
            assert {front.client.get(gone).headers[CACHE] for _ in range(3)} <= {"MISS", "EXPIRED"}


def test_the_configuration_of_caddy() -> None:
    """Debian's Caddy has the standard modules."""
    need("caddy")
    config = str(DEPLOY / "Caddyfile")
    done = subprocess.run(
        ["caddy", "validate", "--adapter", "caddyfile", "--config", config], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    formatted = subprocess.run(["caddy", "fmt", config], capture_output=True, text=True, check=False)
    assert formatted.stdout == (DEPLOY / "Caddyfile").read_text()
