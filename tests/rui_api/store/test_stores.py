"""The contract of stores, with the same tests for SQLite and PostgreSQL."""

import asyncio
import logging
import os
import sqlite3
import subprocess
import sys
import threading
import uuid
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from rui_api.commands.serve import main
from rui_api.store import availability
from rui_api.store.availability import Batches, RequestQueue, StoreOptions
from rui_api.store.base import Entry, OutcomeUnknown, StorageUnavailable, Store, StoredSpec, StoreFull, tombstone
from rui_api.store.factory import open_store, prepare_store
from rui_api.store.url import redact_password
from tests.rui_api.store.helpers import spec, with_store


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/rui.db"
    return request.getfixturevalue("postgres").new_schema()


def test_specs_are_fetched_byte_for_byte(url: str) -> None:
    contents = (b"{}", b"", bytes(range(256)), "größe 😀".encode(), b'"\\u0000"', b"[" * 300_000)

    async def scenario(store: Store) -> None:
        specs = [spec(rui) for rui in (*contents, *(b"%d" % number for number in range(1000)))]
        assert await store.fetch(specs[0].spec_id) is None
        await store.ready()
        await asyncio.gather(*(store.store(spec) for spec in specs))
        await store.store(StoredSpec(specs[0].spec_id, "later", "other", "0.2", "0.2", b"2"))
        assert await asyncio.gather(*(store.fetch(spec.spec_id) for spec in specs)) == specs

    with_store(url, scenario)


def test_a_cancelled_request_does_not_affect_others(url: str) -> None:
    async def scenario(store: Store) -> None:
        waiting = [asyncio.create_task(store.store(spec())) for _ in range(20)]
        await asyncio.sleep(0)
        for task in waiting[::2]:
            task.cancel()
        results = await asyncio.gather(*waiting, return_exceptions=True)
        assert results[1::2] == [None] * 10

    with_store(url, scenario)


def test_waiting_requests_are_stored_before_the_end(url: str) -> None:
    specs = [spec() for _ in range(50)]

    async def scenario() -> None:
        store = open_store(url, StoreOptions())
        waiting = [asyncio.create_task(store.store(spec)) for spec in specs]
        await asyncio.sleep(0)
        await store.close()
        await asyncio.gather(*waiting)

    async def check(store: Store) -> None:
        assert [await store.fetch(spec.spec_id) for spec in specs] == specs

    asyncio.run(scenario())
    with_store(url, check)


@pytest.mark.parametrize(("count", "size"), [(10, 0), (2, 2_500)])
def test_too_many_requests_are_refused_at_once(url: str, monkeypatch, count: int, size: int) -> None:
    monkeypatch.setattr(availability, "MAX_WAITING_BYTES", 5_000)

    async def scenario(store: Store) -> None:
        await store.ready()
        for _ in range(2):
            specs = [spec(b"x" * size) for _ in range(50)]
            results = await asyncio.gather(*map(store.store, specs), return_exceptions=True)
            assert results.count(None) == count
            assert {type(result) for result in results if result} == {StorageUnavailable}
        await store.store(spec())

    with_store(url, scenario, max_waiting=10)


def test_a_request_that_has_ended_is_not_handled() -> None:
    """Its caller has an error, and may store the spec again."""
    handled: list[int] = []
    has_begun, may_end = threading.Event(), threading.Event()

    def handle(numbers: Sequence[int]) -> Sequence[None]:
        handled.extend(numbers)
        has_begun.set()
        may_end.wait()
        return [None] * len(numbers)

    async def scenario() -> None:
        batches: Batches[int, None] = Batches(handle, "storing", StoreOptions(deadline=60.0))
        first = asyncio.create_task(batches.submit(1))
        await asyncio.to_thread(has_begun.wait)
        second = asyncio.create_task(batches.submit(2))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.wait([second])
        may_end.set()
        await asyncio.gather(first, batches.submit(3))
        await batches.close()

    asyncio.run(scenario())
    assert handled == [1, 3]


def test_a_request_without_an_answer_is_refused() -> None:
    """It may have had its effect, unless the thread has not begun with it."""
    may_end = threading.Event()

    def handle(numbers: Sequence[int]) -> Sequence[int]:
        may_end.wait()
        return numbers

    async def scenario() -> None:
        batches: Batches[int, int] = Batches(handle, "storing", StoreOptions(deadline=0.01))
        for kind in (OutcomeUnknown, StorageUnavailable):
            with pytest.raises(StorageUnavailable, match=r"no answer within 0\.01 s") as caught:
                await batches.submit(1)
            assert caught.type is kind
        may_end.set()
        await batches.close()

    asyncio.run(scenario())


