"""The text that the author is typing: an object or array that was just opened, up to the end of what was typed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rui_lsp.documents.text_buffer import TextBuffer

_OPENING = re.compile(r"[ \t\r\n]*[{\[][ \t\r\n]*[}\]]?")
"""What editors insert for an opening bracket, some with its closing bracket and line breaks."""

_TOKEN = re.compile(r'"(?:[^"\\\r\n]|\\.)*"?|[{}\[\],]')
_CLOSERS = {"{": "}", "[": "]", '"': '"'}
_VISIBLE = re.compile(r"[^\r\n]")

_BLANKS = " \t\r\n"
_BEFORE_VALUE = {"", "[", ",", ":", "}"}
_AFTER_VALUE = {"", "]", "}", ",", "{"}

MAX_BLANKS = 1000
"""Blanks around an opening bracket that are skipped to find its neighbours."""

MAX_LENGTH = 20_000
"""Characters of the longest region."""


class TypedRegion(NamedTuple):
    """A part of a text that begins with a bracket that was just opened.

    Attributes:
        start: the offset of the bracket.
        tail: the number of characters after the region, none of which has changed since the bracket was typed.
        caret: the offset of the last edit, which is in the region.
        is_idle: whether the author has paused since the last edit.
        known: the offsets of the brackets around the caret at the last pause.
    """

    start: int
    tail: int
    caret: int
    is_idle: bool = False
    known: tuple[int, ...] = ()


def next_region(region: TypedRegion | None, text: TextBuffer, start: int, end: int, new: str) -> TypedRegion | None:
    """Return the region after an edit; None if the author does not type in brackets that were just opened.

    Args:
        region: the region before the edit.
        text: the text before the edit.
        start, end: the range that the edit replaces.
        new: the new text of the range.
    """
    if region is not None and region.start < start and end <= len(text) - region.tail:
        return region._replace(caret=_caret(text, start, new), is_idle=False)
    if start != end or _OPENING.fullmatch(new) is None or not _may_be_value(text, start):
        return None
    bracket = start + len(new) - len(new.lstrip())
    return TypedRegion(bracket, len(text) - end, _caret(text, start, new))


def _may_be_value(text: TextBuffer, offset: int) -> bool:
    """Return whether a value may be at an offset; the comma before or after it may be missing."""
    before = _visible(text, range(offset - 1, -1, -1))
    after = _visible(text, range(offset, len(text)))
    return before in _BEFORE_VALUE and (before == ":" or after in _AFTER_VALUE)


def _visible(text: TextBuffer, offsets: range) -> str:
    """Return the first character at these offsets that is not a blank; "" without one."""
    characters = (text.character(offset) for offset in offsets[:MAX_BLANKS])
    return next((character for character in characters if character not in _BLANKS), "")


def _caret(text: TextBuffer, start: int, new: str) -> int:
    """Return the offset of the caret after an insertion: between a pair of brackets or quotes, else after it."""
    typed = new.strip()
    if len(typed) == 2 and _CLOSERS.get(typed[0]) == typed[1]:
        return start + new.index(typed[0]) + 1
    if new in _CLOSERS.values() and start and _CLOSERS.get(text.character(start - 1)) == new:
        return start  # The client inserts the closing one with an edit of its own.
    return start + len(new)


class FinishedText(NamedTuple):
    """A text as if the author had closed what is open, and not yet begun the member at the caret.

    Attributes:
        text: the text. Spaces replace the member; the missing brackets are inserted at the end of the region.
        brackets: the offsets of the brackets around the caret that were just opened, the outer ones first.
        member: the offset at which the member at the caret begins.
        end: the end of the region in the typed text.
        inserted: the number of inserted characters.
    """

    text: str
    brackets: list[int]
    member: int
    end: int
    inserted: int

    def typed_offset(self, offset: int) -> int:
        """Convert an offset to one in the typed text."""
        if offset <= self.end:
            return offset
        return max(self.end, offset - self.inserted)


def finish(text: str, region: TypedRegion) -> FinishedText | None:
    """Finish a region of a text. Returns None if the caret is not within brackets of the region."""
    end = len(text) - region.tail
    if end - region.start > MAX_LENGTH:
        return None
    typed = text[region.start : end]
    brackets = _Brackets(typed, region.caret - region.start)
    if not brackets.around:
        return None
    innermost = brackets.around[-1]
    member = max(innermost.offset, innermost.comma) + 1
    blank_start = member
    blank_end = brackets.member_end
    if typed[blank_end : blank_end + 1] != ",":
        if innermost.comma >= 0:
            blank_start = innermost.comma
    elif typed[member:blank_end].strip():
        blank_end += 1
    blank = _VISIBLE.sub(" ", typed[blank_start:blank_end])
    closers = "".join(_CLOSERS[bracket.mark] for bracket in reversed(brackets.open))
    finished = text[: region.start] + typed[:blank_start] + blank + typed[blank_end:] + closers + text[end:]
    offsets = [region.start + bracket.offset for bracket in brackets.around]
    return FinishedText(finished, offsets, region.start + member, end, len(closers))


class _Bracket(NamedTuple):
    mark: str
    offset: int
    comma: int = -1
    """The offset of the last comma of its members."""


class _Brackets:
    """The brackets of a typed text, which may be broken.

    Attributes:
        around: the brackets that are open at the caret, the outer ones first.
        open: those that are open at the end.
        member_end: the end of the member at the caret: the offset of a comma or closing bracket, or of the end.
    """

    def __init__(self, typed: str, caret: int) -> None:
        self.open: list[_Bracket] = []
        self.member_end = len(typed)
        around: list[_Bracket] | None = None
        for token in _TOKEN.finditer(typed):
            if around is None and token.end() > caret:
                around = self.open.copy()
            mark = token[0]
            ends_member = mark in ",}]" and around is not None and len(self.open) == len(around)
            if ends_member and self.member_end == len(typed):
                self.member_end = token.start()
            self._read(mark, token.start())
        self.around = self.open.copy() if around is None else around

    def _read(self, mark: str, offset: int) -> None:
        if mark in "{[":
            self.open.append(_Bracket(mark, offset))
        elif self.open and mark == ",":
            self.open[-1] = self.open[-1]._replace(comma=offset)
        elif self.open and mark == _CLOSERS[self.open[-1].mark]:
            self.open.pop()
