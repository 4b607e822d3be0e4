"""How fast specs are stored: beside aiosqlite, with many rows, with two workers, while old specs are pruned.

`--rows 10000000` fills the stores with that many specs: 23 GB of disk and some minutes each. `--pruned 100000` prunes
that many, in 25 minutes each, and measures nothing else.
"""

import argparse
import asyncio
import json
import os
import random
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

import asyncpg

from benchmarks import NotMeasuredError, Row, cpu_seconds, get, in_turns, median_ratio, megabytes, post, send
from benchmarks.peers import TUNED
from rui_api.http.responses import to_json
from rui_api.routes.specs import new_spec
from rui_api.store.availability import StoreOptions
from rui_api.store.base import StoredSpec
from rui_api.store.factory import opened_store, prepare_store
from rui_common.editing.normal_form import normalize
from rui_common.hashing import content_hash
from rui_common.validation.analysis import validate
from tests.inputs.sample import sample, sample_text
from tests.rui_api import disk, postgres
from tests.rui_api.live import AS_SHIPPED, process

SIZE = 2_500
ROUNDS = 5
STORED = 1_000
"""Specs per round."""
AS_IT_COMES = "aiosqlite as it comes"
MIN_AIOSQLITE = 2.0
MIN_TWO_WORKERS = 1.5
SLOW_SYNC = 0.002
"""Additional seconds per sync of a slow disk."""

ROWS = 20_000
REQUESTS = 4_000
"""Requests of each sort that are measured, after a tenth as many to warm up."""
MAX_P99 = 1.5
MAX_MEMORY = 1.25

PRUNED = 2_000
PRUNED_AT_ONCE = 100_000
MAX_PRUNE_MINUTES = 30
"""For `PRUNED_AT_ONCE` specs."""
MAX_PRUNE_P99 = 50.0
CLIENTS = 4
ALONE_SECONDS = 10
CLIENT_PAUSE = 0.02
"""Seconds between two requests of a client that stores while specs are pruned."""

BULK_SERVER = ("-c", "wal_level=minimal", "-c", "max_wal_senders=0", "-c", "shared_buffers=512MB")


def rows(options: list[str]) -> Iterator[Row]:
    """Yield ratios, and the number of failed requests."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks stores")
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--pruned", type=int, default=0)
    parser.add_argument("--folder", help="a folder with enough space; by default one for temporary files")
    arguments = parser.parse_args(options)
    if arguments.pruned:
        yield from _pruned(arguments.pruned)
        return
    yield from _beside_aiosqlite(0.0)
    if disk.missing() or postgres.missing():
        raise NotMeasuredError(disk.missing() or postgres.missing())
    yield from _beside_aiosqlite(SLOW_SYNC)
    with tempfile.TemporaryDirectory(prefix="rui-rows-", dir=arguments.folder) as folder:
        yield from _sqlite_rows(Path(folder), arguments.rows)
    with postgres.postgres_server(*BULK_SERVER) as server:
        yield from _postgres_rows(server, arguments.rows)
    with postgres.postgres_server() as server:
        yield from _two_workers(server)
    yield from _pruned(PRUNED)


# Rates --------------------------------------------------------------------------------------------------------------


def _request() -> bytes:
    return post("/api/specs", sample_text(SIZE, indent=None).encode())


def _rate(port: int) -> float:
    """Return the specs that a service stores per second."""
    seconds, _ = send(port, [_request()], STORED)
    return STORED / seconds


def _beside_aiosqlite(sync: float) -> Iterator[Row]:
    """Compare with a plain store: SQLite's defaults, and the pragmas of our store."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        environment: dict[str, str] = {}
        if sync:
            environment = disk.Disk(Path(folder), folder, delay=sync).environment
            environment.pop("DISK_CONTROL")
        services = {
            "ours": ("rui_api.commands.serve", {}),
            AS_IT_COMES: ("benchmarks.peers", {}),
            "aiosqlite with our pragmas": ("benchmarks.peers", {TUNED: "1"}),
        }
        measures = {}
        for name, (module, more) in services.items():
            store = f"sqlite:///{folder}/{len(measures)}.db"
            variables = {**os.environ, **environment, **more}
            _, service = stack.enter_context(process("--store", store, program=("-m", module), env=variables))
            measures[name] = partial(_rate, service.port)
        found = in_turns(measures, ROUNDS)
    ours = found.pop("ours")
    where = "slow disk" if sync else "this disk"
    for name, rates in found.items():
        limit = MIN_AIOSQLITE if name == AS_IT_COMES else None
        detail = f"{statistics.median(ours):,.0f} and {statistics.median(rates):,.0f} per second"
        yield Row(f"specs stored, {where}, beside {name}", median_ratio(ours, rates), limit, True, detail)


