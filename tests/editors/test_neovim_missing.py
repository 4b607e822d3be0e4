"""The plugin where something is missing or wrong, and what older versions of Neovim do without it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.editors import tools
from tests.editors.neovim import Neovim, neovim
from tests.editors.page import configurations
from tests.editors.test_neovim import DRAFT, HELP


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    with tools.or_skip():
        neovim()


@pytest.fixture
def deaf(tmp_path: Path) -> str:
    """A PATH on which everything is but `rui`."""
    kept = [folder for folder in os.environ["PATH"].split(os.pathsep) if not shutil.which("rui", path=folder)]
    return os.pathsep.join(kept)


def test_no_server(tmp_path: Path, deaf: str) -> None:
    # Neovim's own vim.notify makes an error of an autocommand that it is called in.
    really = "local watch = vim.notify_once\nvim.notify_once = function(...) watch(...) _G.notify(...) end\n"
    with Neovim(tmp_path, really, path=deaf, parser=False) as nvim:
        nvim.command(f"edit {tmp_path / 'a.rui.json'}")
        said = nvim.until(nvim.told)
        for expected in ("there is no `rui` on the PATH", "pipx install 'rui-toolkit[lsp]'", "vim.g.rui_cmd = {",
                         ":checkhealth rui"):  # fmt: skip
            assert expected in said
        assert nvim.lua("return vim.b.current_syntax") == "rui-json"
        nvim.command("RuiPublish")
        assert nvim.told().count("pipx install") == 2
        said = nvim.health()
        assert "ERROR" in said and "pipx install 'rui-toolkit[lsp]'" in said and "Python 3." in said
        assert "a.rui.json: no server is attached" in said and "No tree-sitter parser for JSON" in said
        nvim.lua("vim.env.PATH = ... .. ':' .. vim.env.PATH", str(Path(sys.executable).parent))
        nvim.command("buffer a.rui.json")
        nvim.command("RuiRestart")
        nvim.until(nvim.client, "it was installed meanwhile")


@pytest.fixture
def lost(tmp_path: Path) -> Path:
    """What pipx leaves behind of `rui` when its Python is removed."""
    program = tmp_path / "lost" / "rui"
    program.parent.mkdir()
    program.write_text("#!/nowhere/bin/python3\n")
    program.chmod(0o755)
    return program


def test_a_server_whose_python_is_gone(tmp_path: Path, deaf: str, lost: Path) -> None:
    with Neovim(tmp_path, path=f"{lost.parent}{os.pathsep}{deaf}") as nvim:
        nvim.command(f"edit {tmp_path / 'a.rui.json'}")
        said = f"{lost} needs /nowhere/bin/python3, which is not there. `pipx reinstall rui-toolkit` mends it."
        nvim.until(lambda: said in nvim.told())
        shown = nvim.health()
        assert "ERROR" in shown and "which is not there. pipx reinstall rui-toolkit mends it." in shown.replace("`", "")


def test_all_is_wrong(tmp_path: Path) -> None:
    """No server, an old Python, a parser that does not load, a server switched off: each is said, with advice."""
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
    for expected in ("ERROR The language server cannot be started: there is no", "pipx install 'rui-toolkit[lsp]'",
                     f"WARNING Python 3.9.2 ({programs}/python3) is too old", "WARNING No Python 3.11 or newer",
                     "WARNING The tree-sitter parser for JSON cannot be loaded", "WARNING The server is not enabled",
                     "ERROR a.rui.json: no server is attached", ":RuiRestart"):  # fmt: skip
        assert expected in shown, shown


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("'/nowhere/rui'", "vim.g.rui_cmd names /nowhere/rui, and there is no such program."),
        (f"'{__file__}'", f"vim.g.rui_cmd names {__file__}, which is no program that may be run."),
        (
            "'rui lsp'",
            'names rui lsp, which is no path of a program; a command with arguments is a list: { "rui", "lsp" }',
        ),
        ("'/bin/true'", "it ended at once, with exit code 0."),
        ("7", "vim.g.rui_cmd is to be a path, or a list such as { '/path/to/rui', 'lsp' }, not 7"),
        (
            f"{{ '{sys.executable}', '-m', 'rui_lsp', '--nonsense' }}",
            "it ended at once, with exit code 2: rui lsp: unknown argument '--nonsense'",
        ),
    ],
)
def test_a_setting_that_is_wrong(tmp_path: Path, setting: str, said: str) -> None:
    with Neovim(tmp_path, f"vim.g.rui_cmd = {setting}\n") as nvim:
        nvim.command(f"edit {tmp_path / 'a.rui.json'}")
        nvim.until(lambda: said in nvim.told(), said)
        assert "Correct it in your init.lua" in nvim.told()
        assert "Correct it in your init.lua" in nvim.health()


# Older versions


def example(tag: str) -> str:
    """The Lua that the help page shows below a tag."""
    part = HELP.split(f" *{tag}*", 1)[1]
    return re.split(r"^<|^={5}", part.split(">lua\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def test_what_the_help_page_says_for_older_versions(tmp_path: Path) -> None:
    with Neovim(tmp_path, example("rui-older"), plugin=False) as nvim:
        (tmp_path / "work" / ".git").mkdir()
        nvim.edit("draft.rui.json", DRAFT)
        nvim.until(nvim.findings)
        assert nvim.lua("return vim.lsp.get_clients()[1].root_dir") == str(nvim.folder)


@pytest.fixture
def older() -> tuple[str, int]:
    """The Neovim of the system, and the second number of its version."""
    with tools.or_skip():
        program = tools.on_path("nvim")
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return program, int(said.split(".")[1])


def test_an_older_neovim_with_what_the_page_says(tmp_path: Path, older: tuple[str, int]) -> None:
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
        nvim.completion_context_at("today")
        nvim.lua("vim.lsp.buf.rename('now')")
        nvim.until(lambda: '"id": "now"' in nvim.text())
        nvim.completion_context_at('"stack"')
        nvim.type("C<C-x><C-o>")
        nvim.until(lambda: '"direction": "stack",\n' in nvim.text() and nvim.lua("return vim.fn.pumvisible()") == 1)


def test_the_plugin_in_an_older_neovim_says_what_to_do(tmp_path: Path, older: tuple[str, int]) -> None:
    program, minor = older
    with Neovim(tmp_path, parser=False, program=program) as nvim:
        nvim.command(f"edit {tmp_path / 'a.rui.json'}")
        shown = " ".join(nvim.health().split())
        if minor < 11:
            assert "this plugin is for Neovim 0.11 or newer; `:help rui-older` has" in nvim.told()
            assert "is too old for this plugin, which needs 0.11" in shown and "rui-older" in shown
        else:
            assert "ERROR" not in shown
