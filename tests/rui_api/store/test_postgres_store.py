"""PostgreSQL servers that are silent, locked or pooled, or wait for a standby."""

import asyncio
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
from rui_api.store.postgres import CONNECTIONS, INSERT, LIST, SELECT
from rui_common.describe import minimal_example
from tests.rui_api.live import Service, process
from tests.rui_api.load import Load, wait_until
from tests.rui_api.postgres import Postgres, pgbouncer, postgres_server
from tests.rui_api.proxy import silent_listener

MAX_BACKENDS = 4 * CONNECTIONS
"""Connections that write and that read, each twice: the old ones may still wait when new ones are opened."""
BACKENDS = (
    "SELECT count(*) FROM pg_stat_activity WHERE usename = 'rui' AND backend_type = 'client backend' AND datname = "
)


def spec(rui: bytes = b"{}") -> StoredSpec:
    return StoredSpec(str(uuid.uuid4()), "2026-01-31T09:15:00.123Z", "sha256:0", "0.1", "0.1", rui)


def with_store(url: str, scenario: Callable[[Store], object]) -> None:
    async def run() -> None:
        store = open_store(url)
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


def test_a_silent_first_host(postgres: Postgres) -> None:
    """Each server has a time limit of its own."""
    name = name_of(postgres.new_database())
    with silent_listener() as silent:

        async def scenario(store: Store) -> None:
            await asyncio.gather(store.store(spec()), store.fetch(str(uuid.uuid4())))

        with_store(f"postgresql://rui@127.0.0.1:{silent},127.0.0.1:{postgres.port}/{name}", scenario)


def test_the_reason_of_every_host_is_given(postgres: Postgres) -> None:
    with silent_listener() as silent:
        url = f"postgresql://rui@127.0.0.1:1,127.0.0.1:{silent},127.0.0.1:{postgres.port}/nowhere"

        async def scenario(store: Store) -> None:
            with pytest.raises(StorageUnavailable) as caught:
                await store.fetch(str(uuid.uuid4()))
            reasons = str(caught.value).removeprefix("PostgreSQL: ").split("; ")
            assert reasons[0].endswith("Connect call failed ('127.0.0.1', 1)")
            assert reasons[1:] == ["no connection in time", 'database "nowhere" does not exist']

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
        assert most <= MAX_BACKENDS
        assert load.statuses[503] > 8
        assert load.slowest < 5
        assert service.client.get(service.store()["url"]).status_code == 200
        child.terminate()
        logged = child.communicate(timeout=20)[1]
    assert logged.count("canceling statement due to lock timeout") in (1, 2), "once for storing, once for fetching"


def in_a_thread(call: Callable[..., object], *arguments: object) -> None:
    """Call what runs an event loop of its own, also in an event loop."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(call, *arguments).result()


@contextmanager
def synchronous(postgres: Postgres) -> Iterator[Postgres]:
    """Yield a server whose commits wait for a standby that is not there."""
    in_a_thread(postgres.execute, "ALTER SYSTEM SET synchronous_standby_names = 'lost'", "SELECT pg_reload_conf()")
    in_a_thread(wait_until, lambda: "lost" in str(postgres.execute("SHOW synchronous_standby_names")), "it is set")
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
    assert most <= MAX_BACKENDS


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
    assert logged.count("store unavailable: storing: PostgreSQL: no answer within 1.5 s") == 1
    assert "fetching" not in logged


def test_stopping_does_not_wait_for_a_lost_standby(postgres: Postgres) -> None:
    url = postgres.new_database()
    with process("--store", url) as (child, service):
        service.store()
        with synchronous(postgres):
            # An open connection may read its configuration later.
            wait_until(lambda: service.post("/api/specs", minimal_example()).status_code == 503, "a commit waits")
            child.terminate()
            assert child.wait(10) == 0
    assert "canceling wait for synchronous replication due to user request" not in postgres.log()


@pytest.mark.parametrize(("default", "expected"), [
    ("local", "on"), ("off", "on"), ("remote_write", "on"), ("remote_apply", "remote_apply"),
])  # fmt: skip
@pytest.mark.parametrize("option", ["", "?prepared=off"])
def test_commits_are_durable_whatever_the_default(postgres: Postgres, default: str, expected: str, option: str) -> None:
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

    with_store(f"{url}{option}", scenario)


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
        await store.open()
        with synchronous(postgres):  # the connection that stores is a new one, with this configuration
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
        process("--store", f"{address}/{name}?prepared=off") as (_, service),
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
        "INSERT INTO rui_specs SELECT gen_random_uuid(), '2026-01-31', '', '', '', 'x' FROM generate_series(1, 300)",
        url=url,
    )
    copy = f"sqlite:///{tmp_path}/copy.db"
    with pgbouncer(postgres) as address:
        pooled = f"{address}/{name_of(url)}?prepared=off"
        assert main(["copy", pooled, copy]) == 0
        assert main(["copy", copy, pooled]) == 0
    assert "300" in capsys.readouterr().out


def test_no_statement_scans(postgres: Postgres) -> None:
    """The plan of each statement on a filled table uses the primary key."""
    url = postgres.new_database()
    with_store(url, lambda store: store.ready())
    postgres.execute(
        "INSERT INTO rui_specs SELECT gen_random_uuid(), '', 'hash', '', '', decode(repeat('78', 300), 'hex') "
        "FROM generate_series(1, 20000)",
        "ANALYZE rui_specs",
        url=url,
    )

    async def explain(statement: str, *arguments: object) -> str:
        connection = await asyncpg.connect(url)
        try:
            return str(await connection.fetch(f"EXPLAIN {statement}", *arguments))
        finally:
            await connection.close()

    spec_id = str(uuid.uuid4())
    for statement, arguments in ((SELECT, (spec_id,)), (LIST, (spec_id, 256)), (INSERT, spec())):
        plan = asyncio.run(explain(statement, *arguments))
        assert "Seq Scan" not in plan and "Sort" not in plan, plan
