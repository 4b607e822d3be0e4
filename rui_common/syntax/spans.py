"""Ranges of a text, and their replacement."""

import re
from collections.abc import Iterable
from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range of a text, in code points."""

    start: int
    end: int


class Edit(NamedTuple):
    """One replacement."""

    span: Span  # the replaced range in code points; an empty range inserts
    text: str  # the new text


_NO_BREAK = re.compile(r"[^\r\n]")
_BREAK = re.compile(r"[\r\n]")


def line_start(text: str, offset: int) -> int:
    return max(text.rfind(end, 0, offset) for end in "\r\n") + 1


def blank(text: str, spans: Iterable[Span]) -> str:
    """Return a text with spaces in place of some ranges, which may overlap. All offsets and lines stay the same."""
    parts: list[str] = []
    end = 0
    for span in sorted(spans):
        if span.end > end:
            start = max(end, span.start)
            parts += (text[end:start], _NO_BREAK.sub(" ", text[start : span.end]))
            end = span.end
    return "".join((*parts, text[end:]))


def first_line(text: str, span: Span) -> Span:
    """Return a range up to its first line break."""
    line_break = _BREAK.search(text, *span)
    if line_break is None:
        return span
    return Span(span.start, line_break.start())
