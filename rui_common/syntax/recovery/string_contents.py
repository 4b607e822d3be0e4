"""The content of a broken string: its decoded value, and the first error in it."""

import re
from collections.abc import Callable
from functools import partial

from rui_common.json_values import as_json
from rui_common.syntax.errors import FaultKind, SyntaxFault
from rui_common.syntax.reader import lone_surrogates
from rui_common.syntax.recovery.grammar import QUOTES
from rui_common.syntax.recovery.tokens import Token, TokenKind
from rui_common.syntax.spans import Edit, Span
from rui_common.texts import shorten

_INNER_QUOTE = re.compile(r'((?<!\\)(?:\\\\)*)"')
_APOSTROPHES = "'\u2019"
_QUOTE_OR_BACKSLASH = re.compile(
    rf"(?<!\w)[{_APOSTROPHES}]|[{_APOSTROPHES}](?!\w)|[{''.join(sorted(QUOTES - {*_APOSTROPHES}))}\\]"
)
_CONTROL = re.compile(r"[\x00-\x1f]")
_KNOWN = r'u[0-9a-fA-F]{4}|["\\/bfnrt]'
_ESCAPE = re.compile(rf"\\({_KNOWN})")
_NEEDLESS = "'$&`%#_!~@<>=:;, "
"""Marks that other languages escape, and JSON does not. Those of regular expressions are not among them, but ``$``."""
_NEEDLESS_ESCAPE = re.compile(rf"(?<!\\)((?:\\\\)*)\\([{_NEEDLESS}])")
_UNKNOWN_ESCAPE = re.compile(rf"(?<!\\)(?:\\\\)*(\\(?!{_KNOWN}).?)", re.DOTALL)
_INCOMPLETE_ESCAPE = re.compile(
    r"(?<!\\)(?:\\\\)*(\\u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?|\\(?:u[0-9a-fA-F]{0,3})?)\Z"
)
_MAX_INCOMPLETE_ESCAPE = 1_000
_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"'}

_MAX_REPLACEMENT = 80  # Maximum length of a string that a command shows as a whole, if only its quotes change
_MAX_UNEQUAL_REPLACEMENT = 1_000  # The same if more changes
_ABBREVIATED_END = 24  # Number of characters of each end of a longer one

NewFault = Callable[..., SyntaxFault]
"""Returns the fault of a string for its edit, `is_safe`, and `new`, the string that the edit writes."""


def decode(text: str, span: Span, content: str, error: NewFault | None, *, is_certain: bool = False) -> Token:
    """Return the string with this content. If it has no `error` yet, the first one in the content is reported.

    `is_certain` is whether the string certainly ends where `span` does, so that its repair is safe unless a quote is
    in it.
    """
    string = text[slice(*span)]
    value, unknown_escape = _unescape(content)
    is_safe = is_certain and _QUOTE_OR_BACKSLASH.search(value) is None
    if error is None and unknown_escape is not None:
        needed = "".join(_NEEDLESS_ESCAPE.split(content))  # its groups are all but the backslash
        if _UNKNOWN_ESCAPE.search(needed) is None:
            return _without_needless(span, content, needed, unknown_escape)
    if error is None:
        error = _error_in(string, span, content, unknown_escape, value)
        is_safe = string[1:-1] == value and "\\" not in value  # Only control characters are escaped.
    value = encodable(value)
    if error is None:
        return Token(TokenKind.STRING, *span, value)
    new = as_json(value)
    fault = error(Edit(span, new), is_safe=is_safe, new=shorten(new))
    return Token(TokenKind.STRING, *span, value, (fault,))


def _without_needless(span: Span, content: str, needed: str, escape: re.Match[str]) -> Token:
    """Return the string without its needless escapes, all in one fault at the first one; `needed` is its content then.

    The fault is safe if nothing else in the string is wrong.
    """
    value, _ = _unescape(needed)
    value = encodable(value)
    start = span.start + 1 + escape.start(1)
    is_safe = _CONTROL.search(content) is None and _SURROGATE.search(value) is None
    new = as_json(value)
    fault = FaultKind.NEEDLESS_ESCAPE.at(
        Span(start, start + 2), Edit(span, new), is_safe=is_safe, escape=escape[1], mark=escape[1][1:], new=shorten(new)
    )
    return Token(TokenKind.STRING, *span, value, (fault,))


def _error_in(
    string: str, span: Span, content: str, unknown_escape: re.Match[str] | None, value: str
) -> NewFault | None:
    """Return the first error in the content of a string."""
    if unknown_escape is not None:
        start = span.start + 1 + unknown_escape.start(1)
        escape = unknown_escape[1]
        kind = FaultKind.UNICODE_ESCAPE if escape == "\\u" else FaultKind.ESCAPE
        return partial(kind.at, Span(start, min(start + len(escape), span.end)), escape=escape)
    control = _CONTROL.search(content)
    if control is not None:
        start = span.start + 1 + control.start()
        code = ord(control.group())
        escape = {9: "\\t", 10: "\\n", 13: "\\r"}.get(code, f"\\u{code:04x}")
        return partial(FaultKind.CONTROL_CHARACTER.at, Span(start, start + 1), character=f"U+{code:04X}", escape=escape)
    if _SURROGATE.search(value):
        first, last = next(lone_surrogates(string), (0, 1))
        half = "it"
        if last - first > 1:
            half = string[first:last]
        return partial(FaultKind.SURROGATE.at, Span(span.start + first, span.start + last), half=half)
    return None


def escape_quotes(content: str) -> str:
    return _INNER_QUOTE.sub(r"\1\"", content)


def count_quotes(content: str) -> int:
    """Return the number of double quotes that are not escaped."""
    return len(_INNER_QUOTE.findall(content))


def count_escaped_quotes(content: str) -> int:
    return content.count('"') - count_quotes(content)


def replacement(new: str, old: str) -> str:
    """Return the command to write `new` instead of `old`, both abbreviated if they are long, and on one line."""
    if "\n" in old or "\r" in old:
        old = " ".join(old.split())
    is_long = len(old) > _MAX_REPLACEMENT
    if is_long and new[1:-1] == old:
        old = _abbreviate(old)
        return f'Write "{old}" instead of {old}'
    if len(old) > _MAX_UNEQUAL_REPLACEMENT or (is_long and new[1:-1] == old[1:-1]):
        return f"Write {_abbreviate(new)} instead of {_abbreviate(old)}"
    return f"Write {new} instead of {old}"


def _abbreviate(text: str) -> str:
    return f"{text[:_ABBREVIATED_END]}…{text[-_ABBREVIATED_END:]}"


def incomplete_escape(text: str) -> str:
    """Return the escape, or half of a surrogate pair, that a text ends within; ``""`` if it ends within none."""
    match = _INCOMPLETE_ESCAPE.search(text, max(0, len(text) - _MAX_INCOMPLETE_ESCAPE))
    if match is None:
        return ""
    return match[1]


def encodable(value: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot encode."""
    return _SURROGATE.sub("\ufffd", value)


def _unescape(content: str) -> tuple[str, re.Match[str] | None]:
    """Return the decoded content, and the first unknown escape in it."""
    if "\\" not in content:
        return content, None
    value = _ESCAPE.sub(_character, content)
    if _SURROGATE_PAIR.search(value):
        value = value.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return value, _UNKNOWN_ESCAPE.search(content)


def _character(match: re.Match[str]) -> str:
    """Return what an escape stands for."""
    escape = match[1]
    return _ESCAPES.get(escape) or chr(int(escape[1:], 16))
