"""Ranges of a text, and their replacement."""

import re
from collections.abc import Iterable, Iterator
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


def joined(spans: Iterable[Span]) -> Iterator[Span]:
    """Yield ranges, which may overlap or meet, as ranges that do neither, in text order."""
    last: Span | None = None
    for span in sorted(spans):
        if last is None:
            last = span
        elif span.start <= last.end:
            last = Span(last.start, max(last.end, span.end))
        else:
            yield last
            last = span
    if last is not None:
        yield last


def blank(text: str, spans: Iterable[Span]) -> str:
    """Return a text with spaces in place of some ranges, which may overlap. All offsets and lines stay the same."""
    parts: list[str] = []
    end = 0
    for span in joined(spans):
        parts += (text[end : span.start], _NO_BREAK.sub(" ", text[slice(*span)]))
        end = span.end
    return "".join((*parts, text[end:]))


def without(text: str, spans: Iterable[Span]) -> str:
    """Return a text without some ranges, which may overlap."""
    parts: list[str] = []
    end = 0
    for span in joined(spans):
        parts.append(text[end : span.start])
        end = span.end
    return "".join((*parts, text[end:]))


def first_line(text: str, span: Span) -> Span:
    """Return a range up to its first line break."""
    line_break = _BREAK.search(text, *span)
    if line_break is None:
        return span
    return Span(span.start, line_break.start())
