"""The text that the author is typing: an object or array that was just opened, or a member that was just begun."""

from __future__ import annotations

import re
from typing import NamedTuple

from rui_lsp.documents.text_buffer import TextBuffer

_OPENING = re.compile(r"[ \t\r\n]*[{\[][ \t\r\n]*[}\]]?")
"""What editors insert for an opening bracket, some with its closing bracket and line breaks."""

_TOKEN = re.compile(r'"(?:[^"\\\r\n]|\\.)*"?|[{}\[\],]')
_CLOSERS = {"{": "}", "[": "]", '"': '"'}
_VISIBLE = re.compile(r"[^\r\n]")

_BLANKS = " \t\r\n"
_BEFORE_VALUE = {"", "[", ",", ":", "}"}
_AFTER_VALUE = {"", "]", "}", ",", "{"}

_BEGINNING = re.compile(r'[\w"]|"\"|,')
"""What begins a member of an object or array: a letter, a quote with or without the closing one, a comma."""

_WORD_PART = r"[ \t\r\n]*[\w.+-]*[ \t\r\n]*"
_STRING_PART = r'[ \t\r\n]*"[^"\r\n]*"?[ \t\r\n]*'
_BEGUN = re.compile(f",?(?:{_WORD_PART}|{_STRING_PART}(?::(?:{_WORD_PART}|{_STRING_PART}))?)")
_UNNAMED = re.compile(f",?{_WORD_PART}")

MAX_BEGUN = 200
"""Characters of the longest member that counts as just begun."""

MAX_BLANKS = 1000
"""Blanks around an opening bracket that are skipped to find its neighbours."""

MAX_LENGTH = 20_000
"""Characters of the longest region."""


class TypedRegion(NamedTuple):
    """A part of a text that begins with a bracket that was just opened, or with a member that was just begun.

    Attributes:
        start: the offset of the bracket, or of the comma or the first character of the member.
        tail: the number of characters after the region, none of which has changed since the region began.
        caret: the offset of the last edit, which is in the region.
        is_idle: whether the author has paused since the last edit.
        known: the offsets of the brackets around the caret at the last pause.
        is_member: whether it is a member, which is ignored until more of it is written.
        is_unnamed: whether the member is only a comma or a word, so that the author may be choosing a proposal.
    """

    start: int
    tail: int
    caret: int
    is_idle: bool = False
    known: tuple[int, ...] = ()
    is_member: bool = False
    is_unnamed: bool = False


def next_region(region: TypedRegion | None, text: TextBuffer, start: int, end: int, new: str) -> TypedRegion | None:
    """Return the region after an edit; None if the author types neither in new brackets nor at a new member.

    Args:
        region: the region before the edit.
        text: the text before the edit.
        start, end: the range that the edit replaces.
        new: the new text of the range.
    """
    opens = start == end and _OPENING.fullmatch(new) is not None and _may_be_value(text, start)
    if region is not None and region.start < start and end <= len(text) - region.tail:
        if not region.is_member:
            return region._replace(caret=_caret(text, start, new), is_idle=False)
        if not opens:
            return _member(region._replace(is_idle=False), text, start, end, new)
    if opens:
        bracket = start + len(new) - len(new.lstrip())
        return TypedRegion(bracket, len(text) - end, _caret(text, start, new))
    if start != end or _BEGINNING.fullmatch(new) is None:
        return None
    return _new_member(text, start, new)


def _new_member(text: TextBuffer, start: int, new: str) -> TypedRegion | None:
    """Return the region of a member that an insertion begins at the end of an object or array; None if it does not."""
    before = _visible_at(text, range(start - 1, -1, -1))
    after = _visible_at(text, range(start, len(text)))
    mark = "" if before is None else text.character(before)
    if after is None or before is None or text.character(after) not in "]}":
        return None
    if new == ",":
        begins = mark not in ",:[{"
    else:
        begins = mark in ",{[}]" and (new[0] == '"' or before < start - 1 or mark in ",{[")
    if not begins:
        return None
    first = before if mark == "," else start
    return _member(TypedRegion(first, len(text) - start, start, is_member=True), text, start, start, new)


def _member(region: TypedRegion, text: TextBuffer, start: int, end: int, new: str) -> TypedRegion | None:
    """Return the region of a member after an edit in it; None if more than its beginning is written."""
    last = len(text) - region.tail
    if last - region.start + len(new) > MAX_BEGUN:
        return None
    written = _slice(text, region.start, start) + new + _slice(text, end, last)
    if _BEGUN.fullmatch(written) is None:
        return None
    return region._replace(caret=start + len(new), is_unnamed=_UNNAMED.fullmatch(written) is not None)


def _slice(text: TextBuffer, start: int, end: int) -> str:
    return "".join(text.character(offset) for offset in range(start, end))


def _may_be_value(text: TextBuffer, offset: int) -> bool:
    """Return whether a value may be at an offset; the comma before or after it may be missing."""
    before = _visible(text, range(offset - 1, -1, -1))
    after = _visible(text, range(offset, len(text)))
    return before in _BEFORE_VALUE and (before == ":" or after in _AFTER_VALUE)


def _visible(text: TextBuffer, offsets: range) -> str:
    """Return the first character at these offsets that is not a blank; "" without one."""
    offset = _visible_at(text, offsets)
    return "" if offset is None else text.character(offset)


def _visible_at(text: TextBuffer, offsets: range) -> int | None:
    """Return the first of these offsets whose character is not a blank; None without one."""
    return next((offset for offset in offsets[:MAX_BLANKS] if text.character(offset) not in _BLANKS), None)


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
        brackets: the offsets of the brackets around the caret that were just opened, the outer ones first; none of a
            member that was just begun.
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
    if region.is_member:
        blank = _VISIBLE.sub(" ", text[region.start : end])
        return FinishedText(text[: region.start] + blank + text[end:], [], region.start, end, 0)
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
