"""Two versions of a text → a unified diff, as `patch` and people read it."""

from __future__ import annotations

import difflib

from rui_cli.output import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_cli.formats import Style

_COLORS = {"+": "32", "-": "31", "@": "36"}
NO_NEWLINE = "\\ No newline at end of file"


def unified_diff(name: str, before: str, after: str, style: Style, *, on_terminal: bool) -> str:
    """The diff of one file; ``""`` if the texts are the same.

    Args:
        name: the file.
        before, after: the texts. Line endings belong to the lines, so that a change of them alone shows, too.
        style: colours.
        on_terminal: whether a terminal shows it: what could move the cursor is shown as an escape then.
    """
    return "".join(
        f"{style.paint(visible(line) if on_terminal else line, codes)}\n"
        for line, codes in _lines(visible(name), before, after)
    )


def _lines(name: str, before: str, after: str) -> Iterator[tuple[str, str]]:
    """The lines of the diff without their line feeds, each with the codes of its colour."""
    diff = difflib.unified_diff(_split(before), _split(after), name, name)
    for index, line in enumerate(diff):
        codes = "1" if index < 2 else _COLORS.get(line[0], "0")
        yield line.removesuffix("\n"), codes
        if not line.endswith("\n"):
            yield NO_NEWLINE, "0"


def _split(text: str) -> list[str]:
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + lines[-1:] if lines[-1] else [line + "\n" for line in lines[:-1]]
