"""CPU time per request of POST /api/validate and GET of a stored spec, compared with an echo, FastAPI and fastify.

Invalid documents of 2.5 KB are compared with the valid documents that they were made of.

The operating system counts the CPU time of each server process. The servers run in turns, with 32 persistent
connections.
"""

from __future__ import annotations

import json
import re
import statistics
import tempfile
import urllib.request
from contextlib import ExitStack
from pathlib import Path

from benchmarks.sample import sample_text
from benchmarks.service import (
    ROOT,
    Server,
    node_environment,
    our_service,
    request_of,
    rounds,
    serving,
    uvicorn_serving,
)
from benchmarks.slips import bodies_without_comma, slipped_bodies, to_bytes, valid_documents

ROUNDS = 5
MAX_OF_ECHO = 2.4
"""At 2.5 KB: limit of our CPU time, as a multiple of the echo's."""
MIN_PEER = {
    "2.5 KB": {"FastAPI + pydantic": 3.0, "fastify + zod": 0.9},
    "250 KB": {"FastAPI + pydantic": 6.0},
    "250 KB, indented": {"FastAPI + pydantic": 6.0},
}
"""Limits of the CPU time of the peers, as multiples of ours."""
MAX_OF_VALID = {"1 slip": 4.0, "3 slips": 5.0, "10 slips": 7.0, "a comma missing": 5.0}
"""Limits of the CPU time of invalid documents, as multiples of that of the valid ones."""
MAX_GET = 3.0
"""Limit of the CPU time of a GET, as a multiple of the echo's."""
READS = 16_000
"""Requests per round for fast requests, because CPU time is counted in hundredths of a second."""
REFUSED = 4_000
"""Requests per round for invalid documents."""
SIZES = {"2.5 KB": (1_000, None, 4_000), "250 KB": (250_000, None, 320), "250 KB, indented": (250_000, 2, 320)}
"""Arguments of `sample` for a body of this size, without indentation as programs send it or indented as in files, and
the requests per round. Each connection sends ten or more, so that connecting has little influence."""


def main() -> bool:
    """Print times and ratios; return whether every limit is kept."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ours = stack.enter_context(serving(our_service(folder / "rui.db")))
        servers = {
            "bare ASGI echo": stack.enter_context(uvicorn_serving("benchmarks.peers.echo:app")),
            "this service": ours,
            "FastAPI + pydantic": stack.enter_context(uvicorn_serving("benchmarks.peers.fastapi_app:app")),
        }
        environment = node_environment()
        if environment is not None:
            command = ["node", str(ROOT / "benchmarks" / "peers" / "fastify_app.mjs")]
            for validator in ("zod", "ajv"):
                server = stack.enter_context(serving(command, {**environment, "VALIDATOR": validator}))
                servers[f"fastify + {validator}"] = server
        kept = min([_validating(name, servers) for name in SIZES])
        kept &= _refusing(ours)
        return _reading(ours, servers["bare ASGI echo"]) and kept


def _validating(size: str, servers: dict[str, Server]) -> bool:
    asked, indent, count = SIZES[size]
    body = sample_text(asked, indent=indent).encode()
    request = request_of("POST", "/api/validate", body)
    for server in servers.values():
        server.cost(request, count, warm=True)
    taken = rounds(
        {name: lambda server=server: server.cost(request, count) for name, server in servers.items()}, ROUNDS
    )
    print(f"\nPOST /api/validate, {len(body):,} bytes ({size}): CPU a request")
    limits = {name: ("≥", limit) for name, limit in MIN_PEER[size].items()}
    kept = _print("this service", taken["this service"], taken["bare ASGI echo"], "times the echo", *_echo_limit(size))
    for name in servers:
        if name != "this service":
            kept &= _print(name, taken[name], taken["this service"], "times ours", *limits.get(name, ("", 0)))
    return kept


def _refusing(ours: Server) -> bool:
    """Compare POSTs of invalid documents with POSTs of valid ones."""
    bodies = {
        "valid": [to_bytes(document) for document in valid_documents()],
        "1 slip": slipped_bodies(1),
        "3 slips": slipped_bodies(3),
        "10 slips": slipped_bodies(10),
        "a comma missing": bodies_without_comma(),
    }
    measures = {}
    for name, row in bodies.items():
        requests = [request_of("POST", "/api/validate", body) for body in row]
        ours.cost(requests, REFUSED, warm=True)
        measures[name] = lambda requests=requests: ours.cost(requests, REFUSED)
    taken = rounds(measures, ROUNDS)
    print(f"\nPOST /api/validate, {len(bodies['valid'])} documents of about 2.5 KB: CPU a request")
    print(f"  {'valid':24}{statistics.median(taken['valid']):10.1f} µs")
    kept = True
    for name, limit in MAX_OF_VALID.items():
        kept &= _print(name, taken[name], taken["valid"], "times valid", "≤", limit)
    return kept


def _echo_limit(size: str) -> tuple[str, float]:
    return ("≤", MAX_OF_ECHO) if size == "2.5 KB" else ("", 0)


def _print(name: str, taken: list[float], other: list[float], words: str, sign: str, limit: float) -> bool:
    ratio = statistics.median(one / two for one, two in zip(taken, other, strict=True))
    kept = not sign or (ratio <= limit if sign == "≤" else ratio >= limit)
    verdict = f"{sign} {limit:.1f}  {'ok' if kept else 'MISSED'}" if sign else ""
    print(f"  {name:24}{statistics.median(taken):10.1f} µs   {ratio:6.2f} {words:16}{verdict}")
    return kept


def _reading(ours: Server, echo: Server) -> bool:
    """Compare GET of a stored spec, with status 200 and 304, with GET of the echo."""
    body = sample_text(1_000, indent=None).encode()
    address = f"http://127.0.0.1:{ours.port}/api/specs"
    post = urllib.request.Request(address, body, {"Content-Type": "application/json", "Host": "localhost"})
    with urllib.request.urlopen(post) as answer:
        saved, tag = json.load(answer), answer.headers["ETag"]
    path = re.sub(r"^http://[^/]+", "", saved["url"])
    requests = {
        "GET of a stored spec": request_of("GET", path),
        "the same, 304": request_of("GET", path, if_none_match=tag),
    }
    measures = {name: lambda request=request: ours.cost(request, READS) for name, request in requests.items()}
    measures["bare ASGI, GET"] = lambda: echo.cost(request_of("GET", "/"), READS)
    taken = rounds(measures, ROUNDS)
    print(f"\nGET /api/specs/:id, {len(body):,} bytes: CPU a request")
    floor = taken["bare ASGI, GET"]
    kept = _print("GET of a stored spec", taken["GET of a stored spec"], floor, "times the floor", "≤", MAX_GET)
    kept &= _print("the same, 304", taken["the same, 304"], taken["GET of a stored spec"], "times that", "≤", 1.0)
    print(f"  {'bare ASGI, GET':24}{statistics.median(floor):10.1f} µs")
    return kept


if __name__ == "__main__":
    main()
