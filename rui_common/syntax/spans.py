"""Ranges of a text."""

from __future__ import annotations

from collections import namedtuple


class Span(namedtuple("Span", ("start", "end"))):
    """A half-open range of a text, in code points."""

    __slots__ = ()
    start: int
    end: int

    def shifted(self, offset: int) -> Span:
        """Return the range `offset` characters further on."""
        return Span(self.start + offset, self.end + offset)
