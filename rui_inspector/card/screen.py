"""Lay out a screen as rectangles: bars in place of texts, the colour of its type on each block."""

from __future__ import annotations

from collections.abc import Sequence

from rui_inspector.card.canvas import Color, Rectangle
from rui_inspector.model.view import View
from rui_inspector.model.wireframe import Block, Cell, Group, Screen

PAGE = "page"
SCREEN = "screen"
BORDER = "border"
COLORS = {
    PAGE: 0xECEEF4, SCREEN: 0xFFFFFF, BORDER: 0x8B909C,
    "bar": 0xEEF0F4, "line": 0xDDDFE5, "area": 0xF6F6F8, "title": 0x2A2D35, "label": 0x565B67, "text": 0xC3C7D0,
    "figure": 0x9AA0AD, "head": 0xE2E5EB, "request": 0xE3A3C1, "missing": 0xC92A36,
    "blue": 0x2563EB, "violet": 0x7C3AED, "green": 0x15924A, "orange": 0xDD5410, "amber": 0xB98200, "teal": 0x0D8A7E,
    "cyan": 0x0787A8, "rose": 0xE02B53, "lime": 0x6A9210, "grey": 0x6B7280,
}  # fmt: skip
"""The light colours of the stylesheet: those of types by name (see `rui_inspector.model.colors`)."""

LETTER = 0.5
"""Estimated width of a letter in lines."""

ROWS = 3
"""Rows of a table that are drawn."""

MAX_LINES = 4
MAX_CELLS = 10
MAX_TABS = 8
SHARES = 3
"""Width of the widest part of a row, as a multiple of the smallest."""


def color(name: str) -> Color:
    """Return a colour of `COLORS`."""
    value = COLORS[name]
    return value >> 16, value >> 8 & 255, value & 255


