"""Edits between two texts: by lines, and by tokens within the lines that differ."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from rui_common.syntax.spans import Edit, Span

_TOKEN = re.compile(r'"(?:[^"\\\r\n]|\\[^\r\n])*"|[ \t]+|\r\n|[^"\s\[\]{},:]+|[\s\S]')
_MAX_TOKENS = 200  # Maximum number of tokens in a difference that are compared; the time of the comparison is cubic


def text_edits(before: str, after: str) -> list[Edit]:
    """Return the edits that turn `before` into `after`, in text order and not adjacent."""
    edits: list[Edit] = []
    lines = _changes(before.splitlines(keepends=True), after.splitlines(keepends=True))
    for start, removed, inserted in lines:
        old = _TOKEN.findall(removed)
        new = _TOKEN.findall(inserted)
        if len(old) > _MAX_TOKENS or len(new) > _MAX_TOKENS:
            edits.append(Edit(Span(start, start + len(removed)), inserted))
            continue
        for offset, token, replacement in _changes(old, new):
            at = start + offset
            edits.append(Edit(Span(at, at + len(token)), replacement))
    return edits


def _changes(old: list[str], new: list[str]) -> Iterator[tuple[int, str, str]]:
    """Yield the differences of two texts in pieces: the offset, the old and the new text."""
    offset = 0
    for tag, i, j, k, m in SequenceMatcher(None, old, new).get_opcodes():
        removed = "".join(old[i:j])
        if tag != "equal":
            yield offset, removed, "".join(new[k:m])
        offset += len(removed)
