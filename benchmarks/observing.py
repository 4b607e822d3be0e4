"""What watching costs: a request to the application with counts and log, beside the same without.

CPU of the whole process, the thread that writes the log included. The answer to a valid RUI of 2.5 KB, in process.
"""

from __future__ import annotations

import asyncio
import logging
import os
import statistics
import tempfile
import time
from typing import Any

from benchmarks.sample import sample_text
from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_api.observability.counters import Counts
from rui_api.observability.log_writer import Log
from rui_api.observability.middleware import Observer, Routes
from rui_api.observability.worker_metrics import Sources

REQUESTS = 3_000
ROUNDS = 9
LIMIT = 8.0
"""Microseconds that counts and log may add to a request."""


def main() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        app: Any = create_app(Settings(store=f"sqlite:///{folder}/rui.db"), sources=Sources(Counts()))
        observer = app.asgi_handler
        plain = observer._around
        routes = Routes(["/api/validate", "/api/specs", "/api/specs/{spec_id}"])
        log = Log(os.devnull, "json", logging.INFO)
        ways = {
            "neither": plain,
            "counts and ids": Observer(plain, routes, Counts(), None),
            "counts, ids and a line": Observer(plain, routes, Counts(), log),
        }
        body = sample_text(2_500, indent=None).encode()
        taken: dict[str, list[float]] = {name: [] for name in ways}
        for number in range(ROUNDS + 1):
            for name, way in ways.items():
                spent = asyncio.run(_spend(app, way, body))
                if number:
                    taken[name].append(spent)
        log.close()
    print(f"\nWatching a POST of {len(body)} bytes to /api/validate, CPU")
    added = {}
    for name, spent in taken.items():
        added[name] = statistics.median(a - b for a, b in zip(spent, taken["neither"], strict=True))
        print(f"  {name:30}{statistics.median(spent):8.1f} µs{added[name]:+8.1f} µs")
    kept = added["counts, ids and a line"] <= LIMIT
    print(f"  a line costs at most {LIMIT:g} µs: {'ok' if kept else 'MISSED'}; {log.dropped} lines were dropped")
    return kept


async def _spend(app: object, way: Any, body: bytes) -> float:
    """Microseconds of CPU of one request."""
    headers = [(b"host", b"127.0.0.1:8000"), (b"user-agent", b"bench"), (b"accept", b"*/*"),
               (b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]  # fmt: skip

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: object) -> None:
        pass

    start = time.process_time()
    for _ in range(REQUESTS):
        scope = {
            "type": "http", "method": "POST", "path": "/api/validate", "headers": headers, "scheme": "http",
            "server": ("127.0.0.1", 8000), "client": ("127.0.0.1", 1), "root_path": "", "state": {}, "app": app,
        }  # fmt: skip
        await way(scope, receive, send)
    await asyncio.sleep(0.12)  # the last lines are written, too
    return (time.process_time() - start) / REQUESTS * 1e6


if __name__ == "__main__":
    raise SystemExit(not main())
