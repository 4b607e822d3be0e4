"""The SQL of the PostgreSQL store: no statement scans a filled table, and asyncpg looks up no types."""

import ast
import asyncio
import json
import re
import uuid
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from rui_api.store import postgres as package
from rui_api.store.base import StoredSpec
from rui_api.store.bulk import open_bulk_store
from rui_api.store.factory import migrate_store, open_store
from rui_api.store.postgres import statements
from tests.rui_api.postgres import Postgres

SQL = re.compile(r"\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|CREATE TABLE|BEGIN|SET|SHOW)\s+[a-z1_(]")
DECLARED = {name: value for name, value in vars(statements).items() if isinstance(value, str) and SQL.match(value)}
EXPLAINED = {
    name: statement
    for name, statement in DECLARED.items()
    if "rui_specs" in statement and statement not in (*statements.FULL_SCANS, statements.CITUS_SIZE)
}
FILL = (
    "INSERT INTO rui_specs (spec_id, created_at, content_hash, validation_version, registry_version, normalized_rui) "
    "SELECT gen_random_uuid(), '2026-01-31', md5(i::text), '0.1', '0.1', decode(repeat('78', 300), 'hex') "
    "FROM generate_series(1, 20000) AS i"
)
SAMPLES = {"uuid": str(uuid.uuid4()), "text": "", "text[]": [str(uuid.uuid4())], "int8": 64, "int4": 1, "bytea": b""}


@pytest.fixture(scope="module")
def filled(postgres: Postgres) -> Iterator[str]:
    url = postgres.new_database()
    assert migrate_store(url) is None
    postgres.execute(FILL, "ANALYZE rui_specs", url=url)
    return url


def nodes(plan: dict[str, object]) -> Iterator[tuple[str, str]]:
    yield str(plan["Node Type"]), str(plan.get("Relation Name", ""))
    for part in plan.get("Plans", ()):
        yield from nodes(part)


async def plans(connection: asyncpg.Connection, statement: str) -> list[dict[str, object]]:
    """Return the plan for given values, and the one that a prepared statement has for all values."""
    prepared = await connection.prepare(statement)
    types = [parameter.name for parameter in prepared.get_parameters()]
    one = await connection.fetchval(f"EXPLAIN (FORMAT JSON) {statement}", *(SAMPLES[name] for name in types))
    await connection.execute(f"SET plan_cache_mode = force_generic_plan; PREPARE q AS {statement}")
    arguments = f"({', '.join('NULL' for _ in types)})" if types else ""
    every = await connection.fetchval(f"EXPLAIN (FORMAT JSON) EXECUTE q{arguments}")
    await connection.execute("DEALLOCATE q; RESET plan_cache_mode")
    return [json.loads(text)[0]["Plan"] for text in (one, every)]


@pytest.mark.parametrize("name", EXPLAINED)
def test_no_statement_scans(filled: str, name: str) -> None:
    async def run() -> list[dict[str, object]]:
        connection = await asyncpg.connect(filled)
        try:
            return await plans(connection, EXPLAINED[name])
        finally:
            await connection.close()

    for plan in asyncio.run(run()):
        scans = {("Seq Scan", "rui_specs"), ("Sort", "")} & {*nodes(plan)}
        assert not scans, json.dumps(plan, indent=1)


@pytest.mark.parametrize("name", ["PAGE", "PAGE_BY_TIME"])
def test_no_result_has_the_name_of_the_sorted_column(filled: str, name: str) -> None:
    """Citus would sort each shard by the result, which has no index."""

    async def run() -> list[str]:
        connection = await asyncpg.connect(filled)
        try:
            prepared = await connection.prepare(DECLARED[name])
            return [attribute.name for attribute in prepared.get_attributes()]
        finally:
            await connection.close()

    assert "spec_id" not in asyncio.run(run())


def test_every_statement_is_declared() -> None:
    """A statement elsewhere in the package would not be explained."""
    for path in Path(package.__file__).parent.glob("*.py"):
        if path.name == "statements.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not SQL.match(node.value), f"{path.name}:{node.lineno} declare it in statements.py"
    assert {"INSERT", "SELECT", "PAGE"} <= {*EXPLAINED}


def test_no_types_are_looked_up(postgres: Postgres) -> None:
    """Each of asyncpg's queries for types takes Citus and CockroachDB seconds."""
    name = (url := postgres.new_database()).rpartition("/")[2]
    postgres.execute(f"ALTER DATABASE {name} SET log_statement = 'all'")
    begin = len(postgres.log())

    async def run() -> None:
        store = open_store(url)
        spec = StoredSpec(str(uuid.uuid4()), "now", "sha256:0", "0.1", "0.1", b"{}")
        await store.ready()
        await store.store(spec)
        assert await store.fetch(spec.spec_id) == spec
        await store.close()
        bulk = await open_bulk_store(url, create=False)
        assert await bulk.page_after("", 10) == [spec]
        assert await bulk.find([spec.spec_id]) == [spec]
        assert await bulk.count() == 1
        await bulk.timestamps()
        await bulk.fingerprint()
        await bulk.close()

    asyncio.run(run())
    logged = postgres.log()[begin:]
    assert "INSERT INTO rui_specs" in logged
    assert not re.findall(r"typeinfo|pg_type|pg_catalog", logged)
