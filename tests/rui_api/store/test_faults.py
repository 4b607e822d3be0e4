"""Store faults while the service runs under load over HTTP, on both stores.

During a fault, the API returns 503 within two seconds and continues to validate. Afterwards, the service recovers
without a restart and has all acknowledged specs.
"""

import os
import random
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest

from rui_common.describe import minimal_example
from tests.rui_api import disk
from tests.rui_api.live import UUID, Service, process
from tests.rui_api.load import Load, wait_until
from tests.rui_api.postgres import Postgres

LONG = 10.0
"""Seconds of the faults in which requests may hang."""
SLACK = 3.0
"""What a test grants a busy machine beyond the two seconds that are promised; on a quiet one they are kept."""

LARGE = {**minimal_example(), "meta": {"description": random.Random(1).randbytes(20_000).hex()}}
"""A document that fits in no page of a table, so that it needs space on the disk."""

Fault = Callable[[], AbstractContextManager[None]]


def check_fault(service: Service, load: Load, fault: Fault, *, reads: bool | None) -> None:
    """Check one fault from start to end. `reads`: whether reads work during the fault; None for either."""
    with load.on(service.url, clients=4):
        load.wait_for(20)
        with fault():
            failed = load.statuses[503]
            wait_until(lambda: load.statuses[503] > failed, "the clients are answered 503")
            check_down(service, reads=reads)
        wait_until(lambda: service.client.get("/api/ready").status_code == 200, "the store is ready again")
        load.wait_for(20)
    assert set(load.statuses) == {201, 503}
    assert load.slowest < 2 + SLACK
    load.check_kept(service.client)


def check_down(service: Service, *, reads: bool | None) -> None:
    """At the same time, requests for the store get 503 and all others succeed."""
    reading = [] if reads is None else [f"/api/specs/{UUID}", f"/specs/{UUID}"]
    with ThreadPoolExecutor() as pool:
        needing = [pool.submit(service.post, "/api/specs", LARGE)]
        needing += [pool.submit(service.client.get, path) for path in ("/api/ready", *([] if reads else reading))]
        begun = time.monotonic()
        while not all(request.done() for request in needing):
            assert service.post("/api/validate", minimal_example()).json()["valid"] is True
        assert time.monotonic() - begun < 2 + SLACK
    for answer in (request.result() for request in needing):
        assert answer.status_code == 503, answer.request.url
        assert int(answer.headers["retry-after"]) > 0
    assert service.post("/api/specs", {}).json()["valid"] is False
    assert service.client.get("/api/health").status_code == 200
    assert not reads or {service.client.get(path).status_code for path in reading} == {404}


@pytest.mark.parametrize(("state", "reads"), [
    (disk.FROZEN, None), (disk.FULL, True), (disk.READ_ONLY, True), (disk.BROKEN, None),
])  # fmt: skip
def test_disk(tmp_path: Path, state: str, reads: bool | None) -> None:
    disk.require()
    load, under = Load(), disk.Disk(tmp_path, "rui.db")
    with process("--store", f"sqlite:///{tmp_path}/rui.db", env=with_environment(under)) as (_, service):
        check_fault(service, load, lambda: under.being(state), reads=reads)


def with_environment(under: disk.Disk) -> dict[str, str]:
    return {**os.environ, **under.environment}


def test_overload(tmp_path: Path) -> None:
    """While the disk hangs, a limited number of requests waits; the service refuses others. Its memory is stable."""
    disk.require()
    load, more, under = Load(), Load(), disk.Disk(tmp_path, "rui.db")
    arguments = ("--store", f"sqlite:///{tmp_path}/rui.db", "--store-queue", "5")
    with process(*arguments, env=with_environment(under)) as (child, service), load.on(service.url, clients=2):
        load.wait_for(20)
        before = resident(child.pid)
        with under.being(disk.FROZEN), more.on(service.url, clients=30):
            wait_until(lambda: more.statuses[503] > 500, "500 requests are refused")
            assert service.post("/api/validate", minimal_example()).json()["valid"] is True
        assert resident(child.pid) - before < 30 << 20
        load.wait_for(20)
    assert more.statuses[503] > 500
    assert max(load.slowest, more.slowest) < 2 + SLACK


