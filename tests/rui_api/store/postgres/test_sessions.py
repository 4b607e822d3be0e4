"""Sessions with PostgreSQL servers that are silent, locked, conflicting, or wait for a standby."""

import asyncio
import json
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import pytest

from rui_api.commands.store import main
from rui_api.store.base import StorageUnavailable, Store, StoredSpec
from rui_api.store.factory import open_store
from rui_api.store.postgres import connection
from rui_api.store.postgres.errors import describe
from rui_api.store.postgres.hosts import parse_hosts
from rui_api.store.postgres.options import PostgresOptions
from rui_common.describe import minimal_example
from tests.rui_api.live import Service, process
from tests.rui_api.load import Load, wait_until
from tests.rui_api.postgres import Postgres, pgbouncer, postgres_server
from tests.rui_api.proxy import silent_listener

BACKENDS = (
    "SELECT count(*) FROM pg_stat_activity WHERE usename = 'rui' AND backend_type = 'client backend' AND datname = "
)


def spec(rui: bytes = b"{}") -> StoredSpec:
    return StoredSpec(str(uuid.uuid4()), "2026-01-31T09:15:00.123Z", "sha256:0", "0.1", "0.1", rui)


def with_store(url: str, scenario: Callable[[Store], object], **options: object) -> None:
    async def run() -> None:
        store = open_store(url, postgres=PostgresOptions(**options))
        try:
            await scenario(store)
        finally:
            await store.close()

    asyncio.run(run())


def name_of(url: str) -> str:
    return url.rpartition("/")[2]


def backends(server: Postgres, url: str) -> int:
    """Return the number of the server's processes for the database of `url`."""
    return server.execute(f"{BACKENDS}'{name_of(url)}'")[0][0]


