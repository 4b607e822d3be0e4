"""The lexer of broken strings: missing, stray and unescaped quotes, other quotes, bad escapes, control characters.

The context of its quotes decides where such a string ends: an opening quote follows ``{ [ , :``, and a closing one
precedes ``} ] , :`` or the end of a line.
"""

import re
from collections.abc import Callable
from functools import partial
from itertools import islice, takewhile

from rui_common.json_values import as_json
from rui_common.syntax.errors import FaultKind, SyntaxFault
from rui_common.syntax.reader import lone_surrogates, total_match
from rui_common.syntax.recovery.grammar import CLOSING_QUOTES, COMMA_AFTER_WORD, OTHER_COLON
from rui_common.syntax.recovery.tokens import Token, TokenKind
from rui_common.syntax.spans import Edit, Span
from rui_common.texts import MAX_SHOWN, shorten

_STRING = re.compile(r'"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*"')
_AFTER_STRING = re.compile(
    rf"""[ \t]*(?: [,:{{}}\[\]\r\n=;\uff1a] | {COMMA_AFTER_WORD} | \Z | //  | /\*
    | "[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*" [ \t]*(?:[,:}}\]\r\n]|\Z)
    | (?:-?[0-9][0-9.eE+-]*|true|false|null) [ \t]*(?:[,}}\]\r\n]|\Z) )""",
    re.VERBOSE,
)
_AFTER_CLOSING_QUOTE = re.compile(r"[ \t]*(?:[,:}\]\r\n]|\Z)")
_AFTER_FOREIGN_QUOTE = re.compile(rf"{_AFTER_CLOSING_QUOTE.pattern}|[ \t]*(?:{OTHER_COLON}|{COMMA_AFTER_WORD})")
_rest_of_line = total_match(r"[^\r\n]*")
_UP_TO_QUOTE = re.compile(r'(?:[^"\\\r\n]|\\[^\r\n]){0,2000}"')
_LINE_UP_TO_QUOTE = re.compile(r'(?:\r\n?|\n)([^"\r\n]*)("?)')
_INNER_QUOTE = re.compile(r'((?<!\\)(?:\\\\)*)"')
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_CONTROL = re.compile(r"[\x00-\x1f]")
_LINE_BREAK = re.compile(r"\r\n?|\n")
_KNOWN = r'u[0-9a-fA-F]{4}|["\\/bfnrt]'
_ESCAPE = re.compile(rf"\\({_KNOWN})")
_UNKNOWN_ESCAPE = re.compile(rf"(?<!\\)(?:\\\\)*(\\(?!{_KNOWN}).?)", re.DOTALL)
_INCOMPLETE_ESCAPE = re.compile(
    r"(?<!\\)(?:\\\\)*(\\u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?|\\(?:u[0-9a-fA-F]{0,3})?)\Z"
)
_MAX_INCOMPLETE_ESCAPE = 1_000
_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"'}
_CLOSERS = {opening: re.compile(f"[{closing}\r\n]") for opening, closing in CLOSING_QUOTES.items()}

# Limits of the search for the end of a string: characters, quotes, lines
MAX_FOREIGN_STRING = 2_000
MAX_FOREIGN_QUOTES = 20
MAX_QUOTES = 8
MAX_LINES = 20
_MAX_REPLACEMENT = 80
_MAX_UNEQUAL_REPLACEMENT = 1_000
_ABBREVIATED_END = 24

Words = Callable[..., SyntaxFault]  # Returns a fault of a string for an edit, `is_safe`, and the text that it writes


def lex_string(text: str, start: int) -> Token | None:
    """Read the string that the quote at `start` opens; None if there is none, or a foreign one is not closed."""
    if text[start] in _CLOSERS:
        return _lex_foreign(text, start)
    if text[start] != '"':
        return None
    match = _STRING.match(text, start)
    if match is None:
        return _lex_unclosed(text, start)
    end = match.end()
    if _AFTER_STRING.match(text, end) is None:
        repaired = _repair_quotes(text, start, end)
        if repaired is not None:
            return repaired
    return _decode(text, Span(start, end), text[start + 1 : end - 1], None)


