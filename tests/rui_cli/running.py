"""Run `rui` within the process of the test, with binary streams as in a real process."""

import io
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from rui_cli.main import main
from tests.support.small import DOCUMENT

VALID = DOCUMENT.replace("BLOCK", '{"id": "note", "type": "Text", "content": "x"}')
FAULTY = VALID.replace('"title": "Home"', '"titel": "Home"')
"""Two diagnostics that `--fix` removes."""

SURROUNDINGS = {
    "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "GIT_PAGER_IN_USE", "TERM", "GITHUB_WORKSPACE",
    "RUI_DEBUG", "RUI_SERVER",
}  # fmt: skip


class Ran(NamedTuple):
    """The exit code and the output, as text."""

    code: int
    out: str
    err: str


class Stream(io.TextIOWrapper):
    """A stream in memory, optionally a terminal."""

    def __init__(self, data: bytes = b"", encoding: str = "utf-8", *, is_terminal: bool = False) -> None:
        super().__init__(io.BytesIO(data), encoding=encoding, newline="")
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal

    def written(self) -> str:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode(errors="backslashreplace")


def rui(
    *argv: str | Path,
    stdin: bytes | str = b"",
    encoding: str = "utf-8",
    is_terminal: bool = False,
    environment: Mapping[str, str] | None = None,
) -> Ran:
    """Run `rui`. The other variables that it reads are unset; `encoding` is that of both outputs."""
    given = Stream(stdin.encode() if isinstance(stdin, str) else stdin)
    out, err = (Stream(encoding=encoding, is_terminal=is_terminal) for _ in range(2))
    clean = {name: value for name, value in os.environ.items() if name not in SURROUNDINGS}
    with (
        mock.patch.multiple(sys, stdin=given, stdout=out, stderr=err),
        mock.patch.dict(os.environ, {**clean, **(environment or {})}, clear=True),
    ):
        code = main([str(word) for word in argv])
    return Ran(code, out.written(), err.written())
