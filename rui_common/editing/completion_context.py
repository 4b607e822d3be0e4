"""What may stand at an offset of a text, broken or not: a property, a value, an element, and what it would replace."""

from __future__ import annotations

import re
from collections import namedtuple
from json.decoder import scanstring  # type: ignore[attr-defined]

from rui_common.syntax.spans import Span
from rui_common.syntax.tree import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_common.syntax.tree import Member

KEY, VALUE, ELEMENT = "key", "value", "element"

_ESCAPE = re.compile(r"\\.")
_WORD = re.compile(r"[\w./+-]*")
_SPACE = re.compile(r"[ \t\r\n]*")
_BLANK = re.compile(r"[ \t]*")
_STRING = re.compile(r'"(?:[^"\\\r\n]|\\.)*"')
_QUOTED = re.compile(_STRING.pattern + r"|'(?:[^'\\\r\n]|\\.)*'")
_ENDS = ("", ",", "]", "}")


class CompletionContext(
    namedtuple(
        "CompletionContext", ("expects", "path", "key", "span", "in_string", "comma_at", "comma_behind", "colon")
    )
):
    """What may stand at an offset.

    Attributes:
        expects: `KEY`, `VALUE` or `ELEMENT`.
        path: the object or array in which it would stand.
        key: the key of the property whose value is expected, None for the root; of an expected key, what stands there
            now, or None.
        span: what it would replace; it never reaches over a quote that is not its own, nor over a line.
        in_string: whether it would replace a string that is begun already.
        comma_at: the offset at which a comma is missing before it; `UNKNOWN` if none is.
        comma_behind: whether a comma must be put behind it.
        colon: whether a colon follows, so that a key is all that is wanted.
    """

    __slots__ = ()
    expects: str
    path: Path
    key: str | None
    span: Span
    in_string: bool
    comma_at: int
    comma_behind: bool
    colon: bool


def completion_context_at(document: Document, offset: int) -> CompletionContext | None:
    """What may stand at an offset (code points, clamped) of a document; None where nothing may."""
    text = document.text
    offset = max(0, min(offset, len(text)))
    opener = _open_quote(text, offset)
    start = offset if opener is None else opener
    if opener is None:
        while start and _WORD.fullmatch(text, start - 1, start):
            start -= 1
    container = _container(document, start)
    if container is None:
        is_blank = not text.strip("\ufeff \t\r\n")
        return (
            CompletionContext(VALUE, (), None, Span(offset, offset), False, UNKNOWN, False, False) if is_blank else None
        )
    path, is_object = container
    before = len(text[:start].rstrip(" \t\r\n")) if start < 200 else _before(text, start)
    sign = text[before - 1 : before]
    end = _end(text, offset, opener)
    if sign == ":" and is_object:
        key = _key_before(text, before - 1)
        if key is None:
            return None
        end = end if opener is not None else _value_end(text, offset, end)
        return _checked(text, VALUE, path, key, Span(start, end), opener is not None, UNKNOWN)
    if sign not in ("{", ",", "[") and (
        (opener is None and start != offset) or not _ends_value(text, before, is_object)
    ):
        return None
    comma_at = UNKNOWN if sign in ("{", ",", "[") else before
    if not is_object:
        return _checked(text, ELEMENT, path, None, Span(start, end), opener is not None, comma_at)
    key = None if opener is None else text[opener + 1 : end].removesuffix('"')
    return _checked(text, KEY, path, key, Span(start, end), opener is not None, comma_at)


def _checked(
    text: str, expects: str, path: Path, key: str | None, span: Span, in_string: bool, comma: int
) -> CompletionContext | None:
    behind = _SPACE.match(text, span.end)
    at = span.end if behind is None else behind.end()
    sign = text[at : at + 1]
    colon = sign == ":"
    if (colon and expects != KEY) or (expects == VALUE and sign in ("{", "[")):
        return None
    return CompletionContext(expects, path, key, span, in_string, comma, sign not in _ENDS and not colon, colon)


def _before(text: str, start: int) -> int:
    """The offset behind the last character before `start` that is no white space."""
    while start and text[start - 1] in " \t\r\n":
        start -= 1
    return start


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _plain(text: str, offset: int) -> str:
    """The line up to an offset, its escapes made harmless; a string cannot go on from one line to the next."""
    line = text[_line_start(text, offset) : offset]
    return _ESCAPE.sub("..", line) if "\\" in line else line


def _open_quote(text: str, offset: int) -> int | None:
    """Where the string begins that an offset is in; None if it is in none."""
    line = _plain(text, offset)
    return offset - len(line) + line.rfind('"') if line.count('"') % 2 else None


def _end(text: str, offset: int, opener: int | None) -> int:
    """Where what the cursor is in ends: a quote belongs to it only if a value or key may end there."""
    if opener is not None:
        match = _STRING.match(text, opener)
        if match is not None and match.end() > offset:
            behind = _SPACE.match(text, match.end())
            at = match.end() if behind is None else behind.end()
            if text[at : at + 1] in (*_ENDS, ":") and not ("," in match[0] and text[at : at + 1] == ":"):
                return match.end()
    word = _WORD.match(text, offset)
    return offset if word is None else word.end()


def _value_end(text: str, offset: int, end: int) -> int:
    """The end of a value that begins at an offset, or behind blanks; what is a key is none."""
    blank = _BLANK.match(text, offset)
    match = _QUOTED.match(text, offset if blank is None else blank.end())
    if match is None:
        return end
    behind = _SPACE.match(text, match.end())
    at = match.end() if behind is None else behind.end()
    return match.end() if text[at : at + 1] in _ENDS else end


def _key_before(text: str, colon: int) -> str | None:
    """The key before a colon."""
    end = _before(text, colon)
    if text[end - 1 : end] != '"':
        return None
    start = _open_quote(text, end - 1)
    if start is None:
        return None
    try:
        return str(scanstring(text, start + 1)[0])
    except ValueError:
        return None


def _ends_value(text: str, end: int, is_object: bool) -> bool:
    """Whether a value ends at an offset, so that only a comma is missing behind it."""
    if text[end - 1 : end] in ("}", "]"):
        return True
    if text[end - 1 : end] == '"':
        start = _open_quote(text, end - 1)
        sign = "" if start is None else text[_before(text, start) - 1 : _before(text, start)]
        return sign == ":" if is_object else sign in ("[", ",")
    return text[end - 1 : end].isalnum()


def _container(document: Document, offset: int) -> tuple[Path, bool] | None:
    """The innermost object or array around an offset, and whether it is an object."""
    found: tuple[Path, bool] | None = None
    path: Path = ()
    member: Member | None = document.find(())
    while member is not None and _is_around(member, offset):
        inside = member.members()
        if inside is None:
            break
        found = path, member.text_at(member.start) == "{"
        below = None
        for below in inside:
            if below.start != UNKNOWN and _is_around(below, offset):
                break
        else:
            break
        path = (*path, below.step)
        member = document.find(path)
    return found


def _is_around(member: Member, offset: int) -> bool:
    if member.start == UNKNOWN or member.start >= offset:
        return False
    return member.members() is not None and (offset < member.end or member.is_open)
