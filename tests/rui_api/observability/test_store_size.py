"""The metrics of the size of the store."""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_api.observability import store_size
from rui_api.store.base import Store, StoredSpec
from rui_api.store.factory import open_store
from rui_api.store.postgres.options import PostgresOptions
from tests.rui_api.live import Service, running
from tests.rui_api.load import wait_until
from tests.rui_api.observability.test_logs_and_metrics import numbers
from tests.rui_api.postgres import Postgres
from tests.rui_api.store.test_capacity import large_document

SPEC = StoredSpec("4be0643f-1d98-473b-97cd-ca98a65347dd", "2026-01-31T09:15:00.123Z", "sha256:0", "0.1", "0.1", b"{}")


def used(service: Service) -> float:
    return numbers(service.url)("rui_store_used_bytes")


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_size, "INTERVAL", 0.02)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_size_limit_and_free_space(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    url = f"sqlite:///{tmp_path}/rui.db"
    if kind == "postgres":
        url = request.getfixturevalue("postgres").new_database()
    with running(create_app(Settings(store=url, store_max_bytes=1 << 40))) as service:
        service.store()
        wait_until(lambda: used(service) > 0, "the store is measured")
        before = used(service)
        for _ in range(3):
            assert service.post("/api/specs", large_document()).status_code == 201
        wait_until(lambda: used(service) > before, "it has grown")
        found = numbers(service.url)
    assert found("rui_store_max_bytes") == 1 << 40
    free = shutil.disk_usage(tmp_path).free
    assert found("rui_store_free_bytes") == (pytest.approx(free, rel=0.2) if kind == "sqlite" else 0)


def test_a_store_that_is_away(tmp_path: Path) -> None:
    """Its last size stays."""
    with running(create_app(Settings(store=f"sqlite:///{tmp_path}/folder/rui.db"))) as service:
        assert used(service) == 0
        (tmp_path / "folder").mkdir()
        service.store()
        wait_until(lambda: used(service) > 0, "the store is measured")
        (tmp_path / "folder").rename(tmp_path / "moved")
        service.client.get("/api/ready")
        assert used(service) > 0


def test_a_scrape_does_not_wait(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def hang(_: Store) -> None:
        await asyncio.sleep(3600)

    monkeypatch.setattr("rui_api.store.sqlite.store.SqliteStore.measure", hang)
    with running(create_app(Settings(store=f"sqlite:///{tmp_path}/rui.db"))) as service:
        service.store()
        assert used(service) == 0


def with_store(url: str, scenario: Callable[[Store], object]) -> None:
    async def run() -> None:
        store = open_store(url, postgres=PostgresOptions(writers=1, readers=1))
        try:
            await scenario(store)
        finally:
            await store.close()

    asyncio.run(run())


def test_requests_that_come_while_a_database_is_measured(postgres: Postgres) -> None:
    """They wait for its session, and are handled afterwards."""

    async def scenario(store: Store) -> None:
        await store.store(SPEC)
        await store.fetch(SPEC.spec_id)
        measurements = [asyncio.create_task(store.measure()) for _ in range(2)]
        await asyncio.sleep(0)
        assert await asyncio.wait_for(store.fetch(SPEC.spec_id), 10) == SPEC
        first, second = await asyncio.gather(*measurements, return_exceptions=True)
        assert first.used > 0
        assert str(second) == "all sessions are in use"

    with_store(postgres.new_database(), scenario)
