"""Two texts → the small changes that make one of the other."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import zip_longest

from rui_common.editing.edits import Edit
from rui_common.syntax.spans import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_TOKEN = re.compile(r'"(?:[^"\\\r\n]|\\.)*"|[ \t]+|\r\n|[\r\n]|[^"\s\[\]{},:]+|[\s\S]')
_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^"\s\[\]{},:]+')
_AHEAD = 40
_ALIKE = 5
"""So many tokens ahead two texts may come together again, and so many must be alike for that."""


def text_edits(before: str, after: str) -> list[Edit]:
    """The changes that make `after` of `before`: in text order, apart from each other, none where nothing changes."""
    start = _common_start(before, after)
    end = _common_end(before[start:], after[start:])
    # Nobody can point at the middle of a line's end.
    if "\r\n" in (before[start - 1 : start + 1], after[start - 1 : start + 1]):
        start -= 1
    if "\r\n" in (before[len(before) - end - 1 :][:2], after[len(after) - end - 1 :][:2]):
        end -= 1
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    if not old or not new:
        return [Edit(Span(start, start + len(old)), new)] if old or new else []
    found: list[Edit] = []
    first, second = _LINE.findall(old), _LINE.findall(new)
    at = [start]
    for line in first:
        at.append(at[-1] + len(line))
    for tag, i, j, k, m in SequenceMatcher(None, first, second).get_opcodes():
        if tag != "equal":
            found += _within("".join(first[i:j]), "".join(second[k:m]), at[i])
    return found


def whitespace_edits(before: str, after: str) -> list[Edit] | None:
    """The same for two sound JSON texts that differ in blanks between their tokens alone; None if they do not."""
    found: list[Edit] = []
    at = other_at = 0
    tokens, others = _JSON_TOKEN.finditer(before), _JSON_TOKEN.finditer(after)
    for token, other in zip_longest(tokens, others):
        if token is None or other is None or token.group() != other.group():
            return None
        start, other_start = token.start(), other.start()
        if before[at:start] != after[other_at:other_start]:
            found.append(_of_blanks(before[at:start], after[other_at:other_start], at))
        at, other_at = token.end(), other.end()
    if before[at:] != after[other_at:]:
        found.append(Edit(Span(at, len(before)), after[other_at:]))
    return found


def _of_blanks(old: str, new: str, offset: int) -> Edit:
    """The change of some blanks, without what they begin with alike."""
    alike = 0
    while alike < min(len(old), len(new)) and old[alike] == new[alike]:
        alike += 1
    if "\r\n" in (old[alike - 1 : alike + 1], new[alike - 1 : alike + 1]):
        alike -= 1
    return Edit(Span(offset + alike, offset + len(old)), new[alike:])


def _within(before: str, after: str, offset: int) -> Iterator[Edit]:
    """The changes of a few lines, token by token."""
    # Not `findall`, which keeps all other threads waiting until it has been through the whole text.
    first, second = ([token[0] for token in _TOKEN.finditer(text)] for text in (before, after))
    i = j = 0
    while i < len(first) or j < len(second):
        if i < len(first) and j < len(second) and first[i] == second[j]:
            offset += len(first[i])
            i, j = i + 1, j + 1
            continue
        k, m = _together(first, second, i, j)
        gone = "".join(first[i:k])
        yield Edit(Span(offset, offset + len(gone)), "".join(second[j:m]))
        offset += len(gone)
        i, j = k, m


def _together(first: Sequence[str], second: Sequence[str], i: int, j: int) -> tuple[int, int]:
    """Where, from `i` and `j` on, the two are alike again; their ends, if that is not soon."""
    for distance in range(1, _AHEAD):
        for ahead in range(distance + 1):
            k, m = i + ahead, j + distance - ahead
            if k > len(first) or m > len(second):
                continue
            alike = first[k : k + _ALIKE]
            if alike == second[m : m + _ALIKE] and (alike or (k == len(first) and m == len(second))):
                return k, m
    return len(first), len(second)


def _common_start(a: str, b: str) -> int:
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(a: str, b: str) -> int:
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[len(a) - middle : len(a) - low] == b[len(b) - middle : len(b) - low]:
            low = middle
        else:
            high = middle - 1
    return low