def lex_unopened_string(text: str, start: int) -> Token | None:
    """Read a string without its opening quote, such as ``page-1"``. Returns None if there is none at `start`."""
    match = _UP_TO_QUOTE.match(text, start)
    if match is None or _AFTER_CLOSING_QUOTE.match(text, match.end()) is None:
        return None
    content = text[start : match.end() - 1]
    if content.rstrip()[-1:] in {",", ":", "{", "[", "\\"} or _NUMBER.fullmatch(content):
        return None
    span = Span(start, match.end())
    error = partial(FaultKind.NO_OPENING_QUOTE.at, span, content=shorten(content), is_doubtful=True)
    return _decode(text, span, content, error)


def _lex_foreign(text: str, start: int) -> Token | None:
    """Read the string that a quote of another notation opens. Returns None if it is not closed on its line."""
    # The limits keep a line with thousands of quotes from taking quadratic time.
    quotes = _CLOSERS[text[start]].finditer(text, start + 1, start + MAX_FOREIGN_STRING)
    on_line = takewhile(lambda quote: quote[0] not in "\r\n", islice(quotes, MAX_FOREIGN_QUOTES))
    ends = [quote.start() for quote in on_line if text[quote.start() - 1] != "\\"]
    if not ends:
        return None
    # A closing quote after which a string may end, else the first.
    end = next((end for end in ends if _AFTER_FOREIGN_QUOTE.match(text, end + 1)), ends[0])
    content = text[start + 1 : end].replace("\\'", "'")
    span = Span(start, end + 1)
    old = text[slice(*span)]
    escaped = _escape_quotes(content)
    group = ""
    if escaped == old[1:-1]:
        group = old[0] + old[-1]
    error = partial(FaultKind.FOREIGN_QUOTES.at, span, command=replacement(f'"{escaped}"', old), group=group)
    return _decode(text, span, content, error)


def replacement(new: str, old: str) -> str:
    """Return the command to write `new` instead of `old`, both abbreviated if they are long."""
    differ_in_quotes_only = new[1:-1] in {old, old[1:-1]}
    if len(old) > _MAX_UNEQUAL_REPLACEMENT or (len(old) > _MAX_REPLACEMENT and differ_in_quotes_only):
        return f"Write {_abbreviate(new)} instead of {_abbreviate(old)}"
    return f"Write {new} instead of {old}"


def _abbreviate(text: str) -> str:
    if len(text) <= _MAX_REPLACEMENT:
        return text
    return f"{text[:_ABBREVIATED_END]}…{text[-_ABBREVIATED_END:]}"


def _and_next(count: int) -> str:
    if count == 0:
        return ""
    if count == 1:
        return " and of the next one"
    return f" and of the next {count}"


def _escape_quotes(content: str) -> str:
    return _INNER_QUOTE.sub(r"\1\"", content)


def _repair_quotes(text: str, start: int, end: int) -> Token | None:
    """Read a string whose end is followed by a token that cannot follow it. Returns None if its quotes are right."""
    content = text[start + 1 : end - 1]
    if _UP_TO_QUOTE.match(text, end) is not None and content.rstrip()[-1:] in {"", ",", ":", "{", "["}:
        # The closing quote opens the next string: this one has a quote too few or too many.
        own = _without_separators(content)
        if not own.strip(" \t{}[],:"):
            own = ""
        return _close(text, start, own)
    return _with_inner_quotes(text, start, end)


