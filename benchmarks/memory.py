"""Memory of the service: at rest, with stalled uploads, under overload. `python -m benchmarks memory`.

`rui serve` runs as a separate process. Linux reports its resident memory and the peak. There is no peer: the limits
are absolute.
"""

from __future__ import annotations

import http.client
import json
import re
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from rui_common.describe import minimal_example
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.rui_api.live import Service, process

AT_REST = 100
MORE = 150
"""Maximum megabytes at rest, and maximum additional megabytes at the peak."""

CLIENTS = 1000
POST = b"POST /api/specs HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
LARGE = json.dumps(minimal_example() | {"meta": {"x": "y" * (MAX_BODY_BYTES - 2000)}}).encode()
NESTED = json.dumps(minimal_example() | {"meta": {"x": [[]] * 60_000}}).encode()


def megabytes(pid: int, field: str = "VmRSS") -> float:
    """Return the resident memory of a process in megabytes, the current or (`VmHWM`) the peak."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(rf"{field}:\s+(\d+) kB", status)
    assert found, status
    return int(found[1]) / 1024


class Clients:
    """Connections that send a request and then wait."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self._open: list[socket.socket] = []

    def send(self, count: int, request: bytes) -> None:
        """Open `count` connections. Each sends the request, or the part that the service accepts."""
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", self.service.port), timeout=5)
            self._open.append(connection)
            try:
                connection.sendall(request)
            except OSError:  # the service may refuse a connection or stop reading
                continue

    def close(self) -> None:
        """Close all connections."""
        for connection in self._open:
            connection.close()


def stalled(clients: Clients) -> None:
    """Uploads that lack their last byte."""
    clients.send(CLIENTS, POST + b"Content-Length: %d\r\n\r\n" % MAX_BODY_BYTES + b" " * (MAX_BODY_BYTES - 1))


def stalled_small(clients: Clients) -> None:
    """Uploads of 50 KB that lack the rest."""
    clients.send(CLIENTS, POST + b"Content-Length: %d\r\n\r\n" % MAX_BODY_BYTES + b" " * 50_000)


def heads(clients: Clients) -> None:
    """Heads of 60 KB without an end."""
    clients.send(CLIENTS, b"GET /api/health HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 60_000)


def resting(clients: Clients) -> None:
    """Connections that had an answer and rest."""
    clients.send(2 * CLIENTS, b"GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n")


def deaf(clients: Clients) -> None:
    """Clients that ask for much, many times, and do not read it."""
    stored = clients.service.client.post("/api/specs", content=LARGE, headers={"Content-Type": "application/json"})
    path = f"/api/specs/{stored.json()['specId']}".encode()
    clients.send(CLIENTS, (b"GET " + path + b" HTTP/1.1\r\nHost: a\r\n\r\n") * 30)


def paths(clients: Clients) -> None:
    """Many long addresses."""
    connection = http.client.HTTPConnection("127.0.0.1", clients.service.port)
    for number in range(5000):
        connection.request("GET", f"/api/specs//{number:08d}{'a' * 8000}")
        connection.getresponse().read()
    connection.close()


def storing(clients: Clients) -> None:
    """A hundred clients that store the largest documents."""
    _together(clients.service, [LARGE, NESTED], 100)


def _together(service: Service, bodies: list[bytes], clients: int) -> None:
    def client(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
        for turn in range(5):
            body = bodies[(number + turn) % len(bodies)]
            connection.request("POST", "/api/specs", body, {"Content-Type": "application/json"})
            connection.getresponse().read()
        connection.close()

    threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def rested(clients: Clients) -> None:
    """Connections that had a large document validated and rest."""
    clients.send(CLIENTS, POST.replace(b"specs", b"validate") + b"Content-Length: %d\r\n\r\n" % len(LARGE) + LARGE)


SCENARIOS = (stalled, stalled_small, heads, resting, rested, deaf, paths, storing)


def main() -> bool:
    """Measure each scenario with a new service; return whether all limits are kept and other clients were served."""
    print(f"\nresident memory of the service, MB ({CLIENTS} clients)")
    print(f"  {'':60}{'at rest':>9}{'limit':>7}{'peak':>8}{'more':>8}{'limit':>7}{'others':>9}")
    kept = [_measure(scenario) for scenario in SCENARIOS]
    return all(kept)


def _measure(scenario: Callable[[Clients], None]) -> bool:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        child, service = stack.enter_context(
            process("--store", f"sqlite:///{folder}/rui.db", "--log-level", "info", stderr=subprocess.DEVNULL)
        )
        service.client.event_hooks = {}
        for _ in range(20):
            service.store()
        rest = megabytes(child.pid)
        clients = Clients(service)
        stack.callback(clients.close)
        began = time.perf_counter()
        scenario(clients)
        served = service.post("/api/validate", minimal_example()).status_code == 200
        time.sleep(1)
        peak = megabytes(child.pid, "VmHWM")
        kept = rest <= AT_REST and peak - rest <= MORE and served
        words = (scenario.__doc__ or "").split("\n")[0]
        others, verdict = "served" if served else "NOT", "ok" if kept else "MISSED"
        took = f"({time.perf_counter() - began:.0f} s)"
        print(f"  {words:60}{rest:9.0f}{AT_REST:7}{peak:8.0f}{peak - rest:8.0f}{MORE:7}{others:>9}  {verdict} {took}")
    return kept
