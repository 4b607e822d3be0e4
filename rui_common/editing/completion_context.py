"""Determine the completion context at an offset: property name, value or element, and the span to replace.

The text may have syntax errors, as it usually has while it is typed.
"""

import re
from enum import Enum, auto
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import NamedTuple

from rui_common.editing.edits import end_before
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path
from rui_common.syntax.reader import skip_blanks, skip_space, total_match
from rui_common.syntax.spans import Span, line_start
from rui_common.syntax.tree import UNKNOWN, Member


class Expects(Enum):
    """The kinds of completion."""

    KEY = auto()
    VALUE = auto()
    ELEMENT = auto()


_ESCAPE = re.compile(r"\\.")
_word = total_match(r"[\w./+-]*")
_code = total_match(r'(?:[^"/\r\n]|"(?:[^"\\\r\n]|\\.)*"|/(?!/))*')  # A line up to a comment or an unclosed string
_STRING = re.compile(r'"(?:[^"\\\r\n]|\\.)*"')
_SCALAR = re.compile(_STRING.pattern + r"|'(?:[^'\\\r\n]|\\.)*'|[\w.+-]+")
_OPENING = ("{", "[", ",")
_CLOSING = ("}", "]")
_AFTER_VALUE = ("", ",", "]", "}")


class CompletionContext(NamedTuple):
    """The syntactic context of a completion."""

    expects: Expects  # the expected kind of completion
    path: Path  # the object or array that contains the insertion
    key: str | None  # the key of the property whose value is expected, or the present key; None without one
    span: Span  # the range to replace; no quote that belongs to another string, and no line end, is in it
    in_string: bool  # whether the range is a string that has begun
    comma_at: int  # the offset at which a comma is missing before the insertion; `UNKNOWN` if none is
    comma_after: bool  # whether a comma is missing after the insertion
    colon: bool  # whether a colon follows, so that only a key is expected


def completion_context_at(document: Document, offset: int) -> CompletionContext | None:
    """Return the completion context at an offset (code points, clamped); None where no completion is possible."""
    text = document.text
    offset = max(0, min(offset, len(text)))
    quote = _open_quote(text, offset)
    start = offset
    if quote is not None:
        start = quote
    else:
        while start and (text[start - 1].isalnum() or text[start - 1] in "_./+-"):
            start -= 1
    container = _container(document, start)
    if container is not None:
        return _context_in(text, *container, Span(start, offset), quote)
    if text.strip("\ufeff \t\r\n"):
        return None
    return CompletionContext(Expects.VALUE, (), None, Span(offset, offset), False, UNKNOWN, False, False)


def _context_in(text: str, path: Path, is_object: bool, typed: Span, quote: int | None) -> CompletionContext | None:
    """Return the context in an object or array; `typed` is the word or string before the cursor."""
    start, offset = typed
    in_string = quote is not None
    before = _code_end_before(text, start)
    mark = text[before - 1 : before]
    end = _end(text, offset, quote)
    if mark == ":" and is_object:
        key = _key_before(text, before - 1)
        if key is None:
            return None
        if not in_string:
            end = _value_end(text, offset, end)
        return _context(text, Expects.VALUE, path, key, Span(start, end), in_string, UNKNOWN)
    comma_at = UNKNOWN
    if mark not in _OPENING:
        is_word = not in_string and start != offset
        is_same_line = mark not in _CLOSING and not _is_after_line(text, before, start)
        if (is_word and is_same_line) or not _ends_value(text, before, is_object):
            return None
        comma_at = before
    if mark == "{" and not in_string and path and isinstance(path[-1], int) and _next_mark(text, end) == "{":
        # The brace of a new element, before the next: recovery reads both as one object.
        return _context(text, Expects.ELEMENT, path[:-1], None, Span(before - 1, end), False, UNKNOWN)
    if not is_object:
        return _context(text, Expects.ELEMENT, path, None, Span(start, end), in_string, comma_at)
    key = None if quote is None else text[quote + 1 : end].removesuffix('"')
    return _context(text, Expects.KEY, path, key, Span(start, end), in_string, comma_at)