def _with_inner_quotes(text: str, start: int, end: int) -> Token | None:
    """Read a string with unescaped quotes in it, the first of them before `end`."""
    quote = end - 1
    for _ in range(MAX_QUOTES):
        match = _UP_TO_QUOTE.match(text, quote + 1)
        if match is None or text[quote + 1 : match.end() - 1].rstrip()[-1:] in {",", ":", "{", "["}:
            return None
        quote = match.end() - 1
        if _AFTER_CLOSING_QUOTE.match(text, quote + 1):
            more = _and_next(len(_INNER_QUOTE.findall(text[end:quote])))
            error = partial(FaultKind.INNER_QUOTE.at, Span(end - 1, end), and_next=more, is_doubtful=True)
            return _decode(text, Span(start, quote + 1), _escape_quotes(text[start + 1 : quote]), error)
    return None


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
    return _decode(text, Span(start, end), text[start + 1 : end - 1], error)


def _end_of_wrapped(text: str, line_end: int) -> int | None:
    at = line_end
    for _ in range(MAX_LINES):
        match = _LINE_UP_TO_QUOTE.match(text, at)
        if match is None:
            return None
        words = match[1].strip()
        if words[:1] in {"{", "}", "[", "]", ",", ":"}:
            return None
        at = match.end()
        if match[2]:
            if words and words[-1] not in ",:{[" and _AFTER_CLOSING_QUOTE.match(text, at):
                return at
            return None
    return None


def _cut_off(text: str, start: int, content: str) -> Token:
    end = len(text)
    whole = content.removesuffix(incomplete_escape(text))
    return _decode(text, Span(start, end), whole, partial(FaultKind.CUT_STRING.at, Span(end, end), is_doubtful=True))


def incomplete_escape(text: str) -> str:
    """Return the escape, or half of a surrogate pair, that a text ends within; ``""`` if it ends within none."""
    match = _INCOMPLETE_ESCAPE.search(text, max(0, len(text) - _MAX_INCOMPLETE_ESCAPE))
    if match is None:
        return ""
    return match[1]


def _close(text: str, start: int, content: str) -> Token:
    """Read a string as if it were closed after `content`."""
    span = Span(start, start + 1 + len(content))
    last = content
    if len(content) > MAX_SHOWN:
        last = "…" + content[1 - MAX_SHOWN :]
    kind = FaultKind.NO_CLOSING_QUOTE if content else FaultKind.EMPTY_STRING
    return _decode(text, span, content, partial(kind.at, span, content=last, is_doubtful=True))


def _without_separators(content: str) -> str:
    """Remove from an unclosed string the separators and brackets at its end, which belong to the document."""
    own = content.rstrip()
    before_brackets = own.rstrip("{[ \t")
    if before_brackets[-1:] in {",", ":"}:
        own = before_brackets[:-1].rstrip()
        if before_brackets.endswith(":") and own[-1:] in {",", ":", "{", "["}:
            own = own[:-1].rstrip()  # a separator in the place of the missing quote
    for _ in range(MAX_QUOTES):
        opener = {"}": "{", "]": "["}.get(own[-1:])
        if opener is None or own.count(opener) >= own.count(own[-1]):
            break
        own = own[:-1].rstrip()
    return own


def _decode(text: str, span: Span, content: str, error: Words | None) -> Token:
    """Decode the content of a string. If it has no `error` yet, the first one in the content is reported."""
    string = text[slice(*span)]
    value, unknown_escape = _unescape(content)
    error = error or _error_in(string, span, content, unknown_escape, value)
    value = encodable(value)
    if error is None:
        return Token(TokenKind.STRING, *span, value)
    new = as_json(value)
    # Only the quotes change, or control characters are escaped.
    is_safe = string[1:-1] == value and not {*value} & {'"', "\\", *string[:1], *string[-1:]}
    fault = error(Edit(span, new), is_safe=is_safe, new=shorten(new))
    return Token(TokenKind.STRING, *span, value, (fault,))


def _error_in(string: str, span: Span, content: str, unknown_escape: re.Match[str] | None, value: str) -> Words | None:
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
