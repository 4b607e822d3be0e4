"""A text buffer that is edited by line and character: a piece table.

It replaces pygls's `TextDocument`, which also ends lines at U+2028, U+0085 and form feeds (LSP does not), and which
takes milliseconds per edit of a large text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate

from rui_common.syntax.line_index import Encoding

Position = tuple[int, int]  # (line, character), both from zero

# Characters per piece. Small enough that replacing a piece takes microseconds,
# large enough that two megabytes are a few hundred pieces.
_NEW_PIECE = 4096
_MAX_PIECE = 8192
_MIN_PIECE = 1024

_TERMINATOR = re.compile(r"\r\n?|\n")
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_INSEPARABLE = re.compile(f"\r\n|{_SURROGATE_PAIR.pattern}")


class TextBuffer:
    r"""A text in pieces of a few thousand characters, with running totals over the pieces.

    An edit replaces only the pieces that it touches. A look-up searches the totals and then one piece. Both take
    microseconds, for many lines and for one very long line.

    A line ends at ``\n``, ``\r\n`` or ``\r`` only. Characters are counted in units of the encoding: bytes of
    ``utf-8``, 16-bit units of ``utf-16``, code points of ``utf-32``. Positions are clamped: a character past a line's
    end is the end of the line (before its terminator), a line past the last is the end of the text.

    Two surrogates that become neighbours are joined into one character, as in a client that counts in UTF-16. Such a
    client can also split a character into its surrogates.

    Args:
        text: the initial text.
        encoding: the unit of all characters that are passed in or returned.
    """

    __slots__ = ("_breaks", "_chars", "_encoding", "_pieces", "_string", "_units")

    def __init__(self, text: str = "", encoding: Encoding = "utf-16") -> None:
        self._encoding: Encoding = encoding
        self._pieces: list[_Piece] = []
        self._string: str | None = None
        self._set_pieces(_cut(_join_surrogates(text), encoding))

    def __str__(self) -> str:
        if self._string is None:
            self._string = "".join([piece.text for piece in self._pieces])
        return self._string

    def __len__(self) -> int:
        return self._chars[-1]

    @property
    def encoding(self) -> Encoding:
        """The unit in which characters are counted."""
        return self._encoding

    @property
    def line_count(self) -> int:
        """The number of lines: line terminators plus one."""
        return self._breaks[-1] + 1

    def offset(self, line: int, character: int) -> int:
        """Return the offset of a position in code points.

        Args:
            line: from zero, clamped.
            character: from zero, in units of the encoding, clamped. A unit inside a character means its start.
        """
        offset, _ = self._locate(line, character)
        return offset

    def position(self, offset: int) -> Position:
        r"""Return (line, character) of an offset. It is clamped to the text and, inside ``\r\n``, to the line."""
        offset = max(0, min(offset, len(self)))
        number = self._piece_at(offset)
        line = self._breaks[number] + bisect_right(self._pieces[number].ends(), offset - self._chars[number])
        start = self._line_start(line)
        return line, self._units_before(min(offset, self._line_end(line))) - self._units_before(start)

    def replace(self, start: Position, end: Position, new: str) -> None:
        """Replace the text between two positions, in either order, by `new`."""
        start, end = sorted((start, end))
        left, splits_left = self._locate(*start)
        right, splits_right = self._locate(*end)
        if splits_left:
            high, _ = _surrogates(self.character(left))
            new = high + new
        if splits_right:
            _, low = _surrogates(self.character(right))
            new += low
            right += 1
        self._splice(left, right, new)

    def _splice(self, left: int, right: int, new: str) -> None:
        pieces = self._pieces
        first = self._piece_at(left)
        last = self._piece_at(right)
        prefix = pieces[first].text[: left - self._chars[first]]
        suffix = pieces[last].text[right - self._chars[last] :]
        text = prefix + new + suffix
        # The first character may be inseparable from the end of the preceding piece (a line terminator, a surrogate
        # pair). The end needs no such check: a piece ended there before.
        while first > 0 and (len(text) < _MIN_PIECE or _INSEPARABLE.fullmatch(pieces[first - 1].text[-1] + text[0])):
            first -= 1
            text = pieces[first].text + text
        while last + 1 < len(pieces) and len(text) < _MIN_PIECE:
            last += 1
            text += pieces[last].text
        self._set_pieces([*pieces[:first], *_cut(_join_surrogates(text), self._encoding), *pieces[last + 1 :]])

    def _set_pieces(self, pieces: list[_Piece]) -> None:
        self._pieces = pieces
        self._string = None
        # Totals of characters, units and line breaks before each piece; the last element is the sum.
        self._chars = list(accumulate([len(piece.text) for piece in pieces], initial=0))
        self._units = list(accumulate([piece.units for piece in pieces], initial=0))
        self._breaks = list(accumulate([piece.breaks for piece in pieces], initial=0))

    def _locate(self, line: int, character: int) -> tuple[int, bool]:
        """Return the offset of a position, and whether the position is between the surrogates of the character."""
        if line < 0:
            return 0, False
        if line >= self.line_count:
            return len(self), False
        start = self._line_start(line)
        end = self._line_end(line)
        units = self._units_before(start) + max(0, character)
        if units >= self._units_before(end):
            return end, False
        number = bisect_right(self._units, units) - 1
        local, is_split = self._pieces[number].offset(units - self._units[number], self._encoding)
        return self._chars[number] + local, is_split

    def _line_start(self, line: int) -> int:
        if line == 0:
            return 0
        number = bisect_left(self._breaks, line) - 1
        return self._chars[number] + self._pieces[number].ends()[line - self._breaks[number] - 1]

    def _line_end(self, line: int) -> int:
        """Return the offset of the end of an existing line, before its terminator."""
        if line + 1 == self.line_count:
            return len(self)
        end = self._line_start(line + 1) - 1
        if end > 0 and self.character(end) == "\n" and self.character(end - 1) == "\r":
            return end - 1
        return end

    def _units_before(self, offset: int) -> int:
        number = self._piece_at(offset)
        piece = self._pieces[number]
        local = offset - self._chars[number]
        if not piece.has_single_units:
            local = _count_units(piece.text[:local], self._encoding)
        return self._units[number] + local

    def _piece_at(self, offset: int) -> int:
        """Return the number of the piece that contains an offset. For the end of the text it is the last piece."""
        return min(bisect_right(self._chars, offset), len(self._pieces)) - 1

    def character(self, offset: int) -> str:
        """Return the character at an offset."""
        number = self._piece_at(offset)
        return self._pieces[number].text[offset - self._chars[number]]


class _Piece:
    r"""A part of the text. ``\r\n`` is never split between two pieces.

    Attributes:
        text: its characters.
        units: the length in units of the encoding.
        breaks: the number of line terminators.
    """

    __slots__ = ("_ends", "breaks", "text", "units")

    def __init__(self, text: str, encoding: Encoding) -> None:
        self.text = text
        self.units = _count_units(text, encoding)
        self.breaks = text.count("\n")
        if "\r" in text:
            self.breaks += text.count("\r") - text.count("\r\n")
        self._ends: list[int] | None = None

    @property
    def has_single_units(self) -> bool:
        """Whether each character is one unit of the encoding."""
        return self.units == len(self.text)

    def ends(self) -> list[int]:
        """Return the offsets after the line terminators."""
        if self._ends is None and "\r" not in self.text:
            lengths = [len(line) + 1 for line in self.text.split("\n")]
            self._ends = list(accumulate(lengths[:-1]))
        elif self._ends is None:
            self._ends = [match.end() for match in _TERMINATOR.finditer(self.text)]
        return self._ends

    def offset(self, units: int, encoding: Encoding) -> tuple[int, bool]:
        """Return the offset of the character that contains a unit, and whether the unit is its low surrogate."""
        if self.has_single_units:
            return units, False
        if encoding == "utf-8":
            raw = self.text.encode("utf-8", "surrogatepass")
            while units < len(raw) and raw[units] & 0xC0 == 0x80:  # a continuation byte
                units -= 1
            return len(raw[:units].decode("utf-8", "surrogatepass")), False
        raw = self.text.encode("utf-16-le", "surrogatepass")
        # Adjacent lone surrogates are joined, so a high one before a low one is always one character.
        is_split = units > 0 and raw[2 * units - 1] & 0xFC == 0xD8 and raw[2 * units + 1] & 0xFC == 0xDC
        if is_split:
            units -= 1
        return len(raw[: 2 * units].decode("utf-16-le", "surrogatepass")), is_split


def _cut(text: str, encoding: Encoding) -> list[_Piece]:
    if len(text) <= _MAX_PIECE:
        return [_Piece(text, encoding)]
    pieces = []
    start = 0
    while start < len(text):
        end = min(start + _NEW_PIECE, len(text))
        if text[end - 1] == "\r" and text[end : end + 1] == "\n":
            end += 1
        pieces.append(_Piece(text[start:end], encoding))
        start = end
    return pieces


def _count_units(text: str, encoding: Encoding) -> int:
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _join_surrogates(text: str) -> str:
    if text.isascii() or not _SURROGATE_PAIR.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _surrogates(character: str) -> tuple[str, str]:
    raw = character.encode("utf-16-le")
    return raw[:2].decode("utf-16-le", "surrogatepass"), raw[2:].decode("utf-16-le", "surrogatepass")
