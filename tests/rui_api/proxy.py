"""A TCP proxy on loopback that may stop forwarding without closing anything, as a network that is cut does."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Proxy:
    """Forwards connections to a port of this machine."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._flows = threading.Event()
        self._flows.set()
        self._sockets: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Keep what arrives, on old connections and on new ones."""
        self._flows.clear()

    def heal(self) -> None:
        """Forward again, beginning with what was kept."""
        self._flows.set()

    def redirect(self, target: int) -> None:
        """Connect new connections to another port; old ones stay as they are."""
        self._target = target

    def close(self) -> None:
        self._flows.set()
        for one in (self._listener, *self._sockets):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._sockets.append(client)
                threading.Thread(target=self._connect, args=(client,), daemon=True).start()

    def _connect(self, client: socket.socket) -> None:
        self._flows.wait()
        try:
            server = socket.create_connection(("127.0.0.1", self._target))
        except OSError:
            client.close()
            return
        self._sockets.append(server)
        threading.Thread(target=self._forward, args=(client, server), daemon=True).start()
        self._forward(server, client)

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                self._flows.wait()
                target.sendall(data)
        with suppress(OSError):
            self._flows.wait()
            target.shutdown(socket.SHUT_WR)


@contextmanager
def proxy(target: int) -> Iterator[Proxy]:
    """Run a proxy to `target`, a port of this machine."""
    running = Proxy(target)
    try:
        yield running
    finally:
        running.close()


@contextmanager
def silent_listener() -> Iterator[int]:
    """Yield a port that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]
