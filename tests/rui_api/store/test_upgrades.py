"""Versions of the schema: upgrades while services run, programs of two versions side by side, and the way back."""

import asyncio
import json
import re
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from rui_api.app import create_app
from rui_api.commands.serve import main as serve
from rui_api.commands.store import main
from rui_api.config.options import Settings
from rui_api.store import migrations
from rui_api.store.base import StorageUnavailable
from rui_api.store.factory import migrate_store
from rui_api.store.migrations import POSTGRES_STEPS, SQLITE_STEPS, Step
from rui_api.store.rows import to_row
from rui_common.describe import minimal_example
from tests.rui_api.live import Service, process, running
from tests.rui_api.store.test_copy import specs

FINAL = len(SQLITE_STEPS)
COLUMNS = "spec_id, created_at, content_hash, validation_version, registry_version, normalized_rui"

NEXT_PROGRAM = """
import sys
from rui_api.store import migrations
from rui_api.store.migrations import Step
for name, table in (("SQLITE_STEPS", "specs"), ("POSTGRES_STEPS", "rui_specs")):
    steps = (
        Step((f"ALTER TABLE {table} ADD COLUMN note TEXT",), "notes"),
        Step((f"CREATE INDEX CONCURRENTLY IF NOT EXISTS {table}_note ON {table} (note)",), "an index", is_online=True),
        Step((), "notes are written", is_closing=True),
    )
    setattr(migrations, name, getattr(migrations, name) + steps)
from rui_api.commands import serve, store
sys.exit(store.main(sys.argv[2:]) if sys.argv[1] == "store" else serve.main())
"""
"""A program that knows three more steps of the schema."""


class Database:
    """A store, and the SQL of the first version, which compares the version with 1 and knows one table."""

    def __init__(self, url: str, run: Callable[..., list[tuple[object, ...]]]) -> None:
        self.url = url
        self._run = run

    def execute(self, statement: str) -> list[tuple[object, ...]]:
        """Run SQL that names the tables as in PostgreSQL."""
        return self._run(statement)

    def create_first_version(self) -> None:
        self.execute("CREATE TABLE rui_schema_version (version INTEGER NOT NULL)")
        self.execute("INSERT INTO rui_schema_version VALUES (1)")
        steps = SQLITE_STEPS if self.url.startswith("sqlite") else POSTGRES_STEPS
        self._run(steps[0].statements[0], is_exact=True)

    def version(self) -> int:
        return int(self.execute("SELECT max(version) FROM rui_schema_version")[0][0])

    def steps(self) -> list[int]:
        return [step for (step,) in self.execute("SELECT step FROM rui_schema_steps ORDER BY step")]

    def first_put(self) -> dict[str, object]:
        """Store a document as a program of the first version does, and return its SavedSpec."""
        assert self.version() == 1
        spec = specs(1)[0]
        values = ", ".join(f"'{value}'" for value in spec[:5])
        blob = f"x'{spec.rui.hex()}'" if self.url.startswith("sqlite") else f"decode('{spec.rui.hex()}', 'hex')"
        self.execute(f"INSERT INTO rui_specs ({COLUMNS}) VALUES ({values}, {blob})")
        return {"specId": spec.spec_id, "normalizedRui": json.loads(spec.rui)}

    def first_get(self, spec_id: object) -> object:
        """Return the document of a spec as a program of the first version reads it."""
        ((content,),) = self.execute(f"SELECT normalized_rui FROM rui_specs WHERE spec_id = '{spec_id}'")
        return json.loads(content)


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    if request.param == "postgres":
        server = request.getfixturevalue("postgres")
        url = server.new_database()
        return Database(url, lambda statement, **_: [tuple(row) for row in server.execute(statement, url=url)])

    def run(statement: str, *, is_exact: bool = False) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(tmp_path / "rui.db", isolation_level=None, timeout=20)) as connection:
            return connection.execute(statement if is_exact else statement.replace("rui_s", "s")).fetchall()

    return Database(f"sqlite:///{tmp_path}/rui.db", run)


def settings(database: Database) -> Settings:
    return Settings(store=database.url, spec_cache_bytes=0)


def check_kept(service: Service, *saved: dict[str, object]) -> None:
    for spec in saved:
        answer = service.client.get(f"/api/specs/{spec['specId']}")
        assert (answer.status_code, answer.json()["normalizedRui"]) == (200, spec["normalizedRui"])


