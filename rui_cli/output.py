"""Write to standard output and standard error: a terminal, a pipe, a closed stream or a buffer of a test."""

from __future__ import annotations

import json
import os
import sys
from typing import TextIO

from rui_cli.terminal_text import escape_unprintable
from rui_common.redact import redact_all_userinfo

PIPED_WIDTH = 120
"""Columns of output that does not go to a terminal."""


class Style:
    """The style of text for people.

    Attributes:
        color: whether to use colours.
        width: maximum columns.
    """

    __slots__ = ("color", "width")

    def __init__(self, *, color: bool = False, width: int = PIPED_WIDTH) -> None:
        self.color = color
        self.width = width

    def paint(self, text: str, codes: str) -> str:
        """Return `text` in a colour: the codes of an ANSI escape sequence, such as ``1;31``."""
        if not self.color:
            return text
        return f"\x1b[{codes}m{text}\x1b[0m"


def write(text: str, *, to_stderr: bool = False) -> None:
    """Write text for people in the encoding of the stream; other characters become escapes.

    Standard output is flushed before writing to standard error, so that the order is right if both share a pipe.
    """
    stream = sys.stderr if to_stderr else sys.stdout
    if to_stderr and sys.stdout is not None:
        try:  # noqa: SIM105  importing contextlib takes too long
            sys.stdout.flush()
        except (OSError, ValueError):  # the flush at exit reports it
            pass
    if stream is None:  # it was closed before the start
        return
    try:
        stream.write(text)
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def write_utf8(text: str) -> None:
    """Write text for programs to standard output, as UTF-8 without conversion of line endings."""
    write_bytes(text.encode("utf-8", "backslashreplace"))


def to_json(value: object, indent: int | None = None) -> str:
    """Return JSON with escapes for characters that a terminal does not show as they are."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return "\n".join(map(escape_control, text.split("\n")))


def write_bytes(data: bytes) -> None:
    """Write bytes to standard output."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        write(data.decode("utf-8", "backslashreplace"))
        return
    sys.stdout.flush()
    buffer.write(data)
    buffer.flush()


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal."""
    return stream is not None and stream.isatty()


def print_error(text: str, command: str = "") -> None:
    """Write one line to standard error. Control characters are escaped, the user of a URL is removed."""
    if "://" in text and "@" in text:
        text = redact_all_userinfo(text)
    program = f"rui {command}".strip()
    write(f"{program}: {escape_control(text)}\n", to_stderr=True)


def escape_control(text: str) -> str:
    """Return `text` on one line, with escapes for characters that a terminal does not show as they are."""
    if text.isprintable():
        return text
    return escape_unprintable(text)


def use_color(choice: str, stream: TextIO | None) -> bool:
    """Return whether to use colours.

    Args:
        choice: ``always``, ``never`` or ``auto``. ``auto`` depends on ``NO_COLOR``, ``FORCE_COLOR`` and the terminal.
        stream: the stream that the text goes to.
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in {"", "0"}:
        return True
    if not is_terminal(stream) or os.environ.get("TERM") == "dumb":
        return False
    # Old Windows consoles have no colours; the terminals that do set one of these variables.
    return os.name != "nt" or not {"WT_SESSION", "TERM", "ANSICON"}.isdisjoint(os.environ)


def width_of(stream: TextIO | None) -> int:
    """Return the columns of the terminal, or `PIPED_WIDTH`."""
    try:
        if stream is not None and stream.isatty():
            return max(40, os.get_terminal_size(stream.fileno()).columns)
    except (OSError, ValueError):
        pass
    return PIPED_WIDTH


def flush() -> None:
    """Flush standard output and standard error."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()


def redirect_stdout_to_devnull() -> None:
    """Discard the buffer of standard output, so that Python does not try to write it again at exit."""
    try:
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, sys.stdout.fileno())
        os.close(devnull)
    except (OSError, ValueError, AttributeError):
        pass
