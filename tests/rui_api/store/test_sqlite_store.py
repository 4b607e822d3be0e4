"""The SQLite store: file faults it survives, and responses while it is unavailable (specification, section 4.2)."""

import asyncio
import gc
import logging
import random
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_api.store import sqlite
from rui_api.store.base import StorageUnavailable, StoredSpec
from rui_api.store.sqlite import SqliteFile, SqliteStore
from rui_common.describe import minimal_example
from tests.rui_api.live import UUID, Service, running


def spec(number: int = 0, size: int = 10) -> StoredSpec:
    """Return a spec with a content that cannot be compressed."""
    content = random.Random(number).randbytes(size)
    return StoredSpec(f"{number:08x}-0000-4000-8000-000000000000", "now", "hash", "0.1", "0.1", content)


def with_store(path: Path, scenario: Callable[[SqliteStore], Awaitable[None]]) -> None:
    """Run a scenario with a store, and close it."""

    async def run() -> None:
        store = SqliteStore(path, deadline=60)
        try:
            await scenario(store)
        finally:
            await store.close()

    asyncio.run(run())


def new_store(path: Path) -> None:
    """Create a store with one spec that no other store has."""
    with_store(path, lambda store: store.store(spec(7)))


async def keep(store: SqliteStore, kept: StoredSpec) -> None:
    """Store a spec and fetch it, so that the file is open for writing and reading."""
    await store.store(kept)
    assert await store.fetch(kept.spec_id) == kept


@contextmanager
def service_on(path: Path) -> Iterator[Service]:
    with running(create_app(Settings(), store=SqliteStore(path))) as service:
        yield service


def check_down(service: Service, *, reads: bool = True) -> None:
    """The API returns 503 where it needs the store; everything else works as usual."""
    needing = [service.post("/api/specs", minimal_example()), service.client.get("/api/ready")]
    if reads:
        needing.append(service.client.get(f"/api/specs/{UUID}"))
    for answer in needing:
        assert answer.status_code == 503, answer.request.url
        assert list(answer.json()) == ["error", "message"]
        assert answer.json()["error"] == "STORAGE_UNAVAILABLE"
        assert int(answer.headers["retry-after"]) > 0
    if reads:
        page = service.client.get(f"/specs/{UUID}")
        assert page.status_code == 503
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert UUID in page.text
    assert service.post("/api/validate", minimal_example()).json()["valid"] is True
    assert service.post("/api/specs", {}).json()["valid"] is False
    assert service.post("/api/specs", b"{").status_code == 400
    assert service.client.get("/api/specs/x").status_code == 400
    assert service.client.get("/api/health").json() == {"status": "ok"}


def check_up(service: Service) -> None:
    saved = service.store()
    assert service.client.get(saved["url"]).json() == saved
    assert service.client.get("/api/ready").json() == {"status": "ready"}


def no_directory(path: Path) -> None:
    path.parent.rmdir()


def a_directory(path: Path) -> None:
    path.mkdir()


def no_database(path: Path) -> None:
    path.write_bytes(b"This is a text, and it is longer than the header of a database. " * 100)


def another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE customers (name TEXT)")


