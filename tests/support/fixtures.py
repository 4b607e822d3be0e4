"""Fixtures that run a surface; the conftest.py of a package whose tests need one imports it."""

import os
from collections.abc import Iterator

import pytest

from tests.rui_api.live import Service, shared_service
from tests.rui_lsp.lsp_client import Client


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service on its own port, with an empty store."""
    if os.name == "nt":
        pytest.skip("the service is tested on Linux and macOS")
    with shared_service(tmp_path_factory.mktemp("store")) as service:
        yield service


@pytest.fixture(scope="module")
def editor() -> Iterator[Client]:
    """A client of a real language server; its end checks the exit code and standard error of the server."""
    with Client() as client:
        yield client
