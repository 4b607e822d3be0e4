"""A server that misbehaves as a test requires: one function handles each connection."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

TLS_HELLO = b"\x16\x03"

Treatment = Callable[[socket.socket], None]


class Hostile:
    """A listening server.

    Attributes:
        url: its address.
        requests: the received bytes, one item per connection that was read.
        last: the address of the client that ends the server.
    """

    def __init__(self, listener: socket.socket, treatments: list[Treatment], tls: ssl.SSLContext | None) -> None:
        self.port = listener.getsockname()[1]
        self.url = f"{'https' if tls else 'http'}://localhost:{self.port}"
        self.requests: list[bytes] = []
        self.last: object = None
        self._listener = listener
        self._treatments = treatments
        self._tls = tls

    def serve(self) -> None:
        """Handle the connections in sequence, until `last` comes. The last treatment also handles all later ones."""
        number = 0
        while True:
            connection, address = self._listener.accept()
            if address == self.last:
                connection.close()
                return
            treatment = self._treatments[min(number, len(self._treatments) - 1)]
            number += 1
            with suppress(OSError), connection:
                connection.settimeout(10)
                self._treat(connection, treatment)

    def _treat(self, connection: socket.socket, treatment: Treatment) -> None:
        if self._tls is not None:
            connection = self._tls.wrap_socket(connection, server_side=True)
        with connection:
            self.requests.append(read_request(connection))
            treatment(connection)


def read_request(connection: socket.socket) -> bytes:
    """Return one request, head and body."""
    received = b""
    while b"\r\n\r\n" not in received:
        chunk = connection.recv(65536)
        if not chunk:
            return received
        received += chunk
        if received.startswith(TLS_HELLO):
            return received
    head, _, body = received.partition(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
    while len(body) < length and (chunk := connection.recv(65536)):
        body += chunk
    return head + b"\r\n\r\n" + body


def says(data: bytes) -> Treatment:
    """Return a treatment that sends bytes and closes the connection."""
    return lambda connection: connection.sendall(data)


def answers(status: int, body: bytes = b"", *headers: str, media_type: str = "application/json") -> Treatment:
    """Return a treatment that sends a correct response."""
    lines = [f"HTTP/1.1 {status} X", f"Content-Type: {media_type}", f"Content-Length: {len(body)}", *headers]
    return says("\r\n".join(lines).encode() + b"\r\n\r\n" + body)


def hangs(connection: socket.socket) -> None:
    """Send no response until the client disconnects."""
    connection.recv(1)


def resets(connection: socket.socket) -> None:
    """Reset the connection, as the crash of a server does."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
    connection.close()


def floods(connection: socket.socket) -> None:
    """Send an endless response at full speed."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    for _ in range(40):
        connection.sendall(b"[" * 1_000_000)


@contextmanager
def hostile(*treatments: Treatment, tls: ssl.SSLContext | None = None) -> Iterator[Hostile]:
    """Run a server on a free port with these treatments. At the end, all connections of clients have been handled."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = Hostile(listener, list(treatments), tls)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        with listener, socket.socket() as last:
            last.bind(("127.0.0.1", 0))
            server.last = last.getsockname()
            last.connect(("127.0.0.1", server.port))
            thread.join(60)
