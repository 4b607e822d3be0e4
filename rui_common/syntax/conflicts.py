"""Conflict markers in a text, as git writes them: the lines of both sides, and the text of the first one.

A conflict begins with a line ``<<<<<<<`` and ends with a line ``>>>>>>>``. The line ``=======`` separates ours from
theirs. With the styles diff3 and zdiff3, the lines of the merge base follow ours, after a line ``|||||||``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rui_common.syntax.errors import FaultKind, SyntaxFault
from rui_common.syntax.reader import BOM
from rui_common.syntax.spans import Edit, Span

MARKER_SIZE = 7
"""The length of a marker, unless git is told another one."""

MAX_LABEL = 40
"""Maximum length of the name of a side in a message."""

_LINE = re.compile(r"^(<{7,}|\|{7,}|={7,}|>{7,})(?:[ \t]([^\r\n]*))?(?:\r?\n|\r?\Z)", re.MULTILINE)
MAX_NESTED = 8
"""Maximum number of conflicts in each other. Bounds the time for a text of markers."""

_NO_BREAK = re.compile(r"[^\r\n]")
_TO_LINE_END = re.compile(r"[^\r\n]*")
_QUOTE = re.compile(r'\\.|(")')


class Conflict(NamedTuple):
    """One conflict. The lines of both sides include their line ends.

    Attributes:
        marker: the first marker, without its line end.
        ours: the lines after it.
        theirs: the lines before the last marker.
        end: the offset after the last marker and its line end.
        names: how the markers call both sides; ``""`` without a name.
    """

    marker: Span
    ours: Span
    theirs: Span
    end: int
    names: tuple[str, str]

    @property
    def outside(self) -> tuple[Span, Span]:
        """What is not ours: the first marker, and all from the end of ours to the end of the last marker."""
        return Span(self.marker.start, self.ours.start), Span(self.ours.end, self.end)

    def keep(self, *sides: Span) -> tuple[Edit, ...]:
        """Return the edits that leave the lines of some sides: `ours`, `theirs` or both in this order."""
        offsets = [self.marker.start, *(offset for side in sides for offset in side), self.end]
        return tuple(Edit(Span(*pair), "") for pair in zip(offsets[::2], offsets[1::2], strict=True))


class _Open:
    """A conflict whose last marker is not read yet."""

    def __init__(self, first: re.Match[str]) -> None:
        self.first = first
        self.size = len(first[1])
        self.base: re.Match[str] | None = None
        self.separator: re.Match[str] | None = None

    def add(self, line: re.Match[str]) -> bool:
        """Take a marker; return whether it is the last one. One that has no place here is not a marker."""
        kind = line[1][0]
        if kind == "|" and self.base is None and self.separator is None:
            self.base = line
        elif kind == "=" and self.separator is None:
            self.separator = line
        return kind == ">" and self.separator is not None

    def closed(self, last: re.Match[str]) -> Conflict:
        first, separator = self.first, self.separator
        assert separator is not None  # noqa: S101  `add` has returned True
        marker = Span(first.start(), len(first[0].rstrip("\r\n")) + first.start())
        ours = Span(first.end(), (self.base or separator).start())
        names = ((first[2] or "").strip(), (last[2] or "").strip())
        return Conflict(marker, ours, Span(separator.end(), last.start()), last.end(), names)


def find_conflicts(text: str) -> list[Conflict]:
    """Return the complete conflicts of a text in text order, and those in the lines of ours; not those in theirs."""
    open_: list[_Open] = []
    found: list[Conflict] = []
    for line in _LINE.finditer(text):
        size = len(line[1])
        if line[1][0] == "<":
            open_ = [*open_[1 - MAX_NESTED :], _Open(line)]
            continue
        index = next((index for index in reversed(range(len(open_))) if open_[index].size == size), None)
        if index is not None and open_[index].add(line):
            conflict = open_[index].closed(line)
            del open_[index:]
            if not _is_in_string(text, conflict):
                found.append(conflict)
    return list(_visible(found))


def _visible(conflicts: list[Conflict]) -> Iterator[Conflict]:
    """Yield the conflicts that are not in the lines of a base or of theirs."""
    hidden_until = 0
    outer: list[Conflict] = []
    for conflict in sorted(conflicts):
        while outer and outer[-1].end <= conflict.marker.start:
            outer.pop()
        if outer and conflict.marker.start >= outer[-1].ours.end:
            hidden_until = outer[-1].end
        if conflict.marker.start >= hidden_until:
            outer.append(conflict)
            yield conflict


def _is_in_string(text: str, conflict: Conflict) -> bool:
    """Return whether the markers are the content of a string with line breaks: a quote is open before and after."""
    end = conflict.marker.start
    while end and text[end - 1] in "\r\n":
        end -= 1
    start = max(text.rfind("\n", 0, end), text.rfind("\r", 0, end)) + 1
    if not _has_open_quote(text[start:end]):
        return False
    quote = text.find('"', conflict.end)
    line = _TO_LINE_END.match(text, quote)
    return quote >= 0 and line is not None and _has_open_quote(line[0])


def _has_open_quote(line: str) -> bool:
    return sum(match[1] is not None for match in _QUOTE.finditer(line)) % 2 == 1


def text_of_ours(text: str, conflicts: Iterable[Conflict]) -> str:
    """Return the text with spaces in place of all that is not ours, so that all offsets and lines stay the same."""
    parts: list[str] = []
    end = 0
    for span in sorted(span for conflict in conflicts for span in conflict.outside):
        if span.end > end:  # One conflict may be in another.
            parts += (text[end : max(end, span.start)], _NO_BREAK.sub(" ", text[max(end, span.start) : span.end]))
            end = span.end
    ours = "".join((*parts, text[end:]))
    # The byte-order mark of a file that is in conflict as a whole.
    start = len(ours) - len(ours.lstrip(" \r\n"))
    if start and ours[start : start + 1] == BOM:
        return f"{ours[:start]} {ours[start + 1 :]}"
    return ours


def fault_of(conflict: Conflict) -> SyntaxFault:
    """Return the error of a conflict. Its repair is to keep ours, which the reader reads."""
    ours, theirs = (_shorten(name) or side for name, side in zip(conflict.names, ("ours", "theirs"), strict=True))
    return FaultKind.CONFLICT.at(conflict.marker, *conflict.keep(conflict.ours), ours=ours, theirs=theirs)


def _shorten(name: str) -> str:
    if len(name) <= MAX_LABEL:
        return name
    return name[: MAX_LABEL - 1] + "…"


def has_marker(text: str) -> bool:
    """Return whether a line of a text is a conflict marker."""
    return _LINE.search(text) is not None
