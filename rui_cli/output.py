"""Writing to standard output and standard error, whatever they are: a terminal, a pipe, nothing, a test's buffer."""

from __future__ import annotations

import os
import sys

from rui_cli.options import Option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

COLOR = Option("--color", "whether to use colours", metavar="WHEN", choices=("auto", "always", "never"), default="auto")
"""The option of every command whose words may be coloured; see `use_color`."""

PIPED_WIDTH = 120
"""Columns to keep to where there is no terminal."""


def write(text: str, *, to_stderr: bool = False) -> None:
    """Write text for people to standard output or standard error, in its own encoding.

    Characters that it lacks are written as escapes. Where both go to one pipe, as in the log of a CI, what was written
    first comes first.
    """
    stream = sys.stderr if to_stderr else sys.stdout
    if to_stderr and sys.stdout is not None:
        try:  # noqa: SIM105  contextlib takes longer to load than all the rest of this
            sys.stdout.flush()
        except (OSError, ValueError):  # it is tried again when the program ends
            pass
    if stream is None:  # as when it was closed before the start
        return
    try:
        stream.write(text)
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def write_utf8(text: str) -> None:
    """Write text for programs to standard output: UTF-8 and the line endings as they are, whatever the locale."""
    write_bytes(text.encode("utf-8", "backslashreplace"))


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
    """Whether a person sees what is written to a stream."""
    return stream is not None and stream.isatty()


def print_error(text: str, command: str = "") -> None:
    """Write one line to standard error, with escapes for what is no visible character, and no user in any URL."""
    name = f"rui {command}" if command else "rui"
    if "://" in text and "@" in text:
        from rui_common.redact import redact_all_userinfo  # noqa: PLC0415  hardly ever

        text = redact_all_userinfo(text)
    write(f"{name}: {visible(text)}\n", to_stderr=True)


def visible(text: str) -> str:
    """`text` on one line, with control characters and the like as escapes."""
    if text.isprintable():
        return text
    from rui_cli.terminal_text import sanitize  # noqa: PLC0415  hardly ever

    return sanitize(text)


def use_color(wish: str, stream: TextIO | None) -> bool:
    """Whether to write in colour.

    Args:
        wish: ``always``, ``never`` or ``auto``; then ``NO_COLOR`` and ``FORCE_COLOR`` count, in this order, then
            whether `stream` is a terminal that knows colours.
        stream: where the text goes.
    """
    if wish != "auto":
        return wish == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in {"", "0"}:
        return True
    if not is_terminal(stream) or os.environ.get("TERM") == "dumb":
        return False
    # Old Windows consoles know no colours; the terminals that do say who they are.
    return os.name != "nt" or bool({"WT_SESSION", "TERM", "ANSICON"} & os.environ.keys())


def width_of(stream: TextIO | None) -> int:
    """The columns of the terminal that a stream is, else `PIPED_WIDTH`."""
    try:
        if stream is not None and stream.isatty():
            return max(40, os.get_terminal_size(stream.fileno()).columns)
    except (OSError, ValueError):
        pass
    return PIPED_WIDTH


def flush() -> None:
    """Write out what is still waiting."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()


def abandon_stdout() -> None:
    """Send to nowhere what is still waiting for standard output, so that Python does not try again as it ends."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):
        pass
