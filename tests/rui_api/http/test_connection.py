"""Connections whose clients reset them, do nothing more, or close their side."""

import asyncio
import gc
import json
import logging
import socket
import struct
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, suppress
from pathlib import Path

import pytest
import uvicorn
from prometheus_client import REGISTRY

from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_api.http.connection import Connection
from rui_api.http.limits import RequestLimits
from rui_api.observability.logs import FIELDS
from rui_common.describe import minimal_example
from tests.inputs.sample import sized
from tests.rui_api.live import PATIENT, UUID, Down, Service, at_socket, patient_app, running, wait_until
from tests.rui_api.raw_http import GET_HEALTH, exchange

Client = Callable[[socket.socket], None]

DOCUMENT = json.dumps(minimal_example()).encode()
POST = b"POST /api/%b HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
STORE = POST % (b"specs", len(DOCUMENT), DOCUMENT)
CHUNKED = STORE[: -len(DOCUMENT)].replace(
    b"Content-Length: %d" % len(DOCUMENT), b"Transfer-Encoding: chunked"
) + b"%x\r\n%b\r\n0\r\n\r\n" % (len(DOCUMENT), DOCUMENT)
LARGE = sized(250_000, "x")
VALIDATE_LARGE = POST % (b"validate", len(LARGE), LARGE)
HALF = GET_HEALTH[:-10]
EXPECTED = STORE[: -len(DOCUMENT)].replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n")
CLIENT_HELLO = bytes.fromhex("1603010200010001fc0303") + bytes(range(256)) * 2


def keeping(seconds: int, folder: Path) -> AbstractContextManager[Service]:
    """Run a service that keeps connections without a request for so many seconds."""
    return running(patient_app(Settings(store=f"sqlite:///{folder}/rui.db")), seconds)


@pytest.fixture(autouse=True, scope="module")
def frozen_heap() -> Iterator[None]:
    """Exempt the objects of earlier tests from the search for connections."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with keeping(3_600, tmp_path_factory.mktemp("lasting")) as service:
        yield service


@pytest.fixture(scope="module")
def brief(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with keeping(1, tmp_path_factory.mktemp("brief")) as service:
        yield service


def connect(service: Service) -> socket.socket:
    return socket.create_connection(("127.0.0.1", service.port), timeout=PATIENT)


def answered(connection: socket.socket, request: bytes = GET_HEALTH) -> None:
    """Send a request and read its response."""
    status, _ = exchange(connection, [request])
    assert status in (200, 201, 400)


def read_all(connection: socket.socket) -> bytes:
    received = b""
    while part := connection.recv(65_536):
        received += part
    return received


def reset(connection: socket.socket) -> None:
    """Close a connection with a reset."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def objects_left() -> int:
    """Return the number of connections in memory, whether they are open or not."""
    gc.collect()
    return sum(isinstance(value, Connection) for value in gc.get_objects())


# Resets ---------------------------------------------------------------------------------------------------------------


def with_unread_bytes(connection: socket.socket) -> None:
    connection.sendall(GET_HEALTH)
    connection.recv(1)
    connection.close()


def with_unread_pages(connection: socket.socket) -> None:
    connection.sendall(VALIDATE_LARGE * 20)
    connection.recv(1)
    connection.close()


