"""The contract of stores, with the same tests for SQLite and PostgreSQL."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import uuid
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from rui_api.commands.serve import main
from rui_api.store import availability
from rui_api.store.base import DeletedSpec, ListedId, StorageUnavailable, Store, StoredSpec, StoreFull
from rui_api.store.factory import open_store, prepare_store
from rui_api.store.url import redact_password
from tests.rui_api.live import process


def spec(rui: bytes = b"{}") -> StoredSpec:
    return StoredSpec(str(uuid.uuid4()), "2026-01-31T09:15:00.123Z", "sha256:0", "0.1", "0.1", rui)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/rui.db"
    return request.getfixturevalue("postgres").new_schema()


def execute(url: str, statement: str, request: pytest.FixtureRequest) -> None:
    """Run SQL without the store's code."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as connection:
            connection.execute(statement.replace("rui_", ""))
    else:
        request.getfixturevalue("postgres").execute(statement, url=url)


def with_store(url: str, scenario: Callable[[Store], object], **options: float) -> None:
    async def run() -> None:
        store = open_store(url, **options)
        try:
            await scenario(store)
        finally:
            await store.close()

    asyncio.run(run())


@pytest.mark.parametrize("rui", [
    b"{}", b"", b"\0", bytes(range(256)), "größe 😀".encode(), b'"\\u0000"', b"[" * 300_000,
], ids=["empty object", "nothing", "NUL", "every byte", "UTF-8", "escape", "long"])  # fmt: skip
def test_the_very_bytes(url: str, rui: bytes) -> None:
    async def scenario(store: Store) -> None:
        kept = spec(rui)
        await store.store(kept)
        assert await store.fetch(kept.spec_id) == kept

    with_store(url, scenario)


def test_unknown_id(url: str) -> None:
    async def scenario(store: Store) -> None:
        assert await store.fetch(str(uuid.uuid4())) is None
        await store.ready()

    with_store(url, scenario)


def test_put_again_under_the_same_id_changes_nothing(url: str) -> None:
    async def scenario(store: Store) -> None:
        kept = spec(b"1")
        await asyncio.gather(*(store.store(kept) for _ in range(5)))
        await store.store(StoredSpec(kept.spec_id, "later", "other", "0.2", "0.2", b"2"))
        assert await store.fetch(kept.spec_id) == kept

    with_store(url, scenario)


def test_many_at_once(url: str) -> None:
    async def scenario(store: Store) -> None:
        specs = [spec(b"%d" % number) for number in range(1000)]
        await asyncio.gather(*(store.store(one) for one in specs))
        assert await asyncio.gather(*(store.fetch(one.spec_id) for one in specs)) == specs

    with_store(url, scenario, deadline=60)


def test_who_does_not_wait_any_more_disturbs_nobody(url: str) -> None:
    async def scenario(store: Store) -> None:
        waiting = [asyncio.create_task(store.store(spec())) for _ in range(20)]
        await asyncio.sleep(0)
        for task in waiting[::2]:
            task.cancel()
        results = await asyncio.gather(*waiting, return_exceptions=True)
        assert results[1::2] == [None] * 10

    with_store(url, scenario)


def test_what_waits_at_the_end_is_stored(url: str) -> None:
    specs = [spec() for _ in range(50)]
    waiting: list[asyncio.Task[None]] = []

    async def begin(store: Store) -> None:
        waiting.extend(asyncio.create_task(store.store(one)) for one in specs)
        await asyncio.sleep(0)

    async def scenario() -> None:
        store = open_store(url)
        await begin(store)
        await store.close()
        await asyncio.gather(*waiting)

    async def check(store: Store) -> None:
        assert [await store.fetch(one.spec_id) for one in specs] == specs

    asyncio.run(scenario())
    with_store(url, check)


@pytest.mark.parametrize(("count", "size"), [(10, 0), (2, 2_000)])
def test_too_much_is_refused_at_once(url: str, monkeypatch, count: int, size: int) -> None:
    monkeypatch.setattr(availability, "MAX_WAITING_BYTES", 5_000)

    async def scenario(store: Store) -> None:
        await store.ready()
        results = await asyncio.gather(*(store.store(spec(b"x" * size)) for _ in range(50)), return_exceptions=True)
        assert results.count(None) == count
        assert {type(result) for result in results if result} == {StorageUnavailable}
        await store.store(spec())

    with_store(url, scenario, max_waiting=10)


