"""Cheap clients of an HTTP service: one request after the other on each connection."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

CONNECTIONS = 32
_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)


class _Client(asyncio.Protocol):
    def __init__(self, requests: Iterator[bytes], status: bytes, ends: float) -> None:
        self._requests = requests
        self._status = b"HTTP/1.1 " + status
        self._ends = ends
        self._received = b""
        self.answers: list[bytes] = []
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport
        transport.write(next(self._requests))

    def data_received(self, data: bytes) -> None:
        self._received += data
        head = self._received.find(b"\r\n\r\n")
        if head < 0:
            return
        length = _LENGTH.search(self._received, 0, head + 2)
        if len(self._received) < head + 4 + (int(length[1]) if length else 0):
            return
        answer, self._received = self._received, b""
        if not answer.startswith(self._status):
            self.done.set_exception(AssertionError(answer[:500].decode(errors="replace")))
            self._transport.close()
            return
        self.answers.append(answer)
        if time.perf_counter() < self._ends:
            self._transport.write(next(self._requests))
        else:
            self.done.set_result(None)
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(exc or ConnectionError("the service closed the connection"))


def per_second(port: int, requests: Iterator[bytes], status: bytes, seconds: float) -> tuple[float, list[bytes]]:
    """Send requests on `CONNECTIONS` connections.

    Args:
        port: port of the service on the loopback interface.
        requests: complete requests, as many as the connections can send.
        status: the required status of every response.
        seconds: duration.

    Returns:
        Requests per second, and the responses.
    """

    async def run() -> tuple[float, list[bytes]]:
        loop, begun = asyncio.get_running_loop(), time.perf_counter()
        clients = [
            (await loop.create_connection(lambda: _Client(requests, status, begun + seconds), "127.0.0.1", port))[1]
            for _ in range(CONNECTIONS)
        ]
        await asyncio.gather(*(client.done for client in clients))
        answers = [answer for client in clients for answer in client.answers]
        return len(answers) / (time.perf_counter() - begun), answers

    return asyncio.run(run())


def post(path: str, body: bytes) -> bytes:
    """Return a POST request with a JSON body."""
    head = f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def get(path: str) -> bytes:
    """Return a GET request."""
    return f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode()


@contextmanager
def serving(module: str, *arguments: str, environment: dict[str, str] | None = None) -> Iterator[int]:
    """Run a service in a separate process. Yields the port that its first line contains."""
    command = [sys.executable, "-m", module, "--port", "0", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as child:
        try:
            assert child.stdout is not None
            found = re.search(r"http://\S+?:(\d+)", child.stdout.readline())
            assert found, "the service did not start"
            yield int(found[1])
        finally:
            child.terminate()
            child.wait(20)
