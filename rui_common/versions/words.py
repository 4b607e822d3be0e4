"""The words that differ between two texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

MAX_WORDS = 200
"""Maximum number of words that are compared one by one, because that takes quadratic time."""

_WORD = re.compile(r"[^\s!-/:-@\[-`{-~]+|[!-~]")
"""Letters with their accents, joined emoji, and digits are one word; a sign of ASCII is a word."""


class Range(NamedTuple):
    """A part of a text, in code points."""

    start: int
    end: int


def differing_words(old: str, new: str) -> tuple[list[Range], list[Range]]:
    """Return the words of both texts that the other one lacks; neighbours are one range.

    White space does not count. A sign is a word, so that a segment of a path differs by itself.
    """
    words = [[*_WORD.finditer(text)] for text in (old, new)]
    olds, news = [[word[0] for word in found] for found in words]
    shorter = min(len(olds), len(news))
    first = 0
    while first < shorter and olds[first] == news[first]:
        first += 1
    last = 0
    while last < shorter - first and olds[-1 - last] == news[-1 - last]:
        last += 1
    ranges: tuple[list[Range], list[Range]] = ([], [])
    middles = (olds[first : len(olds) - last], news[first : len(news) - last])
    for ends in _different(*middles):
        for text_words, found, (start, end) in zip(words, ranges, ends, strict=True):
            if start < end:
                found.append(Range(text_words[first + start].start(), text_words[first + end - 1].end()))
    return ranges


def _different(olds: Sequence[str], news: Sequence[str]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the start and end of what differs, in both lists."""
    if max(len(olds), len(news)) > MAX_WORDS:
        return [((0, len(olds)), (0, len(news)))]
    matcher = SequenceMatcher(None, olds, news, autojunk=False)
    return [((one, two), (three, four)) for tag, one, two, three, four in matcher.get_opcodes() if tag != "equal"]
