"""Fixtures: a browser for all tests of pages, and stored specs."""

from collections.abc import Iterator

import pytest

from tests.rui_api.live import Service
from tests.rui_inspector.browser import Browser, chromium, later
from tests.support.examples import DESK
from tests.support.fixtures import service

__all__ = ["service"]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def desk(service: Service) -> str:
    return service.store(DESK)["viewUrl"]


@pytest.fixture(scope="module")
def other(service: Service) -> str:
    """The id of a later version of the same document."""
    return service.store(later())["specId"]
