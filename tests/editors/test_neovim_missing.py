"""The plugin with missing or invalid parts, and the configurations for older versions of Neovim."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.editors import tools
from tests.editors.neovim import DRAFT, HELP, Neovim
from tests.editors.page import configurations

pytestmark = pytest.mark.usefixtures("installed_neovim")


@pytest.fixture
def path_without_rui() -> str:
    """The PATH without the folders that contain `rui`."""
    folders = [folder for folder in os.environ["PATH"].split(os.pathsep) if not shutil.which("rui", path=folder)]
    return os.pathsep.join(folders)


def test_no_server(tmp_path: Path, path_without_rui: str) -> None:
    # Neovim's own vim.notify, called inside an autocommand, makes the autocommand fail.
    notify = "local record = vim.notify_once\nvim.notify_once = function(...) record(...) _G.notify(...) end\n"
    with Neovim(tmp_path, notify, path=path_without_rui, parser=False) as nvim:
        nvim.command(f"edit {tmp_path / 'a.rui.json'}")
        message = nvim.until(nvim.messages)
        for expected in ("`rui` was not found on the PATH", "pipx install 'rui-toolkit[lsp]'", "vim.g.rui_cmd = {",
                         ":checkhealth rui"):  # fmt: skip
            assert expected in message
        assert nvim.lua("return vim.b.current_syntax") == "rui-json"
        nvim.command("RuiPublish")
        assert nvim.messages().count("pipx install") == 2
        report = nvim.health()
        assert "ERROR" in report and "pipx install 'rui-toolkit[lsp]'" in report and "Python 3." in report
        assert "a.rui.json: no server is attached" in report and "No tree-sitter parser for JSON" in report
        nvim.lua("vim.env.PATH = ... .. ':' .. vim.env.PATH", str(Path(sys.executable).parent))
        nvim.command("buffer a.rui.json")
        nvim.command("RuiRestart")
        nvim.until(nvim.client, "the server has been installed")


@pytest.fixture
def rui_without_python(tmp_path: Path) -> Path:
    """The script `rui` of a pipx environment whose Python has been removed."""
    program = tmp_path / "pipx" / "rui"
    program.parent.mkdir()
    program.write_text("#!/nowhere/bin/python3\n")
    program.chmod(0o755)
    return program


def test_a_server_without_its_python(tmp_path: Path, path_without_rui: str, rui_without_python: Path) -> None:
    with Neovim(tmp_path, path=f"{rui_without_python.parent}{os.pathsep}{path_without_rui}") as nvim:
        nvim.command(f"edit {tmp_path / 'a.rui.json'}")
        message = (
            f"{rui_without_python} needs /nowhere/bin/python3, which does not exist. Run `pipx reinstall rui-toolkit`."
        )
        nvim.until(lambda: message in nvim.messages())
        report = nvim.health()
        assert "ERROR" in report
        assert "which does not exist. Run pipx reinstall rui-toolkit." in report.replace("`", "")


def test_a_health_check_with_all_problems(tmp_path: Path) -> None:
    """No server, an old Python, an invalid parser and a disabled server are reported with instructions."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python3").write_text("#!/bin/sh\necho 3.9.2\n")
    (programs / "python3").chmod(0o755)
    with Neovim(tmp_path / "n", "vim.g.rui_enable = false\n", path=str(programs), parser=False) as nvim:
        parser = nvim.home / "share" / "nvim" / "site" / "parser" / "json.so"
        parser.parent.mkdir()
        parser.write_text("junk")
        nvim.command(f"edit {nvim.folder / 'a.rui.json'}")
        shown = nvim.health()
    for expected in ("ERROR The language server cannot be started: ", "pipx install 'rui-toolkit[lsp]'",
                     f"WARNING Python 3.9.2 ({programs}/python3) is too old", "WARNING No Python 3.11 or newer",
                     "WARNING The tree-sitter parser for JSON cannot be loaded", "WARNING The server is not enabled",
                     "ERROR a.rui.json: no server is attached", ":RuiRestart"):  # fmt: skip
        assert expected in shown, shown


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("'/nowhere/rui'", "vim.g.rui_cmd: /nowhere/rui does not exist."),
        (f"'{__file__}'", f"vim.g.rui_cmd: {__file__} is not executable."),
        (
            "'rui lsp'",
            'vim.g.rui_cmd: rui lsp is not a path. Write a command with arguments as a list: { "rui", "lsp" }',
        ),
        ("'/bin/true'", "it exited immediately with exit code 0."),
        ("7", "vim.g.rui_cmd must be a path or a list such as { '/path/to/rui', 'lsp' }, not 7"),
        (
            f"{{ '{sys.executable}', '-m', 'rui_lsp', '--nonsense' }}",
            "it exited immediately with exit code 2: rui lsp: error: unrecognized arguments: --nonsense",
        ),
    ],
)
def test_an_invalid_command(tmp_path: Path, setting: str, message: str) -> None:
    with Neovim(tmp_path, f"vim.g.rui_cmd = {setting}\n") as nvim:
        nvim.command(f"edit {tmp_path / 'a.rui.json'}")
        nvim.until(lambda: message in nvim.messages(), message)
        assert "Correct it in your init.lua" in nvim.messages()
        assert "Correct it in your init.lua" in nvim.health()


