"""The words of two texts that differ."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

MAX_TOKENS = 2_000
"""Number of differing words and spaces above which a text counts as replaced: the work is quadratic."""

MIN_COMMON = 0.25
"""Part of the characters that two texts have in common, below which one counts as replaced by the other."""

_TOKEN = re.compile(r"\s+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\w+|.", re.DOTALL)
"""White space, a character of a script without spaces, a word, or another character."""

_JOINER = "\u200d"


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
    old = _tokens(before)
    new = _tokens(after)
    start = _common_length(old, new)
    end = _common_length(old[start:][::-1], new[start:][::-1])
    middle_old = old[start : len(old) - end]
    middle_new = new[start : len(new) - end]
    prefix = Segment(Part.SAME, "".join(old[:start]))
    suffix = Segment(Part.SAME, "".join(old[len(old) - end :]))
    segments = [Segment(Part.REMOVED, "".join(middle_old)), Segment(Part.ADDED, "".join(middle_new))]
    if middle_old and middle_new and len(middle_old) + len(middle_new) <= MAX_TOKENS:
        segments = _merged([prefix, *_differences(middle_old, middle_new), suffix])
        segments = _joined(_with_common_spaces(segments))
    else:
        segments = [prefix, *segments, suffix]
    common = sum(len("".join(text.split())) for part, text in segments if part is Part.SAME)
    if common < MIN_COMMON * max(len(before), len(after)):
        segments = [Segment(Part.REMOVED, before), Segment(Part.ADDED, after)]
    return [segment for segment in segments if segment.text]


def _tokens(text: str) -> list[str]:
    """Return the words of a text; combining characters stay with the character before them."""
    tokens: list[str] = []
    for token in _TOKEN.findall(text):
        if tokens and (_is_attached(token[0]) or tokens[-1][-1] == _JOINER):
            tokens[-1] += token
        else:
            tokens.append(token)
    return tokens


def _is_attached(character: str) -> bool:
    return character == _JOINER or unicodedata.category(character).startswith("M")


def _common_length(one: list[str], other: list[str]) -> int:
    length = 0
    for token, counterpart in zip(one, other, strict=False):
        if token != counterpart:
            break
        length += 1
    return length


def _differences(old: list[str], new: list[str]) -> list[Segment]:
    """Return the segments with the most tokens in common.

    The bits of an integer hold a row of the usual table, so that each token takes a few operations (Hyyrö,
    "Bit-parallel LCS-length computation revisited", 2004). `difflib` takes seconds for texts of few different words.
    """
    positions: dict[str, int] = {}
    for index, token in enumerate(old):
        positions[token] = positions.get(token, 0) | 1 << index
    row = (1 << len(old)) - 1
    rows = []
    for token in new:
        common = row & positions.get(token, 0)
        row = (row + common) | (row - common)
        rows.append(row)
    segments: list[Segment] = []
    old_end = len(old)
    new_end = len(new)
    while old_end and new_end:
        bit = 1 << (old_end - 1)
        if rows[new_end - 1] & bit:
            old_end -= 1
            segments.append(Segment(Part.REMOVED, old[old_end]))
            continue
        new_end -= 1
        if new_end and not rows[new_end - 1] & bit:
            segments.append(Segment(Part.ADDED, new[new_end]))
        else:
            old_end -= 1
            segments.append(Segment(Part.SAME, new[new_end]))
    segments += [Segment(Part.REMOVED, token) for token in reversed(old[:old_end])]
    segments += [Segment(Part.ADDED, token) for token in reversed(new[:new_end])]
    return _joined(reversed(segments))


def _joined(segments: Iterable[Segment]) -> list[Segment]:
    """Return the segments with adjacent ones of the same part as one; a removed part comes before an added one."""
    joined: list[Segment] = []
    removed = ""
    added = ""
    same = ""
    for part, text in segments:
        if part is Part.SAME:
            joined += [Segment(Part.REMOVED, removed), Segment(Part.ADDED, added)]
            removed = ""
            added = ""
            same += text
            continue
        joined.append(Segment(Part.SAME, same))
        same = ""
        if part is Part.REMOVED:
            removed += text
        else:
            added += text
    joined += [Segment(Part.REMOVED, removed), Segment(Part.ADDED, added), Segment(Part.SAME, same)]
    return [segment for segment in joined if segment.text]


def _merged(segments: list[Segment]) -> list[Segment]:
    """Return the segments with a short common part between two changes as a part of both, so that they can be read."""
    merged: list[Segment] = []
    removed = ""
    added = ""
    for index, (part, text) in enumerate(segments):
        is_part_of_change = False
        if part is Part.SAME and (removed or added):
            before = max(len(removed), len(added))
            is_part_of_change = len(text) <= min(before, _length_of_change(segments, index + 1))
        if part is Part.SAME and text and not is_part_of_change:
            merged += [Segment(Part.REMOVED, removed), Segment(Part.ADDED, added), Segment(part, text)]
            removed = ""
            added = ""
        if part is Part.REMOVED or is_part_of_change:
            removed += text
        if part is Part.ADDED or is_part_of_change:
            added += text
    return [*merged, Segment(Part.REMOVED, removed), Segment(Part.ADDED, added)]


def _length_of_change(segments: list[Segment], index: int) -> int:
    """Return the length of the change that begins at an index."""
    lengths = [0]
    for part, text in segments[index : index + 2]:
        if part is Part.SAME:
            break
        lengths.append(len(text))
    return max(lengths)


def _with_common_spaces(segments: list[Segment]) -> list[Segment]:
    """Return the segments without white space at the end of a removed part that the added part ends with, too."""
    shared: list[Segment] = []
    for index, (part, text) in enumerate(segments):
        following = Segment(Part.SAME, "")
        if index + 1 < len(segments):
            following = segments[index + 1]
        if part is not Part.REMOVED or following.part is not Part.ADDED:
            shared.append(Segment(part, text))
            continue
        length = _common_length(_trailing_space(text), _trailing_space(following.text))
        shared.append(Segment(Part.REMOVED, text[: len(text) - length]))
        segments[index + 1] = Segment(Part.ADDED, following.text[: len(following.text) - length])
        segments.insert(index + 2, Segment(Part.SAME, text[len(text) - length :]))
    return shared


def _trailing_space(text: str) -> list[str]:
    """Return the white space at the end of a text, the last character first."""
    return list(reversed(text[len(text.rstrip()) :]))