def test_processes_create_a_store_at_once(url: str) -> None:
    """Several processes start together on an empty store: one creates it."""
    code = "import sys; from rui_api.store.factory import prepare_store; input(); print(prepare_store(sys.argv[1]))"
    starting = [
        subprocess.Popen([sys.executable, "-c", code, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    for child in starting:
        child.stdin.write("\n")
        child.stdin.flush()
    assert [(child.communicate(timeout=60)[0], child.returncode) for child in starting] == [("None\n", 0)] * 4


def test_serve_refuses_a_later_version(url: str, request, capsys) -> None:
    assert prepare_store(url) is None
    is_sqlite = url.startswith("sqlite")
    execute(url, "PRAGMA user_version = 99" if is_sqlite else "UPDATE rui_schema_version SET version = 99", request)
    assert main(["--port", "0", "--store", url]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("rui serve: ")
    assert "the store has schema version 99, this program knows versions up to 1: use a later program\n" in err
    assert err.count("\n") == 1


def test_a_deleted_spec(url: str) -> None:
    """Its id is listed, is not used again, and its tombstone stays as it is."""

    async def scenario(store: Store) -> None:
        kept, deleted = spec(b"kept"), spec(b"deleted")
        tombstone = DeletedSpec(deleted.spec_id, "2026-02-01T00:00:00.000Z", "größe \0")
        await store.store(kept)
        await store.store(deleted)
        await store.delete(tombstone)
        await store.delete(tombstone._replace(reason="another"))
        await store.store(deleted)
        assert await store.fetch(deleted.spec_id) == tombstone
        assert await store.fetch(kept.spec_id) == kept
        listed = sorted([ListedId(kept.spec_id, False), ListedId(deleted.spec_id, True)])
        assert await store.list_ids("", 10) == listed
        assert await store.list_ids("", 1) == listed[:1]
        assert await store.list_ids(listed[0].spec_id, 10) == listed[1:]

    with_store(url, scenario)


def test_a_full_store(url: str) -> None:
    """The last part is not used, so that small specs are refused, too. Specs are fetched, and can be deleted."""

    async def scenario(store: Store) -> None:
        kept = spec(os.urandom(100_000))
        await store.store(kept)
        with pytest.raises(StoreFull, match=r"the store is full: it uses .* --store-max-bytes is 1,000,000"):
            for _ in range(20):
                await store.store(spec(os.urandom(100_000)))
        with pytest.raises(StoreFull):
            await store.store(spec())
        with pytest.raises(StoreFull):
            await store.ready()
        assert await store.fetch(kept.spec_id) == kept
        await store.delete(DeletedSpec(kept.spec_id, "now", "room"))

    with_store(url, scenario, max_bytes=1_000_000)


def test_a_missing_store_is_not_created(url: str) -> None:
    async def scenario(store: Store) -> None:
        for call in (store.open(), store.ready(), store.fetch(str(uuid.uuid4())), store.list_ids("", 1)):
            with pytest.raises(StorageUnavailable):
                await call

    with_store(url, scenario, create=False)


def test_the_service_on_each(url: str) -> None:
    with process("--store", url) as (child, service):
        saved = service.store()
        assert service.client.get(saved["url"]).json() == saved
        assert service.client.get("/api/ready").json() == {"status": "ready"}
        child.terminate()
        assert child.communicate(timeout=20) == ("", "")
    with process("--store", url) as (_, service):
        answer = service.client.get(f"/api/specs/{saved['specId']}")
        assert answer.json()["normalizedRui"] == saved["normalizedRui"]


@pytest.mark.parametrize(("url", "words"), [
    ("postgresql://rui:secret@localhost/rui", "postgresql://rui:***@localhost/rui"),
    ("postgresql://rui:a%40b@h1:1,h2:2/rui?sslmode=require", "postgresql://rui:***@h1:1,h2:2/rui?sslmode=require"),
    ("postgresql://localhost/rui?user=a&password=b", "postgresql://localhost/rui?user=a&password=***"),
    ("postgresql://rui@localhost/rui", "postgresql://rui@localhost/rui"),
    ("sqlite:///a:b@c.db", "sqlite:///a:b@c.db"),
    ("postgresql://rui:se/c?r#e@t@localhost/rui", "postgresql://rui:***@localhost/rui"),
    ("rui:secret@localhost/rui", "rui:***@localhost/rui"), ("postgresql:/rui:secret@h", "postgresql:***@h"),
    ("host=localhost password=secret user=rui", "host=localhost password=*** user=rui"),
    ("postgresql://h/rui?sslPassword=secret&x=1", "postgresql://h/rui?sslPassword=***&x=1"),
])  # fmt: skip
def test_no_password_is_shown(url: str, words: str) -> None:
    assert redact_password(url) == words
