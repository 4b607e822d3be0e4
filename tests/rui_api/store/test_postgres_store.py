"""PostgreSQL servers that are silent, locked or pooled, or wait for a standby."""

import asyncio
import socket
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rui_api.commands.store import main
from rui_api.store.base import StorageUnavailable, Store
from rui_api.store.postgres import CONNECTIONS
from rui_common.describe import minimal_example
from tests.rui_api.live import AS_SHIPPED, Service, patient_service, process, wait_until
from tests.rui_api.load import Load
from tests.rui_api.postgres import Postgres, pgbouncer
from tests.rui_api.store.helpers import spec, with_store

MAX_BACKENDS = 4 * CONNECTIONS
"""Connections that write and that read, each twice: the old ones may still wait when new ones are opened."""


def name_of(url: str) -> str:
    return url.rpartition("/")[2]


def backends(server: Postgres, url: str) -> int:
    """Return the number of the server's processes for the database of `url`."""
    found = (
        f"SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname = '{name_of(url)}'"
    )
    return server.execute(found)[0][0]


@contextmanager
def silent_listener() -> Iterator[int]:
    """Yield a port that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_each_server_has_a_time_limit_of_its_own(postgres: Postgres) -> None:
    async def store_and_fetch(store: Store) -> None:
        await asyncio.gather(store.store(spec()), store.fetch(str(uuid.uuid4())))

    async def fail(store: Store) -> None:
        with pytest.raises(StorageUnavailable) as caught:
            await store.fetch(str(uuid.uuid4()))
        reasons = str(caught.value).removeprefix("PostgreSQL: ").split("; ")
        assert reasons[0].endswith("Connect call failed ('127.0.0.1', 1)")
        assert reasons[1:] == ["no connection in time", 'database "nowhere" does not exist']

    name = name_of(postgres.new_database())
    with silent_listener() as silent:
        with_store(
            f"postgresql://rui@127.0.0.1:{silent},127.0.0.1:{postgres.port}/{name}", store_and_fetch, deadline=10
        )
        with_store(
            f"postgresql://rui@127.0.0.1:1,127.0.0.1:{silent},127.0.0.1:{postgres.port}/nowhere", fail, deadline=10
        )


@contextmanager
def synchronous(postgres: Postgres) -> Iterator[None]:
    """Let commits wait for a standby that is not there."""
    postgres.execute("ALTER SYSTEM SET synchronous_standby_names = 'lost'", "SELECT pg_reload_conf()")
    wait_until(lambda: "lost" in str(postgres.execute("SHOW synchronous_standby_names")), "it is set")
    try:
        yield
    finally:
        postgres.execute("ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")


def check_waiting(postgres: Postgres, url: str, service: Service, load: Load) -> None:
    """Nothing is acknowledged, reads continue, and few backends wait."""
    load.wait_until_refused(8)
    known, refused = len(load.acknowledged), load.statuses[503]
    most = 0
    while load.statuses[503] < refused + 24:
        most = max(most, backends(postgres, url))
        assert service.client.get(f"/api/specs/{uuid.uuid4()}").status_code == 404
    assert len(load.acknowledged) == known, "a spec was acknowledged that is on no standby"
    assert most <= MAX_BACKENDS


def test_a_lost_synchronous_standby(postgres: Postgres) -> None:
    """Commits wait for ever. They are not cancelled, their number is limited, and the service stops all the same."""
    url, load = postgres.new_database(), Load()
    with process("--store", url, program=AS_SHIPPED) as (child, service):
        service.store()
        with load.on(service.url):
            load.wait_for(20)
            with synchronous(postgres):
                check_waiting(postgres, url, service, load)
        wait_until(lambda: service.client.get("/api/ready").status_code == 200, "the store is ready again")
        service.store()
        load.check_kept(service.client)
        with synchronous(postgres):
            # An open connection may read its configuration later.
            wait_until(lambda: service.post("/api/specs", minimal_example()).status_code == 503, "a commit waits")
            child.terminate()
            logged = child.communicate(timeout=60)[1]
            assert child.returncode == 0
    assert "canceling wait for synchronous replication" not in postgres.log()
    assert logged.count("store unavailable: storing: PostgreSQL: no answer within 1.5 s") in (1, 2)
    assert "fetching" not in logged


def test_lost_tables_are_not_created_again(postgres: Postgres) -> None:
    """Empty ones would answer that stored specs do not exist."""
    url = postgres.new_database()
    lose = "DROP TABLE rui_specs, rui_schema_version"
    others = f"datname = '{name_of(url)}' AND pid <> pg_backend_pid()"
    end = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"

    async def scenario(store: Store) -> None:
        await store.store(spec())
        await asyncio.to_thread(postgres.execute, lose, end, url=url)
        for call in (store.fetch(str(uuid.uuid4())), store.store(spec()), store.ready(), store.list_entries("", 1)):
            with pytest.raises(StorageUnavailable):
                await call

    with_store(url, scenario, deadline=60)
    assert postgres.execute("SELECT count(*) FROM pg_tables WHERE tablename LIKE 'rui%'", url=url)[0][0] == 0


def test_a_table_without_a_limit_is_not_measured(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other servers with this protocol have no functions for it."""
    monkeypatch.setattr("rui_api.store.postgres.SIZE", "SELECT no_such_function()")
    with_store(postgres.new_schema(), lambda store: store.store(spec()), deadline=60)


@pytest.mark.parametrize(("default", "option"), [("local", ""), ("off", "?prepared=off")])
def test_commits_are_durable_whatever_the_default(postgres: Postgres, default: str, option: str) -> None:
    """A role default of `local` would acknowledge specs that no standby has."""
    url = postgres.new_database()
    postgres.execute(f"ALTER ROLE rui IN DATABASE {name_of(url)} SET synchronous_commit = '{default}'")
    with_store(f"{url}{option}", lambda store: store.ready())
    postgres.execute(
        "CREATE TABLE seen (value TEXT)",
        "CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO seen VALUES "
        "(current_setting('synchronous_commit') || current_setting('lock_timeout')); RETURN NEW; END $$",
        "CREATE TRIGGER seeing BEFORE INSERT ON rui_specs FOR EACH ROW EXECUTE FUNCTION see()",
        url=url,
    )
    with_store(f"{url}{option}", lambda store: store.store(spec()))
    assert postgres.execute("SELECT value FROM seen", url=url)[0][0] == "on1s"


def test_pgbouncer_in_transaction_mode(postgres: Postgres, tmp_path: Path, capsys) -> None:
    """All requests succeed, over fewer connections to the server than clients have; so do the commands."""
    url, load, copy = postgres.new_database(), Load(), f"sqlite:///{tmp_path}/copy.db"
    with pgbouncer(postgres) as address:
        pooled = f"{address}/{name_of(url)}?prepared=off"
        with patient_service(pooled) as service:
            with load.on(service.url, clients=16):
                load.wait_for(100)
            assert set(load.statuses) == {201}
            load.check_kept(service.client)
            assert backends(postgres, url) <= 4
        assert main(["copy", pooled, copy]) == main(["copy", copy, pooled]) == 0
    count = len(load.acknowledged)
    copied, there = capsys.readouterr().out.splitlines()
    assert (copied, there) == (
        f"{count} copied, 0 there already, 0 failed",
        f"0 copied, {count} there already, 0 failed",
    )
