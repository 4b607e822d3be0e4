"""The words of two texts that differ."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from enum import Enum
from typing import NamedTuple

MAX_TOKENS = 200
"""Maximum number of words and spaces of both texts: beyond, a text counts as replaced, since the work grows steeply."""

MIN_RATIO = 0.5
"""Similarity of two texts below which one counts as replaced by the other."""


class Part(Enum):
    """What happened to a part of a text."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


class Segment(NamedTuple):
    """A part of a text, not empty."""

    part: Part
    text: str


def word_segments(before: str, after: str) -> list[Segment]:
    """Return the parts of both texts: the common ones, those of the first text only, those of the second only.

    Texts without much in common are one removed and one added part.
    """
    old = re.findall(r"\s+|\S+", before)
    new = re.findall(r"\s+|\S+", after)
    segments = [Segment(Part.REMOVED, before), Segment(Part.ADDED, after)]
    if len(old) + len(new) <= MAX_TOKENS:
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        if matcher.ratio() >= MIN_RATIO:
            segments = _segments(matcher, old, new)
    return [segment for segment in segments if segment.text]


def _segments(matcher: SequenceMatcher[str], old: list[str], new: list[str]) -> list[Segment]:
    """Return the parts; a space between two changes is a part of both."""
    segments: list[Segment] = []
    removed = ""
    added = ""
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        old_text = "".join(old[old_start:old_end])
        if tag == "equal" and (old_text.strip() or not (removed and added)):
            segments += [Segment(Part.REMOVED, removed), Segment(Part.ADDED, added), Segment(Part.SAME, old_text)]
            removed = ""
            added = ""
        else:
            removed += old_text
            added += "".join(new[new_start:new_end])
    return [*segments, Segment(Part.REMOVED, removed), Segment(Part.ADDED, added)]
