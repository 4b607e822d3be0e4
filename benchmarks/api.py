"""What validation costs the service: CPU time beside FastAPI with pydantic; hostile bodies; memory.

The operating system counts the CPU time of each server process.
"""

import http.client
import json
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks import (
    ROOT,
    Row,
    cpu_seconds,
    get,
    in_turns,
    median_ratio,
    megabytes,
    post,
    send,
)
from rui_api.commands.server import freeze_gc
from rui_api.http.errors import InvalidBody
from rui_api.http.responses import NOTHING, invalid, to_json, valid
from rui_api.routes.specs import check_decoded, check_refused
from rui_common.describe import minimal_example
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.inputs.breaking import broken
from tests.inputs.hostile_texts import GROUPS, Pattern, patterns
from tests.inputs.sample import sample, sample_text, to_text
from tests.rui_api.live import AS_SHIPPED, Service, process
from tests.support.ports import free_port

ROUNDS = 5


class Sample(NamedTuple):
    """A document: its size and its seed."""

    size: int
    seed: int = 1


MAX_OF_FASTAPI = {
    Sample(1_000, seed=4): 0.80,
    Sample(9_000): 0.60,
    Sample(120_000): 0.35,
}
"""Document → maximum of our CPU time beside FastAPI with what an operator would add.

The service has all of it: ids of requests, metrics, CORS and its JSON log. Both run on uvicorn with h11.
"""
REQUESTS = {1_000: 4_000, 9_000: 2_000, 120_000: 400}
MAX_OF_VALID = {"1 slip": 4.0, "3 slips": 5.0, "10 slips": 7.0, "a comma missing": 5.0}
MAX_HOSTILE = 30.0
MAX_AT_REST = 100
MAX_MORE = 150
"""Megabytes at rest, and additional ones under hostile clients."""
CLIENTS = 1_000
DOCUMENTS = 12
"""Documents per row, so that neither one document nor one kind of slip decides."""


def rows(options: list[str]) -> Iterator[Row]:
    """Yield all ratios, and the memory under each sort of hostile clients."""
    assert not options
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        log = stack.enter_context(Path(folder, "log").open("wb"))
        options = ("--store", f"sqlite:///{folder}/rui.db", "--metrics-port", str(free_port()))
        logging = ("--log-level", "info", "--log-format", "json")
        child, service = stack.enter_context(process(*options, *logging, program=AS_SHIPPED, stderr=log))
        equipped = stack.enter_context(_fastapi("equipped_app", "--factory"))
        yield from _beside_fastapi((child.pid, service.port), equipped)
        yield from _invalid(child.pid, service.port)
    freeze_gc()  # as the service does when it starts
    yield _hostile()
    for scenario in SCENARIOS:
        yield from _memory(scenario)


# HTTP ---------------------------------------------------------------------------------------------------------------


@contextmanager
def _fastapi(application: str, *flags: str) -> Iterator[tuple[int, int]]:
    """Run an application of the peer on the same uvicorn as the service; yield its process and port."""
    port = free_port()
    options = ["--http", "h11", "--port", str(port), "--no-access-log", "--log-level", "error", *flags]
    command = [sys.executable, "-m", "uvicorn", f"benchmarks.peers:{application}", *options]
    with tempfile.TemporaryFile() as log, subprocess.Popen(command, cwd=ROOT, stderr=log) as child:
        try:
            for _ in range(200):
                with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
                time.sleep(0.05)
            yield child.pid, port
        finally:
            child.kill()


def _cost(pid: int, port: int, requests: Sequence[bytes], count: int) -> float:
    """Return the CPU seconds of a server per request."""
    before = cpu_seconds(pid)
    send(port, requests, count)
    return (cpu_seconds(pid) - before) / count