# Older versions


def example(tag: str) -> str:
    """Return the Lua below a tag of the help page."""
    part = HELP.split(f" *{tag}*", 1)[1]
    return re.split(r"^<|^={5}", part.split(">lua\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def test_the_configuration_for_older_versions_in_the_help_page(tmp_path: Path) -> None:
    with Neovim(tmp_path, example("rui-older"), plugin=False) as nvim:
        (tmp_path / "work" / ".git").mkdir()
        nvim.edit("draft.rui.json", DRAFT)
        nvim.until(nvim.findings)
        assert nvim.lua("return vim.lsp.get_clients()[1].root_dir") == str(nvim.folder)


@pytest.fixture
def older() -> tuple[str, int]:
    """The system's Neovim and its minor version."""
    with tools.or_skip():
        program = tools.on_path("nvim")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return program, int(version.split(".")[1])


def test_an_older_neovim_with_the_documented_configuration(tmp_path: Path, older: tuple[str, int]) -> None:
    program, minor = older
    [config] = configurations("Neovim 0.7" if minor < 8 else "Neovim 0.8 to 0.10", "lua")
    with Neovim(tmp_path, config, plugin=False, parser=False, program=program) as nvim:
        (nvim.folder / ".git").mkdir()
        (nvim.folder / "draft.rui.json").write_text(DRAFT.replace("Order desk", "é😀"))
        nvim.command("edit draft.rui.json")
        nvim.until(lambda: "INVALID_NAV_PAGE_ID" in nvim.codes())
        nvim.command("2,3join!")
        column = next(line for line in nvim.text().split("\n") if "é" in line).encode().index(b'"meta"')
        nvim.command("2s/meta/mta/")
        nvim.until(lambda: ("UNKNOWN_PROP", 1, column) in nvim.findings())
        nvim.command("2s/mta/meta/")
        nvim.until(lambda: ("UNKNOWN_PROP", 1, column) not in nvim.findings())
        nvim.put_cursor("today")
        nvim.lua("vim.lsp.buf.rename('now')")
        nvim.until(lambda: '"id": "now"' in nvim.text())
        nvim.put_cursor('"stack"')
        nvim.type("C<C-x><C-o>")
        nvim.until(lambda: '"direction": "stack",\n' in nvim.text() and nvim.lua("return vim.fn.pumvisible()") == 1)


def test_the_plugin_in_an_older_neovim_reports_the_required_version(tmp_path: Path, older: tuple[str, int]) -> None:
    program, minor = older
    with Neovim(tmp_path, parser=False, program=program) as nvim:
        nvim.command(f"edit {tmp_path / 'a.rui.json'}")
        shown = " ".join(nvim.health().split())
        if minor < 11:
            assert "this plugin requires Neovim 0.11 or newer. `:help rui-older` has" in nvim.messages()
            assert "is too old for this plugin, which requires 0.11" in shown and "rui-older" in shown
        else:
            assert "ERROR" not in shown