class ScreenDrawing:
    """Lays out from top to bottom: every method takes the top of a part and returns its bottom.

    Args:
        view: the document.
        unit: the height of a line, in pixels.

    Attributes:
        rectangles: the rectangles, those below first.
        bottom: the bottom of the screen that was laid out last.
    """

    def __init__(self, view: View, unit: int) -> None:
        self.rectangles: list[Rectangle] = []
        self.bottom = 0
        self._color = view.color
        self._unit = unit
        self._pad = max(3, unit // 2)
        self._gap = max(3, unit // 2)

    def screen(self, x: int, y: int, width: int, screen: Screen) -> int:
        """Lay out a screen with its navigation and title."""
        unit = self._unit
        left = x + unit
        inner = width - 2 * unit
        y = self._tabs(x, y, width, screen)
        y = self._bar(left, y + unit, inner, len(screen.group.node.label or screen.group.node.id), "title", 1.0)
        if screen.description:
            y = self._bar(left, y + self._gap, inner, len(screen.description), "text", 0.5)
        if not screen.is_listed:
            y = self._bar(left, y + self._gap, inner, SHARES * unit, "missing", 0.4)
        return self._parts(left, y + unit, inner, screen.group) + unit

    def _tabs(self, x: int, y: int, width: int, screen: Screen) -> int:
        entries = screen.entries[:MAX_TABS]
        if not entries:
            return y
        unit = self._unit
        height = 2 * unit
        self._add(x, y, width, height, "bar", 12)
        self._add(x, y + height // 2, width, height // 2, "bar")
        self._add(x, y + height, width, 1, "line")
        tab = min(7 * unit, (width - unit) // len(entries))
        for number, entry in enumerate(entries):
            left = x + unit // 2 + number * tab
            name = "text"
            if entry.node is None:
                name = "missing"
            if entry.node is screen.group.node:
                name = "label"
                self._add(left, y + unit // 3, tab, height - unit // 3 + 1, SCREEN, unit // 3)
            length = len(entry.label or entry.name)
            self._bar(left + unit // 2, y + unit * 4 // 5, tab - unit, length, name, 0.5)
        return y + height

    def _parts(self, x: int, y: int, width: int, group: Group) -> int:
        if group.missing or not group.parts:
            y = self._bar(x, y, width, 8, "missing", 0.4) + self._gap
        if group.node.is_row:
            return self._row(x, y, width, group.parts)
        for part in group.parts:
            y = self._part(x, y, width, part) + self._gap
        return y - self._gap

    def _row(self, x: int, y: int, width: int, parts: Sequence[Group | Block]) -> int:
        """Lay out parts side by side; all are as high as the highest."""
        if not parts:
            return y
        gap = min(self._gap, max(1, width // (4 * len(parts))))
        shares = [min(SHARES, part.weight) for part in parts]
        unit = (width - gap * (len(parts) - 1)) / sum(shares)
        tops = []
        bottom = y
        for part, share in zip(parts, shares, strict=True):
            tops.append(len(self.rectangles))
            bottom = max(bottom, self._part(x, y, max(2, int(unit * share)), part))
            x += int(unit * share) + gap
        for top in tops:  # the border and the area of a part come first
            border, area = self.rectangles[top : top + 2]
            self.rectangles[top] = border._replace(height=bottom - y)
            self.rectangles[top + 1] = area._replace(height=bottom - y - 2)
        return bottom

    def _part(self, x: int, y: int, width: int, part: Group | Block) -> int:
        if isinstance(part, Block):
            return self._block(x, y, width, part)
        index = len(self.rectangles)
        pad = self._pad
        bottom = y + pad
        if part.node.label or not part.node.known:
            bottom = self._bar(x + pad, bottom, width - 2 * pad, len(part.node.label), "label", 0.6) + pad
        bottom = self._parts(x + pad, bottom, width - 2 * pad, part) + pad
        self._area(index, Rectangle(x, y, width, bottom - y, color("line"), 6), SCREEN)
        return bottom

    def _block(self, x: int, y: int, width: int, block: Block) -> int:
        index = len(self.rectangles)
        pad = self._pad
        mark = max(3, self._unit // 4)
        node = block.node
        self._add(x + 1, y, width - 2, mark, self._color(node.type, node.known))
        bottom = self._inside(x + pad, y + mark + pad, max(2, width - 2 * pad), block) + pad
        border = "line"
        if block.missing:
            border = "missing"
        self._area(index, Rectangle(x, y, width, bottom - y, color(border), 4), "area")
        return bottom

    def _inside(self, x: int, y: int, width: int, block: Block) -> int:
        """Lay out what is in a block."""
        gap = self._gap
        if block.node.label:
            y = self._bar(x, y, width, len(block.node.label), "label", 0.6) + gap
        if block.value is not None:
            y = self._bar(x, y, width, SHARES + len(block.value.text), "figure", 1.6) + gap
        if block.text:
            y = self._text(x, y, width, block.text) + gap
        for control in block.controls:
            y = self._control(x, y, width, len(control.label)) + gap
        for cells in block.cells:
            y = self._table(x, y, width, cells[:MAX_CELLS]) + gap
        for name, text in block.others[:MAX_LINES]:
            y = self._bar(x, y, width, len(name) + len(text), "text", 0.5) + gap
        for part in block.parts:
            y = self._part(x, y, width, part) + gap
        for request in block.requests[:MAX_LINES]:
            y = self._bar(x, y, width, len(request.path), "request", 0.4) + gap
        return y - gap

    def _text(self, x: int, y: int, width: int, text: str) -> int:
        """Lay out a text as lines, of which the last one is shorter."""
        per_line = max(1, int(width / (self._unit * LETTER)))
        lines = min(MAX_LINES, -(-len(text) // per_line))
        for number in range(lines):
            length = per_line
            if number == lines - 1:
                length = min(per_line, max(3, len(text) - per_line * (lines - 1)))
            y = self._bar(x, y, width, length, "text", 0.5) + self._unit // 2
        return y - self._unit // 2

    def _control(self, x: int, y: int, width: int, length: int) -> int:
        height = self._unit + self._pad
        frame = min(width, int(self._unit * LETTER * length) + 3 * self._unit)
        self._add(x, y, frame, height, BORDER, 5)
        self._add(x + 1, y + 1, frame - 2, height - 2, SCREEN, 4)
        middle = y + height // 2 - self._unit // 4
        self._bar(x + self._pad, middle, frame - 2 * self._unit, length, "label", 0.5)
        self._add(x + frame - self._unit - 1, middle, self._unit // 2, self._unit // 2, BORDER, 2)
        return y + height

    def _table(self, x: int, y: int, width: int, cells: Sequence[Cell]) -> int:
        """Lay out a list as the head of a table with some rows."""
        unit = self._unit
        height = unit + self._pad
        self._add(x, y, width, height * (ROWS + 1), "line", 4)
        self._add(x + 1, y + 1, width - 2, height * (ROWS + 1) - 2, SCREEN, 3)
        self._add(x + 1, y + 1, width - 2, height - 1, "head", 3)
        for row in range(1, ROWS + 1):
            self._add(x + 1, y + row * height, width - 2, 1, "line")
        cell_width = width // len(cells)
        for number, cell in enumerate(cells):
            left = x + number * cell_width + self._pad
            inner = cell_width - 2 * self._pad
            self._bar(left, y + height // 2 - unit // 4, inner, len(cell.label), "label", 0.5)
            for row in range(1, ROWS + 1):
                length = max(2, len(cell.label) * (ROWS + row) // (ROWS + 2))
                self._bar(left, y + row * height + height // 2 - unit // 5, inner, length, "text", 0.4)
        return y + height * (ROWS + 1)

    def _bar(self, x: int, y: int, width: int, length: int, name: str, lines: float) -> int:
        """Lay out a text of a number of letters as a bar; `lines` is its height."""
        height = max(2, int(self._unit * lines))
        needed = int(max(2, length) * LETTER * max(self._unit, height))
        self._add(x, y, max(2, min(width, needed)), height, name, min(3, height // 2))
        return y + height

    def _area(self, index: int, border: Rectangle, name: str) -> None:
        """Put a border and an area beneath the rectangles from `index` on."""
        x, y, width, height, _, radius = border
        area = Rectangle(x + 1, y + 1, width - 2, height - 2, color(name), max(0, radius - 1))
        self.rectangles[index:index] = [border, area]

    def _add(self, x: int, y: int, width: int, height: int, name: str, radius: int = 0) -> None:
        self.rectangles.append(Rectangle(x, y, width, height, color(name), radius))
