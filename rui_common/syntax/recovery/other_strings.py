"""The lexer of strings in other quotes than JSON's: single, curly, triple, escaped as in HTML; and put together."""

import re
from collections.abc import Iterator
from functools import partial
from itertools import islice
from json import JSONDecodeError
from json.decoder import scanstring  # type: ignore[attr-defined]

from rui_common.json_values import as_json
from rui_common.syntax.errors import FaultKind
from rui_common.syntax.recovery.entities import entities_in, entity_at, unescape
from rui_common.syntax.recovery.grammar import CLOSING_QUOTES
from rui_common.syntax.recovery.string_contents import decode, encodable, escape_quotes, replacement
from rui_common.syntax.recovery.string_ends import (
    AFTER_CLOSING_QUOTE,
    MAX_QUOTES,
    MAX_STRING,
    ends_string,
    find_end,
    is_end,
)
from rui_common.syntax.recovery.tokens import Token, TokenKind
from rui_common.syntax.spans import Edit, Span
from rui_common.texts import shorten

# By opening quote: the quotes, escapes and line ends after it; the first quote that is no apostrophe.
_QUOTES = {opening: re.compile(rf"\\[^\r\n]|[{closing}\"\r\n]") for opening, closing in CLOSING_QUOTES.items()}
_PROBABLE_END = {opening: re.compile(rf"[^\r\n]*?[{closing}](?!\w)") for opening, closing in CLOSING_QUOTES.items()}
_CLOSING_QUOTES = {**CLOSING_QUOTES, '"': '"'}
_ESCAPED_QUOTE = re.compile(r"\\?\"|[\r\n]")
_TRIPLE = ('"""', "'''")
_MAX_TRIPLE = 20_000  # Maximum length of a string in three quotes
_BYTES_OR_UNICODE = re.compile(r"[bu](?=')", re.IGNORECASE)  # Python writes b'…', and Python 2 u'…'

_OPERATOR = re.compile(r"[ \t\r\n]*+(\+\+?|\.\.?|&|\|\||~|<>|\\(?=[ \t]*\r?\n))[ \t\r\n]*+(?=[\"'`])")
_PIECE = {quote: re.compile(rf"{quote}(?:[^{quote}\\\r\n]|\\[^\r\n]){{0,{MAX_STRING}}}{quote}") for quote in "\"'`"}
_MAX_PIECES = 20  # Maximum number of strings that are put together


def lex_other_string(text: str, start: int, *, is_value: bool) -> Token | None:
    """Read the string that begins at `start`, unless JSON's quote opens it; None if there is none."""
    quote = text[start]
    if quote == "\\":
        return _lex_backslashed(text, start, is_value=is_value)
    if quote == "&":
        return _lex_escaped(text, start, is_value=is_value)
    if text.startswith(_TRIPLE, start):
        token = _lex_triple(text, start)
        if token is not None:
            return token
    if quote in _PIECE:
        token = _lex_concatenation(text, start, is_value=is_value)
        if token is not None:
            return token
    if quote in _QUOTES:
        return _lex_quoted(text, start, start, is_value=is_value)
    prefix = _BYTES_OR_UNICODE.match(text, start)
    if prefix is not None:
        return _lex_quoted(text, start, prefix.end(), is_value=is_value)
    return None


def _lex_quoted(text: str, start: int, opening: int, *, is_value: bool) -> Token | None:
    """Read the string with the quote at `opening`. Returns None if it is not closed on its line."""
    end = find_end(text, opening + 1, _QUOTES[text[opening]], is_value=is_value, is_other=True)
    is_certain = end is not None
    if end is None:
        # No quote certainly closes it: the first one that is no apostrophe.
        probable = _PROBABLE_END[text[opening]].match(text, opening + 1, opening + MAX_STRING)
        if probable is None:
            return None
        end = probable.end() - 1
    content = text[opening + 1 : end].replace("\\'", "'")
    span = Span(start, end + 1)
    old = text[slice(*span)]
    escaped = escape_quotes(content)
    group = ""
    if escaped == old[1:-1]:
        group = old[0] + old[-1]
    error = partial(FaultKind.FOREIGN_QUOTES.at, span, command=replacement(f'"{escaped}"', old), group=group)
    return decode(text, span, escaped, error, is_certain=is_certain)


