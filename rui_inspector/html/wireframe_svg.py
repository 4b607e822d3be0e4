"""Write the wireframe of a document as an SVG image, for pull requests and documentation.

An image has no text layout of its own: widths of texts are estimated, and lines are broken here.
"""

import textwrap
import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rui_common.grounding import UNGROUNDED, Grounding
from rui_inspector.escape import escape_attribute, excerpt
from rui_inspector.html.wireframe import UNMATCHED, UNTITLED, totals_of
from rui_inspector.model.view import View, ViewNode
from rui_inspector.model.wireframe import Cell, DrawnValue, Part, Screen, wireframe_of

WIDTH = 760
MARGIN = 16
GAP = 8
PAD = 8
MAX_NODES = 2_000
STYLES = """\
text { font-family: system-ui, 'Segoe UI', 'Helvetica Neue', sans-serif; white-space: pre; }
.bold { font-weight: 600; }
.mono { font-family: ui-monospace, 'DejaVu Sans Mono', monospace; }
.ink { fill: #1b1d22; } .quiet { fill: #565b67; } .bad { fill: #a3141f; } .request { fill: #9d174d; }
.page, .block { fill: #f6f6f8; stroke: #dddfe5; } .screen { fill: #ffffff; stroke: #8b909c; }
.group { fill: none; stroke: #b9bdc7; stroke-dasharray: 4 3; } .cell { fill: #ffffff; stroke: #dddfe5; }
@media (prefers-color-scheme: dark) {
.ink { fill: #e8e9ed; } .quiet { fill: #a5abb9; } .bad { fill: #ffb3b3; } .request { fill: #ffc4de; }
.page, .block { fill: #131418; stroke: #353943; } .screen { fill: #1b1d23; stroke: #666c7a; }
.group { stroke: #4a4f5b; } .cell { fill: #1b1d23; stroke: #353943; }
}
"""


class Font(NamedTuple):
    """A font: its size in pixels, its class, and the estimated width of a letter as a part of the size."""

    size: int
    name: str
    letter: float

    @property
    def line(self) -> int:
        """The height of a line."""
        return round(self.size * 1.35)


TITLE = Font(24, "bold", 0.62)
HEADING = Font(17, "bold", 0.62)
LABEL = Font(13, "bold", 0.62)
BODY = Font(13, "sans", 0.57)
SMALL = Font(11, "sans", 0.57)
CODE = Font(11, "mono", 0.62)
FIGURE = Font(20, "mono", 0.62)


def wireframe_svg(
    view: View, grounding: Grounding = UNGROUNDED, unmatched: Mapping[ViewNode, Sequence[str]] | None = None
) -> str:
    """Return the wireframe of a document as an SVG image without script; see `wireframe_page` for the arguments."""
    drawing = _Drawing(unmatched or {})
    inner = WIDTH - 2 * MARGIN
    y = drawing.text(MARGIN, MARGIN, inner, view.title or UNTITLED, TITLE)
    if view.description:
        y = drawing.text(MARGIN, y, inner, view.description, BODY, "quiet")
    wireframe = wireframe_of(view, MAX_NODES, grounding=grounding)
    y = drawing.text(MARGIN, y, inner, " · ".join(totals_of(view)), LABEL)
    y = drawing.text(MARGIN, y, inner, wireframe.grounded, BODY) + GAP
    y = drawing.missing(MARGIN, y, inner, wireframe.missing)
    for screen in wireframe.screens:
        y = drawing.screen(MARGIN, y, inner, screen) + 2 * GAP
    if wireframe.omitted:
        y = drawing.text(MARGIN, y, inner, f"and {len(wireframe.omitted)} more pages", BODY, "quiet")
    label = escape_attribute(f"Wireframe of {excerpt(view.title or UNTITLED)}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + MARGIN}" width="{WIDTH}" '
        f'height="{y + MARGIN}" role="img" aria-label="{label}">\n<style>\n{STYLES}</style>\n'
        f'<rect class="page" width="{WIDTH}" height="{y + MARGIN}" rx="8"/>\n{"".join(drawing.elements)}</svg>\n'
    )