def test_processes_create_a_store_at_once(url: str) -> None:
    code = """if True:
        import asyncio, sys
        from rui_api.store.availability import StoreOptions
        from rui_api.store.factory import opened_store

        async def create():
            async with opened_store(sys.argv[1], StoreOptions(deadline=60.0)) as store:
                await store.ready()

        input()
        asyncio.run(create())
    """
    starting = [
        subprocess.Popen([sys.executable, "-c", code, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    for child in starting:
        child.stdin.write("\n")
        child.stdin.flush()
    assert [(child.communicate(timeout=60)[0], child.returncode) for child in starting] == [("", 0)] * 4


def test_a_later_version_is_refused(url: str, request, capsys) -> None:
    assert prepare_store(url).error is None
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            connection.execute("PRAGMA user_version = 99")
    else:
        request.getfixturevalue("postgres").execute("UPDATE rui_schema_version SET version = 99", url=url)
    assert main(["--port", "0", "--store", url]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("rui serve: ")
    assert "the store has schema version 99, this program knows versions up to 1: use a later program\n" in err


def test_a_deleted_spec(url: str) -> None:
    """Its id is listed, is not used again, and its tombstone stays as it is."""

    async def scenario(store: Store) -> None:
        kept, deleted = spec(b"kept"), spec(b"deleted")
        stone = tombstone(deleted.spec_id, "2026-02-01T00:00:00.000Z", "größe \0")
        await store.store(kept)
        await store.store(deleted)
        await store.store(stone)
        await store.store(stone._replace(rui=b"another"))
        await store.store(deleted)
        assert await store.fetch(deleted.spec_id) == stone
        assert await store.fetch(kept.spec_id) == kept
        rows = sorted([kept, stone])
        listed = [Entry(spec.spec_id, spec.created_at, len(spec.rui), spec.is_deleted) for spec in rows]
        for list_, expected in ((store.list_entries, listed), (store.list_specs, rows)):
            assert await list_("", 10) == expected
            assert await list_("", 1) == expected[:1]
            assert await list_(rows[0].spec_id, 10) == expected[1:]
            assert await list_(rows[1].spec_id, 10) == []

    with_store(url, scenario)


def test_a_full_store(url: str) -> None:
    """The last part is not used, so that small specs are refused, too. Specs are fetched, and can be deleted."""

    async def scenario(store: Store) -> None:
        kept = spec(os.urandom(100_000))
        await store.store(kept)
        with pytest.raises(StoreFull, match=r"the store is full: it uses .* --store-max-bytes is 1,000,000"):
            for _ in range(20):
                await store.store(spec(os.urandom(100_000)))
        for call in (store.store(spec()), store.ready()):
            with pytest.raises(StoreFull):
                await call
        assert await store.fetch(kept.spec_id) == kept
        await store.store(tombstone(kept.spec_id, "now", "room"))

    with_store(url, scenario, max_bytes=1_000_000)


def test_a_missing_store_is_not_created(url: str) -> None:
    async def scenario(store: Store) -> None:
        for call in (store.open(), store.ready(), store.fetch(str(uuid.uuid4())), store.list_entries("", 1)):
            with pytest.raises(StorageUnavailable):
                await call

    with_store(url, scenario, create=False)


@pytest.mark.parametrize(("url", "words"), [
    ("postgresql://rui:a%40b@h1:1,h2:2/rui?sslmode=require", "postgresql://rui:***@h1:1,h2:2/rui?sslmode=require"),
    ("postgresql://rui@localhost/rui", "postgresql://rui@localhost/rui"),
    ("sqlite:///a:b@c.db", "sqlite:///a:b@c.db"),
    ("postgresql://rui:se/c?r#e@t@localhost/rui", "postgresql://rui:***@localhost/rui"),
    ("rui:secret@localhost/rui", "rui:***@localhost/rui"), ("postgresql:/rui:secret@h", "postgresql:***@h"),
    ("host=localhost password=secret user=rui", "host=localhost password=*** user=rui"),
    ("postgresql://h/rui?sslPassword=secret&x=1", "postgresql://h/rui?sslPassword=***&x=1"),
    ("host=localhost password='se cret' user=rui", "host=localhost password=*** user=rui"),
    (r"host=localhost password = 's\'e c:r@et' user=rui", "host=localhost password = *** user=rui"),
    ("host=localhost password= secret user=rui", "host=localhost password= *** user=rui"),
    ("user=rui password=se:cr@et", "user=rui password=***"),
    ("jdbc:postgresql://h/rui?user=rui&password=secret", "jdbc:postgresql://h/rui?user=rui&password=***"),
    ("DATABASE_URL='postgres://rui:se cret@h/rui'", "DATABASE_URL='postgres://rui:***@h/rui'"),
    ("postgresql+asyncpg://rui:secret@h/rui", "postgresql+asyncpg://rui:***@h/rui"),
])  # fmt: skip
def test_no_password_is_shown(url: str, words: str) -> None:
    assert redact_password(url) == words


@pytest.mark.parametrize(("requests", "logged"), [
    ([(0, "")], []),
    ([(0, "away"), (1, "away"), (59, "away")], ["away"]),
    ([(0, "away"), (1, "locked"), (2, "away")], ["away", "locked"]),
    ([(0, "away"), (60, "away"), (119, "away"), (120, "away")], ["away", "away", "away"]),
    ([(0, "away"), (2, ""), (3, ""), (4, "away")], ["away", "again", "away"]),
    ([(0, "away"), (0.5, ""), (0.6, "away"), (1.2, ""), (1.7, "")], ["away", "again"]),
])  # fmt: skip
def test_the_log_of_an_outage(
    requests: Sequence[tuple[float, str]], logged: Sequence[str], caplog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests are their times and errors. Failures with less than a second between them are one outage."""
    queue = RequestQueue("storing", 10)
    for time, reason in requests:
        monkeypatch.setattr(availability, "monotonic", lambda time=time: 1000 + time)
        try:
            with queue.add(size=0):
                if reason:
                    raise StorageUnavailable(reason)
        except StorageUnavailable:
            assert reason
    lines = {"again": (logging.WARNING, "store answers again: storing")}
    expected = [lines.get(word, (logging.ERROR, f"store unavailable: storing: {word}")) for word in logged]
    assert [(record.levelno, record.getMessage()) for record in caplog.records] == expected
