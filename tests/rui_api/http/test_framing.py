"""Requests that are unusual, ambiguous or malformed as HTTP messages (RFC 9112), and headers without an end."""

import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from benchmarks import megabytes
from rui_api.commands.server import MAX_HEAD_BYTES
from tests.rui_api.live import Service, process, wait_until
from tests.rui_api.raw_http import DOCUMENT, GET_HEALTH, exchange, smuggled

HEAD = b"POST /api/validate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
LENGTH = b"Content-Length: %d\r\n" % len(DOCUMENT)
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n"
CHUNK = b"%x\r\n%b\r\n" % (len(DOCUMENT), DOCUMENT)
GET = b"GET /api/health HTTP/1.1\r\nHost: a\r\n"
END = b"\r\n"


class Case(NamedTuple):
    """Segments that a client sends, and the statuses of all responses until the connection closes."""

    segments: tuple[bytes, ...]
    statuses: tuple[int, ...]


# A connection that stays open after the case gets one more request, which asks for its end.
LAST = b"GET /api/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
OPEN = {
    "chunk extensions": Case((CHUNKED + END, CHUNK.replace(b"\r\n", b";a=b;c\r\n", 1) + b"0;x\r\n\r\n"), (200,)),
    "a trailer": Case((CHUNKED + END, CHUNK + b"0\r\nContent-Length: 5\r\nHost: b\r\n\r\n"), (200,)),
    "the same length twice": Case((HEAD + LENGTH + LENGTH + END, DOCUMENT), (200,)),
    "obs-fold": Case((HEAD + b"X: a\r\n b\r\n\tc\r\n" + LENGTH + END, DOCUMENT), (200,)),
    "a header without a value": Case((HEAD + b"X:\r\n" + LENGTH + END, DOCUMENT), (200,)),
    "an absolute target": Case((b"GET http://a/api/health HTTP/1.1\r\nHost: b\r\n\r\n",), (200,)),
    "an absolute target of HTTPS": Case((b"GET HTTPS://a:8000/api/docs?x HTTP/1.1\r\nHost: b\r\n\r\n",), (200,)),
    "an absolute target without a path": Case((b"GET http://a HTTP/1.1\r\nHost: b\r\n\r\n",), (200,)),
    "an absolute target of a wrong host": Case((b"GET http://u:p@a/api/docs HTTP/1.1\r\nHost: b\r\n\r\n",), (400,)),
    "an absolute target of another scheme": Case((b"GET ftp://a/api/docs HTTP/1.1\r\nHost: a\r\n\r\n",), (404,)),
    "all of the server": Case((b"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",), (404,)),
    "a target without a slash": Case((b"GET api/health HTTP/1.1\r\nHost: a\r\n\r\n",), (404,)),
    "a query without a path": Case((b"GET ?copy=x HTTP/1.1\r\nHost: a\r\n\r\n",), (404,)),
    "an unknown method": Case((b"FOO! /api/docs HTTP/1.1\r\nHost: a\r\n\r\n",), (405,)),
    "broken escapes": Case((b"GET /api/%zz%ff%00 HTTP/1.1\r\nHost: a\r\n\r\n",), (404,)),
    "a later minor version": Case((b"GET /api/health HTTP/1.2\r\nHost: a\r\n\r\n",), (200,)),
    "lines without CR": Case(((HEAD + LENGTH + END).replace(b"\r\n", b"\n"), DOCUMENT), (200,)),
}
CLOSED = {
    "a body that is not read": Case((b"POST /nope HTTP/1.1\r\nHost: a\r\n" + LENGTH + END + DOCUMENT,), (404,)),
    "a request as a body that is not read": Case(
        (b"GET /api/docs HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(GET_HEALTH), GET_HEALTH * 2), (200,)
    ),
    "a malformed chunk that is not read": Case(
        (b"POST /nope HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", b"zz\r\n", GET_HEALTH), (400,)
    ),
    "a malformed chunk": Case((CHUNKED + END, b"zz\r\n" + GET_HEALTH), (400,)),
    "a chunk that is longer than its size": Case((CHUNKED + END, b"1\r\n{}\r\n0\r\n\r\n" + GET_HEALTH), (400,)),
    "a negative chunk": Case((CHUNKED + END, b"-1\r\n" + GET_HEALTH), (400,)),
    "a length and chunks": Case(
        (HEAD + b"Content-Length: 5\r\n" + CHUNKED[len(HEAD) :] + END, CHUNK + b"0\r\n\r\n" + GET_HEALTH), (200,)
    ),
    "chunks and a length": Case((CHUNKED + LENGTH + END, b"0\r\n\r\n" + smuggled("a")), (400,)),
    "two lengths": Case((HEAD + LENGTH + b"Content-Length: 1\r\n\r\n", DOCUMENT), (400,)),
    "a list of two lengths": Case((HEAD + b"Content-Length: 1, 2\r\n\r\n", DOCUMENT), (400,)),
    "a length with a sign": Case((HEAD + b"Content-Length: +5\r\n\r\n", b"12345"), (400,)),
    "a length in hexadecimal": Case((HEAD + b"Content-Length: 0x5\r\n\r\n", b"12345"), (400,)),
    "a space after the name": Case((HEAD + b"Content-Length : 5\r\n\r\n", b"12345"), (400,)),
    "an unknown coding": Case((HEAD + b"Transfer-Encoding: xchunked\r\n\r\n", CHUNK), (400,)),
    "two codings": Case((HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n", CHUNK), (400,)),
    "two headers of codings": Case((CHUNKED + b"Transfer-Encoding: identity\r\n\r\n", CHUNK), (400,)),
    "a NUL in a header": Case((GET + b"X: a\0b\r\n\r\n",), (400,)),
    "a CR in a header": Case((GET + b"X: a\rb\r\n\r\n",), (400,)),
    "a header without a colon": Case((GET + b"nonsense\r\n\r\n",), (400,)),
    "a first line that is folded": Case((b"GET /api/health HTTP/1.1\r\n Host: a\r\n\r\n",), (400,)),
    "no Host": Case((b"GET /api/health HTTP/1.1\r\n\r\n",), (400,)),
    "two Hosts": Case((GET + b"Host: b\r\n\r\n",), (400,)),
    "bytes outside of ASCII in the target": Case((b"GET /\xc3\xa9 HTTP/1.1\r\nHost: a\r\n\r\n",), (400,)),
    "TLS": Case((b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",), (400,)),
    "HTTP/2": Case((b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",), (404, 400)),
    "more than a request": Case((GET + END + b"nonsense\r\n\r\n",), (200, 400)),
    "a request after the last one": Case((LAST + GET_HEALTH,), (200,)),
    "HTTP/1.0": Case((b"GET /api/health HTTP/1.0\r\n\r\n" + GET_HEALTH,), (200,)),
}
CASES = {**{name: Case((*case.segments, LAST), (*case.statuses, 200)) for name, case in OPEN.items()}, **CLOSED}


class Logged(NamedTuple):
    """A service with a process of its own, and its log."""

    service: Service
    log: Path
    pid: int


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Logged]:
    folder = tmp_path_factory.mktemp("framing")
    path = folder / "log"
    options = ("--store", f"sqlite:///{folder}/rui.db", "--log-level", "info", "--log-format", "json")
    with path.open("wb") as log, process(*options, stderr=log) as (child, service):
        yield Logged(service, path, child.pid)


def statuses(port: int, segments: tuple[bytes, ...]) -> tuple[int, ...]:
    """Return the statuses of everything that the service sends until it closes the connection."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        # The service may close the connection before all is sent, or while a part of what was sent is not read.
        with suppress(ConnectionError):
            for segment in segments:
                connection.sendall(segment)
                time.sleep(0.02)  # the next one arrives by itself
        with suppress(ConnectionError):
            while part := connection.recv(65_536):
                received += part
    return tuple(map(int, re.findall(rb"HTTP/1\.1 (\d+) ", received)))


@pytest.mark.parametrize("name", CASES)
def test_each_request_gets_one_response(logged: Logged, name: str) -> None:
    """Nothing of a body is a request, and the log has no stack trace."""
    assert statuses(logged.service.port, CASES[name].segments) == CASES[name].statuses
    assert logged.service.client.get("/api/health").status_code == 200
    assert '"level":"error"' not in logged.log.read_text()


def test_the_host_of_an_absolute_target(service: Service) -> None:
    """It replaces the Host header."""
    target = b"POST http://c.example:81/api/specs HTTP/1.1\r\nHost: b.example\r\nConnection: close\r\n"
    _, body = service.raw(target + b"Content-Type: application/json\r\n" + LENGTH + END + DOCUMENT)
    assert json.loads(body)["url"].startswith("http://c.example:81/api/specs/")


CHUNK_LINE = CHUNKED + END + b"2;"
TRAILER = CHUNKED + END + b"2\r\n{}\r\n0\r\n"
ENDLESS = {
    "a header": (GET + b"X: ", b"a"),
    "a name": (GET, b"a"),
    "small headers": (GET, b"a:b\r\n"),
    "folded lines": (GET + b"X: a\r\n", b" a\r\n"),
    "a target": (b"GET /", b"a"),
    "a query": (b"GET /api/health?", b"a"),
    "a method": (b"", b"A"),
    "a trailer": (TRAILER + b"X: ", b"a"),
    "small trailers": (TRAILER, b"a:b\r\n"),
    "a chunk extension": (CHUNK_LINE, b"a"),
    "an upgrade": (GET + b"Connection: Upgrade\r\nUpgrade: ", b"h2c,"),
}
"""What has no end → its start, and what follows again and again."""


def send_endless(port: int, start: bytes, repeated: bytes, size: int) -> tuple[int, bytes]:
    """Send bytes until the service closes the connection; return how many were sent, and what was received."""
    part = repeated * (MAX_HEAD_BYTES // len(repeated))
    sent = 0
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        with suppress(ConnectionError):
            connection.sendall(start)
            while sent < size:
                sent += connection.send(part)
        with suppress(ConnectionError):
            while data := connection.recv(65_536):
                received += data
    return sent, received


@pytest.mark.parametrize("name", ENDLESS)
def test_heads_without_an_end(logged: Logged, name: str) -> None:
    """They end in 400 or a closed connection, take no memory, and others do not wait for them."""
    before = megabytes(logged.pid, "VmHWM")
    ended = threading.Event()
    answered = 0

    def ask() -> None:
        nonlocal answered
        while not ended.is_set():
            assert logged.service.client.get("/api/health").status_code == 200
            answered += 1

    other = threading.Thread(target=ask)
    other.start()
    try:
        sent, received = send_endless(logged.service.port, *ENDLESS[name], size=100_000_000)
        wait_until(lambda: answered > 2, "others are answered")
    finally:
        ended.set()
        other.join()
    # What the system buffers on both sides, not what the service reads.
    assert sent < 50_000_000
    assert received == b"" or received.startswith(b"HTTP/1.1 400 ")
    assert megabytes(logged.pid, "VmHWM") - before < 20
    assert '"level":"error"' not in logged.log.read_text()


@pytest.mark.parametrize("size", [1_000, 16_384, 30_000, MAX_HEAD_BYTES])
def test_long_heads_are_accepted(service: Service, size: int) -> None:
    """Also byte by byte at their end: up to 64 KB, and all of them in one segment."""
    head = b"GET /api/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: "
    long = head + b"a" * (size - len(head) - 4) + b"\r\n\r\n"
    assert len(long) == size
    for segments in ([long], [long[:-10], *(bytes([byte]) for byte in long[-10:])]):
        with socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection:
            assert exchange(connection, segments, "GET")[0] == 200
    many = head + b"a\r\n" + b"b: c\r\n" * ((size - len(head) - 5) // 6) + b"\r\n"
    with socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection:
        assert exchange(connection, [many], "GET")[0] == 200
