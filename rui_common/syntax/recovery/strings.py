"""The lexer of broken strings in double quotes: missing, stray and unescaped quotes, line breaks."""

import re
from functools import partial

from rui_common.syntax.errors import FaultKind
from rui_common.syntax.reader import total_match
from rui_common.syntax.recovery.grammar import CLOSING_DOUBLE_QUOTES
from rui_common.syntax.recovery.other_strings import lex_other_string
from rui_common.syntax.recovery.string_contents import (
    NewFault,
    count_escaped_quotes,
    count_quotes,
    decode,
    escape_quotes,
    incomplete_escape,
    replacement,
)
from rui_common.syntax.recovery.string_ends import (
    AFTER_CLOSING_QUOTE,
    MAX_STRING,
    begins_property,
    find_end,
    is_end,
)
from rui_common.syntax.recovery.tokens import Token
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import scan
from rui_common.texts import MAX_SHOWN, shorten

_STRING = re.compile(r'"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*"')
_QUOTES = re.compile(r'\\[^\r\n]|["\r\n]')
_rest_of_line = total_match(r"[^\r\n]*")
_UP_TO_QUOTE = re.compile(rf'(?:[^"\\\r\n]|\\[^\r\n]){{0,{MAX_STRING}}}"')
_LINE_UP_TO_QUOTE = re.compile(r'(?:\r\n?|\n)([^"\\\r\n]*+(?>(?:\\[^\r\n][^"\\\r\n]*+)*))("?)')
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_LINE_BREAK = re.compile(r"\r\n?|\n")
_OTHER_DOUBLE_QUOTES = CLOSING_DOUBLE_QUOTES.removesuffix('"')
_SPLIT_NAME = re.compile(r"\"?+([\w$-]{1,60}+)\"([\w$-]{1,60}+)\"?+(?=[ \t]*:)")
_SEPARATORS = frozenset(",:{[")

MAX_LINES = 100  # Maximum number of lines of a string with line breaks
MAX_BRACKETS = 8  # Maximum number of brackets at the end of an unclosed string that belong to the document


def lex_string(text: str, start: int, *, is_value: bool) -> Token | None:
    """Read the string that the quote at `start` opens; None if there is none, or one of another language is not closed.

    `is_value` is whether it is the value of a property.
    """
    other = lex_other_string(text, start, is_value=is_value)
    if other is not None or text[start] != '"':
        return other
    match = _STRING.match(text, start)
    if match is None:
        return _lex_unclosed(text, start)
    end = match.end()
    if not is_end(text, end, is_value=is_value):
        repaired = _repair_quotes(text, start, end, is_value=is_value)
        if repaired is not None:
            return repaired
    return decode(text, Span(start, end), text[start + 1 : end - 1], None)


def lex_unopened_string(text: str, start: int) -> Token | None:
    """Read a string without its opening quote, such as ``page-1"``. Returns None if there is none at `start`."""
    match = _UP_TO_QUOTE.match(text, start)
    if match is None or AFTER_CLOSING_QUOTE.match(text, match.end()) is None:
        return None
    content = text[start : match.end() - 1]
    if content.rstrip()[-1:] in {*_SEPARATORS, "\\"} or _NUMBER.fullmatch(content):
        return None
    span = Span(start, match.end())
    error = partial(FaultKind.NO_OPENING_QUOTE.at, span, content=shorten(content), is_doubtful=True)
    return decode(text, span, content, error)


def lex_split_name(text: str, start: int) -> Token | None:
    """Read a name of a property with a quote beside its place: ``i"d":``, ``"i"d:``, ``"tit"le":``."""
    match = _SPLIT_NAME.match(text, start)
    if match is None:
        return None
    span = Span(start, match.end())
    name = "".join(match.groups(default=""))
    command = replacement(f'"{name}"', match[0])
    return decode(text, span, name, partial(FaultKind.SPLIT_NAME.at, span, command=command, old=match[0]))


def _repair_quotes(text: str, start: int, end: int, *, is_value: bool) -> Token | None:
    """Read a string whose end is followed by a token that cannot follow it. Returns None if its quotes are right."""
    content = text[start + 1 : end - 1]
    last = content.rstrip()[-1:]
    if is_value and content[:1] in {"{", "["}:
        json_end = _end_of_json(text, start + 1)
        if json_end is not None:
            return _escaped(text, start, end - 1, json_end)
    if is_value and content.strip(" \t{}[],:"):
        if last != ":" and begins_property(text, end - 1):
            return _close(text, start, _without_separators(content))
        return _with_inner_quotes(text, start, end, is_value=True)
    if _UP_TO_QUOTE.match(text, end) is None or last not in {"", *_SEPARATORS}:
        return _with_inner_quotes(text, start, end, is_value=is_value)
    is_stray = begins_property(text, end - 1) or find_end(text, end, _QUOTES, is_value=True) == text.find('"', end)
    if is_value and not content and not is_stray:
        return _with_inner_quotes(text, start, end, is_value=True)
    # The closing quote opens the next string: this one has a quote too few or too many.
    words = _without_separators(content)
    if not words.strip(" \t{}[],:"):
        words = ""
    return _close(text, start, words)


def _end_of_json(text: str, start: int) -> int | None:
    """Return the offset of the quote after the object or array at `start`, if it is JSON and a quote follows."""
    part = text[start : start + MAX_STRING]
    try:
        _, end = scan(part, 0)
    except (ValueError, StopIteration, RecursionError):
        return None
    if part[end : end + 1] != '"':
        return None
    return start + end


