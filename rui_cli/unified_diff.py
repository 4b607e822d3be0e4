"""Write the difference between two versions of a text as a unified diff, for people."""

from __future__ import annotations

import difflib
import io

from rui_cli.output import Style, escape_control

_COLORS = {"+": "32", "-": "31", "@": "36"}
_BOLD = "1"
_DEFAULT = "0"


def unified_diff(name: str, before: str, after: str, style: Style) -> str:
    """Return the diff of one file; ``""`` if the texts are equal. Control characters are escaped."""
    shown_name = escape_control(name)
    lines = []
    diff = difflib.unified_diff(_split(before), _split(after), shown_name, shown_name)
    for index, line in enumerate(diff):
        is_header = index < 2
        codes = _BOLD if is_header else _COLORS.get(line[0], _DEFAULT)
        lines.append(style.paint(escape_control(line.removesuffix("\n")), codes))
        if not line.endswith("\n"):
            lines.append(style.paint("\\ No newline at end of file", _DEFAULT))
    return "".join([f"{line}\n" for line in lines])


def _split(text: str) -> list[str]:
    """Return the lines of a text with their line feeds. Only a line feed ends a line, unlike in `str.splitlines`."""
    return list(io.StringIO(text, newline="\n"))
