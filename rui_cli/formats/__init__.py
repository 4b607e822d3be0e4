"""Output formats of `rui check`: one module each, behind this dictionary, loaded when it is asked for.

A module has a function ``render(results, tally, style) -> Iterator[str]``. It takes the documents one by one, as
they are checked, and gives text to write; when all are taken, `tally` is complete. ``IS_TEXT`` says whether the
output is for people: written in the encoding of the terminal. All other output is UTF-8.
"""

from __future__ import annotations

FORMATS = {
    "full": "rui_cli.formats.full",
    "concise": "rui_cli.formats.concise",
    "json": "rui_cli.formats.json",
    "github": "rui_cli.formats.github",
    "sarif": "rui_cli.formats.sarif",
    "junit": "rui_cli.formats.junit",
}
"""The formats by name, the default one first."""


class Style:
    """How to show text to people.

    Attributes:
        color: whether to use colours.
        width: the columns to keep to.
    """

    __slots__ = ("color", "width")

    def __init__(self, *, color: bool = False, width: int = 120) -> None:
        self.color = color
        self.width = width

    def paint(self, text: str, codes: str) -> str:
        """`text` in a colour, given as the codes of an ANSI escape sequence such as ``1;31``."""
        return f"\x1b[{codes}m{text}\x1b[0m" if self.color else text
