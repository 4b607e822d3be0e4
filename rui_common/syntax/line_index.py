"""Offsets in a text ↔ lines and characters, in the position encodings that editors speak."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Encoding = Literal["utf-8", "utf-16", "utf-32"]

_TERMINATOR = r"\r\n?|\n"
# The characters that take more than one unit, by encoding; in UTF-32 there is none.
_WIDE = {"utf-8": "[^\0-\x7f]", "utf-16": "[\U00010000-\U0010ffff]"}


class LineIndex:
    r"""Where the lines of a text begin, and how wide its characters are.

    Lines and characters are counted from zero. A line ends at ``\n``, ``\r\n`` or ``\r`` and at nothing else;
    its terminator belongs to it. Offsets are counted in code points, characters in units of an encoding:
    bytes of ``utf-8``, 16-bit units of ``utf-16``, code points of ``utf-32``.

    Nothing is computed before it is asked for, and nothing costs time in proportion to the length of a line.

    Args:
        text: the text; it is kept, not copied.
    """

    __slots__ = ("_starts", "_text", "_wide")

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts: list[int] | None = None
        self._wide: dict[str, _Wide] = {}

    @property
    def line_count(self) -> int:
        """The number of lines: one more than there are terminators."""
        return len(self._line_starts())

    def line_start(self, line: int) -> int:
        """The offset at which `line` begins (clamped to the first and last line)."""
        starts = self._line_starts()
        return starts[max(0, min(line, len(starts) - 1))]

    def line_end(self, line: int) -> int:
        """The offset at which `line` ends, before its terminator (clamped to the first and last line)."""
        starts, text = self._line_starts(), self._text
        line = max(0, min(line, len(starts) - 1))
        if line + 1 == len(starts):
            return len(text)
        end = starts[line + 1] - 1
        return end - 1 if text[end] == "\n" and text[end - 1 : end] == "\r" else end

    def line_text(self, line: int) -> str:
        """The text of `line` without its terminator (clamped to the first and last line)."""
        return self._text[self.line_start(line) : self.line_end(line)]

    def line_of(self, offset: int) -> int:
        """The line that `offset` is on; an offset within or right before a terminator is on the line it ends."""
        return bisect_right(self._line_starts(), max(0, offset)) - 1

    def position(self, offset: int, encoding: Encoding = "utf-16") -> tuple[int, int]:
        r"""The line and character of an offset.

        Args:
            offset: code points from the start of the text, clamped to the text. (Between ``\r`` and ``\n`` the
                position is behind the ``\r``; `offset` clamps it to the line's end again.)
            encoding: the units to count characters in.

        Returns:
            (line, character), both from zero.
        """
        offset = max(0, min(offset, len(self._text)))
        line = self.line_of(offset)
        start = self._line_starts()[line]
        wide = self._wide_characters(encoding)
        return line, offset - start + wide.before(offset) - wide.before(start)

    def offset(self, line: int, character: int, encoding: Encoding = "utf-16") -> int:
        """The offset of a line and character.

        Args:
            line: from zero; a line past the last gives the text's end, a negative one its start.
            character: from zero, in units of `encoding`; past the line's end it is clamped to the line's end (before
                the terminator), within a character to that character's start.
            encoding: the units that `character` is counted in.

        Returns:
            Code points from the start of the text.
        """
        if line < 0:
            return 0
        if line >= self.line_count:
            return len(self._text)
        start = self.line_start(line)
        wide = self._wide_characters(encoding)
        units = start + wide.before(start) + max(0, character)
        return min(max(start, wide.offset(units)), self.line_end(line))

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            if "\r" in self._text:
                self._starts = [0, *(match.end() for match in re.finditer(_TERMINATOR, self._text))]
            else:
                lengths = [len(line) + 1 for line in self._text.split("\n")]
                self._starts = [0, *accumulate(lengths[:-1])]
        return self._starts

    def _wide_characters(self, encoding: Encoding) -> _Wide:
        if encoding not in self._wide:
            self._wide[encoding] = _Wide(self._text, encoding)
        return self._wide[encoding]


class _Wide:
    """The characters of a text that take more than one unit: their offsets, sorted, and what they add up to."""

    __slots__ = ("_extra", "_offsets", "_units")

    def __init__(self, text: str, encoding: Encoding) -> None:
        pattern = "" if encoding == "utf-32" or text.isascii() else _WIDE[encoding]
        found = [(match.start(), match.group()) for match in re.finditer(pattern, text)] if pattern else []
        width = _utf8_width if encoding == "utf-8" else _utf16_width
        self._offsets = [offset for offset, _ in found]
        # _extra[k]: units beyond one a character that the first k wide characters take together.
        self._extra = [0, *accumulate(width(character) - 1 for _, character in found)]
        # _units[k]: where the k-th wide character begins, in units from the start of the text.
        self._units = [offset + extra for offset, extra in zip(self._offsets, self._extra, strict=False)]

    def before(self, offset: int) -> int:
        """The extra units before an offset."""
        return self._extra[bisect_left(self._offsets, offset)]

    def offset(self, units: int) -> int:
        """The offset at so many units from the start of the text; within a character, that character's."""
        count = bisect_right(self._units, units)
        offset = units - self._extra[count]
        return max(offset, self._offsets[count - 1]) if count else offset


def _utf8_width(character: str) -> int:
    code = ord(character)
    return 2 if code < 0x800 else 3 if code < 0x10000 else 4


def _utf16_width(_character: str) -> int:
    return 2
