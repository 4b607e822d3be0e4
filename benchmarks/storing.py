"""Stored specs per second with full durability, over 32 connections to the whole service.

The peer is the same service with a plain store: aiosqlite, one commit per spec, synced before the response. Both also
run on a disk whose syncs take 2 ms longer, as many do. The peer runs twice:

- *as it comes*: SQLite's defaults are a rollback journal and ``synchronous=FULL``. A commit then syncs four times: the
  journal twice, its directory, and the database.
- *tuned*, with the pragmas of our store: a write-ahead log, synced once per commit.

Both limits apply to the first, which is what most programs use. The limit without delay also applies to the tuned peer.
With 2 ms, the ratio to the tuned peer is only printed. That peer stores up to 450 specs per second with one sync per
commit. 20 times as many is more than this service stores on any disk.

A shared connection without autocommit is no peer. Tasks then end each other's transactions, and if one rolls back,
another one loses a spec that it has acknowledged.

PostgreSQL is printed for comparison.
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
from benchmarks.peers import aiosqlite_service
from benchmarks.sample import sample_text
from tests.rui_api import disk, postgres

OURS = "SQLite, group commit"
POSTGRES = "PostgreSQL"
PEER = "aiosqlite as it comes, a commit each"
TUNED_PEER = "aiosqlite tuned, a commit each"
MODULES = {PEER: aiosqlite_service.__name__, TUNED_PEER: aiosqlite_service.__name__}
QUIET = ("--log-level", "warning")
ROUNDS = 5
SECONDS = 2.0
SYNC = 0.002
LIMITS = {0.0: {PEER: 2.0, TUNED_PEER: 2.0}, SYNC: {PEER: 20.0}}
"""Additional seconds per sync → peer → minimum ratio of our rate to that of the peer."""


def rates(ports: dict[str, int], rounds: int) -> dict[str, tuple[list[float], list[float]]]:
    """Measure the services in turns. Returns name → (stores per second, reads per second) of each round."""
    request = post("/api/specs", sample_text(2_500, indent=None).encode())
    measured: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in ports}
    for number in range(rounds + 1):
        for name, port in ports.items():
            rate, answers = per_second(port, itertools.repeat(request), b"201", SECONDS if number else 0.5)
            ids = [json.loads(answer.partition(b"\r\n\r\n")[2])["specId"] for answer in answers[:1000]]
            reads = itertools.cycle([get(f"/api/specs/{spec_id}") for spec_id in ids])
            if number:  # the first round is a warm-up
                measured[name][0].append(rate)
                measured[name][1].append(per_second(port, reads, b"200", SECONDS / 4)[0])
    return measured


@contextmanager
def services(folder: Path, sync: float) -> Iterator[dict[str, int]]:
    """Start the services with empty stores on a disk whose syncs take `sync` seconds longer. Yields name → port."""
    environment = dict(os.environ)
    if sync:
        environment |= disk.Disk(folder, str(folder), delay=sync).environment
        del environment["DISK_CONTROL"]
    with ExitStack() as stack:
        stores = {name: f"sqlite:///{folder}/{number}.db" for number, name in enumerate((OURS, PEER, TUNED_PEER))}
        if not sync and not postgres.missing():
            stores[POSTGRES] = stack.enter_context(postgres.postgres_server()).new_database()
        ports = {}
        for name, url in stores.items():
            tuned = {aiosqlite_service.TUNED: "1"} if name == TUNED_PEER else {}
            module = MODULES.get(name, "rui_api.commands.serve")
            ports[name] = stack.enter_context(serving(module, "--store", url, *QUIET, environment=environment | tuned))
        yield ports


def main() -> bool:
    """Print the rates and return whether the ratios keep their limits."""
    kept = True
    for sync in LIMITS:
        if sync and disk.missing():
            print(f"\nNOT MEASURED: slow disk: {disk.missing()}")
            kept = False
            continue
        with tempfile.TemporaryDirectory() as name, services(Path(name), sync) as ports:
            measured = rates(ports, 3 if sync else ROUNDS)
        kept = _report(measured, sync) and kept
    return kept


def _report(measured: dict[str, tuple[list[float], list[float]]], sync: float) -> bool:
    """Print the rates and ratios, and return whether the limits are kept."""
    kept = True
    print(f"\nSpecs of 2.5 KB, 32 connections, {f'syncs take {sync * 1e3:.0f} ms longer' if sync else 'this disk'}")
    print(f"  {'median per second':40}{'stores':>9}{'reads':>9}{'ratio':>12}{'limit':>8}")
    for service, (stores, reads) in measured.items():
        line = f"  {service:40}{statistics.median(stores):9,.0f}{statistics.median(reads):9,.0f}"
        if service != OURS:
            ratio = statistics.median(ours / its for ours, its in zip(measured[OURS][0], stores, strict=True))
            line += f"{ratio:12.2f}"
            if service in LIMITS[sync]:
                limit = LIMITS[sync][service]
                kept = kept and ratio >= limit
                line += f"{limit:8.1f}  {'ok' if ratio >= limit else 'MISSED'}"
        print(line)
    return kept


if __name__ == "__main__":
    main()
