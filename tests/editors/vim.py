"""A real Vim with ALE on a terminal of its own: keys are typed, and what ALE shows is read."""

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

DEADLINE = 15.0
"""Seconds until a test gives up; generous, as the machine may be busy."""

# Vim says twenty times a second what there is to see: whole, in a file.
TELL = """
function! Tell(timer)
  let l:found = map(copy(ale#engine#GetLoclist(bufnr())), {_, item -> [get(item, 'code', ''), item.lnum, item.col]})
  let l:seen = {'found': l:found, 'type': &filetype, 'syntax': &syntax, 'lines': getline(1, '$'),
  \\             'signs': len(sign_getplaced(bufnr(), {'group': '*'})[0].signs)}
  call writefile([json_encode(l:seen)], 'seen.new')
  call rename('seen.new', 'seen.json')
endfunction
call timer_start(50, 'Tell', {'repeat': -1})
"""


class Vim:
    """One Vim with a configuration, in a folder."""

    def __init__(self, program: str, folder: Path, vimrc: str, name: str) -> None:
        """Open a file.

        Args:
            program: Vim.
            folder: where it works, and where its home is.
            vimrc: the user's configuration.
            name: the file.
        """
        self.folder = folder
        self._seen: dict[str, Any] = {"found": [], "lines": []}
        (folder / "vimrc").write_text(vimrc, encoding="utf-8")
        (folder / "tell.vim").write_text(TELL, encoding="utf-8")
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "HOME": str(folder), "TERM": "xterm", "LC_ALL": "C.UTF-8"}
        command = [program, "-N", "-n", "-i", "NONE", "-u", "vimrc", "-S", "tell.vim", name]
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
                self._look()
                assert time.monotonic() < end, "Vim does not end"
        finally:
            self._process.kill()
            self._process.wait()
            os.close(self._terminal)

    def type(self, keys: str) -> None:
        """Type keys as a terminal sends them."""
        os.write(self._terminal, keys.encode())

    def until(self, question: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until something is so in what there is to see; what there is to see then."""
        end = time.monotonic() + DEADLINE
        while not question(seen := self._look()):
            assert time.monotonic() < end, seen
        return seen

    def _look(self) -> dict[str, Any]:
        """What there is to see now; the terminal is read, or else Vim would wait for it."""
        if select.select([self._terminal], [], [], 0.05)[0]:
            with contextlib.suppress(OSError):  # It has ended.
                os.read(self._terminal, 65_536)
        with contextlib.suppress(FileNotFoundError):  # It is about to be written.
            self._seen = json.loads((self.folder / "seen.json").read_text(encoding="utf-8"))
        return self._seen
