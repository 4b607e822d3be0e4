"""SQLite stores on read-only media and on full disks, with real file systems; read-only PostgreSQL."""

import asyncio
import os
import shutil
import signal
from pathlib import Path

import pytest

from rui_api.commands.store import main
from rui_api.store.base import StorageUnavailable, Store, StoredSpec, StoreFull, tombstone
from rui_api.store.factory import prepare_store
from rui_api.store.sqlite import DISK_RESERVED
from rui_common.describe import minimal_example
from rui_common.hashing import content_hash
from tests.rui_api.live import process
from tests.rui_api.mounts import make_read_only, make_writable, on_small_disk
from tests.rui_api.postgres import Postgres, need, postgres_server
from tests.rui_api.store.helpers import spec, with_store


def store_some(url: str, count: int = 3) -> list[StoredSpec]:
    specs = sorted(spec()._replace(content_hash=content_hash({})) for _ in range(count))

    async def scenario(store: Store) -> None:
        await asyncio.gather(*map(store.store, specs))

    with_store(url, scenario)
    return specs


def check_read_only(url: str, specs: list[StoredSpec]) -> None:
    """Specs can be fetched and listed; a change has a reason, also a second one."""

    async def scenario(store: Store) -> None:
        await store.open()
        for _ in range(2):
            assert await store.list_specs("", 10) == specs
            assert await store.fetch(specs[0].spec_id) == specs[0]
            for call in (store.store(spec()), store.ready(), store.store(tombstone(specs[0].spec_id, "now", "x"))):
                with pytest.raises(StorageUnavailable, match=r"read-?only"):
                    await call

    with_store(url, scenario)


# Read-only media ----------------------------------------------------------------------------------------------------


def fetch_from_a_service(url: str, spec_id: str) -> None:
    """The service starts, fetches, validates, and refuses to store with 503."""
    with process("--store", url) as (_, service):
        assert service.client.get(f"/api/specs/{spec_id}").status_code == 200
        for _ in range(2):
            assert service.post("/api/specs", minimal_example()).status_code == 503
        assert service.client.get("/api/ready").status_code == 503
        assert service.post("/api/validate", minimal_example()).json()["valid"]


def read_only_media(folder: str, state: str, parameter: str) -> None:
    path = Path(folder, "rui.db")
    url = f"sqlite:///{path}"
    with process("--store", url) as (child, service):
        saved = [service.store() for _ in range(3)]
        if state == "killed":
            child.send_signal(signal.SIGKILL)
        elif state == "in use":
            for name in ("", "-wal", "-shm"):
                shutil.copy(f"{path}{name}", f"{folder}/copy{name}")
        child.terminate()
        child.wait(60)
    if state == "in use":
        for name in ("", "-wal", "-shm"):
            Path(f"{folder}/copy{name}").replace(f"{path}{name}")
    make_read_only(folder)
    specs: list[StoredSpec] = with_store(f"{url}{parameter}", lambda store: store.list_specs("", 10))
    assert {spec.spec_id for spec in specs} == {spec["specId"] for spec in saved}
    check_read_only(f"{url}{parameter}", specs)
    fetch_from_a_service(f"{url}{parameter}", specs[0].spec_id)
    assert main(["copy", f"{url}{parameter}", f"sqlite:////{os.environ['COPY']}"]) == 0
    make_writable(folder)
    if not parameter:
        with_store(url, lambda store: store.store(spec()))


@pytest.mark.parametrize(
    ("state", "parameter"), [("stopped", ""), ("killed", ""), ("in use", ""), ("killed", "?mode=ro")]
)
def test_read_only_media(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str, parameter: str) -> None:
    """Specs in the write-ahead log of a killed service, and of one in use, can be read, too."""
    (tmp_path / "disk").mkdir()
    monkeypatch.setenv("COPY", str(tmp_path / "copy.db"))
    on_small_disk(read_only_media, tmp_path / "disk", state, parameter)


def log_without_index(folder: str) -> None:
    path = Path(folder, "rui.db")
    with process("--store", f"sqlite:///{path}") as (child, service):
        service.store()
        child.send_signal(signal.SIGKILL)
    path.with_name("rui.db-shm").unlink()
    make_read_only(folder)
    with pytest.raises(StorageUnavailable, match="the latest specs may be in the file -wal beside it: copy both"):
        with_store(f"sqlite:///{path}", lambda store: store.open())