@pytest.mark.parametrize(("url", "environment", "hosts"), [
    ("postgresql://rui@h/rui", {}, ["h"]),
    ("postgresql://rui:p%40@h1:1,h2:2/rui?sslmode=require", {}, ["h1 port 1", "h2 port 2"]),
    ("postgresql://[::1]:5,[fe80::1],10.0.0.1/rui", {}, ["::1 port 5", "fe80::1", "10.0.0.1"]),
    ("postgresql:///rui?host=a,b&port=1,2", {}, ["a port 1", "b port 2"]),
    ("postgresql:///rui?host=a,b&port=7", {}, ["a port 7", "b port 7"]),
    ("postgresql://%2Frun%2Fpostgresql/rui", {}, ["/run/postgresql"]),
    ("postgresql:///rui", {}, [""]), ("postgresql:///rui?service=x", {}, [""]),
    ("postgresql:///rui", {"PGHOST": "a,b:3", "PGPORT": "1,2"}, ["a port 1", "b port 3"]),
    ("postgresql://a:9,b/rui", {"PGPORT": "4"}, ["a port 9", "b port 4"]),
])  # fmt: skip
def test_hosts_of_a_url(monkeypatch, url: str, environment: dict[str, str], hosts: list[str]) -> None:
    monkeypatch.delenv("PGHOST", raising=False)
    monkeypatch.delenv("PGPORT", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert [str(host) for host in parse_hosts(url)] == hosts


def test_a_silent_first_host(postgres: Postgres) -> None:
    """It delays the first connection only: afterwards the last good host is first."""
    name = name_of(postgres.new_database())
    with silent_listener() as silent:
        times = []

        async def scenario(store: Store) -> None:
            for _ in range(5):
                begun = time.monotonic()
                await asyncio.gather(store.store(spec()), store.fetch(str(uuid.uuid4())))
                times.append(time.monotonic() - begun)
                await asyncio.to_thread(
                    postgres.execute, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
                )

        with_store(f"postgresql://rui@127.0.0.1:{silent},127.0.0.1:{postgres.port}/{name}", scenario)
        assert times[0] < 1.5
        assert min(times[1:]) < 0.2


def test_every_host_is_named(postgres: Postgres) -> None:
    with silent_listener() as silent:
        url = f"postgresql://rui@127.0.0.1:1,127.0.0.1:{silent},127.0.0.1:{postgres.port}/nowhere"

        async def scenario(store: Store) -> None:
            with pytest.raises(StorageUnavailable) as caught:
                await store.fetch(str(uuid.uuid4()))
            assert str(caught.value) == (
                'PostgreSQL: connection refused (127.0.0.1 port 1); database "nowhere" does not exist '
                f"(127.0.0.1 port {postgres.port}); no answer in time (127.0.0.1 port {silent})"
            )

        with_store(url, scenario)


def test_a_read_only_server_is_left_for_one_that_accepts_writes(postgres: Postgres) -> None:
    """By default several hosts mean: the one that accepts writes."""
    name = name_of(postgres.new_database())
    with postgres_server("-c", "default_transaction_read_only=on") as other:

        async def scenario(store: Store) -> None:
            kept = spec()
            await store.store(kept)
            assert await store.fetch(kept.spec_id) == kept

        with_store(f"postgresql://rui@127.0.0.1:{other.port},127.0.0.1:{postgres.port}/{name}", scenario)


def test_a_lock_uses_no_more_backends_than_configured(postgres: Postgres) -> None:
    url, load = postgres.new_database(), Load()
    with process("--store", url) as (child, service):
        service.store()
        with (
            postgres.transaction(url, "LOCK TABLE rui_specs IN ACCESS EXCLUSIVE MODE"),
            load.on(service.url, clients=8),
        ):
            begun, most = time.monotonic(), 0
            while time.monotonic() - begun < 6:
                most = max(most, backends(postgres, url) - 1)
                service.client.get("/api/specs/" + str(uuid.uuid4()))
        assert most <= 4
        assert load.statuses[503] > 8
        assert load.slowest < 5
        assert service.client.get(service.store()["url"]).status_code == 200
        child.terminate()
        logged = child.communicate(timeout=20)[1]
    check_each_reason_once(logged)
    assert logged.count("store answers again after") == 1


def check_each_reason_once(logged: str) -> None:
    events = [json.loads(line)["event"] for line in logged.splitlines()]
    reasons = [event for event in events if event.startswith("store unavailable: ")]
    assert len(reasons) == len({*reasons}) > 0


def in_a_thread(call: Callable[..., object], *arguments: str) -> None:
    """Call what runs an event loop of its own, also in an event loop."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(call, *arguments).result()


@contextmanager
def synchronous(postgres: Postgres) -> Iterator[Postgres]:
    """Yield a server whose commits wait for a standby that is not there."""
    in_a_thread(postgres.execute, "ALTER SYSTEM SET synchronous_standby_names = 'lost'", "SELECT pg_reload_conf()")
    try:
        yield postgres
    finally:
        in_a_thread(postgres.execute, "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")


def check_waiting(postgres: Postgres, url: str, service: Service, load: Load) -> None:
    """Nothing is acknowledged, reads continue, and few backends wait."""
    wait_until(lambda: load.statuses[503] > 8, "the clients are answered 503")
    known = len(load.acknowledged)
    begun, most = time.monotonic(), 0
    while time.monotonic() - begun < 6:
        most = max(most, backends(postgres, url))
        assert service.client.get(f"/api/specs/{uuid.uuid4()}").status_code == 404
    assert len(load.acknowledged) == known, "a spec was acknowledged that is on no standby"
    assert most <= 4


def test_a_lost_synchronous_standby(postgres: Postgres) -> None:
    """Commits wait for ever. They are not cancelled, and their number is limited."""
    url, load = postgres.new_database(), Load()
    with process("--store", url) as (child, service):
        service.store()
        with load.on(service.url, clients=8):
            load.wait_for(20)
            with synchronous(postgres):
                check_waiting(postgres, url, service, load)
        wait_until(lambda: service.client.get("/api/ready").status_code == 200, "the store is ready again")
        service.store()
        load.check_kept(service.client)
        child.terminate()
        logged = child.communicate(timeout=20)[1]
    assert "canceling wait for synchronous replication" not in postgres.log()
    assert "commits wait for the synchronous standby" in logged
    check_each_reason_once(logged)


def test_stopping_does_not_wait_for_a_lost_standby(postgres: Postgres) -> None:
    url = postgres.new_database()
    with process("--store", url) as (child, service):
        service.store()
        with synchronous(postgres):
            assert service.post("/api/specs", minimal_example()).status_code == 503
            child.terminate()
            assert child.wait(10) == 0
    assert "canceling wait for synchronous replication due to user request" not in postgres.log()


TRIGGER = """
CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF random() < 0.3 THEN RAISE EXCEPTION 'injected' USING ERRCODE = '40001'; END IF;
  RETURN NEW;
END $$
"""


def test_serialization_failures_in_a_third_of_the_inserts(postgres: Postgres) -> None:
    """Distributed databases answer 40001 under load; no request fails for it."""
    url = postgres.new_database()
    specs = [spec(b"%d" % number) for number in range(600)]

    async def scenario(store: Store) -> None:
        await store.ready()
        await asyncio.to_thread(
            postgres.execute, TRIGGER,
            "CREATE TRIGGER failing BEFORE INSERT ON rui_specs FOR EACH ROW EXECUTE FUNCTION fail()", url=url,
        )  # fmt: skip
        await asyncio.gather(*(store.store(one) for one in specs))
        assert [await store.fetch(one.spec_id) for one in specs] == specs
        assert store.stats().put.failed == 0

    with_store(url, scenario)


@pytest.mark.parametrize(("default", "expected"), [
    ("local", "on"), ("off", "on"), ("remote_write", "on"), ("remote_apply", "remote_apply"),
])  # fmt: skip
@pytest.mark.parametrize("is_prepared", [True, False])
def test_commits_are_durable_whatever_the_default(
    postgres: Postgres, default: str, expected: str, is_prepared: bool
) -> None:
    """A role default of `local` would acknowledge specs that no standby has."""
    url = postgres.new_database()
    postgres.execute(
        f"ALTER ROLE rui IN DATABASE {name_of(url)} SET synchronous_commit = '{default}'",
    )

    async def scenario(store: Store) -> None:
        await store.ready()
        await asyncio.to_thread(
            postgres.execute,
            "CREATE TABLE seen (value TEXT)",
            "CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$",
            "CREATE TRIGGER seeing BEFORE INSERT ON rui_specs FOR EACH ROW EXECUTE FUNCTION see()",
            url=url,
        )
        await store.store(spec())
        rows = await asyncio.to_thread(postgres.execute, "SELECT value FROM seen", url=url)
        assert [row[0] for row in rows] == [expected]

    with_store(url, scenario, is_prepared=is_prepared)


def test_a_lost_answer_is_not_acknowledged_without_the_standby(postgres: Postgres) -> None:
    """The server ends a commit that waits for the standby; afterwards the row is there, on this server only."""
    url = postgres.new_database()
    kept = spec()

    def end_the_wait() -> None:
        end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        wait_until(lambda: bool(postgres.execute(end)), "the commit waits")
        found = f"SELECT 1 FROM rui_specs WHERE spec_id = '{kept.spec_id}'"
        wait_until(lambda: bool(postgres.execute(found, url=url)), "it has ended without the standby, and is visible")

    async def scenario(store: Store) -> None:
        await store.store(spec())
        with synchronous(postgres):
            put = asyncio.create_task(store.store(kept))
            await asyncio.to_thread(end_the_wait)
            with pytest.raises(StorageUnavailable):
                await put
        assert await store.fetch(kept.spec_id) == kept

    with_store(url, scenario)


def test_pgbouncer_in_transaction_mode(postgres: Postgres) -> None:
    """All requests succeed, over fewer connections to the server than clients have."""
    name = name_of(postgres.new_database())
    load = Load()
    with (
        pgbouncer(postgres) as address,
        process(
            "--store",
            f"{address}/{name}",
            "--postgres-prepared",
            "off",
            "--postgres-writers",
            "4",
            "--postgres-readers",
            "4",
        ) as (_, service),
    ):
        with load.on(service.url, clients=16):
            load.wait_for(300)
        assert set(load.statuses) == {201}
        load.check_kept(service.client)
        rows = postgres.execute(f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{name}'")
        assert rows[0][0] <= 4


def test_commands_through_a_pooler(postgres: Postgres, tmp_path: Path, capsys) -> None:
    url = postgres.new_database()

    async def scenario(store: Store) -> None:
        await store.ready()

    with_store(url, scenario)
    postgres.execute(
        "INSERT INTO rui_specs SELECT gen_random_uuid(), '2026-01-31', '', '', '', '{\"deleted\": \"x\"}' "
        "FROM generate_series(1, 300)",
        url=url,
    )
    copy = f"sqlite:///{tmp_path}/copy.db"
    with pgbouncer(postgres) as address:
        pooled = f"{address}/{name_of(url)}"
        assert main(["copy", pooled, copy]) == 0
        assert main(["copy", copy, pooled]) == 0
        assert main(["info", pooled]) == 0
    assert "300" in capsys.readouterr().out


@pytest.mark.parametrize("error", [
    asyncpg.InvalidSQLStatementNameError('prepared statement "__asyncpg_stmt_1__" does not exist'),
    asyncpg.DuplicatePreparedStatementError('prepared statement "__asyncpg_stmt_1__" already exists'),
])  # fmt: skip
def test_errors_of_a_pooler_name_the_option(error: Exception) -> None:
    assert describe(error) == f"{error}: a pooler in transaction mode needs --postgres-prepared off"


def test_a_read_after_another_session_had_an_answer(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed attempt to connect is no reason for 503 once the server has answered: /api/ready was 200 before."""
    monkeypatch.setattr(connection, "RETRY_INTERVAL", 1.0)
    stored = spec()

    async def scenario(store: Store) -> None:
        await store.store(stored)
        postgres.freeze()
        try:
            with pytest.raises(StorageUnavailable):
                await store.fetch(stored.spec_id)
        finally:
            postgres.thaw()
        await store.ready()
        assert await store.fetch(stored.spec_id) == stored

    with_store(postgres.new_database(), scenario)


def test_a_connection_that_takes_too_long_while_the_server_thaws(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attempt began while the server was frozen, and the server has answered another session since."""
    monkeypatch.setattr(connection, "RETRY_INTERVAL", 0.1)
    stored = spec()

    async def scenario(store: Store) -> None:
        await store.store(stored)
        connect = connection.Hosts.connect
        attempts = []

        async def connect_late(hosts: connection.Hosts, *arguments: object) -> object:
            attempts.append(hosts)
            if len(attempts) == 1:
                await store.ready()
                raise TimeoutError
            return await connect(hosts, *arguments)

        monkeypatch.setattr(connection.Hosts, "connect", connect_late)
        assert await store.fetch(stored.spec_id) == stored
        assert len(attempts) == 2

    with_store(postgres.new_database(), scenario)
