"""Limits per client: connections, time, and bytes of all clients together."""

import json
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest

from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_api.server.limits import Limits
from rui_common.describe import minimal_example
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.rui_api.live import Service, process, rest, running
from tests.rui_api.probes import GET, POST
from tests.rui_api.server.test_http_protocol import answers_in

HEALTH = GET + b"\r\n"
LAST = GET + b"Connection: close\r\n\r\n"
LIMITS = Limits(
    headers_seconds=1.0, body_seconds=1.0, idle_seconds=1.0, write_seconds=0.3, linger_seconds=0.2, connections=8,
    waiting_bytes=1_000_000, unread_bytes=1_000_000,
)  # fmt: skip


@pytest.fixture
def service(tmp_path) -> Iterator[Service]:
    """A service with low limits."""
    with running(create_app(Settings(store=f"sqlite:///{tmp_path}/rui.db")), LIMITS) as service:
        yield service


def connected(service: Service, stack: ExitStack, first: bytes = b"") -> socket.socket:
    connection = stack.enter_context(socket.create_connection(("127.0.0.1", service.port), timeout=10))
    connection.sendall(first)
    return connection


def test_one_connection_too_many(service: Service) -> None:
    with ExitStack() as stack:
        busy = [connected(service, stack, b"GET /api/hea") for _ in range(LIMITS.connections)]
        refused = rest(connected(service, stack))
        assert answers_in(refused, []) == ["503 OVERLOADED"]
        assert b"retry-after: " in refused
        busy[0].sendall(b"lth HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert answers_in(rest(busy[0]), []) == ["200"]
        assert answers_in(rest(connected(service, stack, HEALTH)), []) == ["200"]


def test_far_too_many_connections(service: Service) -> None:
    """The service holds at most the limit of open connections, plus the same number of refused ones."""
    with ExitStack() as stack:
        for _ in range(LIMITS.connections):
            connected(service, stack, b"GET /api/hea")
        answers = [rest(connected(service, stack)) for _ in range(3 * LIMITS.connections)]
        assert {tuple(answers_in(answer, [])) for answer in answers} <= {("503 OVERLOADED",), ()}
        time.sleep(1.3)
        assert answers_in(rest(connected(service, stack, HEALTH)), []) == ["200"]


def test_resting_connections_make_place(service: Service) -> None:
    """The service closes the connection that has been idle longest, never a busy one."""
    with ExitStack() as stack:
        busy = connected(service, stack, b"GET /api/hea")
        resting = [connected(service, stack, HEALTH) for _ in range(LIMITS.connections - 1)]
        for connection in resting:
            assert connection.recv(65_536).startswith(b"HTTP/1.1 200 ")
        assert connected(service, stack, HEALTH).recv(65_536).startswith(b"HTTP/1.1 200 ")
        resting[0].settimeout(0.5)
        assert resting[0].recv(1) == b""
        busy.sendall(b"lth HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert answers_in(rest(busy), []) == ["200"]


def test_resting_connections_are_closed_in_the_end(service: Service) -> None:
    with ExitStack() as stack:
        connection = connected(service, stack, HEALTH)
        began = time.monotonic()
        assert answers_in(rest(connection), []) == ["200"]
        assert time.monotonic() - began > LIMITS.idle_seconds / 2


@pytest.mark.parametrize("drop", [b"\r\n", b"G", b"X: y\r\n"])
def test_drops_do_not_buy_time(service: Service, drop: bytes) -> None:
    """A client that sends single bytes gets no more time than one that sends no data."""
    with ExitStack() as stack:
        connection = connected(service, stack, b"" if drop != b"X: y\r\n" else GET)
        with pytest.raises(OSError):  # The exception depends on the system.
            for _ in range(100):
                time.sleep(0.1)
                connection.sendall(drop)
    assert service.client.get("/api/health").status_code == 200


def test_client_that_does_not_read(service: Service) -> None:
    """The service buffers unread responses up to a limit, then stops reading requests."""
    stored = service.store(minimal_example() | {"meta": {"x": "y" * 200_000}})
    get = f"GET /api/specs/{stored['specId']} HTTP/1.1\r\nHost: a\r\n\r\n".encode()
    with ExitStack() as stack:
        connection = stack.enter_context(socket.socket())
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", service.port))
        connection.settimeout(10)
        with pytest.raises(OSError):
            for _ in range(200):
                connection.sendall(get * 5)
                time.sleep(0.05)
    assert service.client.get("/api/health").status_code == 200


def test_requests_behind_others_are_counted_together(tmp_path) -> None:
    """Without a common limit, pipelined requests on many connections would take more memory than bodies may."""
    limits = replace(LIMITS, write_seconds=30, pipelined_total=20)
    with running(create_app(Settings(store=f"sqlite:///{tmp_path}/rui.db")), limits) as service, ExitStack() as stack:
        stored = service.store(minimal_example() | {"meta": {"x": "y" * 200_000}})
        get = f"GET /api/specs/{stored['specId']} HTTP/1.1\r\nHost: a\r\n\r\n".encode()
        deaf = connected(service, stack, get * 30)
        time.sleep(0.2)
        refused = connected(service, stack, get * 30)
        assert answers_in(rest(refused), [])[-1] == "503 OVERLOADED"
        assert answers_in(rest(connected(service, stack, LAST)), []) == ["200"]
        deaf.close()
        time.sleep(0.2)
        assert answers_in(rest(connected(service, stack, HEALTH * 8 + LAST)), []) == ["200"] * 9


def test_answers_that_nobody_reads_make_room(tmp_path) -> None:
    """Above the common limit, the service drops the responses that have waited longest; other clients do not notice."""
    limits = replace(LIMITS, write_seconds=30, connections=40)
    with running(create_app(Settings(store=f"sqlite:///{tmp_path}/rui.db")), limits) as service, ExitStack() as stack:
        stored = service.store(minimal_example() | {"meta": {"x": "y" * 200_000}})
        path = f"/api/specs/{stored['specId']}"
        get = f"GET {path} HTTP/1.1\r\nHost: a\r\n".encode()
        deaf = []
        for _ in range(16):
            connection = stack.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", service.port))
            connection.settimeout(10)
            connection.sendall(29 * (get + b"\r\n") + get + b"Connection: close\r\n\r\n")
            deaf.append(connection)
            time.sleep(0.05)
        assert service.client.get(path).json() == stored
        answered = [rest(connection).count(b"HTTP/1.1 200 ") for connection in (deaf[0], deaf[-1])]
    assert answered[0] < answered[1] == 30


def test_uploads_that_stall_make_room(service: Service) -> None:
    """Above the common limit, the service refuses the oldest uploads with Retry-After; other clients do not notice."""
    part = POST + b"Content-Length: %d\r\n\r\n" % MAX_BODY_BYTES + b" " * 250_000
    with ExitStack() as stack:
        stalled = []
        for _ in range(7):
            stalled.append(connected(service, stack, part))
            time.sleep(0.05)
            assert service.post("/api/validate", minimal_example()).json()["valid"] is True
        answers = [answers_in(rest(connection), []) for connection in stalled]
    assert answers == [["503 OVERLOADED"]] * 4 + [["400 INVALID_JSON"]] * 3


@pytest.fixture(scope="module")
def choosy(tmp_path_factory) -> Iterator[Service]:
    settings = Settings(
        store=f"sqlite:///{tmp_path_factory.mktemp('choosy')}/rui.db", allowed_hosts=("127.0.0.1", "a.example", "[::1]")
    )
    with running(create_app(settings)) as service:
        yield service


@pytest.mark.parametrize(("host", "known"), [
    ("a.example", True), ("A.Example:8080", True), ("[::1]:80", True), ("[::1]", True), ("b.example", False),
    ("a.example.evil", False), ("xa.example", False), ("", False), ("::1", False), ("a.example:x", False),
    ("evil#a.example", False),
])  # fmt: skip
@pytest.mark.parametrize("path", ["/api/docs", "/api/specs/x", "/nope", "/inspector.css"])
def test_allowed_hosts(choosy: Service, host: str, known: bool, path: str) -> None:
    """The address of the request decides; without a host in it, the Host header does."""
    for request in (f"GET {path} HTTP/1.1\r\nHost: {host}", f"GET http://{host}{path} HTTP/1.1\r\nHost: a.example"):
        head, body = choosy.raw(f"{request}\r\nConnection: close\r\n\r\n".encode())
        refused = head.startswith(b"HTTP/1.1 400 ") and json.loads(body).get("error") == "BAD_REQUEST"
        assert refused is not known


def test_allowed_hosts_of_http_1_0(choosy: Service) -> None:
    head, _ = choosy.raw(b"GET /api/docs HTTP/1.0\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not limit files")
@pytest.mark.parametrize(("hard", "served"), [(4000, True), (100, False)])
def test_few_files(tmp_path, hard: int, served: bool) -> None:
    """The service raises its limit of open files as far as allowed, and closes connections above that."""
    import resource  # noqa: PLC0415  Windows has none

    def few() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (100, hard))

    with process("--store", f"sqlite:///{tmp_path}/rui.db", preexec_fn=few) as (_, service):
        with ExitStack() as stack:
            for _ in range(300):
                connected(service, stack, b"GET /api/hea")
            assert answers_in(rest(connected(service, stack, LAST)), []) == (["200"] if served else [])
        time.sleep(0.3)
        assert service.post("/api/specs", minimal_example()).status_code == 201
