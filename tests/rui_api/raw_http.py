"""Requests as bytes: offers of an upgrade, framings of a body, and requests in a body."""

import http.client
import json
import socket
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rui_common.describe import minimal_example

H2C = ("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA")

WEBSOCKET = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")  # fmt: skip

OFFERS = {
    "h2c": H2C,
    "websocket": WEBSOCKET,
    "h2c alone": ("Connection: Upgrade", "Upgrade: h2c"),
    "TLS": ("Connection: Upgrade", "Upgrade: TLS/1.0"),
    "HTTP/2.0": ("Connection: Upgrade", "Upgrade: HTTP/2.0"),
    "a list": ("Connection: Upgrade", "Upgrade: websocket, h2c/1, foo/2.0"),
    "several Upgrade headers": ("Connection: Upgrade", "Upgrade: h2c", "Upgrade: websocket"),
    "keep-alive": ("Connection: keep-alive, upgrade", "UPGRADE: H2C"),
    "several Connection headers": ("Connection: keep-alive", "Connection: Upgrade", "Upgrade: h2c"),
    "no Connection": ("Upgrade: h2c",),
    "no Upgrade": ("Connection: Upgrade",),
    "an empty Upgrade": ("Connection: Upgrade", "Upgrade:"),
    "an unknown protocol": ("Connection: Upgrade", "Upgrade: foo/1.0"),
    "obs-fold": ("Connection: Upgrade", "Upgrade:\r\n h2c"),
    "Expect": (*H2C, "Expect: 100-continue"),
}
"""What is offered → the headers of the offer."""

DOCUMENT = json.dumps(minimal_example()).encode()


def smuggled(host: str, path: str = "/api/specs") -> bytes:
    """Return a request that a body contains."""
    body = json.dumps(minimal_example() | {"meta": {"by": "the attacker"}}).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


class Framed(NamedTuple):
    """The headers that announce a body, and the body as it is sent."""

    headers: tuple[str, ...]
    content: bytes


def framings(body: bytes) -> Iterator[Framed]:
    """Yield a body with its length, in one chunk, and in several ones with an extension and a trailer."""
    yield Framed((f"Content-Length: {len(body)}",), body)
    yield Framed(("Transfer-Encoding: chunked",), b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body))
    middle = len(body) // 2
    parts = b"".join(b"%x;a=b\r\n%b\r\n" % (len(part), part) for part in (body[:middle], body[middle:]))
    yield Framed(("Transfer-Encoding: chunked", "Trailer: X-Sum"), parts + b"0\r\nX-Sum: 1\r\n\r\n")


def head_of(target: str, headers: Sequence[str]) -> bytes:
    """Return a request without its body; `target` is such as ``POST /api/specs``."""
    return "\r\n".join([f"{target} HTTP/1.1", *headers, "", ""]).encode()


def exchange(connection: socket.socket, segments: Sequence[bytes], method: str = "POST") -> tuple[int, bytes]:
    """Send the segments of a request one after the other; return status and body of the response."""
    for segment in segments:
        connection.sendall(segment)
        time.sleep(0.01)  # the next one arrives by itself
    response = http.client.HTTPResponse(connection, method=method)
    response.begin()
    return response.status, response.read()


GET_HEALTH = b"GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n"
