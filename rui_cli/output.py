"""Write to standard output and standard error: a terminal, a pipe, or a closed stream."""

import io
import json
import os
import shlex
import sys
import unicodedata
from collections.abc import Iterable
from typing import Any, NamedTuple, TextIO

from rui_common.redact import redact_all_userinfo

PIPED_WIDTH = 120  # columns of output that does not go to a terminal

TAB_WIDTH = 4
_JOINERS = {"\u200c", "\u200d"}
"""Zero-width non-joiner and joiner, which belong to the words of some languages."""
_ESCAPED_CATEGORIES = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Control characters move the cursor or change colours, others reorder a line, or end it."""


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


class _Waiting(io.FileIO):
    """A file that waits for its reader where writing does not block. Python loses what does not fit, without a word."""

    def write(self, data: Any) -> int:  # noqa: ANN401  any buffer
        import select  # needed by few runs

        while (count := super().write(data)) is None:
            select.select([], [self], [])
        return count


def prepare_streams() -> None:
    """Open streams that were closed before the start, and write escapes for characters that an encoding lacks.

    Another program that shares a stream may have set it to not block, such as Node for its children.
    """
    sys.stdout = _waiting(sys.stdout) or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  open until the end
    sys.stderr = _waiting(sys.stderr) or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[attr-defined]


def _waiting(stream: TextIO | None) -> TextIO | None:
    """Return a stream that waits for its reader: usually the same one."""
    try:
        if stream is None or os.get_blocking(stream.fileno()):
            return stream
    except (AttributeError, OSError):  # Windows, or no file
        return stream
    buffer = io.BufferedWriter(_Waiting(stream.fileno(), "w", closefd=False))
    return io.TextIOWrapper(buffer, stream.encoding, write_through=stream is sys.stderr)


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


def write_lines(lines: Iterable[str], format_name: str) -> None:
    """Write the lines of an output format; all but ``text`` are for programs."""
    text = "".join([f"{line}\n" for line in lines])
    if format_name == "text":
        write(text)
    else:
        write_utf8(text)


def write_bytes(data: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def print_message(text: str, command: str) -> None:
    """Write one line to standard error. Control characters are escaped, the user of a URL is removed."""
    if "://" in text and "@" in text:
        text = redact_all_userinfo(text)
    program = f"rui {command}".strip()
    write(f"{program}: {escape_line(text)}\n", to_stderr=True)


def to_json(value: object, indent: int | None = None) -> str:
    """Return JSON with escapes for characters that a terminal does not show as they are."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return "\n".join(map(escape_line, text.split("\n")))


def shell_word(name: str) -> str:
    """Return the name of a file for a command that is pasted into the shell of the system, in quotes if necessary."""
    if os.name == "nt":
        return f'"{name}"' if " " in name else name
    return shlex.quote(name)


def escape_line(text: str) -> str:
    """Return `text` on one line, with escapes for characters that a terminal does not show as they are."""
    if text.isprintable():
        return text
    return "".join([escape_character(text, index, tab="\\t") for index in range(len(text))])


def escape_character(text: str, index: int, *, tab: str) -> str:
    """Return the character at `index`, its JSON escape, or `tab` for a tab. A joiner after a wide one is escaped."""
    character = text[index]
    if character == "\t":
        return tab
    if character in _JOINERS:
        is_after_wide = index > 0 and width(text[index - 1]) == 2
        if not is_after_wide:
            return character
    elif unicodedata.category(character) not in _ESCAPED_CATEGORIES:
        return character
    code = ord(character)
    if code > 0xFFFF:
        code -= 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    return f"\\u{code:04x}"


def width(character: str) -> int:
    """Return the columns of a character in a terminal: 0, 1 or 2."""
    if character in _JOINERS or unicodedata.category(character) in {"Mn", "Me"}:
        return 0
    if unicodedata.east_asian_width(character) in {"W", "F"}:
        return 2
    return 1


def discard() -> None:
    """Discard the buffer of standard output, so that Python does not try to write it again at exit."""
    try:
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, sys.stdout.fileno())
        os.close(devnull)
    except (OSError, ValueError):  # a stream without a descriptor
        pass
