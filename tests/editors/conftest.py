"""The real editors, each started once for all tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from editors.build_vsix import build
from tests.editors import tools
from tests.editors.workbench import Workbench, chromium, workbench

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests in editors come last: as long as the workbench runs, so does Playwright's event loop, in this thread,
    and tests that start one of their own cannot run."""
    items.sort(key=lambda item: HERE in item.path.parents)


@pytest.fixture(scope="session")
def vsix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension's package, built from the sources as they are."""
    with tools.or_skip():
        tools.on_path("npm")
    return build(tmp_path_factory.mktemp("vsix") / "rui.vsix")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One for all workbenches, once what they need is there."""
    with tools.or_skip():
        tools.workbench(), tools.chromium()
    with chromium() as running:
        yield running


@pytest.fixture(scope="session")
def running_workbench(vsix: Path, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with workbench(vsix, tmp_path_factory.mktemp("workbench"), browser=browser) as running:
        yield running


@pytest.fixture
def code(running_workbench: Workbench) -> Iterator[Workbench]:
    """The workbench, tidy: no editor is open and no file is there."""
    yield running_workbench
    running_workbench.tidy()