ENDS: dict[str, Callable[[socket.socket], object]] = {
    "after a response": lambda connection: (answered(connection), reset(connection)),
    "after a stored spec": lambda connection: (answered(connection, STORE), reset(connection)),
    "after several responses": lambda connection: (answered(connection), answered(connection), reset(connection)),
    "after half a second request": lambda connection: (answered(connection, GET_HEALTH + HALF), reset(connection)),
    "without a request": reset,
    "after half a request": lambda connection: (connection.sendall(HALF), reset(connection)),
    "before a response": lambda connection: (connection.sendall(VALIDATE_LARGE), reset(connection)),
    "with unread bytes": with_unread_bytes,
    "with unread responses": with_unread_pages,
    "within a body": lambda connection: (connection.sendall(STORE[:-1]), reset(connection)),
    "within an announced body": lambda connection: (
        connection.sendall(EXPECTED),
        connection.recv(1),
        reset(connection),
    ),
    "within a large body": lambda connection: (connection.sendall(VALIDATE_LARGE[:100_000]), reset(connection)),
    "after it closed its side": lambda connection: (
        connection.sendall(STORE),
        connection.shutdown(socket.SHUT_WR),
        reset(connection),
    ),
    "after the beginning of TLS": lambda connection: (connection.sendall(CLIENT_HELLO), reset(connection)),
    "after it closed its side without a request": lambda connection: (
        connection.shutdown(socket.SHUT_WR),
        reset(connection),
    ),
    "normally": lambda connection: (answered(connection), connection.close()),
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_nothing_is_left_of_a_connection_that_has_ended(lasting: Service, end: Client) -> None:
    lasting.client.get("/api/health")
    before = objects_left()
    for _ in range(20):
        end(connect(lasting))
    wait_until(lambda: objects_left() <= before, "the connections are forgotten")


KEPT = {
    "a valid document": VALIDATE_LARGE,
    "one with further properties": VALIDATE_LARGE.replace(b'"title": "xx', b'"other": "xx', 1),
    "an invalid one": VALIDATE_LARGE.replace(b'"version":', b'"versoin":', 1),
    "no JSON": VALIDATE_LARGE.replace(b'"version":', b'"version";', 1),
    "a stored one": VALIDATE_LARGE.replace(b"/validate", b"/specs", 1),
    "a text of the editor": VALIDATE_LARGE.replace(b"/api/validate", b"/playground/check", 1),
    "a form": VALIDATE_LARGE.replace(b"/api/validate", b"/", 1).replace(
        b"application/json", b"application/x-www-form-urlencoded", 1
    ),
}  # fmt: skip


@pytest.mark.parametrize("request_", KEPT.values(), ids=KEPT)
def test_an_idle_connection_keeps_no_body(lasting: Service, request_: bytes) -> None:
    """It has the scope of its last request, in which Litestar's `Request.body` keeps the body.

    Nor do nodes that refer to each other until the next collection of garbage, which comes late.
    """
    with ExitStack() as stack:
        gc.disable()
        stack.callback(gc.enable)
        answered(stack.enter_context(connect(lasting)), request_)  # what is computed once
        tracemalloc.start()
        stack.callback(tracemalloc.stop)
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(20):
            answered(stack.enter_context(connect(lasting)), request_)
        after, _ = tracemalloc.get_traced_memory()
    assert after - before < 10 * len(LARGE)


# Clients that do nothing more -----------------------------------------------------------------------------------------


def dripping(connection: socket.socket) -> None:
    """Send a byte of a head at a time, until the connection is closed."""
    connection.sendall(HALF)
    while True:
        connection.sendall(b"a")
        time.sleep(0.1)


IDLE: dict[str, Callable[[socket.socket], object]] = {
    "nothing": lambda _: None,
    "half a request": lambda connection: connection.sendall(HALF),
    "half of the second request": lambda connection: (answered(connection), connection.sendall(HALF)),
    "half of the second request at once": lambda connection: answered(connection, GET_HEALTH + HALF),
    "one request": answered,
    "blank lines": lambda connection: connection.sendall(b"\r\n" * 10),
    "one blank line": lambda connection: connection.sendall(b"\r\n"),
    "half a line end": lambda connection: connection.sendall(b"\r"),
    "a method": lambda connection: connection.sendall(b"GET"),
    "responses that are not read": lambda connection: connection.sendall(VALIDATE_LARGE * 20),
    "a last response that is not read": lambda connection: connection.sendall(
        VALIDATE_LARGE * 19 + VALIDATE_LARGE.replace(b"Host: a", b"Host: a\r\nConnection: close", 1)
    ),
    "a refusal that is not read": lambda connection: connection.sendall(VALIDATE_LARGE * 19 + b"\0\r\n\r\n"),
    "half of the beginning of TLS": lambda connection: connection.sendall(CLIENT_HELLO[:9]),
    "a byte at a time": dripping,
}


@pytest.mark.parametrize("send", IDLE.values(), ids=IDLE)
def test_a_client_that_does_nothing_more_is_disconnected(brief: Service, send: Client) -> None:
    def run() -> None:
        with suppress(ConnectionError):  # it may be disconnected while it sends
            send(connection)

    with connect(brief) as connection:
        wait_until(lambda: bool(brief.server.server_state.connections), "it is connected")
        sending = threading.Thread(target=run)
        sending.start()
        wait_until(lambda: not brief.server.server_state.connections, "it is disconnected")
        sending.join()


def test_a_request_that_runs_is_not_idle(tmp_path: Path) -> None:
    """It may take longer than a connection without a request stays open: it has limits of its own."""
    with keeping(1, tmp_path) as service, connect(service) as connection:
        connection.sendall(STORE[:-1])
        wait_until(lambda: bool(service.server.server_state.tasks), "it runs")
        for _ in range(3):
            with connect(service) as other:  # until it is disconnected, after a second
                assert other.recv(1) == b""
        connection.sendall(STORE[-1:])
        assert exchange(connection, [])[0] == 201


HEAD = b" HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
SHORT = b"Content-Length: 10\r\n\r\n{"
CHUNKS = b"Transfer-Encoding: chunked\r\n\r\n"
VALIDATE = b"POST /api/validate" + HEAD
STOPPED = {
    "half a line of a head": (b"GET / HTTP/1.1\r\nHos", b""),
    "a folded line": (b"GET / HTTP/1.1\r\nHost: a\r\n b", b""),
    "a request after an offered upgrade": (
        GET_HEALTH.replace(b"\r\n\r\n", b"\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n") + HALF, b"200"),
    "half the preface of HTTP/2": (b"PRI * HTTP/2.0\r\n\r", b""),
    "the preface of HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"404"),
    "a tunnel": (b"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", b"404"),
    "no body": (VALIDATE + SHORT[:-1], b"400"),
    "half a body": (VALIDATE + SHORT, b"400"),
    "no body after 100": (EXPECTED, b"100"),
    "half a body of the second request": (GET_HEALTH + VALIDATE + SHORT, b"200"),
    "no chunk": (VALIDATE + CHUNKS, b"400"),
    "the size of a chunk": (VALIDATE + CHUNKS + b"5", b"400"),
    "half a chunk": (VALIDATE + CHUNKS + b"5\r\n{", b"400"),
    "no last chunk": (VALIDATE + CHUNKS + b"2\r\n{}\r\n", b"400"),
    "half a trailer": (VALIDATE + CHUNKS + b"2\r\n{}\r\n0\r\nX: ", b"400"),
    "half a form": (b"POST /" + HEAD + SHORT, b"400"),
    "half a text of the editor": (b"POST /playground/check" + HEAD + SHORT, b"400"),
    "a body for no address": (b"POST /nope" + HEAD + SHORT, b"404"),
    "a body for no method": (b"PUT /api/specs" + HEAD + SHORT, b"405"),
    "a body of a GET": (b"GET /api/health" + HEAD + SHORT, b"200"),
    "a chunk for no address": (b"DELETE /nope" + HEAD + CHUNKS + b"5\r\n{", b"404"),
}  # fmt: skip
"""What stops, and the status of the first response."""


def test_what_stops_is_ended_and_counts_no_more() -> None:
    limits = RequestLimits(body_seconds=1.0)
    with running(create_app(Settings(), Down(), limits=limits), 1) as service, ExitStack() as stack:
        connections = [stack.enter_context(connect(service)) for _ in STOPPED]
        for connection, (part, _) in zip(connections, STOPPED.values(), strict=True):
            connection.sendall(part)
        statuses = {name: read_all(connection)[9:12] for name, connection in zip(STOPPED, connections, strict=True)}
        assert statuses == {name: status for name, (_, status) in STOPPED.items()}
        state = service.server.server_state
        wait_until(lambda: not state.tasks and not state.connections, "the requests end")
        assert (limits._running, limits._bodies_bytes) == (0, 0)


def test_clients_of_a_unix_socket_that_stop(tmp_path: Path) -> None:
    path = tmp_path / "rui.sock"
    with at_socket(path, "--keep-alive", "1", "--store", f"sqlite:///{tmp_path}/rui.db"), ExitStack() as stack:
        for part, status in ((b"", b""), (HALF, b""), (GET_HEALTH + HALF, b"200")):
            connection = stack.enter_context(socket.socket(socket.AF_UNIX))
            connection.settimeout(PATIENT)
            connection.connect(str(path))
            connection.sendall(part)
            assert read_all(connection)[9:12] == status


# Clients that close their side ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("requests", "statuses"), [
    ([STORE], [201]),
    ([VALIDATE_LARGE], [200]),
    ([b"GET /api/specs/%b HTTP/1.0\r\n\r\n" % UUID.encode()], [404]),
    ([GET_HEALTH, STORE, GET_HEALTH], [200, 201, 200]),
    ([GET_HEALTH, HALF], [200]),
    ([b"HEAD /api/health HTTP/1.1\r\nHost: a\r\n\r\n"], [200]),
    ([b"OPTIONS /api/specs HTTP/1.1\r\nHost: a\r\n\r\n"], [204]),
    ([b"PUT /api/specs HTTP/1.1\r\nHost: a\r\n\r\n"], [405]),
    ([b"GET http://a/api/health HTTP/1.1\r\nHost: a\r\n\r\n"], [200]),
    ([STORE.replace(b"Host: a", b"Host: a\r\nConnection: Upgrade\r\nUpgrade: h2c")], [201]),
    ([CHUNKED], [201]),
    ([CHUNKED, CHUNKED], [201, 201]),
    ([CHUNKED[:-2]], []),
    ([CHUNKED[:-20]], []),
    ([HALF], []),
    ([STORE[:-1]], []),
])  # fmt: skip
def test_requests_before_a_client_closes_its_side_are_answered(
    lasting: Service, requests: list[bytes], statuses: list[int]
) -> None:
    """Each one that has arrived whole is, and then the connection is closed."""
    with connect(lasting) as connection:
        connection.sendall(b"".join(requests))
        connection.shutdown(socket.SHUT_WR)
        received = read_all(connection)
    assert [int(part[:3]) for part in received.split(b"HTTP/1.1 ")[1:]] == statuses


