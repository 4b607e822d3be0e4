"""Fixtures of the editors. Each editor is started once for all tests."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from editors.build_vsix import build
from tests.editors import tools
from tests.editors.documents import GOOD
from tests.editors.neovim import HELP, Neovim, SharedNeovim, neovim
from tests.editors.workbench import Workbench, chromium, workbench
from tests.support.fixtures import service

__all__ = ["service"]


@pytest.fixture(scope="session")
def vsix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The .vsix, built from the sources once for all processes of pytest-xdist, whose folders have one parent."""
    with tools.or_skip():
        tools.on_path("npm")
    folder = tmp_path_factory.getbasetemp()
    built = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "rui.vsix"
    with tools.one_at_a_time("extension"):
        return built if built.exists() else build(built)


# Playwright's event loop runs in this thread until the browser ends; until then no test can start an event loop.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The browser for all workbenches."""
    with tools.or_skip():
        tools.workbench(), tools.chromium()
    with chromium() as running:
        yield running


@pytest.fixture(scope="package")
def running_workbench(vsix: Path, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with workbench(vsix, tmp_path_factory.mktemp("workbench"), browser) as running:
        extension = "vscode.extensions.getExtension('rui-toolkit.rui')"
        running.before_trust["was active"] = running.js(f"return {extension}.isActive")
        running.show(running.write("untrusted.rui.json", GOOD))
        running.js(f"await until(() => {extension}.exports?.server?.isRunning)")
        options = f"{extension}.exports.server.client.clientOptions.initializationOptions"
        running.before_trust["options"] = running.js(f"return {options}")
        running.before_trust["status"] = running.language_status()
        running.trust()
        running.tidy()
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


@pytest.fixture(scope="session")
def running_neovim(installed_neovim: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedNeovim]:
    """A Neovim with the examples of the help page as its configuration."""
    config = "".join(re.findall(r"\n\n((?:    .*\n|\n)+)", HELP.split("*rui-examples*\n")[1].split("=====")[0]))
    with SharedNeovim(lambda: Neovim(tmp_path_factory.mktemp("neovim"), config)) as shared:
        yield shared


@pytest.fixture
def nvim(running_neovim: SharedNeovim) -> Neovim:
    """The Neovim without open buffers, messages and files."""
    return running_neovim.tidied()