def _two_workers(server: postgres.Postgres) -> Iterator[Row]:
    """Compare the rates, which database and client limit on few cores, and the CPU time of the workers for a spec."""
    costs: dict[str, list[float]] = {"2": [], "1": []}

    def rate(workers: str, pid: int, port: int) -> float:
        pids = [pid, *_children(pid)]
        before = sum(map(cpu_seconds, pids))
        found = _rate(port)
        costs[workers].append((sum(map(cpu_seconds, pids)) - before) / STORED)
        return found

    with ExitStack() as stack:
        measures = {}
        for workers in costs:
            arguments = ["--store", server.new_database(), "--workers", workers]
            child, service = stack.enter_context(process(*arguments, program=AS_SHIPPED))
            measures[workers] = partial(rate, workers, child.pid, service.port)
        rate_two, rate_one = in_turns(measures, ROUNDS).values()
    detail = (
        f"{statistics.median(rate_two):,.0f} and {statistics.median(rate_one):,.0f} per second, {os.cpu_count()} cores"
    )
    what = "specs stored, PostgreSQL, two workers beside one"
    yield Row(what, median_ratio(rate_two, rate_one), MIN_TWO_WORKERS, True, detail)
    cost_two, cost_one = (costs_of_workers[1:] for costs_of_workers in costs.values())
    detail = f"{statistics.median(cost_two) * 1e6:.0f} µs, {statistics.median(cost_one) * 1e6:.0f} µs"
    yield Row("CPU time of the workers for a spec, two beside one", median_ratio(cost_two, cost_one), detail=detail)


def _children(pid: int) -> list[int]:
    return [int(child) for path in Path(f"/proc/{pid}/task").glob("*/children") for child in path.read_text().split()]


# Many rows ----------------------------------------------------------------------------------------------------------

DISTINCT = 200
"""Number of different documents in a filled store."""
KNOWN = 1_000
"""Of as many ids, one is returned."""
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
PACE = timedelta(milliseconds=100)
CHUNK = 500_000

_INSERT = "INSERT INTO specs VALUES (?, ?, ?, ?, ?, ?)"
_FILL = (
    "WITH new AS (INSERT INTO rui_specs SELECT gen_random_uuid(), to_char(timestamp '2026-01-01' + "
    """i * interval '100 ms', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), hash, '0.1', '0.1', content """
    "FROM generate_series($1::int, $2::int) AS i JOIN samples ON n = i % $3 RETURNING spec_id) "
    "SELECT spec_id::text FROM (SELECT spec_id, row_number() OVER () AS number FROM new) AS numbered "
    "WHERE number % $4 = 0"
)


class Target(NamedTuple):
    """A service, and ids of specs in its store."""

    connection: socket.socket
    pid: int
    known: list[str]


def _documents() -> list[StoredSpec]:
    made = []
    for seed in range(DISTINCT):
        rui = normalize(validate(sample(SIZE, seed=seed)).tree)
        made.append(new_spec(to_json(rui), content_hash(rui)))
    return made


def _sqlite_rows(folder: Path, count: int) -> Iterator[Row]:
    """Compare a filled file with an empty one."""
    urls = {name: f"sqlite:///{folder}/{name}.db" for name in ("empty", "filled")}
    known = _fill_sqlite(folder / "filled.db", count)
    yield from _compare(f"SQLite, {count:,} specs", urls, known, folder)


