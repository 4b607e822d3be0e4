"""Stores a second at full durability, 32 connections, through the whole service.

The peer is the same service with a store as most would write it: aiosqlite, a commit for each spec, which is on the
disk before it is answered. Then both again with a disk whose every sync takes 2 ms more, as many do. It is shown twice:

- *as it comes*: SQLite's defaults are a rollback journal and ``synchronous=FULL``. A commit then syncs four times: the
  journal twice, its directory, and the database.
- *tuned*, with the pragmas of our store: a write-ahead log, synced once a commit.

Both limits are asked of the first, which most programs are. The one without delay is asked of the tuned one, too: there
it shows what sharing a commit is worth where a sync costs little. With 2 ms the ratio to the tuned one is only printed:
one sync a commit lets it store up to 450 a second, and 20 times that is more than this service stores on any disk.

Without autocommit, tasks that share a connection end each other's transactions. That shares commits by accident, and
when one rolls back, another that was told "stored" has lost its spec. So that is no peer.

PostgreSQL is shown beside them.
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

OURS, POSTGRES = "SQLite, group commit", "PostgreSQL"
PEER, TUNED_PEER = "aiosqlite as it comes, a commit each", "aiosqlite tuned, a commit each"
MODULES = {PEER: aiosqlite_service.__name__, TUNED_PEER: aiosqlite_service.__name__}
QUIET = ("--log-level", "warning")
ROUNDS, SECONDS = 5, 2.0
SYNC = 0.002
LIMITS = {0.0: {PEER: 1.8, TUNED_PEER: 1.8}, SYNC: {PEER: 20.0}}
"""By what a sync takes longer: which peers count, and how many times as much as each we store."""


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
    """Print the rates; whether both ratios keep their limits."""
    kept = True
    for sync in LIMITS:
        if sync and disk.missing():
            print(f"\nNOT SHOWN: a slow disk, for {disk.missing()}")
            kept = False
            continue
        with tempfile.TemporaryDirectory() as name, services(Path(name), sync) as ports:
            taken = rates(ports, ROUNDS if not sync else 3)
        kept = _tell(taken, sync) and kept
    return kept


def _tell(taken: dict[str, tuple[list[float], list[float]]], sync: float) -> bool:
    """Print the rates, and by how much ours is ahead of each; whether that is enough."""
    kept = True
    print(f"\nSpecs of 2.5 KB, 32 connections, {f'a sync takes {sync * 1e3:.0f} ms more' if sync else 'this disk'}")
    print(f"  {'median a second':40}{'stores':>9}{'reads':>9}{'ours to it':>12}{'limit':>8}")
    for service, (stores, reads) in taken.items():
        line = f"  {service:40}{statistics.median(stores):9,.0f}{statistics.median(reads):9,.0f}"
        if service != OURS:
            ratio = statistics.median(ours / its for ours, its in zip(taken[OURS][0], stores, strict=True))
            line += f"{ratio:12.2f}"
            if service in LIMITS[sync]:
                limit = LIMITS[sync][service]
                kept = kept and ratio >= limit
                line += f"{limit:8.1f}  {'ok' if ratio >= limit else 'MISSED'}"
        print(line)
    return kept


if __name__ == "__main__":
    main()
