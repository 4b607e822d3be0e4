"""The SQLite store: file faults it survives, and responses while it is unavailable (specification, section 4.2)."""

import gc
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from rui_api.store.base import StorageUnavailable, Store, tombstone
from rui_api.store.sqlite import SqliteStore
from tests.rui_api.store.helpers import spec, with_store

FIRST, SECOND, OTHER = spec(b"1"), spec(b"2"), spec(b"3")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rui.db"


def new_store(path: Path) -> None:
    """Create a store with one spec that no other store has."""
    with_store(f"sqlite:///{path}", lambda store: store.store(OTHER))


def ids(path: Path) -> list[str]:
    """Return the ids that another connection finds."""
    with closing(sqlite3.connect(path)) as reader:
        return [row[0] for row in reader.execute("SELECT spec_id FROM specs")]


async def keep_first(store: Store) -> None:
    """Store a spec and fetch it, so that the file is open for writing and reading."""
    await store.store(FIRST)
    assert await store.fetch(FIRST.spec_id) == FIRST


async def check_down(store: Store) -> None:
    for call in (store.store(SECOND), store.ready(), store.fetch(FIRST.spec_id)):
        with pytest.raises(StorageUnavailable):
            await call


def no_directory(path: Path) -> None:
    path.parent.rmdir()


def no_database(path: Path) -> None:
    path.write_bytes(b"This is a text, and it is longer than the header of a database. " * 100)


def another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE customers (name TEXT)")


def a_dangling_link(path: Path) -> None:
    path.symlink_to(path.parent / "nowhere" / "rui.db")


@pytest.mark.parametrize("spoil", [no_directory, Path.mkdir, no_database, another_program, a_dangling_link])
def test_a_store_that_cannot_be_opened(tmp_path: Path, spoil: Callable[[Path], None], caplog) -> None:
    """The store logs the reason in one line, and recovers without a restart."""
    path = tmp_path / "store" / "rui.db"
    path.parent.mkdir()
    spoil(path)

    async def scenario(store: Store) -> None:
        await check_down(store)
        lines = [record.getMessage().partition(f": {path}: ")[0] for record in caplog.records]
        assert lines == ["store unavailable: storing", "store unavailable: fetching"]
        if path.is_dir():
            path.rmdir()
        path.unlink(missing_ok=True)
        path.parent.mkdir(exist_ok=True)
        await keep_first(store)
        await store.ready()

    with_store(f"sqlite:///{path}", scenario)


@pytest.mark.parametrize("fault", ["deleted", "a copy has begun"])
def test_a_lost_file_is_not_created_again(path: Path, fault: str) -> None:
    """SQLite would go on storing into the unlinked file; an empty one would answer that stored specs do not exist."""

    async def scenario(store: Store) -> None:
        await keep_first(store)
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(path.with_name("backup.db"))) as backup:
            source.backup(backup)
        path.unlink()
        if fault == "a copy has begun":
            path.touch()
        await check_down(store)
        await check_down(store)
        assert not path.exists() or not path.stat().st_size
        for leftover in ("rui.db-wal", "rui.db-shm"):
            path.with_name(leftover).unlink(missing_ok=True)
        path.with_name("backup.db").rename(path)
        assert await store.fetch(FIRST.spec_id) == FIRST
        await store.store(SECOND)
        await store.ready()

    with_store(f"sqlite:///{path}", scenario)


@pytest.mark.parametrize("keeps_old", [True, False])
def test_a_replaced_file(path: Path, keeps_old: bool) -> None:
    """The store uses the new file and ignores the write-ahead log of the old one, which keeps all its specs."""
    other, moved = path.with_name("other.db"), path.with_name("moved.db")
    new_store(other)

    async def scenario(store: Store) -> None:
        await keep_first(store)
        if keeps_old:
            path.rename(moved)
        else:
            path.unlink()
        other.rename(path)
        await store.store(SECOND)
        assert [await store.fetch(stored.spec_id) for stored in (FIRST, SECOND, OTHER)] == [None, SECOND, OTHER]

    with_store(f"sqlite:///{path}", scenario)
    assert not keeps_old or ids(moved) == [FIRST.spec_id]


@pytest.mark.parametrize("spoil", [Path.unlink, lambda path: path.with_name("other.db").rename(path)])
def test_a_file_that_is_lost_during_a_commit(
    path: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Path], object]
) -> None:
    """SQLite goes on writing into the deleted or replaced file, so the spec must not be acknowledged."""
    commit = SqliteStore._commit
    new_store(path.with_name("other.db"))

    def commit_and_lose(store: SqliteStore, *arguments: Any) -> None:
        commit(store, *arguments)
        spoil(path)

    async def scenario(store: Store) -> None:
        await keep_first(store)
        monkeypatch.setattr(SqliteStore, "_commit", commit_and_lose)
        with pytest.raises(StorageUnavailable):
            await store.store(SECOND)

    with_store(f"sqlite:///{path}", scenario)