def _lex_triple(text: str, start: int) -> Token | None:
    """Read a string in three quotes, as in Python. It may contain quotes and line breaks."""
    mark = text[start : start + 3]
    ends = [*islice(_occurrences(text, mark, start + 3), MAX_QUOTES)]
    if not ends:
        return None
    end = next((end for end in ends if AFTER_CLOSING_QUOTE.match(text, end + 3)), ends[0])
    span = Span(start, end + 3)
    content = text[start + 3 : end]
    escaped = escape_quotes(content.replace("\\'", "'"))
    if "\n" in content or "\r" in content:
        command = f'Write one " instead of each {mark}, and \\n instead of each line break between them'
    else:
        command = replacement(f'"{escaped}"', text[slice(*span)])
    error = partial(FaultKind.TRIPLE_QUOTES.at, span, command=command, mark=mark)
    return decode(text, span, escaped, error, is_certain=content.isprintable())


def _occurrences(text: str, mark: str, start: int) -> Iterator[int]:
    """Yield the offsets of a mark of three quotes that is not escaped. In a longer run of quotes, there are several."""
    limit = start + _MAX_TRIPLE
    offset = text.find(mark, start, limit)
    while offset != -1:
        if text[offset - 1] != "\\":
            yield offset
        offset = text.find(mark, offset + 1, limit)


def _lex_escaped(text: str, start: int, *, is_value: bool) -> Token | None:
    """Read a string whose quotes are escaped as in HTML: ``&quot;text&quot;``."""
    opening = entity_at(text, start)
    if opening is None or opening.character not in _CLOSING_QUOTES:
        return None
    mark = text[start : opening.end]
    for closing in islice(entities_in(text, opening.end, opening.end + MAX_STRING), MAX_QUOTES):
        content = text[opening.end : closing.start]
        if "\n" in content:
            return None
        is_quote = closing.character in _CLOSING_QUOTES[opening.character]
        if not is_quote or not is_end(text, closing.end, is_value=is_value):
            continue
        escaped = escape_quotes(unescape(content))
        span = Span(start, closing.end)
        error = partial(
            FaultKind.ESCAPED_QUOTES.at, span, mark=mark, command=replacement(f'"{escaped}"', text[slice(*span)]),
            group=mark if escaped == content else "",
        )  # fmt: skip
        return decode(text, span, escaped, error, is_certain=True)
    return None


def _lex_backslashed(text: str, start: int, *, is_value: bool) -> Token | None:
    """Read a string with a backslash before its quotes, as if it were in another string."""
    if not text.startswith('"', start + 1):
        return None
    for match in islice(_ESCAPED_QUOTE.finditer(text, start + 2, start + MAX_STRING), MAX_QUOTES):
        if match[0] in "\r\n":
            return None
        if not ends_string(text, match.end(), is_value=is_value):
            continue
        span = Span(start, match.end())
        content = escape_quotes(text[start + 2 : match.start()])
        command = replacement(f'"{content}"', text[slice(*span)])
        error = partial(FaultKind.BACKSLASH_QUOTES.at, span, command=command, group="\\")
        return decode(text, span, content, error, is_certain=True)
    return None


def _lex_concatenation(text: str, start: int, *, is_value: bool) -> Token | None:
    """Read strings with operators between them, as in programs: ``"a" + "b"``. Returns None for other strings."""
    parts: list[str] = []
    operators: set[str] = set()
    end = start
    for _ in range(_MAX_PIECES):
        piece = _PIECE[text[end]].match(text, end)
        if piece is None:
            return None
        value = _value_of_piece(piece[0])
        if value is None:
            return None
        parts.append(value)
        end = piece.end()
        operator = _OPERATOR.match(text, end)
        if operator is None:
            break
        operators.add(operator[1])
        end = operator.end()
    if len(parts) < 2 or not ends_string(text, end, is_value=is_value):
        return None
    span = Span(start, end)
    value = encodable("".join(parts))
    new = as_json(value)
    fault = FaultKind.CONCATENATION.at(
        span, Edit(span, new), is_safe=operators == {"+"}, command=replacement(new, text[slice(*span)]),
        operator=min(operators), new=shorten(new),
    )  # fmt: skip
    return Token(TokenKind.STRING, *span, value, (fault,))


def _value_of_piece(piece: str) -> str | None:
    content = piece[1:-1]
    if piece[0] != '"':
        content = escape_quotes(content.replace(f"\\{piece[0]}", piece[0]))
    try:
        value, _ = scanstring(f'{content}"', 0)
    except JSONDecodeError:
        return None
    return str(value)
