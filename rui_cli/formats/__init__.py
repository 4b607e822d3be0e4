"""Output formats of `rui check`, one module each, imported when it is needed.

A module has a function ``render(results, summary, style) -> Iterator[str]``. It consumes the results while documents
are checked; `summary` is complete when all are consumed. ``IS_TEXT`` is whether the output is for people, and written
in the encoding of the terminal; other output is UTF-8.
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
"""Name → module."""

DEFAULT_FORMAT = "full"