def _with_inner_quotes(text: str, start: int, end: int, *, is_value: bool) -> Token | None:
    """Read a string with unescaped quotes in it, the first of them before `end`."""
    last = find_end(text, end, _QUOTES, is_value=is_value)
    if last is None or (not is_value and _is_between_strings(text, end, last)):
        return None
    return _escaped(text, start, end - 1, last)


def _is_between_strings(text: str, start: int, end: int) -> bool:
    """Return whether a separator precedes one of the quotes in a range, or its end."""
    parts = text[start:end].split('"')
    return any(part.rstrip()[-1:] in _SEPARATORS for part in parts)


def _escaped(text: str, start: int, first: int, last: int) -> Token:
    """Read a string from `start` to `last` with unescaped quotes in it, the first of them at `first`."""
    if last == first + 1 and not text[first - 1].isdigit():
        doubled = partial(FaultKind.DOUBLED_QUOTE.at, Span(last, last + 1), is_doubtful=True)
        return decode(text, Span(start, last + 1), text[start + 1 : first], doubled)
    more = _and_next(count_quotes(text[first + 1 : last]))
    error = partial(FaultKind.INNER_QUOTE.at, Span(first, first + 1), and_next=more, is_doubtful=True)
    return decode(text, Span(start, last + 1), escape_quotes(text[start + 1 : last]), error)


def _and_next(count: int) -> str:
    """Return how a hint about the first of several equal marks names the `count` further ones."""
    if count == 0:
        return ""
    if count == 1:
        return " and of the next one"
    return f" and of the next {count}"


def _lex_unclosed(text: str, start: int) -> Token:
    """Read a string that is not closed on its line."""
    line_end = _rest_of_line(text, start).end()
    is_last_line = line_end == len(text)
    content = text[start + 1 : line_end]
    if not content.strip(" \t{}[],:"):
        if is_last_line and not content.strip():
            return _cut_off(text, start, content)
        return _close(text, start, "")
    if is_last_line and not content.rstrip().endswith(("}", "]")):
        return _cut_off(text, start, content)
    # The separators and brackets at the end of the line belong to the document.
    return _lex_wrapped(text, start, line_end) or _close(text, start, _without_separators(content))


def _lex_wrapped(text: str, start: int, line_end: int) -> Token | None:
    """Read a string that was wrapped over lines. Returns None if the next lines do not look like prose."""
    end = _end_of_wrapped(text, line_end)
    if end is None:
        return None
    more = _and_next(len(_LINE_BREAK.findall(text, line_end, end)) - 1)
    error = partial(FaultKind.LINE_BREAK.at, Span(start, line_end), and_next=more, is_doubtful=True)
    return decode(text, Span(start, end), text[start + 1 : end - 1], error)


def _end_of_wrapped(text: str, line_end: int) -> int | None:
    offset = line_end
    for _ in range(MAX_LINES):
        match = _LINE_UP_TO_QUOTE.match(text, offset)
        if match is None:
            return None
        words = match[1].strip()
        if words[:1] in {"{", "}", "[", "]", ",", ":"}:
            return None
        offset = match.end()
        if match[2]:
            if words and words[-1] not in _SEPARATORS and AFTER_CLOSING_QUOTE.match(text, offset):
                return offset
            return None
    return None


def _cut_off(text: str, start: int, content: str) -> Token:
    end = len(text)
    whole = content.removesuffix(incomplete_escape(text))
    return decode(text, Span(start, end), whole, partial(FaultKind.CUT_STRING.at, Span(end, end), is_doubtful=True))


def _close(text: str, start: int, content: str) -> Token:
    """Read a string as if it were closed after `content`, or with the quote of another language at its end."""
    span = Span(start, start + 1 + len(content))
    if sum(map(content.count, _OTHER_DOUBLE_QUOTES)) == 1 and content[-1] in _OTHER_DOUBLE_QUOTES:
        old = text[slice(*span)]
        command = replacement(f'"{content[:-1]}"', old)
        error: NewFault = partial(FaultKind.FOREIGN_QUOTES.at, span, command=command, group=f'"{old[-1]}')
        return decode(text, span, content[:-1], error, is_certain=True)
    if content.endswith('\\"') and count_escaped_quotes(content) % 2:
        command = replacement(f'"{content[:-2]}"', text[slice(*span)])
        error = partial(FaultKind.BACKSLASH_QUOTES.at, span, command=command)
        return decode(text, span, content[:-2], error, is_certain=True)
    last = content
    if len(content) > MAX_SHOWN:
        last = "…" + content[1 - MAX_SHOWN :]
    kind = FaultKind.NO_CLOSING_QUOTE if content else FaultKind.EMPTY_STRING
    return decode(text, span, content, partial(kind.at, span, content=last, is_doubtful=True))


def _without_separators(content: str) -> str:
    """Remove from an unclosed string the separators and brackets at its end, which belong to the document."""
    content = content.rstrip()
    before_brackets = content.rstrip("{[ \t")
    if before_brackets[-1:] in {",", ":"}:
        content = before_brackets[:-1].rstrip()
        if before_brackets.endswith(":") and content[-1:] in _SEPARATORS:
            content = content[:-1].rstrip()  # a separator in the place of the missing quote
    for _ in range(MAX_BRACKETS):
        opener = {"}": "{", "]": "["}.get(content[-1:])
        if opener is None or content.count(opener) >= content.count(content[-1]):
            break
        content = content[:-1].rstrip()
    return content
