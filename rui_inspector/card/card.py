"""Draw the first screens of a document as a share card: structure without text, by the measure of its widths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rui_inspector.card import HEIGHT, WIDTH
from rui_inspector.card.canvas import Canvas, Rectangle
from rui_inspector.card.screen import BORDER, PAGE, SCREEN, ScreenDrawing, color
from rui_inspector.model.view import View
from rui_inspector.model.wireframe import Screen, wireframe_of

MARGIN = 36
GAP = 28
FRAME = 2
RADIUS = 14
COLUMNS = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3}
"""Number of screens → number of columns."""

MAX_SCREENS = max(COLUMNS)
MAX_NODES = 60
"""Maximum number of nodes in a screen; no more can be told apart."""

UNITS = (20, 18, 16, 14, 12, 10, 8)
"""Heights of a line, in pixels: the first one with which all screens fit into their frames is used."""

MORE = 3
"""Edges of further screens, which a card suggests after the last one."""


def card_png(view: View) -> bytes:
    """Return the card of a document, valid or not, as PNG."""
    nodes = [node for nodes in view.nested.values() for node in nodes]
    screens: list[Screen] = []
    for node in nodes[:MAX_SCREENS]:
        screens += wireframe_of(view, MAX_NODES, [node]).screens
    canvas = Canvas(WIDTH, HEIGHT, color(PAGE))
    frames = list(_frames(len(screens)))
    for frame in frames[:-1]:
        _draw_frame(canvas, frame)
    _draw_edges(canvas, frames[-1], min(MORE, len(nodes) - len(screens)))
    _draw_frame(canvas, frames[-1])
    for rectangle in _contents(view, screens, frames):
        canvas.draw(rectangle)
    return canvas.to_png()


def _frames(count: int) -> Iterator[Rectangle]:
    """Yield the frames of a number of screens; without a screen an empty one."""
    columns = COLUMNS[max(1, count)]
    rows = -(-max(1, count) // columns)
    width = (WIDTH - 2 * MARGIN - (columns - 1) * GAP) // columns
    height = (HEIGHT - 2 * MARGIN - (rows - 1) * GAP) // rows
    for number in range(max(1, count)):
        row, column = divmod(number, columns)
        x = MARGIN + column * (width + GAP)
        y = MARGIN + row * (height + GAP)
        yield Rectangle(x, y, width, height, color(BORDER), RADIUS)


def _draw_frame(canvas: Canvas, frame: Rectangle) -> None:
    canvas.draw(frame)
    x, y, width, height, _, radius = frame
    inner = Rectangle(x + FRAME, y + FRAME, width - 2 * FRAME, height - 2 * FRAME, color(SCREEN), radius - FRAME)
    canvas.draw(inner)


def _draw_edges(canvas: Canvas, frame: Rectangle, count: int) -> None:
    """Draw the edges of screens that lie beneath the last one."""
    for step in range(count, 0, -1):
        offset = step * (MARGIN - 6) // MORE
        _draw_frame(canvas, frame._replace(x=frame.x + offset, y=frame.y + offset))


def _contents(view: View, screens: Sequence[Screen], frames: Sequence[Rectangle]) -> Iterator[Rectangle]:
    """Yield what is in the screens, as large as all of them fit; what does not fit at all is left out."""
    drawings: list[ScreenDrawing] = []
    for unit in UNITS:
        drawings = [ScreenDrawing(view, unit) for _ in screens]
        if all(_lay_out(*parts) for parts in zip(drawings, screens, frames, strict=False)):
            break
    else:
        for parts in zip(drawings, screens, frames, strict=False):
            _lay_out(*parts)
    for drawing, frame in zip(drawings, frames, strict=False):
        bottom = frame.y + frame.height - FRAME
        yield from [_clipped(it, bottom) for it in drawing.rectangles if it.y < bottom - RADIUS]


def _lay_out(drawing: ScreenDrawing, screen: Screen, frame: Rectangle) -> bool:
    """Lay out a screen, unless it is there already; return whether it fits into its frame."""
    if not drawing.rectangles:
        drawing.bottom = drawing.screen(frame.x + FRAME, frame.y + FRAME, frame.width - 2 * FRAME, screen)
    return drawing.bottom <= frame.y + frame.height - FRAME


def _clipped(rectangle: Rectangle, bottom: int) -> Rectangle:
    """Cut off what would be below the frame."""
    return rectangle._replace(height=min(rectangle.height, bottom - RADIUS // 2 - rectangle.y))
