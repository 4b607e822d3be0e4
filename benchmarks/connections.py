"""Does it matter to the service how clients end their connections? Memory, and connections of silent clients.

`--requests 100000` sends that many on connections that end with a reset, and as many on others: two minutes.
"""

import argparse
import resource
import socket
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection

from benchmarks import Row, get, megabytes, post
from tests.inputs.sample import sample_text
from tests.rui_api.live import AS_SHIPPED, Service, process

REQUESTS = 20_000
ROUND = 1_000
MAX_MEMORY = 1.2
RESET = struct.pack("ii", 1, 0)
"""Value of SO_LINGER with which `close` sends a reset."""

SILENT = 300
DESCRIPTORS = 256
KEEP_ALIVE = 4
MAX_KEEP_ALIVES = 3
"""Multiples of --keep-alive after which the silent clients are disconnected: two, and the time of the start."""


def rows(options: list[str]) -> Iterator[Row]:
    """Yield the ratio of memory, and the time until a service with silent clients is healthy."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks connections")
    parser.add_argument("--requests", type=int, default=REQUESTS)
    yield _resets(parser.parse_args(options).requests)
    for name, parts in SILENCES.items():
        yield _silent(name, parts)


# Resets ---------------------------------------------------------------------------------------------------------------


def _resets(count: int) -> Row:
    """Compare the peaks of memory of two services."""
    requests = [get("/api/health"), post("/api/validate", sample_text(1_000, indent=None).encode())]
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        started = {}
        for name in ("reset", "normal"):
            options = ("--store", f"sqlite:///{folder}/{name}.db", "--log-level", "info", "--log-format", "json")
            started[name] = stack.enter_context(process(*options, program=AS_SHIPPED, stderr=subprocess.DEVNULL))
        for _ in range(0, count, ROUND):
            for name, (_, service) in started.items():
                _send(service, requests, ROUND, is_reset=name == "reset")
        peaks = {name: megabytes(child.pid, "VmHWM") for name, (child, _) in started.items()}
    detail = f"{peaks['reset']:.0f} MB, {peaks['normal']:.0f} MB"
    what = f"peak of memory after {count:,} resets, beside normal ends"
    return Row(what, peaks["reset"] / peaks["normal"], MAX_MEMORY, detail=detail)


def _send(service: Service, requests: Sequence[bytes], count: int, *, is_reset: bool) -> None:
    """Send each request on a connection of its own."""
    for number in range(count):
        # Many addresses, as one has too few ports for connections that have just ended.
        source = (f"127.0.1.{number % 200 + 1}", 0)
        with socket.create_connection(("127.0.0.1", service.port), timeout=60, source_address=source) as connection:
            connection.sendall(requests[number % len(requests)])
            received = b""
            while not _is_complete(received):
                received += connection.recv(65_536)
            assert received.startswith(b"HTTP/1.1 200 "), received
            if is_reset:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)


def _is_complete(received: bytes) -> bool:
    head, separator, body = received.partition(b"\r\n\r\n")
    return bool(separator) and len(body) == int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])


# Silent clients -------------------------------------------------------------------------------------------------------

REQUEST = get("/api/health")
SILENCES = {"nothing": [], "half a request": [REQUEST[:-2]], "half a second request": [REQUEST, REQUEST[:-2]]}
"""What is sent; each part but the last one is answered."""


def _silent(name: str, parts: Sequence[bytes]) -> Row:
    """Measure how long a service has no free descriptor while clients send a part of a request and then nothing."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        options = ("--store", f"sqlite:///{folder}/rui.db", "--keep-alive", str(KEEP_ALIVE))
        child, service = stack.enter_context(process(*options, program=AS_SHIPPED, stderr=subprocess.DEVNULL))
        resource.prlimit(child.pid, resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
        begun = time.monotonic()
        for _ in range(SILENT):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", service.port), timeout=60))
            with suppress(OSError):  # without a free descriptor, the service closes the connection
                for part in parts:
                    client.sendall(part)
                    if part == REQUEST:
                        client.recv(65_536)
        until = begun + 10 * KEEP_ALIVE
        while not _is_healthy(service) and time.monotonic() < until:
            time.sleep(0.05)
        seconds = time.monotonic() - begun
    what = f"times --keep-alive until {SILENT} clients are gone: {name}"
    return Row(what, seconds / KEEP_ALIVE, MAX_KEEP_ALIVES, detail=f"{seconds:.1f} s, {DESCRIPTORS} descriptors")


def _is_healthy(service: Service) -> bool:
    with closing(HTTPConnection("127.0.0.1", service.port, timeout=60)) as connection:
        try:
            connection.request("GET", "/api/health")
            return connection.getresponse().status == 200
        except OSError:
            return False
