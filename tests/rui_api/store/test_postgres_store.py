"""PostgreSQL servers that are silent, locked or pooled, or wait for a standby."""

import asyncio
import gc
import socket
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest

from rui_api.commands.store import main
from rui_api.store.availability import StoreOptions
from rui_api.store.base import OutcomeUnknown, StorageUnavailable, Store
from rui_api.store.factory import open_store, opened_store, prepare_store
from rui_api.store.postgres import CONNECTIONS, CREATE_VERSION, MAX_MISSES, SET_VERSION
from rui_api.store.schema import POSTGRES_VERSIONS
from rui_common.describe import minimal_example
from tests.rui_api.live import AS_SHIPPED, PATIENT, Service, patient_service, process, wait_until
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


def test_a_silent_server_is_a_reason() -> None:
    """Whether the limit of a connection or that of waiting for one ends first."""
    with silent_listener() as port, pytest.raises(StorageUnavailable, match=r"^PostgreSQL: no connection in time$"):
        with_store(f"postgresql://rui@127.0.0.1:{port}/rui", lambda store: store.open(), deadline=0.3)


def test_a_server_that_fails_is_tried_last_and_again(postgres: Postgres) -> None:
    """It may be the primary later."""
    name = name_of(postgres.new_database())
    tried: list[None] = []

    def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tried.append(None)
        writer.close()

    async def is_tried(store: Store) -> bool:
        """Whether a request has tried the server that hangs up; the first one of a kind opens a connection."""
        tried.clear()
        with suppress(StorageUnavailable):
            await store.fetch(str(uuid.uuid4()))
        return bool(tried)

    async def scenario() -> None:
        async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as failing:
            port = failing.sockets[0].getsockname()[1]
            options = StoreOptions(deadline=PATIENT)
            url = f"postgresql://rui@127.0.0.1:{port},127.0.0.1:{postgres.port}/{name}"
            async with opened_store(url, options) as store:
                tried.clear()
                await store.store(spec())
                assert tried == []
            failing_store = open_store(f"postgresql://rui@127.0.0.1:{port},127.0.0.1:1/{name}", options)
            assert [await is_tried(failing_store) for _ in range(3)] == [True] * 3
            await failing_store.close()

    asyncio.run(scenario())


def test_the_kind_of_server_that_a_url_wants(postgres: Postgres) -> None:
    """Of several servers, one that can store is taken, unless the URL says otherwise."""
    single = postgres.new_database()
    name, place = name_of(single), f"127.0.0.1:{postgres.port}"
    several = f"postgresql://rui@{place},{place}/{name}"
    with_store(several, lambda store: store.ready())
    postgres.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    for url in (single, f"{several}?target_session_attrs=any"):
        with_store(url, lambda store: store.open())
    for url in (several, f"{several}?target_session_attrs=standby"):
        with pytest.raises(StorageUnavailable, match="None of the hosts match"):
            with_store(url, lambda store: store.open())


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


def test_the_table_of_another_program_is_not_used(postgres: Postgres) -> None:
    url = postgres.new_database()
    postgres.execute(POSTGRES_VERSIONS[0], url=url)

    async def scenario(store: Store) -> None:
        for call in (store.open(), store.store(spec()), store.ready()):
            with pytest.raises(StorageUnavailable, match='relation "rui_specs" already exists'):
                await call

    with_store(url, scenario)
    assert postgres.execute("SELECT count(*) FROM rui_specs", url=url)[0][0] == 0


def test_a_server_that_is_not_the_primary_any_more(postgres: Postgres) -> None:
    """A new connection may lead to the new primary, or to the same server after its promotion."""
    url = postgres.new_database()
    with_store(url, lambda store: store.open())
    setting = f"ALTER DATABASE {name_of(url)} SET default_transaction_read_only = "

    async def scenario(store: Store) -> None:
        await asyncio.to_thread(postgres.execute, f"{setting} on")
        with pytest.raises(StorageUnavailable, match="read-only"):
            await store.store(spec())
        await asyncio.to_thread(postgres.execute, f"{setting} off")
        await store.store(spec())

    with_store(url, scenario)


HANGING = (
    "CREATE TABLE hanging (pid INTEGER)",
    "INSERT INTO hanging VALUES (0)",
    "CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    "WHILE EXISTS (SELECT FROM hanging WHERE pid IN (0, pg_backend_pid())) LOOP PERFORM pg_sleep(0.01); END LOOP; "
    "RETURN NEW; END $$",
    "CREATE TRIGGER hanging BEFORE INSERT ON rui_specs FOR EACH ROW EXECUTE FUNCTION hang()",
)
"""Insertions hang while a table has the number of their process, or 0."""


