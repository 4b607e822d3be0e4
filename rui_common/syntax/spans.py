"""Ranges of a text, and their replacement."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range of a text, in code points."""

    start: int
    end: int


class Edit(NamedTuple):
    """One replacement."""

    span: Span  # the replaced range in code points; an empty range inserts
    text: str  # the new text