def test_a_store_of_the_first_version(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    """Until `migrate --finish`, a program of the first version reads and writes next to the service."""
    database.create_first_version()
    saved = [database.first_put()]
    with running(create_app(settings(database))) as service:
        saved.append(service.store())
        saved.append(database.first_put())
        check_kept(service, *saved)
        assert main(["info", database.url]) == 0
        assert "2 steps of its schema left" in capsys.readouterr().out
        assert main(["migrate", database.url]) == 0
        out = capsys.readouterr().out
        assert re.search(r"^step 2 of 3, indexes of .*: done in \d+\.\d s$", out, re.MULTILINE)
        assert "left: 3 (new specs are compressed). Run it with --finish when no program of an earlier version" in out
        assert (database.version(), database.steps()) == (1, [2])
        saved.append(service.store())
        saved.append(database.first_put())
        for spec in saved:
            assert database.first_get(spec["specId"]) == spec["normalizedRui"]
    with running(create_app(settings(database))) as service:  # the indexes are no reason to compress
        saved.append(service.store())
        assert database.first_get(saved[-1]["specId"]) == saved[-1]["normalizedRui"]
    assert main(["migrate", "--finish", database.url]) == 0
    assert (database.version(), database.steps()) == (3, [2, 3])
    assert capsys.readouterr().out.endswith("the schema is up to date\n")
    assert main(["migrate", "--finish", database.url]) == 0
    with running(create_app(settings(database))) as service:
        saved.append(service.store(json.loads(specs(1)[0].rui)))
        check_kept(service, *saved)
    ((content,),) = database.execute(f"SELECT normalized_rui FROM rui_specs WHERE spec_id = '{saved[-1]['specId']}'")
    assert content[:1] == b"\x01"


def log_of_a_run(database: Database, log: Path) -> str:
    """Run a service until it has stopped in good order, and return its log."""
    arguments = ("--store", database.url, "--log-file", str(log), "--log-level", "info")
    with process(*arguments) as (child, service):
        service.store()
        child.terminate()
        child.wait(30)
    return log.read_text()


def test_a_start_reports_the_steps_that_are_left(database: Database, tmp_path: Path) -> None:
    database.create_first_version()
    report = "the schema of the store has 2 steps left to take: see rui store migrate --help"
    assert report in log_of_a_run(database, tmp_path / "before")
    assert main(["migrate", "--finish", database.url]) == 0
    assert "steps left" not in log_of_a_run(database, tmp_path / "after")


def test_a_new_store_has_all_steps(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    assert migrate_store(database.url) is None
    assert (database.version(), database.steps()) == (FINAL, list(range(1, FINAL + 1)))
    assert main(["migrate", database.url]) == 0
    assert capsys.readouterr().out == "the schema is up to date\n"


def next_program(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", NEXT_PROGRAM, "store", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_rolling_upgrade_and_the_way_back(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    with process("--store", database.url, "--spec-cache-bytes", "0") as (_, old):
        saved = [old.store()]
        with process("--store", database.url, program=("-c", NEXT_PROGRAM)) as (_, new):
            saved += [new.store(), old.store()]
            for service in (old, new):
                check_kept(service, *saved)
            done = next_program("migrate", database.url)
            assert (done.returncode, done.stderr) == (0, "")
            assert "step 5 of 6, an index: done" in done.stdout and "left: 6 (notes are written)" in done.stdout
            saved += [new.store(), old.store()]
        check_kept(old, *saved)
    assert database.version() == FINAL
    with process("--store", database.url) as (_, back):  # a new process of the earlier version
        saved.append(back.store())
        check_kept(back, *saved)
    assert next_program("migrate", "--finish", database.url).returncode == 0
    assert serve(["--port", "0", "--store", database.url]) == 2
    assert f"requires schema version {FINAL + 3}, this program knows versions up to {FINAL}" in capsys.readouterr().err
    with process("--store", database.url, program=("-c", NEXT_PROGRAM)) as (_, new):
        check_kept(new, *saved)


def test_an_online_step_while_a_service_stores(postgres, capsys: pytest.CaptureFixture[str]) -> None:
    """The step waits for a transaction of somebody else, longer than any request may take; the service stores."""
    url = postgres.new_database()
    first_version(postgres, url)
    with running(create_app(Settings(store=url))) as service:
        service.store()
        with postgres.transaction(url, "INSERT INTO rui_specs SELECT gen_random_uuid(), '', '', '', '', ''"):
            thread = threading.Thread(target=main, args=(["migrate", url],))
            thread.start()
            while not postgres.execute("SELECT 1 FROM pg_stat_progress_create_index", url=url):
                assert thread.is_alive()
            begun = time.monotonic()
            stored = 0
            while time.monotonic() - begun < 3:
                assert service.post("/api/specs", minimal_example()).status_code == 201
                stored += 1
            assert thread.is_alive() and stored > 3
        thread.join(30)
    assert "done in" in capsys.readouterr().out
    assert postgres.execute("SELECT count(*) FROM pg_index WHERE NOT indisvalid", url=url) == [(0,)]


def first_version(postgres, url: str) -> None:
    version = "CREATE TABLE rui_schema_version (version INTEGER PRIMARY KEY)"
    postgres.execute(version, "INSERT INTO rui_schema_version VALUES (1)", POSTGRES_STEPS[0].statements[0], url=url)


def test_an_index_that_was_not_finished_is_built_again(postgres, capsys: pytest.CaptureFixture[str]) -> None:
    url = postgres.new_database()
    first_version(postgres, url)
    end = ("SELECT pg_terminate_backend(pid) FROM pg_stat_progress_create_index "
           "WHERE datname = current_database()")  # fmt: skip
    with postgres.transaction(url, "INSERT INTO rui_specs SELECT gen_random_uuid(), '', '', '', '', ''"):
        codes: list[int] = []
        thread = threading.Thread(target=lambda: codes.append(main(["migrate", url])))
        thread.start()
        while not postgres.execute(end, url=url):
            assert thread.is_alive()
        thread.join(30)
    assert codes == [2]
    assert capsys.readouterr().err.startswith("rui store: PostgreSQL: ")
    assert postgres.execute("SELECT count(*) FROM pg_index WHERE NOT indisvalid", url=url) == [(1,)]
    assert main(["migrate", url]) == 0
    assert postgres.execute("SELECT count(*) FROM pg_index WHERE NOT indisvalid", url=url) == [(0,)]
    found = postgres.execute("SELECT 1 FROM pg_indexes WHERE indexname = 'rui_specs_by_time'", url=url)
    assert len(found) == 1


def test_two_migrations_at_once(database: Database) -> None:
    database.create_first_version()
    for _ in range(20):
        database.first_put()
    command = [sys.executable, "-m", "rui_api.commands.store", "migrate", "--finish", database.url]
    children = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    assert [(child.communicate(timeout=60)[1], child.returncode) for child in children] == [("", 0)] * 3
    assert (database.version(), database.steps()) == (FINAL, [2, 3])


def test_a_step_that_takes_too_long_for_a_service(postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """The service names the command, which has no time limit; then the service needs no restart."""
    url = postgres.new_database()
    assert migrate_store(url) is None
    from rui_api.store.postgres import bulk, online, schema  # noqa: PLC0415  needs asyncpg

    slow = (*POSTGRES_STEPS, Step(("ALTER TABLE rui_specs ADD COLUMN note TEXT", "SELECT pg_sleep(3)"), "slow"))
    for module in (migrations, schema, online, bulk):
        monkeypatch.setattr(module, "POSTGRES_STEPS", slow)
    monkeypatch.setattr(bulk.PostgresBulkStore, "steps", slow)
    error = migrate_store(url)
    assert isinstance(error, StorageUnavailable)
    assert "a step of its schema takes too long for a service: run rui store migrate" in str(error)
    with running(create_app(Settings(store=url))) as service:
        assert service.post("/api/specs", minimal_example()).status_code == 503
        assert main(["migrate", url]) == 0
        service.store()


def test_interrupted_step(database: Database) -> None:
    """A step that did not end is taken by the next run."""
    database.create_first_version()
    row = to_row(specs(1)[0], is_compressed=False)
    assert database.version() == 1 and row.content.startswith(b"{")
    asyncio.run(interrupt(database.url))
    assert main(["migrate", database.url]) == 0
    assert database.steps() == [2]


async def interrupt(url: str) -> None:
    from rui_api.store.bulk import open_bulk_store  # noqa: PLC0415

    store = await open_bulk_store(url, create=False)
    task = asyncio.create_task(store.take_step(2, lambda _: None))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await store.close()