def test_connections_that_hang_are_closed_when_new_ones_work(postgres: Postgres, caplog) -> None:
    """Nobody waits for their requests any more, so asyncio logs no error of them."""
    url = postgres.new_database()
    with_store(url, lambda store: store.open())
    postgres.execute(*HANGING, url=url)
    others = f"FROM pg_stat_activity WHERE datname = '{name_of(url)}' AND backend_type = 'client backend'"
    hanging = f"SELECT pid {others} AND query LIKE 'INSERT%rui_specs%'"

    async def fail(store: Store, text: str) -> None:
        """Store until it fails with a text. On a busy machine, it may connect too late first."""
        while True:
            with pytest.raises(StorageUnavailable) as caught:
                await store.store(spec())
            if text in str(caught.value):
                return

    async def scenario(store: Store) -> None:
        for _ in range(MAX_MISSES):
            await fail(store, "no answer within")
        old = {pid for (pid,) in await asyncio.to_thread(postgres.execute, hanging, url=url)}
        let_others_pass = f"INSERT INTO hanging {hanging}", "DELETE FROM hanging WHERE pid = 0"
        await asyncio.to_thread(postgres.execute, *let_others_pass, url=url)
        await store.store(spec())
        await asyncio.to_thread(postgres.execute, "DELETE FROM hanging", url=url)
        left = f"SELECT pid {others}"
        await asyncio.to_thread(
            wait_until, lambda: old.isdisjoint(pid for (pid,) in postgres.execute(left, url=url)), "they are closed"
        )

    with_store(url, scenario, deadline=0.5)
    gc.collect()
    assert "Task exception was never retrieved" not in caplog.text


@pytest.mark.parametrize(("statement", "is_known"), [("no_such_function()", True), ("no_such_column", False)])
def test_the_identity_on_other_servers(postgres: Postgres, monkeypatch, statement: str, is_known: bool) -> None:
    """A server with this protocol that lacks a function is known by its URLs. Any other error is one."""
    monkeypatch.setattr("rui_api.store.postgres.IDENTITY", f"SELECT {statement}")
    first, second = postgres.new_schema(), postgres.new_schema()
    if not is_known:
        with pytest.raises(StorageUnavailable, match="no_such_column"):
            with_store(first, lambda store: store.identity())
        return
    found = [with_store(url, lambda store: store.identity()) for url in (first, first, second)]
    assert found[0] == found[1] != found[2]


