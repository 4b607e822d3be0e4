"""Fixtures: a browser for all tests of pages, and stored specs."""

import copy
from collections.abc import Iterator

import pytest

from tests.rui_api.live import Service
from tests.rui_inspector.browser import DESK, Browser, chromium


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
    later = copy.deepcopy(DESK)
    figures, latest = later["pages"][0]["children"]
    figures["children"][0]["label"] = "Still open"
    figures["children"][0]["binding"]["valuePath"] = "data.stillOpen"
    figures["children"].append(latest["children"].pop())
    later["pages"][1]["children"] = [
        {**figures, "id": "new", "children": [{"id": "n", "type": "Text", "content": "x"}]}
    ]
    return service.store(later)["specId"]