# Clients that leave ---------------------------------------------------------------------------------------------------


class UntilAllHaveLeft(Down):
    """A store that responds when no connection is open."""

    server: uvicorn.Server

    async def fetch(self, _: object) -> None:
        while self.server.server_state.connections:
            await asyncio.sleep(0.01)

    async def store(self, _: object) -> None:
        await self.fetch(_)


GET_SPEC = b"GET /api/specs/%b HTTP/1.1\r\nHost: a\r\n\r\n" % UUID.encode()
LEFT = {
    "a spec that is stored": (STORE, "/api/specs"),
    "a spec": (GET_SPEC, "/api/specs/:id"),
    "the head of a page": (b"HEAD /specs/%b HTTP/1.1\r\nHost: a\r\n\r\n" % UUID.encode(), "/specs/:id"),
    "half a body": (STORE[:-1], "/api/specs"),
    "half a chunk": (CHUNKED[:-20], "/api/specs"),
    "chunks without an end": (CHUNKED[:-2], "/api/specs"),
    "half a large body": (VALIDATE_LARGE[:100_000], "/api/validate"),
    "half a form": (KEPT["a form"][:-1], "/"),
}
"""Requests whose client leaves before the response, and their routes."""


@pytest.fixture(scope="module")
def waiting() -> Iterator[Service]:
    store = UntilAllHaveLeft()
    with running(create_app(Settings(), store), 3_600) as service:
        store.server = service.server
        yield service