def test_specs_in_a_log_are_not_left_out(tmp_path: Path) -> None:
    on_small_disk(log_without_index, tmp_path)


def start_on(folder: str, state: str, expected: str) -> None:
    """Start a service on a disk; the first line after its banner says why specs cannot be stored."""
    path = Path(folder, "rui.db")
    store_some(f"sqlite:///{path}")
    if state in {"full", "nearly full"}:
        rest = 0 if state == "full" else 8 << 20
        with Path(folder, "junk").open("wb") as junk:
            junk.write(bytes(shutil.disk_usage(folder).free - rest))
    elif state == "read-only":
        make_read_only(folder)
    elif state == "read-only, without a file":
        path.unlink()
        make_read_only(folder)
    elif state == "damaged":
        path.write_bytes(b"damaged " * 4096)
    elif state == "a folder":
        path.unlink()
        path.mkdir()
    prepared = prepare_store(f"sqlite:///{path}")
    lines = [*([str(prepared.error)] if prepared.error else []), *prepared.warnings]
    assert len(lines) == 1, lines
    assert expected.format(path) in lines[0]


@pytest.mark.parametrize(("state", "expected"), [
    ("full", "{}: disk I/O error; the disk is full"), ("nearly full", "{}: the disk is full: "),
    ("read-only", "{} is read-only: stored specs can be fetched, and no new ones stored"),
    ("read-only, without a file", "{}: unable to open database file; the folder "),
    ("a folder", "{}: unable to open database file; this is a folder"),
    ("damaged", "{}: file is not a database; the file is damaged, or of another program: restore a backup"),
])  # fmt: skip
def test_the_start_says_why_specs_cannot_be_stored(tmp_path: Path, state: str, expected: str) -> None:
    on_small_disk(start_on, tmp_path, state, expected)


def media_that_become_writable(folder: str) -> None:
    url = f"sqlite:///{folder}/rui.db"
    specs = store_some(url)
    make_read_only(folder)

    async def scenario(store: Store) -> None:
        assert await store.list_specs("", 10) == specs
        with pytest.raises(StorageUnavailable):
            await store.ready()
        make_writable(folder)
        await store.ready()
        await store.store(specs[0])
        assert await store.list_specs("", 10) == specs

    with_store(url, scenario)


def test_media_that_become_writable(tmp_path: Path) -> None:
    on_small_disk(media_that_become_writable, tmp_path)


def test_a_store_that_is_opened_for_reading(tmp_path: Path) -> None:
    """``mode=ro`` writes nothing, also on a disk that can be written, and while a service stores."""
    url = f"sqlite:///{tmp_path}/rui.db"
    with pytest.raises(StorageUnavailable, match="No such file"):
        with_store(f"{url}?mode=ro", lambda store: store.open())
    assert list(tmp_path.iterdir()) == []
    specs = store_some(url)
    check_read_only(f"{url}?mode=ro", specs)

    async def scenario(store: Store) -> None:
        await store.store(specs[0])
        await asyncio.to_thread(check_read_only, f"{url}?mode=ro", specs)
        await store.store(spec())

    with_store(url, scenario)
    assert main(["copy", url, f"sqlite:///{tmp_path}/rui.db?mode=ro"]) == 2
    assert main(["copy", url, f"sqlite:///{tmp_path}/none.db?mode=ro"]) == 2
    assert not (tmp_path / "none.db").exists()


def test_read_only_postgres(postgres: Postgres, tmp_path: Path) -> None:
    """A user who may only read, a database that is read-only, and a hot standby."""
    need("pg_basebackup")
    url = postgres.new_database()
    specs = store_some(url)
    name = url.rpartition("/")[2]
    postgres.execute("CREATE ROLE reader LOGIN", "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader", url=url)
    postgres.execute(f"ALTER ROLE reader IN DATABASE {name} SET default_transaction_read_only = on")
    reader = url.replace("rui@", "reader@")
    check_read_only(reader, specs)
    assert main(["copy", reader, f"sqlite:///{tmp_path}/copy.db"]) == 0
    with postgres_server("-c", "fsync=off", primary=postgres) as standby:
        check_read_only(standby.url(name), specs)
        assert main(["copy", standby.url(name), f"sqlite:///{tmp_path}/copy.db"]) == 0