def _fill_sqlite(path: Path, count: int) -> list[str]:
    assert prepare_store(f"sqlite:///{path}").error is None
    known: list[str] = []
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        # The index fits into memory: ids are in random order, as those of a service.
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -2000000", "locking_mode = EXCLUSIVE"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("BEGIN")
        connection.executemany(_INSERT, _rows(count, known))
        connection.execute("COMMIT")
    return known


def _rows(count: int, known: list[str]) -> Iterator[StoredSpec]:
    templates = _documents()
    generator = random.Random(1)
    for number in range(count):
        digits = f"{generator.getrandbits(128):032x}"
        spec_id = f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"
        if number % KNOWN == 0:
            known.append(spec_id)
        created = (BEGIN + number * PACE).isoformat(timespec="milliseconds")[:23]
        yield templates[number % DISTINCT]._replace(spec_id=spec_id, created_at=f"{created}Z")


def _postgres_rows(server: postgres.Postgres, count: int) -> Iterator[Row]:
    """Compare a filled database with an empty one."""
    urls = {name: server.new_database() for name in ("empty", "filled")}
    for url in urls.values():
        assert prepare_store(url).error is None
    known = asyncio.run(_fill_postgres(urls["filled"], count))
    yield from _compare(f"PostgreSQL, {count:,} specs", urls, known, server.data)


async def _fill_postgres(url: str, count: int) -> list[str]:
    known = []
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("CREATE TABLE samples (n INTEGER PRIMARY KEY, hash TEXT, content BYTEA)")
        values = [(number, spec.content_hash, spec.rui) for number, spec in enumerate(_documents())]
        await connection.copy_records_to_table("samples", records=values)
        for begin in range(1, count + 1, CHUNK):
            end = min(begin + CHUNK - 1, count)
            known += [row[0] for row in await connection.fetch(_FILL, begin, end, DISTINCT, KNOWN)]
        await connection.execute("DROP TABLE samples")
        await connection.execute("VACUUM (ANALYZE, FREEZE) rui_specs")
        await connection.execute("CHECKPOINT")
    finally:
        await connection.close()
    return known


def _compare(title: str, urls: dict[str, str], known: list[str], folder: Path) -> Iterator[Row]:
    """Run a service for each store, and send requests to them in turns, one at a time."""
    os.sync()  # Else the first commits wait for the gigabytes of the filling.
    for path in folder.rglob("*"):
        if path.is_file():
            _read(path)
    with ExitStack() as stack:
        targets = {}
        for name, url in urls.items():
            child, service = stack.enter_context(process("--store", url, "--store-max-bytes", "0", program=AS_SHIPPED))
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", service.port)))
            targets[name] = Target(connection, child.pid, list(known) if name == "filled" else [])
        for operation in ("store", "fetch"):
            seconds = _measure(list(targets.values()), operation)
            empty, filled = (statistics.quantiles(some, n=100)[98] for some in seconds)
            detail = f"{filled * 1e3:.2f} ms, {empty * 1e3:.2f} ms"
            yield Row(f"{title}: {operation}, p99 beside an empty store", filled / empty, MAX_P99, detail=detail)
        empty, filled = (megabytes(target.pid, "VmHWM") for target in targets.values())
    detail = f"{filled:.0f} MB, {empty:.0f} MB"
    yield Row(f"{title}: memory beside an empty store", filled / empty, MAX_MEMORY, detail=detail)


def _read(path: Path) -> None:
    """Read a file, so that its pages are in memory as on a machine that has been in use."""
    with path.open("rb", buffering=0) as file:
        while file.read(8 << 20):
            pass


def _measure(targets: Sequence[Target], operation: str) -> list[list[float]]:
    """Return the seconds of each request, by target."""
    request = _request()
    generator = random.Random(2)
    measured: list[list[float]] = [[] for _ in targets]
    for number in range(REQUESTS + REQUESTS // 10):
        for target, seconds in zip(targets, measured, strict=True):
            if operation == "store":
                took, body = _ask(target, request)
                target.known.append(json.loads(body)["specId"])
            else:
                took, _ = _ask(target, get(f"/api/specs/{generator.choice(target.known)}"))
            if number >= REQUESTS // 10:
                seconds.append(took)
    return measured


def _ask(target: Target, request: bytes) -> tuple[float, bytes]:
    """Send a request. Return the seconds until the response was complete, and its body."""
    took, head, body = _exchange(target.connection, request)
    assert head[9:12] in (b"200", b"201"), head
    return took, body


def _exchange(connection: socket.socket, request: bytes) -> tuple[float, bytes, bytes]:
    """Send a request. Return the seconds until the response was complete, its head and its body."""
    begun = time.perf_counter()
    connection.sendall(request)
    received = b""
    while True:
        received += connection.recv(65_536)
        head, separator, body = received.partition(b"\r\n\r\n")
        if separator and len(body) >= int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]):
            return time.perf_counter() - begun, head, body


