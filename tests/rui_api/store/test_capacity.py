"""Limits of the size of a store: specs are refused before the disk is full, and stored ones are served."""

import asyncio
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_api.store import capacity as capacities
from rui_api.store.base import Measurement, StorageUnavailable, StoreFull
from rui_api.store.capacity import RESERVED, WRITTEN_TIMES, Capacity, CapacityLimits, measure_file
from rui_common.describe import minimal_example
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.rui_api.live import Service, running
from tests.rui_api.load import wait_until
from tests.rui_api.postgres import Postgres

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_without_limits_nothing_is_measured() -> None:
    capacity = Capacity()
    assert not capacity.is_due(1 << 60)
    capacity.reserve(1 << 60)


MAX = RESERVED + 100


@pytest.mark.parametrize(("limits", "measured", "size", "words"), [
    (CapacityLimits(max_bytes=MAX), Measurement(99), 0, ""),
    (CapacityLimits(max_bytes=MAX), Measurement(100), 0, "is full"),
    (CapacityLimits(max_bytes=MAX), Measurement(0), MAX_BODY_BYTES, ""),
    (CapacityLimits(max_bytes=MAX), Measurement(0), MAX_BODY_BYTES + 50, "is full"),
    (CapacityLimits(min_free=100), Measurement(0, MAX + 1), 0, ""),
    (CapacityLimits(min_free=100), Measurement(0, MAX), 0, "--store-min-free"),
    (CapacityLimits(min_free=100), Measurement(1 << 60), 0, ""),
    (CapacityLimits(MAX, 100), Measurement(99, MAX), 0, "--store-min-free"),
    (CapacityLimits(MAX, 100), Measurement(100, MAX + 1), 0, "--store-max-bytes"),
])  # fmt: skip
def test_limits(limits: CapacityLimits, measured: Measurement, size: int, words: str) -> None:
    capacity = Capacity(limits)
    capacity.update(measured)
    if not words:
        capacity.reserve(size)
        return
    for _ in range(2):
        with pytest.raises(StoreFull, match=words):
            capacity.reserve(size)


def test_it_is_measured_from_time_to_time() -> None:
    """Not for each request; what is written meanwhile counts."""
    clock = Clock()
    capacity = Capacity(CapacityLimits(max_bytes=RESERVED + 1_000), 10, clock)
    assert capacity.is_due(1)
    capacity.update(Measurement(0))
    for _ in range(5):
        assert not capacity.is_due(100)
        capacity.reserve(100)
    assert not capacity.is_due(100), "there seems to be no room, but it was measured just now"
    clock.now = capacities.FULL_SECONDS
    assert capacity.is_due(100)
    capacity.update(Measurement(500))
    assert not capacity.is_due(100), "there is room"
    clock.now += 10
    assert capacity.is_due(0)
    assert WRITTEN_TIMES == 2


def large_document() -> dict[str, object]:
    """Return a document that no compression makes shorter than 20 KB."""
    title = random.Random(1).randbytes(20_000).hex()
    return {**minimal_example(), "meta": {"description": title}}


def check_full(service: Service, path: str) -> None:
    """Storing gets 503 with a clear message; everything else goes on."""
    wait_until(lambda: service.post("/api/specs", minimal_example()).status_code == 503, "the store is full")
    answer = service.post("/api/specs", minimal_example())
    assert (answer.status_code, answer.json()["error"]) == (503, "STORAGE_UNAVAILABLE")
    assert answer.json()["message"].startswith("The store is full. ")
    assert answer.headers["retry-after"]
    assert service.client.get("/api/ready").json()["message"].startswith("The store is full. ")
    for other in (path, "/api/health", "/api/ready/validation"):
        assert service.client.get(other).status_code == 200
    assert service.post("/api/validate", minimal_example()).json()["valid"] is True
    page = service.client.post("/", content=b"rui=%7B%7D&do=store", headers=FORM)
    assert page.status_code == 200, "an invalid document is not stored anyway"


def test_a_full_sqlite_store(tmp_path: Path, caplog) -> None:
    """The file stays below its limit, and deleting makes room."""
    path = tmp_path / "rui.db"
    limit = 1_500_000
    settings = Settings(store=f"sqlite:///{path}", store_max_bytes=limit, spec_cache_bytes=0)
    document = large_document()
    with running(create_app(settings)) as service:
        saved = service.store()
        while service.post("/api/specs", document).status_code == 201:
            assert measure_file(path).used < limit
        check_full(service, f"/api/specs/{saved['specId']}")
        assert measure_file(path).used < limit
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.execute("DELETE FROM specs WHERE length(normalized_rui) > 1000")
            database.execute("VACUUM")
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        wait_until(lambda: service.client.get("/api/ready").status_code == 200, "there is room again")
        assert service.client.get(f"/api/specs/{saved['specId']}").status_code == 200
    lines = [record.getMessage() for record in caplog.records if "store" in record.getMessage()]
    assert [line for line in lines if "the store is full: it uses 0.00 GB of --store-max-bytes" in line]
    assert len(lines) < 6, "one line when it begins"


def test_a_disk_that_is_nearly_full(tmp_path: Path, monkeypatch) -> None:
    free = [1 << 30]
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(capacities.shutil, "disk_usage", lambda _: usage._replace(free=free[0]))
    with running(create_app(Settings(store=f"sqlite:///{tmp_path}/rui.db"))) as service:
        saved = service.store()
        free[0] = 60 << 20
        check_full(service, f"/api/specs/{saved['specId']}")
        free[0] = 1 << 30
        wait_until(lambda: service.client.get("/api/ready").status_code == 200, "there is room again")
        service.store()


def test_a_full_database(postgres: Postgres, monkeypatch) -> None:
    monkeypatch.setattr("rui_api.store.factory.POSTGRES_SECONDS", 0.1)
    settings = Settings(store=postgres.new_database(), store_max_bytes=1_500_000, spec_cache_bytes=0)
    with running(create_app(settings)) as service:
        saved = service.store()
        document = large_document()
        while service.post("/api/specs", document).status_code == 201:
            pass
        check_full(service, f"/api/specs/{saved['specId']}")
        rows = postgres.execute("SELECT pg_total_relation_size('rui_specs')", url=settings.store)
        assert rows[0][0] < 1_500_000


@pytest.mark.parametrize("make", [lambda path: path, lambda path: path.mkdir()])
def test_a_file_that_is_missing(tmp_path: Path, make: Callable[[Path], object]) -> None:
    make(tmp_path / "folder")
    found = measure_file(tmp_path / "rui.db")
    assert (found.used, found.free is not None) == (0, True)


def test_a_folder_that_is_missing(tmp_path: Path) -> None:
    from rui_api.store.factory import open_store  # noqa: PLC0415

    store = open_store(f"sqlite:///{tmp_path}/none/rui.db", limits=CapacityLimits(1, 1))

    async def ready() -> None:
        try:
            await store.ready()
        finally:
            await store.close()

    with pytest.raises(StorageUnavailable, match="No such file"):
        asyncio.run(ready())


def test_a_database_is_not_measured_for_the_free_space_of_its_disk() -> None:
    """Its disk is not known. On Citus, a worker that is away would prevent the measurement, and with it storing."""
    from rui_api.store.factory import open_store  # noqa: PLC0415

    assert not open_store("postgresql://rui@/rui", limits=CapacityLimits(0, 1)).capacity.is_due(1)
    assert open_store("postgresql://rui@/rui", limits=CapacityLimits(1, 1)).capacity.is_due(1)
