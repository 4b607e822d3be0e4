"""Write to standard output and standard error: a terminal, a pipe, or a closed stream."""

from __future__ import annotations

import json
import os
import sys
from typing import NamedTuple, TextIO

from rui_cli.terminal_text import escape_character
from rui_common.redact import redact_all_userinfo

PIPED_WIDTH = 120
"""Columns of output that does not go to a terminal."""


class Style(NamedTuple):
    """The style of text for people: whether to use colours, and the maximum columns."""

    color: bool = False
    width: int = PIPED_WIDTH

    def paint(self, text: str, codes: str) -> str:
        """Return `text` in a colour: the codes of an ANSI escape sequence, such as ``1;31``."""
        if not self.color:
            return text
        return f"\x1b[{codes}m{text}\x1b[0m"


def style_for(stream: TextIO) -> Style:
    """Return the style of text that goes to a stream: colours by environment, pager and terminal.

    A variable that is empty counts as unset. ``NO_COLOR`` with any value comes first (no-color.org); then
    ``FORCE_COLOR``, of which 0 and false disable colours (as for Node.js); then ``CLICOLOR_FORCE`` and ``CLICOLOR``, of
    which 0 is no (bixense.com/clicolors).
    """
    variables = os.environ
    try:
        width = max(40, os.get_terminal_size(stream.fileno()).columns)
    except (OSError, ValueError):  # no terminal
        width = PIPED_WIDTH
    force = variables.get("FORCE_COLOR", "")
    if variables.get("NO_COLOR") or force.lower() in {"0", "false"}:
        return Style(False, width)
    if force or variables.get("CLICOLOR_FORCE", "") not in {"", "0"}:
        return Style(True, width)
    if variables.get("CLICOLOR") == "0":
        return Style(False, width)
    if "GIT_PAGER_IN_USE" in variables:
        return Style(True, width)
    # Old Windows consoles have no colours; the terminals that do set one of these variables.
    can_color = os.name != "nt" or not {"WT_SESSION", "TERM", "ANSICON"}.isdisjoint(variables)
    return Style(stream.isatty() and can_color and variables.get("TERM") != "dumb", width)


def prepare_streams() -> None:
    """Open streams that were closed before the start, and write escapes for characters that an encoding lacks."""
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  open until the end
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def write(text: str, *, to_stderr: bool = False) -> None:
    """Write text for people in the encoding of the stream."""
    if to_stderr:
        sys.stdout.flush()  # keeps the order if both share a pipe
        sys.stderr.write(text)
    else:
        sys.stdout.write(text)


def write_utf8(text: str) -> None:
    """Write text for programs to standard output, as UTF-8 without conversion of line endings."""
    write_bytes(text.encode("utf-8", "backslashreplace"))


def write_bytes(data: bytes) -> None:
    """Write bytes to standard output."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def print_error(text: str, command: str = "") -> None:
    """Write one line to standard error. Control characters are escaped, the user of a URL is removed."""
    if "://" in text and "@" in text:
        text = redact_all_userinfo(text)
    program = f"rui {command}".strip()
    write(f"{program}: {escape_line(text)}\n", to_stderr=True)


def to_json(value: object, indent: int | None = None) -> str:
    """Return JSON with escapes for characters that a terminal does not show as they are."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return "\n".join(map(escape_line, text.split("\n")))


def escape_line(text: str) -> str:
    """Return `text` on one line, with escapes for characters that a terminal does not show as they are."""
    if text.isprintable():
        return text
    return "".join([escape_character(text, index, tab="\\t") for index in range(len(text))])


def discard() -> None:
    """Discard the buffer of standard output, so that Python does not try to write it again at exit."""
    try:
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, sys.stdout.fileno())
        os.close(devnull)
    except (OSError, ValueError):  # a stream without a descriptor
        pass
