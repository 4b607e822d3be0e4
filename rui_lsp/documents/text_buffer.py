"""A text that is edited in place, by lines and characters, as an editor does.

pygls has such a class; it is not used because it takes U+2028, U+0085, form feeds and others for line ends, which LSP
does not, and because one edit of a large text costs it milliseconds.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.syntax.line_index import Encoding

    Position = tuple[int, int]  # (line, character), both from zero

# Characters in a piece: as cut, at most, and at least. Small enough that touching a piece costs microseconds,
# large enough that two megabytes are only some hundred pieces.
_SIZE, _MAX, _MIN = 4096, 8192, 1024

_TERMINATOR = re.compile(r"\r\n?|\n")
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_INSEPARABLE = re.compile(f"\r\n|{_SURROGATE_PAIR.pattern}")


class TextBuffer:
    r"""A text kept in pieces of a few thousand characters, with running totals over the pieces.

    An edit makes anew only the pieces that it touches, and every look-up searches the totals and then one piece: so
    both cost microseconds, whether the text has many lines or one that is very long.

    A line ends at ``\n``, ``\r\n`` or ``\r`` and at nothing else. Characters are counted in units of the encoding:
    bytes of ``utf-8``, 16-bit units of ``utf-16``, code points of ``utf-32``. Positions are clamped: a character past
    a line's end is the line's end (before its terminator), a line past the last is the end of the text.

    Halves of a surrogate pair that come to stand side by side become one character, as they are for a client that
    counts in UTF-16; and such a client may also part them.

    Args:
        text: what it holds at first.
        encoding: the unit of every character that is passed in or out.
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

    def snapshot(self) -> TextBuffer:
        """The same text, which stays as it is when this one is edited; it shares all pieces."""
        same = TextBuffer.__new__(TextBuffer)
        for name in TextBuffer.__slots__:
            setattr(same, name, getattr(self, name))
        return same

    @property
    def encoding(self) -> Encoding:
        """The unit of characters."""
        return self._encoding

    @property
    def line_count(self) -> int:
        """The number of lines: one more than there are terminators."""
        return self._breaks[-1] + 1

    def offset(self, line: int, character: int) -> int:
        """The offset of a position.

        Args:
            line: from zero, clamped.
            character: from zero, in units of the encoding, clamped; within a character it is that character's start.

        Returns:
            Code points from the start of the text.
        """
        return self._locate(line, character)[0]

    def position(self, offset: int) -> Position:
        r"""The (line, character) of an offset, which is clamped to the text (and to its line, between ``\r\n``)."""
        offset = max(0, min(offset, len(self)))
        number = self._piece_at(offset)
        line = self._breaks[number] + bisect_right(self._pieces[number].ends(), offset - self._chars[number])
        start = self._line_start(line)
        return line, self._units_before(min(offset, self._line_end(line))) - self._units_before(start)

    def replace(self, start: Position, end: Position, new: str) -> None:
        """Put `new` in the place of what stands between two positions (in either order)."""
        start, end = sorted((start, end))
        left, left_within = self._locate(*start)
        right, right_within = self._locate(*end)
        if left_within:
            new = _halves(self._char(left))[0] + new
        if right_within:
            new += _halves(self._char(right))[1]
            right += 1
        self._splice(left, right, new)

    def _splice(self, left: int, right: int, new: str) -> None:
        """Put `new` in the place of the characters from offset `left` to offset `right`."""
        pieces = self._pieces
        first, last = self._piece_at(left), self._piece_at(right)
        before = pieces[first].text[: left - self._chars[first]]
        after = pieces[last].text[right - self._chars[last] :]
        text = before + new + after
        # What begins the text now may belong to what stands before it; what ends it is where a piece ended already.
        while first > 0 and (len(text) < _MIN or _INSEPARABLE.fullmatch(pieces[first - 1].text[-1] + text[0])):
            first -= 1
            text = pieces[first].text + text
        while last + 1 < len(pieces) and len(text) < _MIN:
            last += 1
            text += pieces[last].text
        self._set_pieces([*pieces[:first], *_cut(_join_surrogates(text), self._encoding), *pieces[last + 1 :]])

    def _set_pieces(self, pieces: list[_Piece]) -> None:
        self._pieces = pieces
        self._string = None
        # What comes before each piece, and last the sum: characters, units, line breaks.
        self._chars = list(accumulate([len(piece.text) for piece in pieces], initial=0))
        self._units = list(accumulate([piece.units for piece in pieces], initial=0))
        self._breaks = list(accumulate([piece.breaks for piece in pieces], initial=0))

    def _locate(self, line: int, character: int) -> tuple[int, bool]:
        """The offset of a position, and whether the position is between the halves of the character there."""
        if line < 0:
            return 0, False
        if line >= self.line_count:
            return len(self), False
        start, end = self._line_start(line), self._line_end(line)
        units = self._units_before(start) + max(0, character)
        if units >= self._units_before(end):
            return end, False
        number = bisect_right(self._units, units) - 1
        local, within = self._pieces[number].offset(units - self._units[number], self._encoding)
        return self._chars[number] + local, within

    def _line_start(self, line: int) -> int:
        """The offset at which an existing line begins."""
        if line == 0:
            return 0
        number = bisect_left(self._breaks, line) - 1
        return self._chars[number] + self._pieces[number].ends()[line - self._breaks[number] - 1]

    def _line_end(self, line: int) -> int:
        """The offset at which an existing line ends, before its terminator."""
        if line + 1 == self.line_count:
            return len(self)
        end = self._line_start(line + 1) - 1
        return end - 1 if end and self._char(end) == "\n" and self._char(end - 1) == "\r" else end

    def _units_before(self, offset: int) -> int:
        number = self._piece_at(offset)
        piece = self._pieces[number]
        local = offset - self._chars[number]
        return self._units[number] + (local if piece.is_narrow else _units(piece.text[:local], self._encoding))

    def _piece_at(self, offset: int) -> int:
        """The number of the piece that holds an offset; for the end of the text the last piece."""
        return min(bisect_right(self._chars, offset), len(self._pieces)) - 1

    def _char(self, offset: int) -> str:
        number = self._piece_at(offset)
        return self._pieces[number].text[offset - self._chars[number]]


