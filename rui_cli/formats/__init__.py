"""Output formats of `rui check`, one module each, imported when it is needed: `rui check` starts in milliseconds.

A module has a function ``render(results, summary, style) -> Iterator[str]``. It consumes the results while documents
are checked; `summary` is complete when all are consumed.
"""

from __future__ import annotations

from typing import NamedTuple


class Format(NamedTuple):
    """A format.

    Attributes:
        module: its module.
        is_text: whether the output is for people, in the encoding of the terminal; other output is UTF-8.
    """

    module: str
    is_text: bool = False


FORMATS = {
    "full": Format("rui_cli.formats.full", is_text=True),
    "concise": Format("rui_cli.formats.concise", is_text=True),
    "json": Format("rui_cli.formats.json"),
    "github": Format("rui_cli.formats.github"),
    "sarif": Format("rui_cli.formats.sarif"),
    "junit": Format("rui_cli.formats.junit"),
    "rdjson": Format("rui_cli.formats.rdjson"),
}

DEFAULT_FORMAT = "full"