def _beside_fastapi(ours: tuple[int, int], peer: tuple[int, int]) -> Iterator[Row]:
    for document, limit in MAX_OF_FASTAPI.items():
        body = sample_text(document.size, indent=None, seed=document.seed).encode()
        servers = {"ours": ours, "FastAPI": peer}
        measures = {
            name: partial(_cost, *server, [post("/api/validate", body)], REQUESTS[document.size])
            for name, server in servers.items()
        }
        found = in_turns(measures, ROUNDS)
        micros = {name: statistics.median(seconds) * 1e6 for name, seconds in found.items()}
        what = f"POST of {len(body) / 1000:.1f} KB, beside FastAPI as operators run it"
        detail = f"{micros['ours']:.0f} µs, {micros['FastAPI']:.0f} µs"
        yield Row(what, median_ratio(found["ours"], found["FastAPI"]), limit, detail=detail)


def _invalid(pid: int, port: int) -> Iterator[Row]:
    """Compare POSTs of invalid documents with POSTs of the valid ones that they were made of."""
    documents = [sample(size=2_000, indent=None, seed=seed) for seed in range(DOCUMENTS)]

    def slipped(slips: int) -> list[bytes]:
        pairs = enumerate(documents)
        return [_to_bytes(broken(document, random.Random(seed), slips)[0]) for seed, document in pairs]

    bodies = {
        "valid": [_to_bytes(document) for document in documents],
        "1 slip": slipped(1),
        "3 slips": slipped(3),
        "10 slips": slipped(10),
        "a comma missing": [_without_comma(_to_bytes(document)) for document in documents],
    }
    measures = {
        name: partial(_cost, pid, port, [post("/api/validate", body) for body in some], 2_000)
        for name, some in bodies.items()
    }
    found = in_turns(measures, ROUNDS)
    for name, limit in MAX_OF_VALID.items():
        detail = f"{statistics.median(found[name]) * 1e6:.0f} µs, {statistics.median(found['valid']) * 1e6:.0f} µs"
        ratio = median_ratio(found[name], found["valid"])
        yield Row(f"POST of 2.5 KB with {name}, beside valid", ratio, limit, detail=detail)


def _to_bytes(document: dict[str, object]) -> bytes:
    return to_text(document, None).encode()


def _without_comma(body: bytes) -> bytes:
    parts = body.split(b',"')
    middle = len(parts) // 2
    return b',"'.join(parts[:middle]) + b'"' + b',"'.join(parts[middle:])


# In process ---------------------------------------------------------------------------------------------------------


def respond(body: bytes) -> bytes:
    """Return the response body of POST /api/validate, created as the service does."""
    try:
        checked = check_decoded(body) or check_refused(body)
    except InvalidBody as fault:
        return to_json(fault.body)
    if checked.findings:
        return invalid(checked.findings, NOTHING)[0]
    return valid(checked.rui, NOTHING)


def _hostile() -> Row:
    """Compare the most expensive hostile body with `json.loads` of a valid one of the same size."""
    text = sample_text(MAX_BODY_BYTES - 10_000, indent=None)
    base = min(_seconds(partial(json.loads, text)) for _ in range(9))
    bodies = _hostile_bodies()
    times = {name: _seconds(partial(respond, body)) for name, body in bodies.items()}
    slowest = sorted(times, key=lambda name: -times[name])[:5]
    again = {name: min(_seconds(partial(respond, bodies[name])) for _ in range(5)) for name in slowest}
    worst = max(again, key=lambda name: again[name])
    detail = f"{worst}: {again[worst] * 1e3:.0f} ms, {base * 1e3:.1f} ms"
    what = f"worst of {len(times)} hostile bodies of 256 KB, beside json.loads"
    return Row(what, again[worst] / base, MAX_HOSTILE, detail=detail)