def test_a_commit_that_fails_leaves_no_lock(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process, such as that of a deletion, can store meanwhile."""

    async def scenario(store: Store) -> None:
        await keep_first(store)
        monkeypatch.setattr("rui_api.store.sqlite.INSERT", "INSERT INTO nowhere VALUES (?, ?, ?, ?, ?, ?)")
        with pytest.raises(StorageUnavailable, match="nowhere"):
            await store.store(SECOND)
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")

    with_store(f"sqlite:///{path}", scenario)


def test_a_file_is_opened_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For writing and for reading; after a failure, once more."""
    connect = SqliteStore._connect
    modes: list[str] = []

    def connect_and_note(store: SqliteStore, mode: str) -> sqlite3.Connection:
        modes.append(mode)
        return connect(store, mode)

    async def scenario(store: Store) -> None:
        monkeypatch.setattr(SqliteStore, "_connect", connect_and_note)
        for _ in range(3):
            await keep_first(store)
        assert modes == ["rwc"] * 2
        with monkeypatch.context() as patch, pytest.raises(StorageUnavailable):
            patch.setattr("rui_api.store.sqlite.SELECT", "SELECT ? FROM nowhere")
            await store.fetch(FIRST.spec_id)
        for _ in range(3):
            await keep_first(store)
        assert modes == [*["rwc"] * 2, *["rw"] * 2]

    with_store(f"sqlite:///{path}", scenario)


def test_every_commit_is_synced(path: Path) -> None:
    async def scenario(store: SqliteStore) -> None:
        await store.open()
        assert store._connections is not None
        assert store._connections.writer.execute("PRAGMA synchronous").fetchone() == (2,)
        assert store._connections.writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)

    with_store(f"sqlite:///{path}", scenario)


@pytest.mark.parametrize("instead", ["nothing", "an empty file", "another store"])
def test_a_store_that_is_closed_while_its_file_is_moved(path: Path, instead: str) -> None:
    """The moved file has all its specs; the new one has no open connection and no log of the old one."""
    other, away, log = path.with_name("other.db"), path.with_name("away.db"), path.with_name("rui.db-wal")
    new_store(other)

    async def scenario(store: Store) -> None:
        await keep_first(store)
        path.rename(away)
        if instead == "another store":
            other.rename(path)
            return
        if instead == "an empty file":
            path.touch()
        for call in (store.store(SECOND), store.fetch(FIRST.spec_id)):
            with pytest.raises(StorageUnavailable):
                await call

    with_store(f"sqlite:///{path}", scenario)
    assert not log.exists() or not log.stat().st_size
    assert ids(away) == [FIRST.spec_id]
    gc.collect()  # From Python 3.13 on, this reports connections that are not closed.


@pytest.mark.parametrize("spoil", [Path.unlink, lambda log: log.rename(log.with_suffix(".away"))])
def test_a_lost_write_ahead_log(path: Path, spoil: Callable[[Path], object]) -> None:
    """SQLite would go on writing into the removed log, and other connections would not see the data."""

    async def scenario(store: Store) -> None:
        await store.store(FIRST)
        spoil(path.with_name("rui.db-wal"))
        await store.store(SECOND)
        assert {*ids(path)} == {FIRST.spec_id, SECOND.spec_id}

    with_store(f"sqlite:///{path}", scenario)


def test_a_link_to_a_file(path: Path) -> None:
    """SQLite keeps the log beside the file. Its loss is noticed, too."""
    target = path.parent / "data" / "real.db"
    target.parent.mkdir()
    path.symlink_to(target)

    async def scenario(store: Store) -> None:
        await keep_first(store)
        target.with_name("real.db-wal").unlink()
        await store.store(SECOND)
        assert {*ids(target)} == {FIRST.spec_id, SECOND.spec_id}

    with_store(f"sqlite:///{path}", scenario)


def test_a_file_that_another_user_writes() -> None:
    """A reader without the right to write sees what the service stores, although it cannot create a log."""
    if os.geteuid() != 0:
        pytest.skip("needs another user")
    code = """if True:
        import asyncio, concurrent.futures.thread, os, sys
        import rui_api.store.sqlite  # before the rights to read the program are given away
        from rui_api.store.availability import StoreOptions
        from rui_api.store.factory import opened_store
        async def run():
            os.setuid(65534)
            async with opened_store(sys.argv[1], StoreOptions(create=False)) as store:
                for _ in sys.stdin:
                    print(len(await store.list_specs("", 10)), flush=True)
        asyncio.run(run())
    """

    async def scenario(store: Store) -> None:
        await keep_first(store)
        command = [sys.executable, "-c", code, url]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as reader:
            for number, stored in enumerate([spec(), tombstone(FIRST.spec_id, "now", "x"), spec(), spec()]):
                await store.store(stored)
                reader.stdin.write("\n")
                assert int(reader.stdout.readline()) == number + 2 - (number > 0)
            reader.stdin.close()
            assert reader.wait(60) == 0

    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        url = f"sqlite:///{folder}/rui.db"
        with_store(url, scenario)
