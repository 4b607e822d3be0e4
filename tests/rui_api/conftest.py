from collections.abc import Iterator

import pytest

from tests.rui_api.live import Service, shared_service
from tests.rui_api.postgres import Postgres, need, postgres_server


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with default settings and an empty store, shared by tests."""
    with shared_service(tmp_path_factory.mktemp("store")) as service:
        yield service


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server; a test that stops it starts it again."""
    need("initdb", "postgres")
    # Killed processes lose no data of the system; a sync of all data after each crash would take seconds.
    with postgres_server("-c", "fsync=off") as server:
        yield server
