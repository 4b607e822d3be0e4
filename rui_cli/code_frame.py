"""Draw the lines of a document with marks under the spans of a diagnostic.

    |
 12 |           "colour": "red",
    |           ^^^^^^^^

Lines may be long, wide or hostile. A frame shows the part around the mark, uses the width of characters in a terminal,
and escapes characters that would move the cursor.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rui_cli.output import Style
from rui_cli.terminal_text import TAB_WIDTH, escape_character, width
from rui_common.syntax.document import Document
from rui_common.syntax.spans import Span

Cell = tuple[str, int]
"""A character as it is shown, and its columns."""

BLUE = "1;34"
ELLIPSIS = "…"
MIN_WIDTH = 24
"""Minimum columns for the text of a line, however narrow the terminal is."""


class Annotation(NamedTuple):
    """A marked span: its line from zero, its part on this line, a note, and whether it is the main one."""

    line: int
    span: Span
    note: str
    is_main: bool


def code_frame(
    document: Document, span: Span, related: tuple[tuple[Span, str], ...], style: Style, color: str
) -> tuple[list[str], int]:
    """Draw the line of `span` and the lines of related spans, in text order.

    Args:
        document: the document.
        span: the main span, marked with ``^``.
        related: further spans with notes, marked with ``-``.
        style: colours and width.
        color: the colour of the main span.

    Returns:
        The lines, and the width of the line numbers.
    """
    annotations = [_annotation(document, span, "", is_main=True)]
    annotations += [_annotation(document, other, note, is_main=False) for other, note in related]
    annotations.sort(key=lambda annotation: (annotation.line, not annotation.is_main, annotation.span))
    gutter = len(str(annotations[-1].line + 1))
    return list(_render(document, annotations, gutter, style, color)), gutter


def _render(document: Document, annotations: list[Annotation], gutter: int, style: Style, color: str) -> Iterator[str]:
    empty = style.paint(f"{' ' * gutter} |", BLUE)
    yield empty
    previous_line = annotations[0].line
    previous_text = None
    for annotation in annotations:
        if annotation.line > previous_line + 1:
            yield style.paint("...", BLUE)
        text, indent, mark_width = _excerpt(document, annotation, max(MIN_WIDTH, style.width - gutter - 3))
        if annotation.line != previous_line or text != previous_text:
            number = style.paint(f"{annotation.line + 1:>{gutter}} |", BLUE)
            yield f"{number} {text}".rstrip()
        yield f"{empty} {' ' * indent}{_mark(annotation, mark_width, style, color)}"
        previous_line = annotation.line
        previous_text = text
    yield empty


def _mark(annotation: Annotation, width: int, style: Style, color: str) -> str:
    if annotation.is_main:
        return style.paint("^" * max(1, width), color)
    return style.paint(f"{'-' * max(1, width)} {annotation.note}".rstrip(), BLUE)


def _annotation(document: Document, span: Span, note: str, *, is_main: bool) -> Annotation:
    line = document.lines.line_of(span.start)
    line_end = document.lines.line_end(line)
    start = min(span.start, line_end)
    end = max(start, min(span.end, line_end))
    return Annotation(line, Span(start, end), note, is_main)


def _excerpt(document: Document, annotation: Annotation, width: int) -> tuple[str, int, int]:
    """Return the line, or the part around the mark that fits, and the columns before and under the mark."""
    line_start = document.lines.line_start(annotation.line)
    line_end = document.lines.line_end(annotation.line)
    # A line may have megabytes: characters farther than `width` from the mark cannot be visible.
    start = max(line_start, annotation.span.start - width)
    end = min(line_end, annotation.span.start + width)
    cells = _cells(document.text[start:end])
    head = ""
    tail = ""
    if start > line_start or end < line_end or _width(cells) > width:
        first, last = _window(cells, annotation.span.start - start, width - 2 * len(ELLIPSIS))
        if start + first > line_start:
            head = ELLIPSIS
        if start + last < line_end:
            tail = ELLIPSIS
        cells = cells[first:last]
        start += first
    mark_start = annotation.span.start - start
    mark_end = annotation.span.end - start
    mark_width = _width(cells[mark_start:mark_end])
    if mark_end > len(cells):
        mark_width += len(tail)
    text = "".join([character for character, _ in cells])
    return f"{head}{text}{tail}", len(head) + _width(cells[:mark_start]), mark_width


def _window(cells: list[Cell], mark: int, width: int) -> tuple[int, int]:
    """Return the range of cells around `mark` that fits: two thirds of the width after it, the rest before it."""
    last = _extend_right(cells, mark, width * 2 // 3)
    first = mark
    available = width - _width(cells[mark:last])
    while first > 0 and available >= cells[first - 1][1]:
        first -= 1
        available -= cells[first][1]
    return first, _extend_right(cells, last, available)


def _extend_right(cells: list[Cell], last: int, available: int) -> int:
    while last < len(cells) and available >= cells[last][1]:
        available -= cells[last][1]
        last += 1
    return last


def _width(cells: list[Cell]) -> int:
    return sum([columns for _, columns in cells])


def _cells(text: str) -> list[Cell]:
    if text.isascii() and text.isprintable():
        return [(character, 1) for character in text]
    cells = []
    column = 0
    for index in range(len(text)):
        shown = escape_character(text, index, tab=" " * (TAB_WIDTH - column % TAB_WIDTH))
        columns = sum([width(character) for character in shown])
        cells.append((shown, columns))
        column += columns
    return cells
