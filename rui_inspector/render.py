"""View tree → HTML."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from rui_inspector.view import view_of

if TYPE_CHECKING:
    from collections.abc import Sequence

HUES = {"Page": "blue", "Section": "violet", "Metric": "green", "Text": "orange", "Table": "amber"}
OTHER_HUE, UNKNOWN_HUE = "teal", "grey"
"""The colour of a type; of those that have none here; and of those that the vocabulary does not know."""

# Characters that would not be seen, or would change how others are seen: all control characters but tab and line
# feed, marks of writing direction, line and paragraph separators, U+FEFF, and code points that are no characters.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\uffff]"
    "|[\U0001fffe\U0001ffff\U000e0000-\U000e0fff]"
)


@dataclass(frozen=True)
class Fact:
    """Something about the stored spec that is not in the document."""

    name: str
    value: str


def stylesheet() -> bytes:
    """The stylesheet of all pages; whoever serves the pages serves it too."""
    return files("rui_inspector").joinpath("static", "inspector.css").read_bytes()


def spec_page(
    document: dict[str, object], *, facts: Sequence[Fact] = (), json_url: str = "", stylesheet: str = ""
) -> str:
    """The page of a document.

    Args:
        document: the root object of a RUI, valid or not.
        facts: what is known about it besides, for the strip at the top.
        json_url: where the same is found as JSON, or "".
        stylesheet: the URL of the stylesheet.

    Returns:
        A whole HTML document without any script or inline style.
    """
    return _environment().get_template("spec.html").render(
        view=view_of(document), facts=facts, json_url=json_url, stylesheet=stylesheet
    )  # fmt: skip


def problem_page(title: str, what: str, help_: str, *, status: int, stylesheet: str = "") -> str:
    """A page that says why there is nothing to see.

    Args:
        title: the problem in a few words.
        what: what happened, in a sentence.
        help_: what to do about it.
        status: the HTTP status.
        stylesheet: the URL of the stylesheet.
    """
    return _environment().get_template("problem.html").render(
        title=title, what=what, help=help_, status=status, stylesheet=stylesheet
    )  # fmt: skip


def show(text: str) -> Markup:
    """`text` escaped, with the characters that cannot be seen made visible as ``U+202E``."""
    if not _UNSEEN.search(text):
        return escape(text)
    parts: list[str] = []
    at = 0
    for match in _UNSEEN.finditer(text):
        parts += (escape(text[at : match.start()]), _unseen(match[0]))
        at = match.end()
    return Markup("".join((*parts, escape(text[at:]))))  # noqa: S704  every part is escaped


def _unseen(character: str) -> Markup:
    name = unicodedata.name(character, "control character").lower()
    return Markup('<span class="unseen" title="{}">U+{:04X}</span>').format(name, ord(character))


def _hue(type_: str, known: bool) -> str:
    return HUES.get(type_, OTHER_HUE) if known else UNKNOWN_HUE


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("rui_inspector"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["show"] = show
    environment.globals["hue"] = _hue
    return environment