def a_later_version(path: Path) -> None:
    new_store(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as later:
        later.execute("PRAGMA user_version = 99")


def a_dangling_link(path: Path) -> None:
    path.symlink_to(path.parent / "nowhere" / "rui.db")


CANNOT_BE_OPENED = [no_directory, a_directory, no_database, another_program, a_later_version, a_dangling_link]


@pytest.mark.parametrize("spoil", CANNOT_BE_OPENED, ids=lambda spoil: spoil.__name__)
def test_store_that_cannot_be_opened(tmp_path: Path, spoil: Callable[[Path], None], caplog) -> None:
    """The service starts, logs the reason in one line, and recovers without a restart."""
    path = tmp_path / "store" / "rui.db"
    path.parent.mkdir()
    spoil(path)
    with service_on(path) as service, caplog.at_level(logging.INFO, "rui_api"):
        check_down(service)
        lines = [record.getMessage() for record in caplog.records if record.name == "rui_api.store"]
        assert {line.partition(f": {path}: ")[0] for line in lines} == {
            "store unavailable: storing",
            "store unavailable: fetching",
        }
        if path.is_dir():
            path.rmdir()
        path.unlink(missing_ok=True)
        path.parent.mkdir(exist_ok=True)
        check_up(service)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no file system that nobody may write to")
def test_store_that_cannot_be_made() -> None:
    with service_on(Path("/proc/rui.db")) as service:
        check_down(service)


def test_locked(tmp_path: Path) -> None:
    path = tmp_path / "rui.db"
    with service_on(path) as service:
        check_up(service)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            check_down(service, reads=False)
            assert service.client.get(f"/api/specs/{UUID}").status_code == 404
        check_up(service)


def test_deleted_file(tmp_path: Path) -> None:
    """SQLite would go on storing into the unlinked file. The service creates no new file in its place."""
    path = tmp_path / "rui.db"
    with service_on(path) as service:
        saved = service.store()
        backup = sqlite3.connect(tmp_path / "backup.db")
        with closing(sqlite3.connect(path)) as source, closing(backup):
            source.backup(backup)
        path.unlink()
        check_down(service)
        check_down(service)
        assert not path.exists()
        for leftover in ("rui.db-wal", "rui.db-shm"):
            (tmp_path / leftover).unlink(missing_ok=True)
        (tmp_path / "backup.db").rename(path)
        assert service.client.get(saved["url"]).json() == saved
        check_up(service)


@pytest.mark.parametrize("keeps_old", [True, False])
def test_replaced_file(tmp_path: Path, keeps_old: bool) -> None:
    """The service uses the new store and ignores the write-ahead log of the old one.

    If the old store was only moved, it still has all its specs.
    """
    path = tmp_path / "rui.db"
    moved = [tmp_path / "moved.db"] if keeps_old else []
    new_store(tmp_path / "other.db")

    async def scenario(store: SqliteStore) -> None:
        await keep(store, spec(1))
        (path.rename if moved else path.unlink)(*moved)
        (tmp_path / "other.db").rename(path)
        await store.store(spec(3))
        found = [await store.fetch(spec(number).spec_id) for number in (1, 3, 7)]
        assert found == [None, spec(3), spec(7)]

    with_store(path, scenario)
    for old in moved:
        with closing(sqlite3.connect(old)) as reader:
            assert reader.execute("SELECT spec_id FROM specs").fetchall() == [(spec(1).spec_id,)]


def test_a_file_that_is_deleted_during_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite goes on writing into the deleted file, so the spec must not be acknowledged."""
    path = tmp_path / "rui.db"
    commit = SqliteFile._commit

    def commit_and_delete(file: SqliteFile, *arguments: Any) -> None:
        commit(file, *arguments)
        path.unlink()

    async def scenario(store: SqliteStore) -> None:
        await keep(store, spec(1))
        monkeypatch.setattr(SqliteFile, "_commit", commit_and_delete)
        with pytest.raises(StorageUnavailable):
            await store.store(spec(2))

    with_store(path, scenario)


def test_every_commit_is_synced(tmp_path: Path) -> None:
    file = SqliteFile(tmp_path / "rui.db", None, create=True)
    file.open()
    assert file._connections is not None
    assert file._connections.writer.execute("PRAGMA synchronous").fetchone() == (2,)
    file.close()


def test_moved_away_and_back(tmp_path: Path) -> None:
    path = tmp_path / "rui.db"
    with service_on(path) as service:
        saved = service.store()
        path.rename(tmp_path / "away.db")
        check_down(service)
        (tmp_path / "away.db").rename(path)
        assert service.client.get(saved["url"]).json() == saved
        check_up(service)


def test_a_copy_that_has_only_begun(tmp_path: Path) -> None:
    """The service must not turn an empty file into a new store: the copy would overwrite its specs."""
    path = tmp_path / "rui.db"
    with service_on(path) as service:
        saved = service.store()
        path.rename(tmp_path / "away.db")
        path.touch()
        check_down(service)
        assert not path.stat().st_size
        (tmp_path / "away.db").rename(path)
        assert service.client.get(saved["url"]).json() == saved
        check_up(service)


@pytest.mark.parametrize("instead", ["nothing", "an empty file", "another store"])
def test_stopped_while_the_file_is_moved(tmp_path: Path, instead: str) -> None:
    """The moved store has all its specs; the new file has no open connection and no log of the old one."""
    path, away = tmp_path / "rui.db", tmp_path / "away.db"
    new_store(tmp_path / "other.db")

    async def scenario(store: SqliteStore) -> None:
        await keep(store, spec(1))
        path.rename(away)
        if instead == "an empty file":
            path.touch()
        if instead != "another store":
            with pytest.raises(StorageUnavailable):
                await store.store(spec(2))
            with pytest.raises(StorageUnavailable):
                await store.fetch(spec(1).spec_id)
        else:
            (tmp_path / "other.db").rename(path)

    with_store(path, scenario)
    log = tmp_path / "rui.db-wal"
    assert not log.exists() or not log.stat().st_size
    with closing(sqlite3.connect(away)) as reader:
        assert reader.execute("SELECT spec_id FROM specs").fetchall() == [(spec(1).spec_id,)]
    gc.collect()  # From Python 3.13 on, this reports connections that are not closed.


@pytest.mark.parametrize("spoil", [Path.unlink, lambda log: log.rename(log.with_suffix(".away"))])
def test_write_ahead_log_taken_away(tmp_path: Path, spoil: Callable[[Path], object]) -> None:
    """SQLite would go on writing into the removed log, and other connections would not see the data."""

    async def scenario(store: SqliteStore) -> None:
        await store.store(spec(1))
        spoil(tmp_path / "rui.db-wal")
        await store.store(spec(2))
        with closing(sqlite3.connect(tmp_path / "rui.db")) as reader:
            assert reader.execute("SELECT count(*) FROM specs").fetchone() == (2,)

    with_store(tmp_path / "rui.db", scenario)


def test_fault_of_our_own_is_not_taken_for_the_store(tmp_path: Path, monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("ours")

    async def scenario(store: SqliteStore) -> None:
        await store.store(spec(1))
        with monkeypatch.context() as patched:
            patched.setattr(sqlite, "to_row", fail)
            with pytest.raises(RuntimeError, match="ours"):
                await store.store(spec(2))
        await store.store(spec(3))

    with_store(tmp_path / "rui.db", scenario)
