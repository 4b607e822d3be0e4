"""Output formats of `rui diff`, one module each, imported when it is needed.

A module has a function ``render(results, style) -> Iterator[str]``. ``IS_TEXT`` is whether the output is for people,
and written in the encoding of the terminal; other output is UTF-8.
"""

from __future__ import annotations

FORMATS = {
    "text": "rui_cli.diff_formats.text",
    "markdown": "rui_cli.diff_formats.markdown",
    "json": "rui_cli.diff_formats.json",
}
"""Name → module."""

DEFAULT_FORMAT = "text"