class _Piece:
    r"""A part of a text; ``\r\n`` is never split between two.

    Attributes:
        text: its characters.
        units: how many units of the encoding they take.
        breaks: how many lines end in it.
    """

    __slots__ = ("_ends", "breaks", "text", "units")

    def __init__(self, text: str, encoding: Encoding) -> None:
        self.text = text
        self.units = _units(text, encoding)
        self.breaks = text.count("\n")
        if "\r" in text:
            self.breaks += text.count("\r") - text.count("\r\n")
        self._ends: list[int] | None = None

    @property
    def is_narrow(self) -> bool:
        """Whether every character is one unit wide."""
        return self.units == len(self.text)

    def ends(self) -> list[int]:
        """The offsets behind the line breaks."""
        if self._ends is None and "\r" not in self.text:
            lengths = [len(line) + 1 for line in self.text.split("\n")]
            self._ends = list(accumulate(lengths[:-1]))
        elif self._ends is None:
            self._ends = [match.end() for match in _TERMINATOR.finditer(self.text)]
        return self._ends

    def offset(self, units: int, encoding: Encoding) -> tuple[int, bool]:
        """The offset of the character that the unit is in, and whether the unit is the low half of a surrogate pair."""
        if self.is_narrow:
            return units, False
        if encoding == "utf-8":
            raw = self.text.encode("utf-8", "surrogatepass")
            while units < len(raw) and raw[units] & 0xC0 == 0x80:  # a continuation byte
                units -= 1
            return len(raw[:units].decode("utf-8", "surrogatepass")), False
        raw = self.text.encode("utf-16-le", "surrogatepass")
        # Two lone halves never stand side by side, so a high half followed by a low one is one character.
        within = units > 0 and raw[2 * units - 1] & 0xFC == 0xD8 and raw[2 * units + 1] & 0xFC == 0xDC
        return len(raw[: 2 * (units - within)].decode("utf-16-le", "surrogatepass")), within


def _cut(text: str, encoding: Encoding) -> list[_Piece]:
    return [_Piece(part, encoding) for part in _parts(text)]


def _parts(text: str) -> Iterator[str]:
    if len(text) <= _MAX:
        yield text
        return
    start = 0
    while start < len(text):
        end = min(start + _SIZE, len(text))
        if text[end - 1] == "\r" and text[end : end + 1] == "\n":
            end += 1
        yield text[start:end]
        start = end


def _units(text: str, encoding: Encoding) -> int:
    """How many units a text takes."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _join_surrogates(text: str) -> str:
    if text.isascii() or not _SURROGATE_PAIR.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _halves(character: str) -> tuple[str, str]:
    raw = character.encode("utf-16-le")
    return raw[:2].decode("utf-16-le", "surrogatepass"), raw[2:].decode("utf-16-le", "surrogatepass")