@pytest.mark.parametrize(("request_", "route", "leave"), [
    pytest.param(request, route, leave, id=f"{name}-{leave.__name__}")
    for name, (request, route) in LEFT.items() for leave in (socket.socket.close, reset)
    if leave is reset or request not in (STORE, GET_SPEC)
])  # fmt: skip
def test_a_client_that_leaves_before_the_response(
    waiting: Service, caplog: pytest.LogCaptureFixture, request_: bytes, route: str, leave: Client
) -> None:
    """Log and metrics say so, and count no bytes.

    A client of the API that closes after a whole request may still read, so only a reset says that it has left.
    """
    labels = {"route": route, "method": request_.split()[0].decode(), "status": "499"}
    before = REGISTRY.get_sample_value("rui_requests_total", labels) or 0
    with caplog.at_level(logging.INFO, "rui_api.requests"):
        connection = connect(waiting)
        connection.sendall(request_)
        wait_until(lambda: waiting.server.server_state.tasks, "it runs")
        leave(connection)
        wait_until(lambda: not waiting.server.server_state.tasks, "it has ended")
    (fields,) = [getattr(record, FIELDS) for record in caplog.records if record.name == "rui_api.requests"]
    assert (fields["status"], fields["sent"], fields["route"]) == (499, 0, route)
    assert ("specId" in fields) == (request_ == STORE)
    assert REGISTRY.get_sample_value("rui_requests_total", labels) == before + 1


@pytest.mark.parametrize(("request_", "is_sent"), [
    (VALIDATE_LARGE, True), (GET_HEALTH, True), (GET_HEALTH.replace(b"GET", b"HEAD"), False),
], ids=["a large body", "a small body", "no body"])  # fmt: skip
def test_a_client_that_leaves_after_the_response_has_begun(
    lasting: Service, caplog: pytest.LogCaptureFixture, request_: bytes, is_sent: bool
) -> None:
    with caplog.at_level(logging.INFO, "rui_api.requests"):
        connection = connect(lasting)
        connection.sendall(request_)
        connection.recv(1)
        reset(connection)
        wait_until(lambda: not lasting.server.server_state.tasks, "it has ended")
    (fields,) = [getattr(record, FIELDS) for record in caplog.records if record.name == "rui_api.requests"]
    assert (fields["status"], fields["sent"] > 0) == (200, is_sent)
