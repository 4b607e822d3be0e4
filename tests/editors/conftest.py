"""Fixtures of the editors. Each editor is started once for all tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from editors.build_vsix import build
from tests.editors import tools
from tests.editors.neovim import Neovim, neovim
from tests.editors.workbench import Workbench, chromium, workbench

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests of editors last.

    Playwright's event loop runs in this thread until the workbench ends. Tests that start an event loop would fail.
    """
    items.sort(key=lambda item: HERE in item.path.parents)


@pytest.fixture(scope="session")
def vsix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The .vsix, built from the sources."""
    with tools.or_skip():
        tools.on_path("npm")
    return build(tmp_path_factory.mktemp("vsix") / "rui.vsix")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser for all workbenches."""
    with tools.or_skip():
        tools.workbench(), tools.chromium()
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def running_workbench(vsix: Path, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with workbench(vsix, tmp_path_factory.mktemp("workbench"), browser=browser) as running:
        yield running


@pytest.fixture
def code(running_workbench: Workbench) -> Iterator[Workbench]:
    """The workbench without open editors and files."""
    yield running_workbench
    running_workbench.tidy()


@pytest.fixture(scope="session")
def installed_neovim() -> None:
    """Skips the tests without a Neovim."""
    with tools.or_skip():
        neovim()


@pytest.fixture
def nvim(installed_neovim: None, tmp_path: Path) -> Iterator[Neovim]:
    """A Neovim for one test."""
    with Neovim(tmp_path) as running:
        yield running
