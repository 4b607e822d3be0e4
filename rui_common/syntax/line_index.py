"""Offsets in a text ↔ lines and characters, in the position encodings of LSP."""

import re
from bisect import bisect_left, bisect_right
from functools import cached_property
from io import StringIO
from itertools import accumulate
from typing import Literal

from rui_common.syntax.spans import Span

Encoding = Literal["utf-8", "utf-16", "utf-32"]

# The characters that take more than one unit, by encoding. UTF-32 has none.
_WIDE = {"utf-8": "[^\0-\x7f]", "utf-16": "[\U00010000-\U0010ffff]"}


class LineIndex:
    r"""The starts of the lines of a text, and the widths of its characters.

    Lines and characters are counted from zero. A line includes its terminator, which is ``\n``, ``\r\n`` or ``\r``.
    Offsets are counted in code points, characters in units of an encoding:
    bytes of ``utf-8``, 16-bit units of ``utf-16``, code points of ``utf-32``.

    Tables are computed on demand. The cost of a lookup does not depend on the length of the line.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._wide: dict[str, _WideCharacters] = {}

    @property
    def line_count(self) -> int:
        """The number of lines, which is the number of terminators plus one."""
        return len(self._starts)

    def line_start(self, line: int) -> int:
        """Return the offset at which `line` begins (clamped to the first and last line)."""
        return self._starts[max(0, min(line, self.line_count - 1))]

    def line_end(self, line: int) -> int:
        """Return the offset at which `line` ends, before its terminator (clamped to the first and last line)."""
        text = self._text
        line = max(0, line)
        if line + 1 >= self.line_count:
            return len(text)
        end = self.line_start(line + 1) - 1
        if text[end] == "\n" and text[end - 1 : end] == "\r":
            return end - 1
        return end

    def line_of(self, offset: int) -> int:
        """Return the line of an offset. A terminator belongs to the line that it ends."""
        return bisect_right(self._starts, max(0, offset)) - 1

    def first_line(self, span: Span) -> tuple[int, Span]:
        """Return the line on which a span starts, and the part of the span on it without the terminator."""
        line = self.line_of(span.start)
        start = min(span.start, self.line_end(line))
        return line, Span(start, max(start, min(span.end, self.line_end(line))))

    def position(self, offset: int, encoding: Encoding = "utf-16") -> tuple[int, int]:
        r"""Return the (line, character) of an offset, both from zero.

        The offset is clamped to the text. Between ``\r`` and ``\n`` the position is after the ``\r``; the method
        `offset` clamps it to the end of the line again.
        """
        offset = max(0, min(offset, len(self._text)))
        line = self.line_of(offset)
        start = self.line_start(line)
        wide = self._wide_characters(encoding)
        return line, offset - start + wide.extra_units(offset) - wide.extra_units(start)

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset as people count them: from one, in code points."""
        line, character = self.position(offset, "utf-32")
        return line + 1, character + 1

    def offset(self, line: int, character: int, encoding: Encoding = "utf-16") -> int:
        """Return the offset of a line and character, in code points from the start of the text.

        A line after the last one means the end of the text, a negative one its start. The character is clamped to the
        end of the line (before the terminator), and to the start of a character if it is within one.
        """
        if line < 0:
            return 0
        if line >= self.line_count:
            return len(self._text)
        start = self.line_start(line)
        wide = self._wide_characters(encoding)
        units = start + wide.extra_units(start) + max(0, character)
        return min(max(start, wide.offset(units)), self.line_end(line))

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0, *accumulate(map(len, StringIO(self._text, newline="")))]
        if self._text and self._text[-1] not in "\r\n":
            starts.pop()  # the end of the last line, which has no terminator
        return starts

    def _wide_characters(self, encoding: Encoding) -> "_WideCharacters":
        if encoding not in self._wide:
            self._wide[encoding] = _WideCharacters(self._text, encoding)
        return self._wide[encoding]


class _WideCharacters:
    """The characters of a text that take more than one unit: sorted offsets and accumulated widths."""

    __slots__ = ("_extra", "_offsets", "_units")

    def __init__(self, text: str, encoding: Encoding) -> None:
        matches: list[re.Match[str]] = []
        if encoding != "utf-32" and not text.isascii():
            matches = list(re.finditer(_WIDE[encoding], text))
        self._offsets = [match.start() for match in matches]
        # _extra[k]: the units beyond one per character of the first k wide characters together.
        self._extra = [0, *accumulate(_units(match.group(), encoding) - 1 for match in matches)]
        # _units[k]: the start of the k-th wide character, in units from the start of the text.
        self._units = [offset + extra for offset, extra in zip(self._offsets, self._extra, strict=False)]

    def extra_units(self, offset: int) -> int:
        """Return the units beyond one per character before an offset."""
        return self._extra[bisect_left(self._offsets, offset)]

    def offset(self, units: int) -> int:
        """Return the offset `units` from the start of the text, or the start of the character around it."""
        count = bisect_right(self._units, units)
        offset = units - self._extra[count]
        if count:
            return max(offset, self._offsets[count - 1])
        return offset


def _units(character: str, encoding: Encoding) -> int:
    if encoding == "utf-16":
        return 2
    return len(character.encode(encoding, "surrogatepass"))