def _hostile_bodies() -> dict[str, bytes]:
    """Return random texts, and one fragment after the other alone, in a list, in an object and in a string."""
    contexts = (("", ""), ("[", "]"), ('{"a":1,', "}"), ('{"a":"', '"}'))
    fragments = [fragment for group in GROUPS for fragment in group]
    found = [Pattern(start, fragment, suffix=end) for fragment in fragments for start, end in contexts]
    texts = {str(pattern): pattern.text(MAX_BODY_BYTES) for pattern in (*found, *patterns(200, seed=0))}
    return {name: text.encode("utf-8", "surrogatepass")[:MAX_BODY_BYTES] for name, text in texts.items()}


def _seconds(function: Callable[[], object]) -> float:
    start = time.process_time()
    function()
    return time.process_time() - start


# Memory -------------------------------------------------------------------------------------------------------------

POST = b"POST /api/specs HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
LARGE = json.dumps(minimal_example() | {"meta": {"x": "y" * (MAX_BODY_BYTES - 2000)}}).encode()
NESTED = json.dumps(minimal_example() | {"meta": {"x": [[]] * 60_000}}).encode()


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
            with suppress(OSError):  # the service may refuse a connection or stop reading
                connection.sendall(request)

    def close(self) -> None:
        """Close all connections."""
        for connection in self._open:
            connection.close()


def uploads(clients: Clients) -> None:
    """Uploads that lack their last byte."""
    clients.send(CLIENTS, POST + b"Content-Length: %d\r\n\r\n" % MAX_BODY_BYTES + b" " * (MAX_BODY_BYTES - 1))


def small_uploads(clients: Clients) -> None:
    """Uploads of 50 KB that lack the rest."""
    clients.send(CLIENTS, POST + b"Content-Length: %d\r\n\r\n" % MAX_BODY_BYTES + b" " * 50_000)


def heads(clients: Clients) -> None:
    """Heads of 60 KB without an end."""
    clients.send(CLIENTS, b"GET /api/health HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 60_000)


def idle(clients: Clients) -> None:
    """Idle connections after a response."""
    clients.send(2 * CLIENTS, get("/api/health"))


def validated(clients: Clients) -> None:
    """Idle connections after a large response."""
    clients.send(CLIENTS, post("/api/validate", LARGE))


def deaf(clients: Clients) -> None:
    """Clients that do not read responses."""
    stored = clients.service.client.post("/api/specs", content=LARGE, headers={"Content-Type": "application/json"})
    clients.send(CLIENTS, get(f"/api/specs/{stored.json()['specId']}") * 30)


def paths(clients: Clients) -> None:
    """Many long paths."""
    connection = http.client.HTTPConnection("127.0.0.1", clients.service.port)
    for number in range(5000):
        connection.request("GET", f"/api/specs//{number:08d}{'a' * 8000}")
        connection.getresponse().read()
    connection.close()


def storing(clients: Clients) -> None:
    """A hundred clients that store large documents."""

    def client(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", clients.service.port, timeout=60)
        for turn in range(5):
            body = (LARGE, NESTED)[(number + turn) % 2]
            connection.request("POST", "/api/specs", body, {"Content-Type": "application/json"})
            connection.getresponse().read()
        connection.close()

    threads = [threading.Thread(target=client, args=(number,)) for number in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


SCENARIOS = (uploads, small_uploads, heads, idle, validated, deaf, paths, storing)


def _memory(scenario: Callable[[Clients], None]) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        options = ("--store", f"sqlite:///{folder}/rui.db", "--log-level", "info")
        child, service = stack.enter_context(process(*options, program=AS_SHIPPED, stderr=subprocess.DEVNULL))
        service.client.event_hooks = {}
        for _ in range(20):
            service.store()
        rest = megabytes(child.pid)
        clients = Clients(service)
        stack.callback(clients.close)
        scenario(clients)
        assert service.post("/api/validate", minimal_example()).status_code == 200
        time.sleep(1)
        peak = megabytes(child.pid, "VmHWM")
    if scenario is SCENARIOS[0]:
        yield Row("memory at rest, MB", rest, MAX_AT_REST)
    yield Row(f"additional MB: {(scenario.__doc__ or '').rstrip('.').lower()}", peak - rest, MAX_MORE)
