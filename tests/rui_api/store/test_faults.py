"""Store faults while the service runs under load over HTTP, on both stores.

During a fault, the API returns 503 within two seconds and continues to validate. Afterwards, the service recovers
without a restart and has all acknowledged specs.
"""

import os
import random
import signal
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest

from rui_api.store.availability import StoreOptions
from rui_common.describe import minimal_example
from tests.rui_api import disk
from tests.rui_api.live import AS_SHIPPED, UUID, Service, process, wait_until
from tests.rui_api.load import Load
from tests.rui_api.postgres import Postgres, need, postgres_server

HUNG = 12
"""Requests that are refused while requests hang, so that every connection of the store has hung."""
PROMISED = 2.0
"""Seconds within which the service answers. On a busy machine, it takes longer than its deadline."""

LARGE = {**minimal_example(), "meta": {"description": random.Random(1).randbytes(20_000).hex()}}
"""A document that fits in no page of a table, so that it needs space on the disk."""

Fault = Callable[[], AbstractContextManager[None]]


def check_fault(service: Service, fault: Fault, *, reads: bool | None, refused: int = 1) -> None:
    """Check one fault from start to end, in which this number of requests is refused.

    `reads`: whether reads work during the fault; None for either.
    """
    load = Load()
    with load.on(service.url, clients=4):
        load.wait_for(20)
        with fault():
            load.wait_until_refused(refused)
            load.wait_until_each_is_answered()
            check_down(service, reads=reads)
        wait_until(lambda: service.client.get("/api/ready").status_code == 200, "the store is ready again")
        load.wait_for(20)
    assert set(load.statuses) == {201, 503}
    load.check_kept(service.client)


def test_the_deadline_is_within_what_is_promised() -> None:
    assert StoreOptions().deadline < PROMISED


def check_down(service: Service, *, reads: bool | None) -> None:
    """At the same time, requests for the store get 503 and all others succeed."""
    reading = [] if reads is None else [f"/api/specs/{UUID}", f"/specs/{UUID}"]
    with ThreadPoolExecutor() as pool:
        needing = [pool.submit(service.post, "/api/specs", LARGE)]
        needing += [pool.submit(service.client.get, path) for path in ("/api/ready", *([] if reads else reading))]
        while not all(request.done() for request in needing):
            assert service.post("/api/validate", minimal_example()).json()["valid"] is True
    for answer in (request.result() for request in needing):
        assert answer.status_code == 503, answer.request.url
        # Without it, the spec may be stored: its commit may go on.
        is_storing = answer.request.method == "POST"
        assert int(answer.headers.get("retry-after", str(int(is_storing)))) > 0
    assert service.post("/api/specs", {}).json()["valid"] is False
    assert service.client.get("/api/health").status_code == 200
    for path in reading if reads else ():
        # On a busy machine, a read may miss its deadline.
        wait_until(lambda path=path: service.client.get(path).status_code == 404, f"{path} is read")


# SQLite -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("state", "reads"), [
    (disk.FROZEN, None), (disk.FULL, True), (disk.READ_ONLY, True), (disk.BROKEN, None),
])  # fmt: skip
def test_disk(tmp_path: Path, state: str, reads: bool | None) -> None:
    disk.require()
    under = disk.Disk(tmp_path, "rui.db")
    with process(
        "--store", f"sqlite:///{tmp_path}/rui.db", env={**os.environ, **under.environment}, program=AS_SHIPPED
    ) as (_, service):
        check_fault(service, lambda: under.being(state), reads=reads)


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


@pytest.mark.parametrize(("fault", "reads"), [(locked, True), (moved, False)])
def test_file(tmp_path: Path, fault: Callable[[Path], AbstractContextManager[None]], reads: bool) -> None:
    path = tmp_path / "rui.db"
    with process("--store", f"sqlite:///{path}", program=AS_SHIPPED) as (_, service):
        check_fault(service, lambda: fault(path), reads=reads)


def test_kill_9(tmp_path: Path) -> None:
    load = Load()
    arguments = ("--store", f"sqlite:///{tmp_path}/rui.db", "--base-url", "http://rui.example.org")
    for _ in range(3):
        with process(*arguments) as (child, service), load.on(service.url, clients=4):
            load.wait_for(15)
            child.send_signal(signal.SIGKILL)
    with process(*arguments) as (_, service):
        load.check_kept(service.client)
    assert {*load.statuses} <= {201, 503}


# PostgreSQL ---------------------------------------------------------------------------------------------------------


@contextmanager
def killed(server: Postgres, _: str) -> Iterator[None]:
    server.stop(signal.SIGKILL)
    yield
    server.start()


@contextmanager
def frozen(server: Postgres, _: str) -> Iterator[None]:
    server.freeze()
    yield
    server.thaw()


@contextmanager
def table_locked(server: Postgres, name: str) -> Iterator[None]:
    with server.transaction(server.url(name), "LOCK TABLE rui_specs IN ACCESS EXCLUSIVE MODE"):
        yield


@pytest.mark.parametrize(("fault", "refused"), [(killed, 1), (frozen, HUNG), (table_locked, HUNG)])
def test_server(postgres: Postgres, fault: Callable[..., AbstractContextManager[None]], refused: int) -> None:
    url = postgres.new_database()
    with process("--store", url, program=AS_SHIPPED) as (_, service):
        check_fault(service, lambda: fault(postgres, url.rpartition("/")[2]), reads=False, refused=refused)


@pytest.mark.parametrize("fault", ["killed", "frozen"])
def test_failover(fault: str) -> None:
    """No acknowledged spec is lost, and specs are stored soon after the promotion of the synchronous standby.

    The standby is the first server of the URL. A frozen primary comes back, and clients must not return to it.
    """
    need("initdb", "postgres", "pg_basebackup")
    load = Load()
    with (
        postgres_server("-c", "fsync=off", "-c", "synchronous_standby_names=*") as primary,
        postgres_server("-c", "fsync=off", primary=primary) as standby,
    ):
        name = primary.new_database().rpartition("/")[2]
        url = f"postgresql://rui@127.0.0.1:{standby.port},127.0.0.1:{primary.port}/{name}"
        with process("--store", url, program=AS_SHIPPED) as (_, service):
            with load.on(service.url, clients=4):
                load.wait_for(40)
                if fault == "killed":
                    primary.stop(signal.SIGKILL)
                else:
                    primary.freeze()
                load.wait_until_refused()
                known = len(load.acknowledged)
                standby.execute("SELECT pg_promote()")
                wait_until(lambda: len(load.acknowledged) > known, "specs are stored on the new primary")
                assert service.post("/api/validate", minimal_example()).json()["valid"] is True
                load.wait_for(40)
                load.wait_until_each_is_answered()
                if fault == "frozen":
                    primary.thaw()
                load.wait_for(40)
            assert set(load.statuses) == {201, 503}
        rows = standby.execute("SELECT spec_id::text FROM rui_specs", url=standby.url(name))
        assert {*load.acknowledged} <= {row[0] for row in rows}