def _context(
    text: str, expects: Expects, path: Path, key: str | None, span: Span, in_string: bool, comma_at: int
) -> CompletionContext | None:
    """Return the context, unless the text after `span` rules out a completion."""
    next_mark = _next_mark(text, span.end)
    colon = next_mark == ":"
    if colon and expects is not Expects.KEY:
        return None
    if expects is Expects.VALUE and next_mark in ("{", "["):
        return None
    comma_after = next_mark not in _AFTER_VALUE and not colon
    return CompletionContext(expects, path, key, span, in_string, comma_at, comma_after, colon)


def _next_mark(text: str, offset: int) -> str:
    """Return the first character that is not white space at or after an offset."""
    end = skip_space(text, offset).end()
    return text[end : end + 1]


def _open_quote(text: str, offset: int) -> int | None:
    """Return the start of the string that contains an offset, or None. A string does not extend over line ends."""
    start = line_start(text, offset)
    line = text[start:offset]
    if "\\" in line:
        line = _ESCAPE.sub("..", line)
    if line.count('"') % 2 == 0:
        return None
    return start + line.rfind('"')


def _end(text: str, offset: int, quote: int | None) -> int:
    """Return the end of the range to replace. A closing quote belongs to it only if a value or key may end there."""
    if quote is not None:
        string = _STRING.match(text, quote)
        if string is not None and string.end() > offset:
            mark = _next_mark(text, string.end())
            end = skip_blanks(text, string.end()).end()
            line_ends = text[end : end + 1] in {"\r", "\n"}
            is_whole = "," not in string[0] and (mark == ":" or line_ends)
            if is_whole or mark in _AFTER_VALUE:
                return string.end()
    return _word(text, offset).end()


def _value_end(text: str, offset: int, end: int) -> int:
    """Return the end of a simple value that begins after `offset`; `end` if there is none, or if it is the next key."""
    value = _SCALAR.match(text, skip_blanks(text, offset).end())
    if value is None or _next_mark(text, value.end()) not in _AFTER_VALUE:
        return end
    return value.end()


def _key_before(text: str, colon: int) -> str | None:
    end = end_before(text, colon)
    if text[end - 1 : end] != '"':
        return None
    start = _open_quote(text, end - 1)
    if start is None:
        return None
    try:
        return str(scanstring(text, start + 1)[0])
    except ValueError:
        return None


def _code_end_before(text: str, offset: int) -> int:
    """Return the offset after the last character before `offset` that is not in white space or a ``//`` comment."""
    while True:
        end = end_before(text, offset)
        offset = _code(text, line_start(text, end)).end()
        if offset >= end or not text.startswith("//", offset):
            return end


def _is_after_line(text: str, end: int, start: int) -> bool:
    """Return whether a line ends between two offsets, outside of a string: what is at `start` is no part of a value."""
    return not {"\r", "\n"}.isdisjoint(text[end:start]) and _open_quote(text, end) is None


def _ends_value(text: str, end: int, is_object: bool) -> bool:
    """Return whether a value ends at an offset, so that only a comma is missing after it."""
    last = text[end - 1 : end]
    if last != '"':
        return last in ("}", "]") or last.isalnum()
    start = _open_quote(text, end - 1)
    mark = ""
    if start is not None:
        before = end_before(text, start)
        mark = text[before - 1 : before]
    if is_object:
        return mark == ":"
    return mark in ("[", ",")


def _container(document: Document, offset: int) -> tuple[Path, bool] | None:
    """Return the innermost object or array around an offset, and whether it is an object.

    None if there is none, or if a later property overrides it.
    """
    container: tuple[Path, bool] | None = None
    path: Path = ()
    member: Member | None = document.find(())
    while member is not None and _contains(member, offset):
        container = (path, member.text_at(member.start) == "{")
        inner = next((inner for inner in member.members() or () if _contains(inner, offset)), None)
        if inner is None:
            break
        path = (*path, inner.step)
        member = document.find(path)
        if member is not inner:
            return None
    return container


def _contains(member: Member, offset: int) -> bool:
    """Return whether an offset is between the brackets of a member."""
    if member.start >= offset:
        return False
    return member.members() is not None and (offset < member.end or member.is_open)
