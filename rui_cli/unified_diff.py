"""Write the difference between two versions of a text as a unified diff, for `patch` and for people."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from rui_cli.output import Style, escape_control

_COLORS = {"+": "32", "-": "31", "@": "36"}
_BOLD = "1"
_DEFAULT = "0"
NO_NEWLINE = "\\ No newline at end of file"


def unified_diff(name: str, before: str, after: str, style: Style, *, on_terminal: bool) -> str:
    """Return the diff of one file; ``""`` if the texts are equal.

    Args:
        name: the name of the file.
        before: the old text.
        after: the new text. Line endings belong to the lines, so that a change of them is visible.
        style: the style.
        on_terminal: whether the output is a terminal, for which control characters are escaped.
    """
    lines = []
    for line, codes in _lines(escape_control(name), before, after):
        text = escape_control(line) if on_terminal else line
        lines.append(f"{style.paint(text, codes)}\n")
    return "".join(lines)


def _lines(name: str, before: str, after: str) -> Iterator[tuple[str, str]]:
    """Yield the lines of the diff without line feeds, each with the codes of its colour."""
    diff = difflib.unified_diff(_split(before), _split(after), name, name)
    for index, line in enumerate(diff):
        is_header = index < 2
        codes = _BOLD if is_header else _COLORS.get(line[0], _DEFAULT)
        yield line.removesuffix("\n"), codes
        if not line.endswith("\n"):
            yield NO_NEWLINE, _DEFAULT


def _split(text: str) -> list[str]:
    """Return the lines of a text with their line feeds. Only a line feed ends a line, unlike in `str.splitlines`."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1].removesuffix("\n")
    if not lines[-1]:
        lines.pop()
    return lines