class _Drawing:
    """Draws from top to bottom: every method takes the top of a part and returns its bottom."""

    def __init__(self, unmatched: Mapping[ViewNode, Sequence[str]]) -> None:
        self.elements: list[str] = []
        self._unmatched = unmatched

    def text(self, x: int, y: int, width: int, text: str, font: Font, color: str = "ink") -> int:
        for line in _lines(excerpt(text), width, font):
            self.elements.append(
                f'<text class="{font.name} {color}" font-size="{font.size}" x="{x}" y="{y + font.size}">'
                f"{escape_attribute(line)}</text>\n"
            )
            y += font.line
        return y

    def missing(self, x: int, y: int, width: int, texts: Sequence[str]) -> int:
        """Draw what a part lacks, in a line each."""
        for text in texts:
            y = self.text(x, y, width, f"✗ {text}", SMALL, "bad")
        return y

    def area(self, name: str, box: tuple[int, int, int, int], index: int) -> None:
        """Draw a rectangle beneath the elements from `index` on."""
        x, y, width, height = box
        self.elements.insert(
            index, f'<rect class="{name}" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>\n'
        )

    def screen(self, x: int, y: int, width: int, screen: Screen) -> int:
        index = len(self.elements)
        top = y
        inner = width - 2 * PAD
        names = []
        for entry in screen.near_entries:
            name = excerpt(entry.label or entry.name or "no name")
            if entry.node is None:
                name = f"✗ {name}"
            elif entry.node is screen.part.node:
                name = f"[ {name} ]"
            names.append(name)
        if screen.further:
            names.append(f"and {screen.further:,} more")
        y = self.text(x + PAD, y + PAD, inner, "   ".join(names), SMALL, "quiet")
        node = screen.part.node
        y = self.text(x + PAD, y + PAD // 2, inner, node.name, HEADING)
        if screen.description:
            y = self.text(x + PAD, y, inner, screen.description, SMALL, "quiet")
        if not screen.is_listed:
            y = self.missing(x + PAD, y, inner, ["not in the navigation"])
        y = self.parts(x + PAD, y, inner, screen.part)
        self.area("screen", (x, top, width, y + PAD - top), index)
        return y + PAD

    def parts(self, x: int, y: int, width: int, group: Part) -> int:
        """Draw the content of a screen or group, side by side in a row."""
        y = self.missing(x, y, width, group.missing) + PAD // 2
        if not group.parts:
            return self.text(x, y, width, "empty", BODY, "quiet")
        if group.node.is_row and len(group.parts) * 60 <= width:
            y = self.row(x, y, width, group.parts)
        else:
            for part in group.parts:
                y = self.part(x, y, width, part) + GAP
            y -= GAP
        if group.omitted:
            y = self.text(x, y, width, f"and {group.omitted} more", SMALL, "quiet")
        return y

    def row(self, x: int, y: int, width: int, parts: Sequence[Part]) -> int:
        shares = [min(3, part.weight) for part in parts]
        unit = (width - GAP * (len(parts) - 1)) / sum(shares)
        bottom = y
        for part, share in zip(parts, shares, strict=True):
            bottom = max(bottom, self.part(x, y, int(unit * share), part))
            x += int(unit * share) + GAP
        return bottom

    def part(self, x: int, y: int, width: int, part: Part) -> int:
        index = len(self.elements)
        inner = width - 2 * PAD
        if not part.node.is_group:
            bottom = self.block(x + PAD, y + PAD // 2, inner, part) + PAD // 2
            self.area("block", (x, y, width, bottom - y), index)
            return bottom
        bottom = y + PAD // 2
        if part.node.label or not part.node.known:
            bottom = self.text(x + PAD, bottom, inner, part.node.label or part.node.type or "no type", LABEL)
        bottom = self.parts(x + PAD, bottom, inner, part) + PAD
        self.area("group", (x, y, width, bottom - y), index)
        return bottom

    def block(self, x: int, y: int, width: int, block: Part) -> int:
        node = block.node
        y = self.text(x, y, width, node.type or "no type", SMALL, "quiet")
        if node.label:
            y = self.text(x, y, width, node.label, LABEL)
        unmatched = self._unmatched.get(node, ())
        y = self.missing(x, y, width, [*block.missing, *(f"{UNMATCHED} {text}" for text in unmatched)])
        if block.value is not None:
            y = self.value(x, y, width, block.value)
        if block.text:
            y = self.text(x, y, width, block.text, BODY)
        for control in block.controls:
            options = ", ".join(control.options)
            y = self.text(x, y, width, f"{control.label} ▾  {options}".strip(), SMALL)
        for cells in block.lists:
            y = self.cells(x, y + PAD // 2, width, cells.cells)
        for name, text in block.properties:
            y = self.text(x, y, width, f"{name} {text}", SMALL, "quiet")
        for part in block.parts:
            y = self.part(x, y, width, part) + GAP
        for request in node.requests:
            source = f"{request.method} {request.path} → {request.select or 'the whole response'}"
            y = self.text(x, y, width, source, CODE, "request")
        if block.operation:
            y = self.text(x, y, width, f"In the description: {block.operation}", SMALL, "quiet")
        return y

    def value(self, x: int, y: int, width: int, value: DrawnValue) -> int:
        """Draw the placeholder of a value, or its example."""
        stated = value.stated
        if stated is None or not stated.examples:
            y = self.text(x, y, width, value.text, FIGURE, "quiet")
        else:
            y = self.text(x, y, width, stated.examples[0], FIGURE)
        return self.text(x, y, width, stated.note if stated else "", SMALL, "quiet")

    def cells(self, x: int, y: int, width: int, cells: Sequence[Cell]) -> int:
        """Draw the elements of a list, in as many rows as they need."""
        per_row = max(1, min(len(cells), width // 70))
        for start in range(0, len(cells), per_row):
            row = cells[start : start + per_row]
            index = len(self.elements)
            cell_width = width // len(row)
            bottom = y
            for number, (label, value) in enumerate(row):
                left = x + number * cell_width + PAD // 2
                lower = self.text(left, y + 2, cell_width - PAD, label or "✗ no name", SMALL)
                if value is not None and value.stated is not None:
                    lower = self.text(left, lower, cell_width - PAD, value.stated.note, SMALL, "quiet")
                    for text in value.stated.examples:
                        lower = self.text(left, lower + 2, cell_width - PAD, text, CODE)
                if value is not None and (value.stated is None or not value.stated.examples):
                    lower = self.text(left, lower, cell_width - PAD, value.text, CODE, "quiet")
                bottom = max(bottom, lower)
            for number in range(len(row)):
                self.area("cell", (x + number * cell_width, y, cell_width, bottom + 2 - y), index)
            y = bottom + 4
        return y


def _lines(text: str, width: int, font: Font) -> list[str]:
    """Return a text in lines that fit in `width`; East Asian letters are twice as wide."""
    limit = width / (font.size * font.letter)
    if any(unicodedata.east_asian_width(character) in "WF" for character in text):
        limit /= 2
    return textwrap.wrap(text, max(3, int(limit)))
