"""Lines of a document with marks under the places that a diagnostic is about.

    |
 12 |           "colour": "red",
    |           ^^^^^^^^

Lines may be long, wide and hostile: a frame shows the part around the mark, counts the columns that characters take in
a terminal, and shows nothing that could move its cursor.
"""

from __future__ import annotations

from collections import namedtuple

from rui_common.syntax.spans import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_cli.formats import Style
    from rui_common.syntax.document import Document

BLUE = "1;34"
CUT = "…"
LEAST = 24
"""Columns for the text of a line, however narrow the terminal is."""


class CodeFrame(namedtuple("CodeFrame", ("lines", "gutter"))):
    """A drawn frame.

    Attributes:
        lines: its lines.
        gutter: the columns that its line numbers take.
    """

    __slots__ = ()
    lines: list[str]
    gutter: int


class _Mark(namedtuple("_Mark", ("line", "span", "note", "is_main"))):
    """A place to mark: its line from zero, the part of it on that line, and what to say there."""

    __slots__ = ()
    line: int
    span: Span
    note: str
    is_main: bool


def frame(document: Document, span: Span, related: tuple[tuple[Span, str], ...], style: Style, color: str) -> CodeFrame:
    """Draw the line of `span` and those of related places, in text order.

    Args:
        document: the document.
        span: the place itself, marked with ``^``.
        related: further places, each with a note, marked with ``-``.
        style: colours and width.
        color: the colour of the place itself.
    """
    marks = sorted(
        [_mark(document, span, "", is_main=True), *(_mark(document, *place, is_main=False) for place in related)],
        key=lambda mark: (mark.line, not mark.is_main, mark.span),
    )
    gutter = len(str(marks[-1].line + 1))
    return CodeFrame(list(_drawn(document, marks, gutter, style, color)), gutter)


def _drawn(document: Document, marks: list[_Mark], gutter: int, style: Style, color: str) -> Iterator[str]:
    empty = style.paint(f"{' ' * gutter} |", BLUE)
    yield empty
    above, shown_above = marks[0].line, None
    for mark in marks:
        if mark.line > above + 1:
            yield style.paint("...", BLUE)
        text, before, under = _excerpt(document, mark, max(LEAST, style.width - gutter - 3))
        if mark.line != above or text != shown_above:
            number = style.paint(f"{mark.line + 1:>{gutter}} |", BLUE)
            yield f"{number} {text}".rstrip()
        sign, paint = ("^", color) if mark.is_main else ("-", BLUE)
        note = f" {mark.note}" if mark.note else ""
        yield f"{empty} {' ' * before}{style.paint(sign * max(1, under) + note, paint)}"
        above, shown_above = mark.line, text
    yield empty


def _mark(document: Document, span: Span, note: str, *, is_main: bool) -> _Mark:
    lines = document.lines
    line = lines.line_of(span.start)
    end = lines.line_end(line)
    start = min(span.start, end)
    return _Mark(line, Span(start, max(start, min(span.end, end))), note, is_main)


def _excerpt(document: Document, mark: _Mark, width: int) -> tuple[str, int, int]:
    """The part of a line that fits, and the columns before and under the mark.

    The whole line if that fits, else a window around the mark.
    """
    text, lines = document.text, document.lines
    start, end = lines.line_start(mark.line), lines.line_end(mark.line)
    # Beyond so many characters nothing can be shown; of a line of megabytes the rest is not looked at.
    first = max(start, mark.span.start - width)
    last = min(end, mark.span.start + width)
    cells = _cells(text[first:last])
    if first > start or last < end or sum(width_of for _, width_of in cells) > width:
        begin, stop = _window(cells, mark.span.start - first, width - 2 * len(CUT))
        head = CUT if first + begin > start else ""
        tail = CUT if first + stop < end else ""
        cells, first = cells[begin:stop], first + begin
    else:
        head = tail = ""
    at, until = mark.span.start - first, mark.span.end - first
    before = len(head) + sum(cell[1] for cell in cells[:at])
    under = sum(cell[1] for cell in cells[at:until]) + (len(tail) if until > len(cells) else 0)
    return head + "".join(cell[0] for cell in cells) + tail, before, under


def _window(cells: list[tuple[str, int]], at: int, width: int) -> tuple[int, int]:
    """The cells around `at` that fit: a third of the width before it, or more where nothing is behind it."""
    begin = stop = at
    for limit, forwards in ((width * 2 // 3, True), (width, False), (width, True)):
        room = limit - sum(cell[1] for cell in cells[begin:stop])
        while forwards and stop < len(cells) and room >= cells[stop][1]:
            room -= cells[stop][1]
            stop += 1
        while not forwards and begin > 0 and room >= cells[begin - 1][1]:
            begin -= 1
            room -= cells[begin][1]
    return begin, stop


def _cells(text: str) -> list[tuple[str, int]]:
    """For each character what to show, and how many columns that takes."""
    if text.isascii() and text.isprintable():
        return [(character, 1) for character in text]
    from rui_cli.terminal_text import TAB, shown, width  # noqa: PLC0415  hardly ever

    cells = []
    column = 0
    for index in range(len(text)):
        written = shown(text, index, tab=" " * (TAB - column % TAB))
        taken = sum(map(width, written))
        cells.append((written, taken))
        column += taken
    return cells
