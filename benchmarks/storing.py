"""Stores a second at full durability, 32 connections, through the whole service.

The peer is the same service with a store as most would write it: aiosqlite, a transaction for each spec. Then both
again with a disk whose every sync takes 2 ms, as many do; this one may be faster. PostgreSQL is shown beside them.
"""

from __future__ import annotations

import itertools
import json
import os
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.load import get, per_second, post, serving
from benchmarks.sample import sample_text
from tests.api import disk, postgres

OURS, PEER, POSTGRES = "SQLite, group commit", "SQLite, aiosqlite, a commit each", "PostgreSQL"
MODULES = {OURS: "rui_api.serve", PEER: "benchmarks.peers.aiosqlite_service", POSTGRES: "rui_api.serve"}
QUIET = ("--log-level", "warning")
ROUNDS, SECONDS = 5, 2.0
SYNC = 0.002
LIMITS = {0.0: 1.8, SYNC: 20.0}


def rates(ports: dict[str, int], rounds: int) -> dict[str, tuple[list[float], list[float]]]:
    """Stores and reads a second of each service, taken in turns."""
    request = post("/api/specs", sample_text(2_500, indent=None).encode())
    taken: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in ports}
    for number in range(rounds + 1):
        for name, port in ports.items():
            rate, answers = per_second(port, itertools.repeat(request), b"201", SECONDS if number else 0.5)
            ids = [json.loads(answer.partition(b"\r\n\r\n")[2])["specId"] for answer in answers[:1000]]
            reads = itertools.cycle([get(f"/api/specs/{spec_id}") for spec_id in ids])
            if number:  # the first warms up
                taken[name][0].append(rate)
                taken[name][1].append(per_second(port, reads, b"200", SECONDS / 4)[0])
    return taken


@contextmanager
def services(folder: Path, sync: float) -> Iterator[dict[str, int]]:
    """The services by name, each with an empty store, all on disks whose syncs take so long."""
    environment = dict(os.environ)
    if sync:
        environment |= disk.Disk(folder, str(folder), delay=sync).environment
        del environment["DISK_CONTROL"]
    with ExitStack() as stack:
        stores = {OURS: f"sqlite:///{folder}/ours.db", PEER: f"sqlite:///{folder}/peer.db"}
        if not sync and not postgres.missing():
            stores[POSTGRES] = stack.enter_context(postgres.postgres_server()).new_database()
        yield {
            name: stack.enter_context(serving(MODULES[name], "--store", url, *QUIET, environment=environment))
            for name, url in stores.items()
        }


def main() -> bool:
    """Print the rates; whether both ratios keep their limits."""
    kept = True
    for sync, limit in LIMITS.items():
        if sync and disk.missing():
            print(f"\nA slow disk cannot be shown: {disk.missing()}")
            continue
        with tempfile.TemporaryDirectory() as name, services(Path(name), sync) as ports:
            taken = rates(ports, ROUNDS if not sync else 3)
        print(f"\nSpecs of 2.5 KB, 32 connections, {f'a sync takes {sync * 1e3:.0f} ms more' if sync else 'this disk'}")
        print(f"  {'median a second':40}{'stores':>9}{'reads':>9}{'ratio':>9}{'limit':>8}")
        for service, (stores, reads) in taken.items():
            line = f"  {service:40}{statistics.median(stores):9,.0f}{statistics.median(reads):9,.0f}"
            if service == OURS:
                ratio = statistics.median(ours / peer for ours, peer in zip(stores, taken[PEER][0], strict=True))
                kept = kept and ratio >= limit
                line += f"{ratio:9.2f}{limit:8.1f}  {'ok' if ratio >= limit else 'MISSED'}"
            print(line)
    return kept


if __name__ == "__main__":
    main()