# Full disks ---------------------------------------------------------------------------------------------------------


def fill(folder: str, size: str, state: str) -> None:
    url = f"sqlite:///{folder}/rui.db"

    async def scenario(store: Store) -> None:
        specs = []
        with pytest.raises(StoreFull, match=r"the disk is full: .* are reserved for deletions"):
            while True:
                specs += [spec(os.urandom(int(size))) for _ in range(20)]
                await asyncio.gather(*map(store.store, specs[-20:]))
        assert shutil.disk_usage(folder).free > DISK_RESERVED * 5 / 8, "the log takes a quarter when it is written"
        ids = [spec.spec_id for spec in specs[:-20]]
        if state == "stopped":
            await store.close()
        for start in range(0, len(ids), 100):
            assert await asyncio.to_thread(delete, url, ids[start : start + 100]) == 0
        if state == "in use":
            await store.ready()
            await asyncio.gather(*(store.store(spec(os.urandom(int(size)))) for _ in range(20)))
            with Path(folder, "junk").open("wb") as junk:
                junk.write(bytes(shutil.disk_usage(folder).free - (6 << 20)))
            with pytest.raises(StoreFull):  # free pages of the file do not help its log
                await store.ready()

    with_store(url, scenario)


def delete(url: str, ids: list[str]) -> int:
    return main(["delete", *ids, "--reason", "room", "--store", url])


@pytest.mark.parametrize(("size", "state", "megabytes"), [
    ("2500", "in use", 24), ("200000", "in use", 60), ("60000", "stopped", 24),
])  # fmt: skip
def test_specs_can_be_deleted_on_a_full_disk(tmp_path: Path, size: str, state: str, megabytes: int) -> None:
    """The service keeps room for it on the disk. What was deleted leaves its room to new specs."""
    on_small_disk(fill, tmp_path, size, state, megabytes=megabytes)


def delete_without_room(folder: str) -> None:
    url = f"sqlite:///{folder}/rui.db"
    specs = store_some(url)

    async def scenario(store: Store) -> None:
        await store.open()
        with Path(folder, "junk").open("wb") as junk:
            junk.write(bytes(shutil.disk_usage(folder).free))
        with pytest.raises(StoreFull, match="free some megabytes of the disk"):
            await store.store(tombstone(specs[0].spec_id, "now", "room"))

    with_store(url, scenario)


def test_a_deletion_without_room_for_its_log_says_what_to_do(tmp_path: Path) -> None:
    on_small_disk(delete_without_room, tmp_path)


@pytest.mark.parametrize(("size", "limit"), [(1_500, 6_000_000), (6_000, 6_000_000), (60_000, 12_000_000)])
def test_deletions_make_room_in_postgres(postgres: Postgres, monkeypatch, size: int, limit: int) -> None:
    """Of a full table, live rows count; its files do not shrink by VACUUM."""
    monkeypatch.setattr("rui_api.store.postgres.SIZE_SECONDS", 0.0)
    url = postgres.new_database()

    async def scenario(store: Store) -> None:
        specs: list[StoredSpec] = []
        with pytest.raises(StoreFull):
            while True:
                specs += [spec(os.urandom(size)) for _ in range(20)]
                await asyncio.gather(*map(store.store, specs[-20:]))
        assert limit * 0.8 < len(specs) * size < limit * 1.2
        await asyncio.gather(*(store.store(tombstone(spec.spec_id, "now", "room")) for spec in specs[::2]))
        await asyncio.to_thread(postgres.execute, "VACUUM rui_specs", url=url)
        used = (await asyncio.to_thread(postgres.execute, "SELECT pg_total_relation_size('rui_specs')", url=url))[0][0]
        assert used > limit * 0.8
        await store.ready()
        with pytest.raises(StoreFull):
            for _ in specs:  # the size is estimated
                await store.store(spec(os.urandom(size)))

    with_store(url, scenario, max_bytes=limit, max_waiting=10_000)
