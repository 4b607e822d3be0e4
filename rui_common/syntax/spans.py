"""Ranges of a text."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range of a text, in code points."""

    start: int
    end: int
