"""Minimal edits between two texts."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import zip_longest

from rui_common.editing.edits import Edit
from rui_common.syntax.spans import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_TOKEN = re.compile(r'"(?:[^"\\\r\n]|\\.)*"|[ \t]+|\r\n|[\r\n]|[^"\s\[\]{},:]+|[\s\S]')
_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^"\s\[\]{},:]+')
_LOOKAHEAD = 40
"""Number of tokens in which the search for the next common tokens gives up."""
_MIN_MATCH = 5
"""Number of common tokens that end a difference."""


def text_edits(before: str, after: str) -> list[Edit]:
    """The edits that turn `before` into `after`, in text order and not adjacent."""
    start = _common_prefix(before, after)
    end = _common_suffix(before[start:], after[start:])
    # No edit may begin or end between the two characters of a line end.
    if "\r\n" in (before[start - 1 : start + 1], after[start - 1 : start + 1]):
        start -= 1
    if "\r\n" in (before[len(before) - end - 1 :][:2], after[len(after) - end - 1 :][:2]):
        end -= 1
    old = before[start : len(before) - end]
    new = after[start : len(after) - end]
    if not old and not new:
        return []
    if not old or not new:
        return [Edit(Span(start, start + len(old)), new)]
    old_lines = _LINE.findall(old)
    new_lines = _LINE.findall(new)
    offsets = [start]
    for line in old_lines:
        offsets.append(offsets[-1] + len(line))
    edits: list[Edit] = []
    for tag, i, j, k, m in SequenceMatcher(None, old_lines, new_lines).get_opcodes():
        if tag != "equal":
            edits += _token_edits("".join(old_lines[i:j]), "".join(new_lines[k:m]), offsets[i])
    return edits


def whitespace_edits(before: str, after: str) -> list[Edit] | None:
    """The edits between two JSON texts whose tokens are equal; None if the tokens differ. Both must be well formed."""
    edits: list[Edit] = []
    end = other_end = 0
    for token, other in zip_longest(_JSON_TOKEN.finditer(before), _JSON_TOKEN.finditer(after)):
        if token is None or other is None or token.group() != other.group():
            return None
        blank = before[end : token.start()]
        other_blank = after[other_end : other.start()]
        if blank != other_blank:
            edits.append(_blank_edit(blank, other_blank, end))
        end = token.end()
        other_end = other.end()
    if before[end:] != after[other_end:]:
        edits.append(Edit(Span(end, len(before)), after[other_end:]))
    return edits


def _blank_edit(old: str, new: str, offset: int) -> Edit:
    """The edit between two pieces of white space, without their common prefix."""
    common = 0
    while common < min(len(old), len(new)) and old[common] == new[common]:
        common += 1
    if "\r\n" in (old[common - 1 : common + 1], new[common - 1 : common + 1]):
        common -= 1
    return Edit(Span(offset + common, offset + len(old)), new[common:])


def _token_edits(before: str, after: str, offset: int) -> Iterator[Edit]:
    """The edits between a few lines, token by token."""
    # `findall` would hold the interpreter lock for the whole text.
    old = [token[0] for token in _TOKEN.finditer(before)]
    new = [token[0] for token in _TOKEN.finditer(after)]
    i = j = 0
    while i < len(old) or j < len(new):
        if i < len(old) and j < len(new) and old[i] == new[j]:
            offset += len(old[i])
            i += 1
            j += 1
            continue
        k, m = _next_match(old, new, i, j)
        removed = "".join(old[i:k])
        yield Edit(Span(offset, offset + len(removed)), "".join(new[j:m]))
        offset += len(removed)
        i = k
        j = m


def _next_match(old: Sequence[str], new: Sequence[str], i: int, j: int) -> tuple[int, int]:
    """The next positions from `i` and `j` at which the tokens are equal again; the ends if there are none nearby."""
    for distance in range(1, _LOOKAHEAD):
        for ahead in range(distance + 1):
            k = i + ahead
            m = j + distance - ahead
            if k > len(old) or m > len(new):
                continue
            tokens = old[k : k + _MIN_MATCH]
            is_end = k == len(old) and m == len(new)
            if tokens == new[m : m + _MIN_MATCH] and (tokens or is_end):
                return k, m
    return len(old), len(new)


def _common_prefix(a: str, b: str) -> int:
    return _longest(min(len(a), len(b)), lambda low, high: a[low:high] == b[low:high])


def _common_suffix(a: str, b: str) -> int:
    def equal(low: int, high: int) -> bool:
        return a[len(a) - high : len(a) - low] == b[len(b) - high : len(b) - low]

    return _longest(min(len(a), len(b)), equal)


def _longest(limit: int, equal: Callable[[int, int], bool]) -> int:
    """The length of the common part, by binary search; `equal` compares the characters between two lengths."""
    low = 0
    high = limit
    while low < high:
        middle = (low + high + 1) // 2
        if equal(low, middle):
            low = middle
        else:
            high = middle - 1
    return low
