"""Drives Vim with ALE on a pseudo-terminal."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

DEADLINE = 40.0
"""Seconds until a test fails. Generous, for busy machines."""

# Vim writes its state into a file twenty times a second.
REPORT = """
function! Report(timer)
  let l:items = copy(ale#engine#GetLoclist(bufnr()))
  let l:diagnostics = map(l:items, {_, item -> [get(item, 'code', ''), item.lnum, item.col]})
  let l:state = {'diagnostics': l:diagnostics, 'type': &filetype, 'syntax': &syntax, 'lines': getline(1, '$'),
  \\             'signs': len(sign_getplaced(bufnr(), {'group': '*'})[0].signs)}
  call writefile([json_encode(l:state)], 'state.new')
  call rename('state.new', 'state.json')
endfunction
call timer_start(50, 'Report', {'repeat': -1})
"""


class Vim:
    """Vim with a configuration, in a folder."""

    def __init__(self, program: str, folder: Path, vimrc: str, name: str) -> None:
        """Open a file.

        Args:
            program: Vim.
            folder: its working directory and home.
            vimrc: the user's configuration.
            name: the file.
        """
        self.folder = folder
        self._state: dict[str, Any] = {"diagnostics": [], "lines": []}
        (folder / "vimrc").write_text(vimrc, encoding="utf-8")
        (folder / "report.vim").write_text(REPORT, encoding="utf-8")
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "HOME": str(folder), "TERM": "xterm", "LC_ALL": "C.UTF-8"}
        command = [program, "-N", "-n", "-i", "NONE", "-u", "vimrc", "-S", "report.vim", name]
        self._terminal, its_side = pty.openpty()
        self._process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=its_side, stdout=its_side, stderr=its_side,
            start_new_session=True,
        )  # fmt: skip
        os.close(its_side)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *about: object) -> None:
        try:
            self.type("\x1b:qall!\r")
            end = time.monotonic() + DEADLINE
            while self._process.poll() is None:
                self._read_state()
                assert time.monotonic() < end, "Vim does not end"
        finally:
            self._process.kill()
            self._process.wait()
            os.close(self._terminal)

    def type(self, keys: str) -> None:
        """Type keys as a terminal sends them."""
        os.write(self._terminal, keys.encode())

    def until(self, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until a condition of the state is true, and return the state."""
        end = time.monotonic() + DEADLINE
        while not condition(state := self._read_state()):
            assert time.monotonic() < end, state
        return state

    def _read_state(self) -> dict[str, Any]:
        """Return the current state. Also reads the terminal, because Vim blocks if its output is not read."""
        if select.select([self._terminal], [], [], 0.05)[0]:
            with contextlib.suppress(OSError):  # Vim has ended.
                os.read(self._terminal, 65_536)
        with contextlib.suppress(FileNotFoundError):  # The file does not exist yet.
            self._state = json.loads((self.folder / "state.json").read_text(encoding="utf-8"))
        return self._state