def test_a_table_without_a_limit_is_not_measured(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other servers with this protocol have no functions for it."""
    monkeypatch.setattr("rui_api.store.postgres.SIZE", "SELECT no_such_function()")
    with_store(postgres.new_schema(), lambda store: store.store(spec()), deadline=60)


IGNORED = "synchronous_commit,lock_timeout,search_path,options"
"""Parameters that a pooler drops, as operators set it after it has refused them."""
Reached = Callable[[Postgres], AbstractContextManager[str]]
WAYS: dict[str, Reached] = {
    "directly": lambda server: nullcontext(server.url("").rstrip("/")),
    "session": lambda server: pgbouncer(server, "session", default_pool_size="20"),
    "session, ignoring": lambda server: pgbouncer(
        server, "session", default_pool_size="20", ignore_startup_parameters=IGNORED
    ),
    "transaction": pgbouncer,
    "transaction, ignoring": lambda server: pgbouncer(server, ignore_startup_parameters=IGNORED),
}
"""How the store reaches the server."""


@pytest.mark.parametrize(("way", "option", "default", "wanted"), [
    ("directly", "", "off", "on"), ("directly", "", "local", "on"), ("directly", "", "remote_apply", "remote_apply"),
    ("directly", "?prepared=off", "off", "on"), ("session", "", "local", "on"), ("session, ignoring", "", "off", "on"),
    ("session, ignoring", "?prepared=off", "remote_apply", "remote_apply"), ("transaction", "", "off", "on"),
    ("transaction", "?prepared=off", "local", "on"), ("transaction, ignoring", "", "local", "on"),
    ("transaction, ignoring", "?prepared=off", "off", "on"),
])  # fmt: skip
def test_commits_are_durable_whatever_the_default(
    postgres: Postgres, way: str, option: str, default: str, wanted: str
) -> None:
    """A default of `local` would acknowledge specs that no standby has; one that waits for more is kept."""
    url = postgres.new_database()
    postgres.execute(f"ALTER ROLE rui IN DATABASE {name_of(url)} SET synchronous_commit = '{default}'")
    with WAYS[way](postgres) as address:
        pooled = f"{address}/{name_of(url)}{option}"
        with_store(pooled, lambda store: store.ready())
        postgres.execute(*SEEING, url=url)
        with_store(pooled, lambda store: store.store(spec()))
    assert postgres.execute("SELECT value FROM seen", url=url)[0][0] == f"{wanted}, 1s"


SEEING = (
    "CREATE TABLE seen (value TEXT)",
    "CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO seen VALUES "
    "(current_setting('synchronous_commit') || ', ' || current_setting('lock_timeout')); RETURN NEW; END $$",
    "CREATE TRIGGER seeing BEFORE INSERT ON rui_specs FOR EACH ROW EXECUTE FUNCTION see()",
)
"""Each insertion writes down which settings are in force."""


WRITER = "DO $$ BEGIN CREATE ROLE writer; EXCEPTION WHEN duplicate_object THEN END $$"


@pytest.mark.parametrize(("way", "parameters", "schema", "owner"), [
    ("directly", "search_path=other", "other", "rui"), ("directly", "search_path=other&role=writer", "other", "writer"),
    ("session", "search_path=%22o'ther%5C%22", "o'ther\\", "rui"),
    ("session, ignoring", "search_path=other", "other", "rui"),
    ("session, ignoring", "options=-c%20search_path%3Dother", "other", "rui"),
    ("transaction", "search_path=other", "other", "rui"),
    ("transaction", "options=-c%20search_path%3Dother", "other", "rui"),
    ("transaction, ignoring", "search_path=other&role=writer", "other", "writer"),
    ("transaction, ignoring", "search_path=%22o'ther%5C%22", "o'ther\\", "rui"),
])  # fmt: skip
def test_settings_of_the_url_are_in_force(
    postgres: Postgres, way: str, parameters: str, schema: str, owner: str
) -> None:
    """Otherwise specs would be stored in another schema, or looked for there."""
    url = postgres.new_database()
    postgres.execute(f'CREATE SCHEMA "{schema}"', WRITER, f'GRANT ALL ON SCHEMA "{schema}" TO writer', url=url)
    if way.startswith("transaction"):
        parameters += "&prepared=off"
    with WAYS[way](postgres) as address:
        with_store(f"{address}/{name_of(url)}?{parameters}", lambda store: store.store(spec()))
    found = "SELECT schemaname, tableowner FROM pg_tables WHERE tablename = 'rui_specs'"
    assert [tuple(row) for row in postgres.execute(found, url=url)] == [(schema, owner)]
    assert postgres.execute(f'SELECT count(*) FROM "{schema}".rui_specs', url=url)[0][0] == 1


PLAIN = "DO $$ BEGIN CREATE ROLE plain LOGIN; EXCEPTION WHEN duplicate_object THEN END $$"
HIDDEN = ("REVOKE ALL ON SCHEMA public FROM PUBLIC",)
SLOW = (
    "CREATE FUNCTION wait() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); END $$",
    "CREATE EVENT TRIGGER wait ON ddl_command_start EXECUTE FUNCTION wait()",
)
OF_ANOTHER = (CREATE_VERSION, SET_VERSION, *POSTGRES_VERSIONS)


@pytest.mark.parametrize(("statements", "role", "parameters", "words"), [
    ((), "plain", "", "permission denied for schema public; GRANT CREATE ON SCHEMA public TO plain"),
    ((), "plain", "?prepared=off", "permission denied for schema public; GRANT CREATE ON SCHEMA public TO plain"),
    (POSTGRES_VERSIONS, "plain", "", "permission denied for schema public; GRANT CREATE ON"),
    (OF_ANOTHER, "plain", "",
     "permission denied for table rui_schema_version; the role needs SELECT, INSERT and UPDATE on rui_specs"),
    (HIDDEN, "plain", "", "no schema has been selected to create in; CREATE SCHEMA"),
    ((), "rui", "?search_path=nothing", "no schema has been selected to create in; CREATE SCHEMA"),
    (SLOW, "rui", "?statement_timeout=100", "statement_timeout of the role or the URL may be too short"),
    ((), "rui", "?options=-c%20no_such_setting%3D1", 'unrecognized configuration parameter "no_such_setting"'),
])  # fmt: skip
def test_what_an_operator_can_do_is_a_part_of_the_reason(
    postgres: Postgres, statements: Sequence[str], role: str, parameters: str, words: str
) -> None:
    url = postgres.new_database()
    postgres.execute(PLAIN, *statements, url=url)
    found = prepare_store(f"{url.replace('rui@', f'{role}@')}{parameters}").error
    assert words in str(found) and "\n" not in str(found)


@pytest.mark.parametrize(("parameters", "words"), [
    ("", "a pooler in transaction mode needs prepared=off in the URL"),
    ("?options=--jit%3Doff", "a pooler passes on only the options of the URL that are like -c NAME=VALUE"),
])  # fmt: skip
def test_what_helps_behind_a_pooler_is_a_part_of_the_reason(postgres: Postgres, parameters: str, words: str) -> None:
    url = postgres.new_database()

    async def many(store: Store) -> None:
        for _ in range(1_000):
            await asyncio.gather(*(store.store(spec()) for _ in range(8)))

    with pgbouncer(postgres) as address, pytest.raises(StorageUnavailable, match=words) as caught:
        with_store(f"{address}/{name_of(url)}{parameters}", many)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("statement", "word"), [
    ("SELECT 1", "fsync = off"),
    ("ALTER TABLE rui_specs SET UNLOGGED", "UNLOGGED"),
    ("ALTER DATABASE {0} SET default_transaction_read_only = on", "read-only"),
])  # fmt: skip
def test_risks_are_said_at_the_start(postgres: Postgres, statement: str, word: str) -> None:
    """Settings that only an operator can change."""
    url = postgres.new_database()
    assert [word for word in prepare_store(url).warnings if "fsync" not in word] == []
    postgres.execute(statement.format(name_of(url)), url=url)
    assert sum(word in warning for warning in prepare_store(url).warnings) == 1


def test_a_cluster_without_a_synchronous_standby(postgres: Postgres) -> None:
    """It matters only if a failover is expected: if the URL has several servers."""
    url = postgres.new_database()
    place = f"127.0.0.1:{postgres.port}"
    several = f"postgresql://rui@{place},{place}/{name_of(url)}"
    assert not any("synchronous standby" in warning for warning in prepare_store(url).warnings)
    assert any("synchronous standby" in warning for warning in prepare_store(several).warnings)
    with synchronous(postgres):
        assert not any("synchronous standby" in warning for warning in prepare_store(several).warnings)


def outcome_of(url: str, **options: Any) -> StorageUnavailable:
    """Return the error of storing a spec."""
    with pytest.raises(StorageUnavailable) as caught:
        with_store(url, lambda store: store.store(spec()), **options)
    return caught.value


def test_whether_a_spec_may_be_stored(postgres: Postgres) -> None:
    """Only if its statement was sent, and had no answer."""
    url = postgres.new_database()
    name = name_of(url)
    with_store(url, lambda store: store.open())
    with synchronous(postgres):
        assert isinstance(outcome_of(url, deadline=0.5), OutcomeUnknown)
    with postgres.transaction(url, "LOCK TABLE rui_specs IN ACCESS EXCLUSIVE MODE"):
        refused = outcome_of(url)
        assert "lock timeout" in str(refused) and not isinstance(refused, OutcomeUnknown)
    for unused in (f"postgresql://rui@127.0.0.1:1/{name}", f"{url}nothing"):
        assert not isinstance(outcome_of(unused), OutcomeUnknown)

    async def scenario(store: Store) -> None:
        """End the connection of a commit that waits."""
        storing = asyncio.create_task(store.store(spec()))
        waiting = f"FROM pg_stat_activity WHERE datname = '{name}' AND wait_event = 'SyncRep'"
        await asyncio.to_thread(
            wait_until, lambda: bool(postgres.execute(f"SELECT pid {waiting}")), "it waits for the standby"
        )
        await asyncio.to_thread(postgres.execute, f"SELECT pg_terminate_backend(pid) {waiting}")
        with pytest.raises(OutcomeUnknown):
            await storing

    with synchronous(postgres):
        with_store(url, scenario)
    assert postgres.execute("SELECT count(*) FROM rui_specs", url=url)[0][0] == 2, "both were stored"


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
