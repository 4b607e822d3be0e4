"""Draw the lines of a document with marks under the spans of a diagnostic.

    |
 12 |           "colour": "red",
    |           ^^^^^^^^

Lines may be long, wide or hostile. A frame shows the part around the mark, uses the width of characters in a terminal,
and escapes characters that would move the cursor.
"""

from typing import NamedTuple

from rui_cli.output import TAB_WIDTH, Style, escape_character, width
from rui_common.syntax.document import Document
from rui_common.syntax.spans import Span

BLUE = "1;34"
ELLIPSIS = "…"
MIN_WIDTH = 24
"""Minimum columns for the text of a line, however narrow the terminal is."""


class Annotation(NamedTuple):
    """A marked span: its line from zero, its part on this line, the mark ``^`` or ``-``, a note, and its colour."""

    line: int
    span: Span
    mark: str
    note: str
    color: str


def code_frame(
    document: Document, span: Span, related: tuple[tuple[Span, str], ...], style: Style, color: str
) -> tuple[list[str], int]:
    """Draw the line of `span`, marked with ``^`` in a colour, and those of related spans with notes, in text order.

    Returns:
        The lines, and the width of the line numbers.
    """
    first_line = document.lines.first_line
    annotations = [Annotation(*first_line(span), "^", "", color)]
    annotations += [Annotation(*first_line(related_span), "-", note, BLUE) for related_span, note in related]
    annotations.sort(key=lambda annotation: (annotation.line, annotation.mark != "^", annotation.span))
    gutter = len(str(annotations[-1].line + 1))
    empty = style.paint(f"{' ' * gutter} |", BLUE)
    lines = [empty]
    previous_line = annotations[0].line
    previous_text = None
    for annotation in annotations:
        line, _, mark, note, mark_color = annotation
        if line > previous_line + 1:
            lines.append(style.paint("...", BLUE))
        text, indent, mark_width = _excerpt(document, annotation, max(MIN_WIDTH, style.width - gutter - 3))
        if line != previous_line or text != previous_text:
            number = style.paint(f"{line + 1:>{gutter}} |", BLUE)
            lines.append(f"{number} {text}".rstrip())
        marks = f"{mark * max(1, mark_width)} {note}".rstrip()
        lines.append(f"{empty} {' ' * indent}{style.paint(marks, mark_color)}")
        previous_line = line
        previous_text = text
    lines.append(empty)
    return lines, gutter


def _excerpt(document: Document, annotation: Annotation, width: int) -> tuple[str, int, int]:
    """Return the line, or the part around the mark that fits, and the columns before and under the mark."""
    line_start = document.lines.line_start(annotation.line)
    line_end = document.lines.line_end(annotation.line)
    # A line may have megabytes: characters farther than `width` from the mark cannot be visible.
    start = max(line_start, annotation.span.start - width)
    end = min(line_end, annotation.span.start + width)
    cells = _cells(document.text[start:end])
    if start > line_start or end < line_end or _columns("".join(cells)) > width:
        first, last = _window(cells, annotation.span.start - start, width - 2 * len(ELLIPSIS))
        cells = cells[first:last]
        start += first
    head = ""
    if start > line_start:
        head = ELLIPSIS
    tail = ""
    if start + len(cells) < line_end:
        tail = ELLIPSIS
    mark_start = annotation.span.start - start
    mark_end = annotation.span.end - start
    mark_width = _columns("".join(cells[mark_start:mark_end]))
    if mark_end > len(cells):
        mark_width += len(tail)
    return f"{head}{''.join(cells)}{tail}", len(head) + _columns("".join(cells[:mark_start])), mark_width


def _window(cells: list[str], mark: int, width: int) -> tuple[int, int]:
    """Return the range of cells around `mark` that fits: two thirds of the width after it, the rest before it."""
    first = mark
    last = mark
    used = 0
    while last < len(cells) and used + _columns(cells[last]) <= width * 2 // 3:
        used += _columns(cells[last])
        last += 1
    while first > 0 and used + _columns(cells[first - 1]) <= width:
        first -= 1
        used += _columns(cells[first])
    while last < len(cells) and used + _columns(cells[last]) <= width:
        used += _columns(cells[last])
        last += 1
    return first, last


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(map(width, text))


def _cells(text: str) -> list[str]:
    """Return each character as it is shown."""
    cells: list[str] = []
    column = 0
    for index in range(len(text)):
        cells.append(escape_character(text, index, tab=" " * (TAB_WIDTH - column % TAB_WIDTH)))
        column += _columns(cells[-1])
    return cells
