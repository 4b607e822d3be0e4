"""Fixtures of descriptions."""

import pytest

from rui_openapi.description.api import Api
from tests.rui_openapi.shop import SHOP, api_of


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Api:
    return api_of(SHOP, tmp_path_factory.mktemp("shop"))