def resident(pid: int) -> int:
    """Return the memory of a process in bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def locked(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def moved(path: Path) -> Iterator[None]:
    path.rename(path.with_suffix(".away"))
    yield
    path.with_suffix(".away").rename(path)


@contextmanager
def corrupt(path: Path) -> Iterator[None]:
    """Replace the file by one that is not an SQLite database."""
    path.rename(path.with_suffix(".away"))
    path.write_bytes(b"not a database" * 1000)
    yield
    path.with_suffix(".away").rename(path)


@pytest.mark.parametrize(("fault", "reads"), [(locked, True), (moved, False), (corrupt, False)])
def test_file(tmp_path: Path, fault: Callable[[Path], AbstractContextManager[None]], reads: bool) -> None:
    path, load = tmp_path / "rui.db", Load()
    with process("--store", f"sqlite:///{path}") as (_, service):
        check_fault(service, load, lambda: fault(path), reads=reads)


@contextmanager
def stopped(server: Postgres, url: str) -> Iterator[None]:
    server.stop(signal.SIGINT)
    yield
    server.start()


@contextmanager
def crashed(server: Postgres, url: str) -> Iterator[None]:
    server.stop(signal.SIGQUIT)
    yield
    server.start()


@contextmanager
def lasting() -> Iterator[None]:
    """Take at least `LONG` seconds."""
    begun = time.monotonic()
    yield
    time.sleep(max(0, begun + LONG - time.monotonic()))


@contextmanager
def frozen(server: Postgres, url: str) -> Iterator[None]:
    server.freeze()
    with lasting():
        yield
    server.thaw()


@contextmanager
def connection_limit(server: Postgres, url: str) -> Iterator[None]:
    server.execute("ALTER ROLE limited CONNECTION LIMIT 0", disconnect(url.rpartition("/")[2]))
    yield
    server.execute("ALTER ROLE limited CONNECTION LIMIT -1")


@contextmanager
def read_only(server: Postgres, url: str) -> Iterator[None]:
    name = url.rpartition("/")[2]
    server.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on", disconnect(name))
    yield
    server.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only", disconnect(name))


@contextmanager
def table_locked(server: Postgres, url: str) -> Iterator[None]:
    with server.transaction(url, "LOCK TABLE rui_specs IN ACCESS EXCLUSIVE MODE"), lasting():
        yield


@contextmanager
def tables_renamed(server: Postgres, url: str) -> Iterator[None]:
    """Simulate dropped tables or another restored backup."""
    server.execute("ALTER TABLE rui_specs RENAME TO away", "ALTER TABLE rui_schema_version RENAME TO gone", url=url)
    yield
    server.execute("ALTER TABLE away RENAME TO rui_specs", "ALTER TABLE gone RENAME TO rui_schema_version", url=url)


@contextmanager
def database_renamed(server: Postgres, url: str) -> Iterator[None]:
    name = url.rpartition("/")[2]
    server.rename(name, f"{name}_away")
    yield
    server.rename(f"{name}_away", name)


@contextmanager
def full(server: Postgres, url: str) -> Iterator[None]:
    disk.require()
    with server.disk.being(disk.FULL):
        yield


def disconnect(name: str) -> str:
    return f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"


@pytest.mark.parametrize(("fault", "reads"), [
    (stopped, False), (crashed, False), (frozen, False), (read_only, True), (table_locked, False),
    (tables_renamed, False), (database_renamed, False), (full, True),
])  # fmt: skip
def test_server(postgres: Postgres, fault: Callable[..., AbstractContextManager[None]], reads: bool) -> None:
    url, load = postgres.new_database(), Load()
    with process("--store", url) as (_, service):
        check_fault(service, load, lambda: fault(postgres, url), reads=reads)


def test_connection_limit(postgres: Postgres) -> None:
    url, load = postgres.new_database(), Load()
    name = url.rpartition("/")[2]
    postgres.execute("CREATE ROLE limited LOGIN", f"ALTER DATABASE {name} OWNER TO limited")
    with process("--store", url.replace("rui@", "limited@")) as (_, service):
        check_fault(service, load, lambda: connection_limit(postgres, url), reads=False)


def test_connections_that_are_cut(postgres: Postgres) -> None:
    """Requests that were sent on one of them get 503; the next ones get new connections."""
    url, load = postgres.new_database(), Load()
    with process("--store", url) as (_, service):
        with load.on(service.url):
            for _ in range(5):
                load.wait_for(20)
                postgres.execute(disconnect(url.rpartition("/")[2]))
            load.wait_for(20)
        assert {*load.statuses} <= {201, 503}
        load.check_kept(service.client)