# Pruning ------------------------------------------------------------------------------------------------------------


class Posts:
    """Results of the clients that store while specs are pruned.

    Attributes:
        seconds: of each request.
        acknowledged: ids of the stored specs.
        refused: number of responses other than 201.
    """

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.acknowledged: set[str] = set()
        self.refused = 0
        self._end = threading.Event()

    @property
    def p99(self) -> float:
        """The 99th percentile in milliseconds."""
        return statistics.quantiles(self.seconds, n=100)[98] * 1e3

    @contextmanager
    def on(self, port: int) -> Iterator[None]:
        """Run the clients in a `with` block."""
        with ThreadPoolExecutor(CLIENTS) as pool:
            clients = [pool.submit(self._store, port) for _ in range(CLIENTS)]
            try:
                yield
            finally:
                self._end.set()
        for client in clients:
            client.result()

    def _store(self, port: int) -> None:
        request = _request()
        with socket.create_connection(("127.0.0.1", port)) as connection:
            while not self._end.wait(CLIENT_PAUSE):
                took, head, body = _exchange(connection, request)
                self.seconds.append(took)
                if head[9:12] == b"201":
                    self.acknowledged.add(json.loads(body)["specId"])
                else:
                    self.refused += 1


def _pruned(count: int) -> Iterator[Row]:
    """Prune a filled store of each kind while clients store into it."""
    with tempfile.TemporaryDirectory(prefix="rui-prune-") as folder:
        _fill_sqlite(Path(folder, "rui.db"), count)
        yield from _prune("SQLite", f"sqlite:///{folder}/rui.db", count)
    with postgres.postgres_server() as server:
        url = server.new_database()
        assert prepare_store(url).error is None
        asyncio.run(_fill_postgres(url, count))
        yield from _prune("PostgreSQL", url, count)


def _prune(name: str, url: str, count: int) -> Iterator[Row]:
    command = [sys.executable, "-m", "rui_api.commands.store", "prune", "--older-than", "1d", "--store", url]
    alone, posts = Posts(), Posts()
    with process("--store", url, program=AS_SHIPPED) as (_, service):
        with alone.on(service.port):
            time.sleep(ALONE_SECONDS)
        with posts.on(service.port):
            begun = time.monotonic()
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            minutes = (time.monotonic() - begun) / 60
    assert f" {count:,} deleted" in done.stdout, done.stdout + done.stderr
    title = f"{name}, {count:,} specs pruned"
    detail = f"{alone.p99:.1f} ms without pruning; slowest {max(posts.seconds) * 1e3:.0f} ms"
    yield Row(f"{title}: p99 of storing, in ms", posts.p99, MAX_PRUNE_P99, detail=detail)
    yield Row(f"{title}: requests refused", posts.refused, 0, detail=f"of {len(posts.seconds):,}")
    lost = posts.acknowledged - asyncio.run(_kept(url))
    yield Row(f"{title}: acknowledged specs lost", len(lost), 0, detail=f"of {len(posts.acknowledged):,}")
    limit = MAX_PRUNE_MINUTES * count / PRUNED_AT_ONCE
    yield Row(f"{title}: minutes", minutes, limit)


async def _kept(url: str) -> set[str]:
    """Return the ids of all specs that are not deleted."""
    kept: set[str] = set()
    last = ""
    async with opened_store(url, StoreOptions(deadline=60.0)) as store:
        while page := await store.list_entries(last, 1_000):
            kept.update(entry.spec_id for entry in page if not entry.is_deleted)
            last = page[-1].spec_id
    return kept
