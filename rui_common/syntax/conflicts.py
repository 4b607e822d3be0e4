"""Conflict markers in a text, as git writes them: the lines of both sides, and the text of the first one.

A conflict begins with a line ``<<<<<<<`` and ends with a line ``>>>>>>>``. The line ``=======`` separates ours from
theirs. With the styles diff3 and zdiff3, the lines of the merge base follow ours, after a line ``|||||||``.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rui_common.syntax.errors import FaultKind, SyntaxFault
from rui_common.syntax.reader import BOM
from rui_common.syntax.spans import Edit, Span, blank, line_start
from rui_common.texts import shorten

MARKER_SIZE = 7  # The length of a marker, unless git is configured for another one
MAX_NESTED = 8  # Maximum number of conflicts in each other. Bounds the time for a text of markers.
_LINE = re.compile(r"^(<{7,}|\|{7,}|={7,}|>{7,})(?:[ \t]([^\r\n]*))?(?:\r?\n|\r?\Z)", re.MULTILINE)
_FOLLOWERS = {"<": "|=", "|": "=", "=": ""}
"""Character of a marker → those of the markers that may follow in the conflict, without the last one."""

_TO_LINE_END = re.compile(r"[^\r\n]*")
_QUOTE = re.compile(r'\\.|(")')


class Markers(NamedTuple):
    """How conflicts are written."""

    size: int = MARKER_SIZE  # the length of a marker
    ours: str = "ours"  # the names of the versions, such as those of branches
    base: str = "base"
    theirs: str = "theirs"
    with_base: bool = False  # whether the lines of the base are between those of both sides, as with diff3


PLAIN_MARKERS = Markers()


class Conflict(NamedTuple):
    """One conflict. The lines of both sides include their line ends."""

    marker: Span  # the first marker, without its line end
    ours: Span  # the lines after it
    theirs: Span  # the lines before the last marker
    end: int  # the offset after the last marker and its line end
    names: tuple[str, str]  # how the markers call both sides; `""` without a name

    def keep(self, *sides: Span) -> tuple[Edit, ...]:
        """Return the edits that leave the lines of some sides: `ours`, `theirs` or both in this order."""
        offsets = [self.marker.start, *(offset for side in sides for offset in side), self.end]
        return tuple(Edit(Span(*pair), "") for pair in zip(offsets[::2], offsets[1::2], strict=True))

    def markers(self, text: str) -> Markers:
        """Return how the conflict is written in its text; names are ``""`` where there are none."""
        size = len(text[slice(*self.marker)]) - len(text[slice(*self.marker)].lstrip("<"))
        line = _LINE.match(text, self.ours.end)
        with_base = line is not None and line[1][0] == "|"
        base = (line[2] or "").strip() if line is not None and with_base else ""
        return Markers(size, self.names[0], base, self.names[1], with_base)


def find_conflicts(text: str) -> list[Conflict]:
    """Return the complete conflicts of a text in text order, and those in the lines of ours; not those in theirs."""
    open_: list[list[re.Match[str]]] = []  # the markers of each conflict whose last marker is not read yet
    found: list[Conflict] = []
    for line in _LINE.finditer(text):
        if line[1][0] == "<":
            open_ = [*open_[1 - MAX_NESTED :], [line]]
            continue
        sizes = [len(markers[0][1]) for markers in open_]
        if len(line[1]) not in sizes:
            continue
        index = len(sizes) - 1 - sizes[::-1].index(len(line[1]))
        markers = open_[index]
        last = markers[-1][1][0]
        if line[1][0] == ">" and last == "=":
            conflict = _conflict(markers, line)
            del open_[index:]
            if not _is_in_string(text, conflict):
                found.append(conflict)
        elif line[1][0] in _FOLLOWERS[last]:
            markers.append(line)
    return list(_visible(found))


def _conflict(markers: list[re.Match[str]], last: re.Match[str]) -> Conflict:
    first = markers[0]
    marker = Span(first.start(), first.start() + len(first[0].rstrip("\r\n")))
    ours = Span(first.end(), markers[1].start())
    theirs = Span(markers[-1].end(), last.start())
    return Conflict(marker, ours, theirs, last.end(), ((first[2] or "").strip(), (last[2] or "").strip()))


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
    if not _has_open_quote(text[line_start(text, end) : end]):
        return False
    quote = text.find('"', conflict.end)
    line = _TO_LINE_END.match(text, quote)
    return quote >= 0 and line is not None and _has_open_quote(line[0])


def _has_open_quote(line: str) -> bool:
    return sum(match[1] is not None for match in _QUOTE.finditer(line)) % 2 == 1


def text_of_ours(text: str, conflicts: Iterable[Conflict]) -> str:
    """Return the text with spaces in place of all that is not ours, so that all offsets and lines stay the same."""
    ours = blank(text, (edit.span for conflict in conflicts for edit in conflict.keep(conflict.ours)))
    # The byte-order mark of a file that is in conflict as a whole.
    start = len(ours) - len(ours.lstrip(" \r\n"))
    if start and ours[start : start + 1] == BOM:
        return f"{ours[:start]} {ours[start + 1 :]}"
    return ours


def fault_of(conflict: Conflict) -> SyntaxFault:
    """Return the error of a conflict. Its repair is to keep ours, which the reader reads."""
    ours, theirs = (shorten(name) or side for name, side in zip(conflict.names, ("ours", "theirs"), strict=True))
    return FaultKind.CONFLICT.at(conflict.marker, *conflict.keep(conflict.ours), ours=ours, theirs=theirs)


def has_marker(text: str) -> bool:
    """Return whether a line of a text is a conflict marker."""
    return _LINE.search(text) is not None
