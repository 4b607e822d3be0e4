"""Start of the server before a document is opened, if the working directory contains one."""

import sys
import time
from pathlib import Path

import pytest

from tests.editors.neovim import DRAFT, Neovim

pytestmark = pytest.mark.usefixtures("installed_neovim")

CLIENTS = """
return vim.tbl_map(function(client)
  return { id = client.id, root = client.root_dir or '', buffers = vim.tbl_count(client.attached_buffers) }
end, vim.tbl_filter(function(client) return client.initialized end, vim.lsp.get_clients({ name = 'rui' })))
"""


def started(nvim: Neovim) -> dict[str, object]:
    [client] = nvim.until(lambda: nvim.lua(CLIENTS), "a server is running")
    return dict(client)


@pytest.mark.parametrize("name", ["draft.rui.json", "specs/inner/draft.rui.json"])
def test_the_first_document_uses_the_running_server(tmp_path: Path, name: str) -> None:
    with Neovim(tmp_path, files={name: DRAFT, "other.json": "{}"}) as nvim:
        client = started(nvim)
        assert client["buffers"] == 0
        nvim.edit(name)
        nvim.until(nvim.findings)
        assert nvim.client()["id"] == client["id"]
        assert len(nvim.server_pids()) == 1
        assert nvim.messages() == ""


def test_the_root_is_the_repository_of_the_document(tmp_path: Path) -> None:
    files = {"repository/.git/config": "", "repository/specs/draft.rui.json": DRAFT}
    with Neovim(tmp_path, files=files) as nvim:
        client = started(nvim)
        assert client["root"] == str(nvim.folder / "repository")
        nvim.edit("repository/specs/draft.rui.json")
        assert nvim.client()["id"] == client["id"]


def test_the_server_runs_outside_of_the_folder_of_the_document(tmp_path: Path) -> None:
    with Neovim(tmp_path, files={"draft.rui.json": DRAFT}) as nvim:
        started(nvim)
        [server] = nvim.server_pids()
        assert Path(f"/proc/{server}/cwd").readlink() == Path(nvim.lua("return vim.env.VIMRUNTIME")).resolve()


@pytest.mark.parametrize("path", ["", ".", "bin", "./bin"])
def test_relative_folders_of_the_path_are_not_searched(tmp_path: Path, path: str) -> None:
    program = "#!/bin/sh\nexit 1\n"
    with Neovim(tmp_path, files={"rui": program, "bin/rui": program}) as nvim:
        for name in ("rui", "bin/rui"):
            (nvim.folder / name).chmod(0o755)
        installed = nvim.lua("return require('rui.server').command()[1]")
        assert Path(installed).parent == Path(sys.executable).parent
        nvim.lua("vim.env.PATH = ... .. ':' .. vim.env.PATH", path)
        assert nvim.lua("return require('rui.server').command()[1]") == installed
        nvim.lua("vim.g.rui_cmd = { './rui', 'lsp' }")
        reason = nvim.lua("return select(2, require('rui.server').command())")
        assert reason == "vim.g.rui_cmd: ./rui is neither an absolute path nor a program on the PATH."


def test_the_server_starts_after_a_change_of_directory(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "draft.rui.json").write_text(DRAFT)
    with Neovim(tmp_path) as nvim:
        nvim.command(f"cd {tmp_path / 'project'}")
        started(nvim)


@pytest.mark.parametrize(
    ("config", "files"),
    [
        ("", {"other.json": "{}", "node_modules/a/draft.rui.json": DRAFT, ".hidden/draft.rui.json": DRAFT}),
        ("vim.g.rui_start = 'open'\n", {"draft.rui.json": DRAFT}),
        ("vim.g.rui_enable = false\n", {"draft.rui.json": DRAFT}),
        ("vim.g.rui_cmd = '/nowhere/rui'\n", {"draft.rui.json": DRAFT}),
    ],
    ids=["no document", "rui_start", "rui_enable", "no server"],
)
def test_the_server_does_not_start(tmp_path: Path, config: str, files: dict[str, str]) -> None:
    with Neovim(tmp_path, config, files=files) as nvim:
        time.sleep(1)
        assert nvim.lua("return #vim.lsp.get_clients()") == 0
        assert nvim.server_pids() == []
        assert nvim.messages() == ""


def test_a_large_tree_is_not_searched_completely(tmp_path: Path) -> None:
    files = {f"data/{number}": "" for number in range(5000)} | {"data/z/draft.rui.json": DRAFT}
    with Neovim(tmp_path, files=files) as nvim:
        time.sleep(1)
        assert nvim.lua("return #vim.lsp.get_clients()") == 0


def test_a_failed_start_is_explained_when_a_document_is_opened(tmp_path: Path) -> None:
    """Before that, only Neovim's own message is shown."""
    with Neovim(tmp_path, "vim.g.rui_cmd = { '/bin/false' }\n", files={"draft.rui.json": DRAFT}) as nvim:
        nvim.until(nvim.messages)
        assert "RUI" not in nvim.messages()
        nvim.command("edit draft.rui.json")
        nvim.until(lambda: "it exited immediately with exit code 1." in nvim.messages())
