"""Stores with many rows: `python -m benchmarks scale_rows --rows 10000000 [--stores sqlite,postgres]`.

Per store, two services run next to each other: one with an empty store, one with a store of that many specs. Requests
alternate between them, one at a time, so that both meet the same disk and the same machine. Limits are ratios of the
99th percentiles and the memory of the services.

Fetches are measured twice. "fetch, cold": no page of the files is in memory, and each fetch of a random spec waits for
the disk. This has no limit, because it measures the disk. "fetch": the files were read once, as on a machine with
enough memory for them that has been in use.

Ten million specs take 11 GB of disk, and some minutes to write. Everything is deleted at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from benchmarks.filled_stores import SIZE, fill_postgres, fill_sqlite
from benchmarks.load import get, post
from benchmarks.memory import megabytes
from benchmarks.sample import sample_text
from rui_api.store.factory import prepare_store
from tests.rui_api import postgres
from tests.rui_api.live import process

REQUESTS = 4_000
"""Requests of each sort that are measured, after a tenth as many to warm up."""
FIRST = 200
"""Specs in the store that is called empty, so that there is something to fetch."""
READ_SIZE = 8 << 20

COLD = "fetch, cold"
MAX_RATIO = 1.5
MAX_MEMORY_RATIO = 1.25

BULK_SERVER = ("-c", "wal_level=minimal", "-c", "max_wal_senders=0", "-c", "shared_buffers=512MB")


class Target(NamedTuple):
    """A service in this run.

    Attributes:
        connection: to the service.
        pid: its process.
        known: ids of specs in its store.
    """

    connection: socket.socket
    pid: int
    known: list[str]


def ask(target: Target, request: bytes) -> tuple[float, bytes]:
    """Send a request. Returns the seconds until the response was complete, and its body."""
    begun = time.perf_counter()
    target.connection.sendall(request)
    received = b""
    while True:
        received += target.connection.recv(65_536)
        head, separator, body = received.partition(b"\r\n\r\n")
        if separator and len(body) >= int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]):
            seconds = time.perf_counter() - begun
            assert head[9:12] in (b"200", b"201"), received[:300]
            return seconds, body


def measure(targets: dict[str, Target], requests: int, operations: Sequence[str]) -> dict[str, dict[str, list[float]]]:
    """Send requests in turns. Returns operation → name of the service → seconds of each request."""
    request = post("/api/specs", sample_text(SIZE, indent=None).encode())
    generator = random.Random(2)
    measured: dict[str, dict[str, list[float]]] = {name: {target: [] for target in targets} for name in operations}
    for number in range(requests + requests // 10):
        for operation in operations:
            for name, target in targets.items():
                if operation == "store":
                    seconds, body = ask(target, request)
                    target.known.append(json.loads(body)["specId"])
                else:
                    seconds, _ = ask(target, get(f"/api/specs/{generator.choice(target.known)}"))
                if number >= requests // 10:
                    measured[operation][name].append(seconds)
    return measured


def report(measured: dict[str, dict[str, list[float]]]) -> bool:
    """Print the percentiles, and return whether their ratios keep the limit, which cold fetches do not have."""
    kept = True
    for operation, services in measured.items():
        cuts = {name: statistics.quantiles(seconds, n=100) for name, seconds in services.items()}
        ratio = cuts["filled"][98] / cuts["empty"][98]
        texts = [f"{name} p50 {cut[49] * 1e3:.2f} ms, p99 {cut[98] * 1e3:.2f} ms" for name, cut in cuts.items()]
        text = f"{operation}: {'; '.join(texts)}; p99 ratio"
        if operation == COLD:
            print(f"  {text:100}{ratio:10,.2f}      no limit", flush=True)
            continue
        kept = kept and ratio <= MAX_RATIO
        line(text, ratio, MAX_RATIO, ratio <= MAX_RATIO)
    return kept


def line(text: str, value: float, limit: float, kept: bool) -> None:
    print(f"  {text:100}{value:10,.2f}{limit:10,.2f}  {'ok' if kept else 'MISSED'}", flush=True)


def drop_from_memory(files: Iterable[Path]) -> None:
    """Remove the pages of some files from the page cache."""
    for path in files:
        with path.open("rb") as file:
            os.fsync(file.fileno())  # only written pages can be dropped
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def read_into_memory(files: Sequence[Path]) -> None:
    """Read some files, so that their pages are in the page cache if it is large enough."""
    size = sum(path.stat().st_size for path in files)
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if size > free:
        print(f"  the files have {size / 1e9:.1f} GB, {free / 1e9:.1f} GB are free: fetches stay partly cold")
    for path in files:
        with path.open("rb", buffering=0) as file:
            while file.read(READ_SIZE):
                pass


def compare(urls: dict[str, str], known: list[str], folder: Path) -> bool:
    """Run both services, print what was measured, and return whether the limits are kept.

    Args:
        urls: the stores, by the names of the services.
        known: ids of specs in the filled one.
        folder: contains their files.
    """
    with ExitStack() as stack:
        targets = {}
        for name, url in urls.items():
            child, service = stack.enter_context(process("--store", url))
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", service.port)))
            targets[name] = Target(connection, child.pid, list(known) if name == "filled" else [])
        measure(targets, FIRST, ["store"])
        drop_from_memory(_files(folder))
        kept = report(measure(targets, REQUESTS // 4, [COLD]))
        read_into_memory(_files(folder))
        kept = report(measure(targets, REQUESTS, ["store", "fetch"])) and kept
        memory = {name: megabytes(target.pid, "VmHWM") for name, target in targets.items()}
    ratio = memory["filled"] / memory["empty"]
    text = f"memory at the peak: empty {memory['empty']:.0f} MB, filled {memory['filled']:.0f} MB; ratio"
    line(text, ratio, MAX_MEMORY_RATIO, ratio <= MAX_MEMORY_RATIO)
    return kept and ratio <= MAX_MEMORY_RATIO


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def run_sqlite(folder: Path, rows: int) -> bool:
    """Measure SQLite files."""
    urls = {name: f"sqlite:///{folder}/{name}.db" for name in ("empty", "filled")}
    begun = time.perf_counter()
    known = fill_sqlite(folder / "filled.db", rows)
    size = (folder / "filled.db").stat().st_size / 1e9
    print(f"\nSQLite: {rows:,} specs in {time.perf_counter() - begun:.0f} s, {size:.1f} GB", flush=True)
    return compare(urls, known, folder)


def run_postgres(_: Path, rows: int) -> bool:
    """Measure PostgreSQL databases of one server."""
    with postgres.postgres_server(*BULK_SERVER) as server:
        urls = {name: server.new_database() for name in ("empty", "filled")}
        for url in urls.values():
            assert prepare_store(url) is None
        begun = time.perf_counter()
        known = fill_postgres(urls["filled"], rows)
        ((size,),) = server.execute("SELECT pg_database_size(current_database())", url=urls["filled"])
        print(f"\nPostgreSQL: {rows:,} specs in {time.perf_counter() - begun:.0f} s, {size / 1e9:.1f} GB", flush=True)
        server.stop()  # its own buffers contain a part of the table
        server.start()
        return compare(urls, known, server.data)


STORES = {"sqlite": run_sqlite, "postgres": run_postgres}


def main(options: list[str] | None = None) -> bool:
    """Print what was measured, and return whether every limit is kept."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks scale_rows")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--stores", default=",".join(STORES))
    parser.add_argument("--folder", help="a folder with enough space; by default one for temporary files")
    arguments = parser.parse_args(options or [])
    kept = True
    for name in arguments.stores.split(","):
        if name == "postgres" and postgres.missing():
            print(f"\nNOT MEASURED: {postgres.missing()}")
            kept = False
            continue
        folder = Path(tempfile.mkdtemp(prefix="rui-rows-", dir=arguments.folder))
        try:
            kept = STORES[name](folder, arguments.rows) and kept
        finally:
            shutil.rmtree(folder)
    return kept


if __name__ == "__main__":
    main(sys.argv[1:])
