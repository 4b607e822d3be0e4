"""The cost of a request and of a spec, for the plan in docs/scale.md: `python -m benchmarks request_cost`.

Prints microseconds of CPU time per request, in the service and in PostgreSQL, and bytes per spec on disk and in memory.
The documents have 2.5 KB. CPU time depends on the processor; the limits of requests are ratios, in `benchmarks.api`.
"""

from __future__ import annotations

import itertools
import json
import statistics
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

import httpx

from benchmarks.sample import sample_text
from benchmarks.service import TICKS, Server, our_service, request_of, rounds, serving, uvicorn_serving
from rui_api.store.capacity import measure_file
from tests.rui_api import postgres
from tests.rui_api.postgres import Postgres

ROUNDS = 3
REQUESTS = 6_000
STORED = 3_000
"""Stores per round."""
SPECS = 4_000
"""Specs that are read in turn."""
BODY_SIZE = 2_500

MAX_SPEC_BYTES = 2_000
"""Bytes on disk of a spec of 2.5 KB, which is compressed."""

Costs = dict[str, list[float]]


def main() -> bool:
    """Print all costs; return whether the limits are kept."""
    bodies = [sample_text(BODY_SIZE, indent=None, seed=seed).encode() for seed in range(50)]
    print(f"\nCost of a request, {len(bodies[0]):,} bytes of JSON: CPU time")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        kept = _sqlite(stack, folder, bodies)
        if not postgres.missing():
            _postgres(stack, folder, bodies)
    return kept


def _sqlite(stack: ExitStack, folder: Path, bodies: Sequence[bytes]) -> bool:
    path = folder / "rui.db"
    echo = stack.enter_context(uvicorn_serving("benchmarks.peers.echo:app"))
    ours = stack.enter_context(serving([*our_service(path), "--log-level", "warning"]))
    cached = [*our_service(path), "--log-level", "warning", "--spec-cache-seconds", "3600"]
    uncached = [*our_service(path), "--log-level", "warning", "--spec-cache-bytes", "0"]
    costs = _measured(ours, bodies)
    found = {"bare ASGI echo": [echo.cost(request_of("GET", "/"), REQUESTS) for _ in range(ROUNDS)], **costs}
    ids = _stored(ours, bodies, SPECS)
    found["fetch, from memory"] = _fetching(ours, ids[:100])
    found["fetch, 304"] = [ours.cost(_unchanged(ours, ids[0]), REQUESTS) for _ in range(ROUNDS)]
    found["page, from memory"] = [
        ours.cost(request_of("GET", f"/specs/{ids[0]}"), REQUESTS // 10) for _ in range(ROUNDS)
    ]
    page = request_of("GET", f"/specs/{ids[0]}", accept_encoding="gzip")
    found["page, compressed"] = [ours.cost(page, REQUESTS // 2) for _ in range(ROUNDS)]
    size = measure_file(path).used
    count = _metric(ours, 'rui_store_done_total{operation="put"}')
    memory = _counted_in_memory(stack.enter_context(serving(cached)), ids)
    reader = stack.enter_context(serving(uncached))
    found["fetch, from SQLite"] = _fetching(reader, ids)
    floor = statistics.median(found["bare ASGI echo"])
    for name, costs_ in found.items():
        _print(name, costs_, floor)
    print(f"  a spec in SQLite: {size / count:,.0f} bytes; in memory it counts as {memory:,.0f} bytes")
    return size / count <= MAX_SPEC_BYTES


def _postgres(stack: ExitStack, folder: Path, bodies: Sequence[bytes]) -> None:
    server = stack.enter_context(postgres.postgres_server())
    url = server.new_database()
    command = [*our_service(folder / "unused.db"), "--log-level", "warning", "--spec-cache-bytes", "0"]
    command[command.index("--store") + 1] = url
    ours = stack.enter_context(serving(command))
    ids = _stored(ours, bodies, SPECS)
    store = [request_of("POST", "/api/specs", body) for body in bodies]
    fetch = [request_of("GET", f"/api/specs/{spec_id}") for spec_id in ids]
    for name, requests, count in (("store", store, STORED), ("fetch", fetch, REQUESTS)):
        before = _cpu(server)
        cost = ours.cost(requests, count)
        theirs = (_cpu(server) - before) / count * 1e6
        print(f"  {f'{name}, PostgreSQL':24}{cost:8.0f} µs, and {theirs:.0f} µs in PostgreSQL")
    rows = server.execute(
        "SELECT pg_total_relation_size('rui_specs') / count(*), pg_indexes_size('rui_specs') / count(*) FROM rui_specs",
        url=url,
    )
    size, indexes = rows[0]  # type: ignore[misc]
    print(f"  a spec in PostgreSQL: {size:,} bytes, of which {indexes:,} are indexes")


def _measured(server: Server, bodies: Sequence[bytes]) -> Costs:
    validate = [request_of("POST", "/api/validate", body) for body in bodies]
    store = [request_of("POST", "/api/specs", body) for body in bodies]
    server.cost(validate, REQUESTS, warm=True)
    measures: dict[str, Callable[[], float]] = {
        "validate": lambda: server.cost(validate, REQUESTS),
        "store, SQLite": lambda: server.cost(store, STORED),
    }
    return rounds(measures, ROUNDS)


def _fetching(server: Server, ids: Sequence[str]) -> list[float]:
    requests = [request_of("GET", f"/api/specs/{spec_id}") for spec_id in ids]
    server.cost(requests, REQUESTS, warm=True)
    return [server.cost(requests, REQUESTS) for _ in range(ROUNDS)]


def _counted_in_memory(server: Server, ids: Sequence[str]) -> float:
    """Return the bytes that the cache counts per spec."""
    with httpx.Client(base_url=f"http://127.0.0.1:{server.port}") as client:
        for spec_id in ids:
            client.get(f"/api/specs/{spec_id}").raise_for_status()
    return _metric(server, "rui_spec_cache_bytes") / len(ids)


def _unchanged(server: Server, spec_id: str) -> bytes:
    path = f"/api/specs/{spec_id}"
    etag = httpx.get(f"http://127.0.0.1:{server.port}{path}", headers={"Host": "localhost"}).headers["etag"]
    return request_of("GET", path, if_none_match=etag)


def _stored(server: Server, bodies: Sequence[bytes], count: int) -> list[str]:
    with httpx.Client(base_url=f"http://127.0.0.1:{server.port}") as client:
        headers = {"Content-Type": "application/json"}
        answers = (
            client.post("/api/specs", content=body, headers=headers).content
            for body in itertools.islice(itertools.cycle(bodies), count)
        )
        return [json.loads(answer)["specId"] for answer in answers]


def _metric(server: Server, name: str) -> float:
    text = httpx.get(f"http://127.0.0.1:{server.port}/metrics").text
    (line,) = [line for line in text.splitlines() if line.startswith(f"{name} ")]
    return float(line.rpartition(" ")[2])


def _cpu(server: Postgres) -> float:
    """Return the CPU time in seconds of the processes of a server that run."""
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in server.pids()]
    return sum((int(one[11]) + int(one[12])) for one in fields) / TICKS


def _print(name: str, costs: Sequence[float], floor: float) -> None:
    cost = statistics.median(costs)
    print(f"  {name:24}{cost:8.0f} µs {cost / floor:6.2f} times the echo")
