"""A small canvas for rectangles with round corners, and its PNG.

The image has a palette: a row is a slice of bytes, so that filling and compressing a card takes a few milliseconds
without an imaging library.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from struct import pack
from typing import NamedTuple

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_BLENDED = 192
"""Colours of the palette above which corners are not blended, so that 64 remain of the 256 for rectangles."""

SAMPLES = 4
"""Samples per pixel in each direction, for smooth corners."""

LEVELS = 4
"""Steps between two colours at a corner."""

Color = tuple[int, int, int]


class Rectangle(NamedTuple):
    """An area in pixels, and the radius of its corners."""

    x: int
    y: int
    width: int
    height: int
    color: Color
    radius: int = 0


class CornerRow(NamedTuple):
    """A row of a round corner.

    Attributes:
        inset: the number of pixels that are not covered wholly.
        edge: those that are covered in part: column, and how much in `LEVELS`.
    """

    inset: int
    edge: tuple[tuple[int, int], ...]


class Canvas:
    """An image of one colour to draw on.

    Args:
        width: its width in pixels.
        height: its height in pixels.
        color: its colour.
    """

    def __init__(self, width: int, height: int, color: Color) -> None:
        self._width = width
        self._height = height
        self._colors: list[Color] = [color]
        self._indices = {color: 0}
        self._pixels = bytearray(width * height)

    def draw(self, rectangle: Rectangle) -> None:
        """Draw a rectangle over what is there; the part outside of the canvas is left out."""
        x, y, width, height, color, radius = rectangle
        index = self._index(color)
        corner = _corner(max(0, min(radius, width // 2, height // 2)))
        for row in range(max(0, y), min(self._height, y + height)):
            from_edge = min(row - y, y + height - 1 - row)
            inset = 0
            if from_edge < len(corner):
                inset, edge = corner[from_edge]
                for column, level in edge:
                    self._draw_pixel(x + column, row, index, level)
                    self._draw_pixel(x + width - 1 - column, row, index, level)
            left = max(0, x + inset)
            right = min(self._width, x + width - inset)
            if right > left:
                start = row * self._width
                self._pixels[start + left : start + right] = bytes([index]) * (right - left)

    def _draw_pixel(self, column: int, row: int, index: int, level: int) -> None:
        if 0 <= column < self._width:
            position = row * self._width + column
            self._pixels[position] = self._blend(self._pixels[position], index, level)

    def _blend(self, below: int, above: int, level: int) -> int:
        lower = self._colors[below]
        upper = self._colors[above]
        red, green, blue = (
            (first * (LEVELS - level) + second * level) // LEVELS for first, second in zip(lower, upper, strict=True)
        )
        color = (red, green, blue)
        if len(self._colors) >= MAX_BLENDED and color not in self._indices:
            return above
        return self._index(color)

    def _index(self, color: Color) -> int:
        index = self._indices.setdefault(color, len(self._colors))
        if index == len(self._colors):
            self._colors.append(color)
        return index

    def to_png(self) -> bytes:
        """Return the image as PNG."""
        size = pack(">IIBBBBB", self._width, self._height, 8, 3, 0, 0, 0)  # eight bits per pixel, with a palette
        palette = b"".join(bytes(color) for color in self._colors)
        rows = [b"\0" + self._pixels[start : start + self._width] for start in range(0, len(self._pixels), self._width)]
        parts = ((b"IHDR", size), (b"PLTE", palette), (b"IDAT", zlib.compress(b"".join(rows), 6)), (b"IEND", b""))
        return SIGNATURE + b"".join(_chunk(name, content) for name, content in parts)


def _chunk(name: bytes, content: bytes) -> bytes:
    return pack(">I", len(content)) + name + content + pack(">I", zlib.crc32(name + content))


@lru_cache(64)
def _corner(radius: int) -> tuple[CornerRow, ...]:
    """Return the rows of a round corner, from the edge."""
    return tuple(_corner_row(radius, row) for row in range(radius))


def _corner_row(radius: int, row: int) -> CornerRow:
    levels = [_coverage(radius, column, row) for column in range(radius)]
    edge = tuple((column, level) for column, level in enumerate(levels) if 0 < level < LEVELS)
    return CornerRow(radius - levels.count(LEVELS), edge)


def _coverage(radius: int, column: int, row: int) -> int:
    inside = 0
    for sample in range(SAMPLES * SAMPLES):
        x = radius - column - (sample % SAMPLES + 0.5) / SAMPLES
        y = radius - row - (sample // SAMPLES + 0.5) / SAMPLES
        inside += x * x + y * y <= radius * radius
    return round(inside * LEVELS / SAMPLES**2)
