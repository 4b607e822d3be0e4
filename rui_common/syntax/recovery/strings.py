"""Strings that are broken: quotes missing, stray or not escaped, wrong quotes, wrong escapes, raw control characters.

Where such a string was meant to end is told by what stands around its quotes: a quote that opens a string comes
after ``{ [ , :``, one that closes it before ``} ] , :`` or at the end of a line.
"""

from __future__ import annotations

import re
from collections import namedtuple

from rui_common.syntax.reader import lone_surrogates

_STRING = re.compile(r'"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*"')
_FOLLOWS = re.compile(
    r"""[ \t]*(?: [,:{}\[\]\r\n=;] | \Z | //  | /\*
    | "[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*" [ \t]*(?:[,:}\]\r\n]|\Z)
    | (?:-?[0-9][0-9.eE+-]*|true|false|null) [ \t]*(?:[,}\]\r\n]|\Z) )""",
    re.VERBOSE,
)
_CLOSES = re.compile(r"[ \t]*(?:[,:}\]\r\n]|\Z)")
_REST_OF_LINE = re.compile(r"[^\r\n]*")
_UP_TO_QUOTE = re.compile(r'[^"\r\n]{0,2000}"')
_NAME_AND_COLON = re.compile(r"\s*([\w$-]+)[ \t]*:")
_LINE_BEFORE_QUOTE = re.compile(r'(?:\r\n?|\n)([^"\r\n]*)("?)')
_INNER_QUOTE = re.compile(r'((?<!\\)(?:\\\\)*)"')
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_INDENT = re.compile(r"[ \t]*")
_CONTROL = re.compile(r"[\x00-\x1f]")
_LINE_BREAK = re.compile(r"\r\n?|\n")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.?)", re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"'}
_CLOSING_QUOTES = {"'": "'", "`": "`", "\u201c": "\u201d\u201c\"", "\u201d": "\u201d\"", "\u201e": "\u201c\u201d\"",
                   "\u2018": "\u2019\u2018", "\u2019": "\u2019"}  # fmt: skip
_CLOSERS = {opening: re.compile(f"[{closing}\r\n]") for opening, closing in _CLOSING_QUOTES.items()}
MAX_FOREIGN = 2000
MAX_QUOTES = 8
MAX_LINES = 20
MAX_WRITTEN, LEFT, MAX_EXACT = 80, 24, 1_000
"""Characters of a string that a hint repeats, and of a longer one those at either end of it."""

CUT_STRING = 'The text ends within a string: expected "'
FOREIGN_QUOTES = "".join(_CLOSING_QUOTES)
"""Other quotes that people write strings in."""


class Flaw(namedtuple("Flaw", ("start", "end", "message", "hint", "is_doubtful"))):
    """What is wrong with one token.

    Attributes:
        start, end: where.
        message, hint: as in a syntax fault.
        is_doubtful: whether what the token is was guessed, so that a fault right beside it is hardly another one.
    """

    __slots__ = ()
    start: int
    end: int
    message: str
    hint: str
    is_doubtful: bool


class Piece(namedtuple("Piece", ("end", "value", "flaws"))):
    """A string as it was read.

    Attributes:
        end: the offset behind it.
        value: what it says; None if there is no string, only a stray quote.
        flaws: what is wrong with it.
    """

    __slots__ = ()
    end: int
    value: str | None
    flaws: tuple[Flaw, ...]


def read_string(text: str, start: int) -> Piece:
    """Read what the double quote at `start` opens."""
    match = _STRING.match(text, start)
    if match is None:
        return _unclosed(text, start)
    end = match.end()
    if _FOLLOWS.match(text, end) is None:
        doubtful = _doubtful(text, start, end)
        if doubtful is not None:
            return doubtful
    return _decoded(text, start, end, text[start + 1 : end - 1], None)


def string_without_opening_quote(text: str, start: int) -> Piece | None:
    """The string ``page-1"``, whose first quote is missing; None if what stands at `start` is none."""
    match = _UP_TO_QUOTE.match(text, start)
    if match is None or _CLOSES.match(text, match.end()) is None:
        return None
    content = text[start : match.end() - 1]
    if content.rstrip()[-1:] in {",", ":", "{", "[", "\\"} or _NUMBER.fullmatch(content):
        return None
    flaw = Flaw(start, match.end(), 'A string must begin with "', f'Put " before {_cut(content)}.', True)
    return _decoded(text, start - 1, match.end(), content, flaw)


def read_foreign_string(text: str, start: int) -> Piece | None:
    """The string that a quote of `FOREIGN_QUOTES` at `start` opens; None if nothing closes it on its line."""
    # As far as a string may go, and no further: a text of many quotes may be a single line.
    end = first = None
    for match in _CLOSERS[text[start]].finditer(text, start + 1, start + MAX_FOREIGN):
        at = match.start()
        if text[at] in "\r\n":
            break
        if text[at - 1] == "\\":
            continue
        first = at if first is None else first
        if _CLOSES.match(text, at + 1):
            end = at
            break
    end = first if end is None else end
    if end is None:
        return None
    content = text[start + 1 : end].replace("\\'", "'")
    hint = instead(f'"{_with_escaped_quotes(content)}"', text[start : end + 1])
    flaw = Flaw(start, end + 1, "Strings are written in double quotes", hint, False)
    return _decoded(text, start, end + 1, content, flaw)


def instead(new: str, old: str) -> str:
    """What to write, and what is there now; of long texts with the same middle, and of very long ones, without it."""
    if len(old) > MAX_WRITTEN and (new[1:-1] in {old, old[1:-1]} or len(old) > MAX_EXACT):
        new, old = (f"{text[:LEFT]}…{text[-LEFT:]}" if len(text) > MAX_WRITTEN else text for text in (new, old))
    return f"Write {new} instead of {old}."


def _with_escaped_quotes(content: str) -> str:
    return _INNER_QUOTE.sub(r"\1\"", content)


def _line_end(text: str, start: int) -> int:
    match = _REST_OF_LINE.match(text, start)
    return len(text) if match is None else match.end()


def _stray(start: int) -> Piece:
    return Piece(start + 1, None, (Flaw(start, start + 1, "Unexpected quote", 'Remove the ".', True),))


def _doubtful(text: str, start: int, end: int) -> Piece | None:
    """A string with something behind it that cannot stand there. Which of its quotes is wrong? None: none is."""
    content = text[start + 1 : end - 1]
    reopens = _UP_TO_QUOTE.match(text, end)
    if reopens is not None and content.rstrip()[-1:] in {"", ",", ":", "{", "["}:
        kept = _without_tail(content)
        if not kept.strip(" \t{}[],:"):
            return _stray(start)
        return _never_closed(text, start, kept)
    at = end - 1
    for _ in range(MAX_QUOTES):
        match = _UP_TO_QUOTE.match(text, at + 1)
        if match is None or text[at + 1 : match.end() - 1].rstrip()[-1:] in {",", ":", "{", "["}:
            return None
        at = match.end() - 1
        if _CLOSES.match(text, at + 1):
            others = len(_INNER_QUOTE.findall(text[end:at]))
            hint = f'Write \\" instead of this quote{_and_next(others)}.'
            flaw = Flaw(end - 1, end, "This quote ends the string too early", hint, True)
            return _decoded(text, start, at + 1, _with_inner_quotes(text[start + 1 : at], end - start - 2), flaw)
    return None


def _with_inner_quotes(content: str, first: int) -> str:
    """A string with quotes in it, the first of them at `first`. A pair is meant to be there, one alone is a slip."""
    count = len(_INNER_QUOTE.findall(content))
    if count % 2:
        content = content[:first] + content[first + 1 :]
    return _INNER_QUOTE.sub(r"\1\"", content)


def _unclosed(text: str, start: int) -> Piece:
    """A string without a quote behind it on its line."""
    line_end = _line_end(text, start)
    is_last = line_end == len(text)
    content = text[start + 1 : line_end]
    before = _character_before(text, start)
    if not content.strip(" \t{}[],:"):
        if is_last:
            return _at_end_of_text(text, start, content)
        is_empty = before == ":" and not _is_deeper(text, start, line_end)
        return _never_closed(text, start, "") if is_empty else _stray(start)
    name = _NAME_AND_COLON.match(content) if before in {"", "{", ",", "\n"} else None
    if name is not None:
        return _never_closed(text, start, content[: name.end(1)])
    if is_last and not content.rstrip().endswith(("}", "]")):
        return _at_end_of_text(text, start, content)
    return _over_lines(text, start, line_end) or _up_to_tail(text, start, content)


def _up_to_tail(text: str, start: int, content: str) -> Piece:
    """A string that ends on its line, before what belongs to the document again."""
    kept = _without_tail(content)
    if not kept.endswith('\\"') or kept.endswith('\\\\"'):
        return _never_closed(text, start, kept)
    end = start + 1 + len(kept)
    flaw = Flaw(end - 2, end, "This quote is escaped and does not end the string", "Remove the \\ before it.", True)
    return _decoded(text, start, end, kept[:-2], flaw)


def _over_lines(text: str, start: int, line_end: int) -> Piece | None:
    """A string that was wrapped over lines; None if what is on the next lines does not look like it."""
    end = _end_on_later_line(text, line_end)
    if end is None:
        return None
    others = len(_LINE_BREAK.findall(text, line_end, end)) - 1
    hint = f"Write \\n instead of the line break at the end of this line{_and_next(others)}."
    flaw = Flaw(start, line_end, "A string must end on its line", hint, True)
    return _decoded(text, start, end, text[start + 1 : end - 1], flaw)


def _and_next(count: int) -> str:
    return "" if not count else " and of the next one" if count == 1 else f" and of the next {count}"


def _is_deeper(text: str, start: int, line_end: int) -> bool:
    """Whether the line after `line_end` is indented more than the one that `start` is on, as behind a bracket."""
    this = _INDENT.match(text, max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1)
    below = _INDENT.match(text, line_end + (2 if text[line_end : line_end + 2] == "\r\n" else 1))
    return this is not None and below is not None and len(below.group()) > len(this.group())


def _character_before(text: str, start: int) -> str:
    r"""The last character before `start` that is no space; ``\n`` if `start` is the first on its line."""
    before = text[max(0, start - 200) : start].rstrip(" \t")
    return "\n" if before[-1:] in {"\n", "\r"} and before.rstrip()[-1:] != ":" else before.rstrip()[-1:]


def _at_end_of_text(text: str, start: int, content: str) -> Piece:
    flaw = Flaw(len(text), len(text), CUT_STRING, 'Add " to close the string.', True)
    return _decoded(text, start, len(text), content, flaw)


def _never_closed(text: str, start: int, content: str) -> Piece:
    end = start + 1 + len(content)
    flaw = Flaw(start, end, 'This string is never closed: expected "', f'Put " behind {_end_of(content)}.', True)
    return _decoded(text, start, end, content, flaw)


def _without_tail(content: str) -> str:
    """What an unclosed string holds without the separator and brackets behind it, which belong to the document."""
    kept = content.rstrip()
    bare = kept.rstrip("{[ \t")
    if bare[-1:] in {",", ":"}:
        kept = bare[:-1].rstrip()
        if bare.endswith(":") and kept[-1:] in {",", ":", "{", "["}:
            kept = kept[:-1].rstrip()  # which stands where the quote was meant
    for _ in range(MAX_QUOTES):
        opener = {"}": "{", "]": "["}.get(kept[-1:])
        if opener is None or kept.count(opener) >= kept.count(kept[-1]):
            break
        kept = kept[:-1].rstrip()
    return kept


def _end_on_later_line(text: str, line_end: int) -> int | None:
    """The end of a string that was wrapped: on lines that look like prose, up to a quote that looks like an end."""
    at = line_end
    for _ in range(MAX_LINES):
        match = _LINE_BEFORE_QUOTE.match(text, at)
        if match is None:
            return None
        words = match[1].strip()
        if words[:1] in {"{", "}", "[", "]", ",", ":"}:
            return None
        at = match.end()
        if match[2]:
            is_end = words and words[-1] not in ",:{[" and _CLOSES.match(text, at)
            return at if is_end else None
    return None


def _decoded(text: str, start: int, end: int, content: str, flaw: Flaw | None) -> Piece:
    """The string between two quotes, read; at most one fault is found in it."""
    flaws = [flaw] if flaw is not None else []
    value, bad = _unescaped(content)
    if not flaws and bad is not None:
        at = start + 1 + bad[0]
        is_code = bad[1] == "\\u"
        hint = "Write \\u and four hexadecimal digits." if is_code else "Write \\\\ instead of this backslash."
        flaws.append(Flaw(at, min(at + len(bad[1]), end), f"Unknown escape {bad[1]}", hint, False))
    control = _CONTROL.search(content)
    if not flaws and control is not None:
        at = start + 1 + control.start()
        code = ord(control.group())
        escape = {9: "\\t", 10: "\\n", 13: "\\r"}.get(code, f"\\u{code:04x}")
        message = f"Control character U+{code:04X} in a string"
        flaws.append(Flaw(at, at + 1, message, f"Write {escape} instead of it.", False))
    if _SURROGATE.search(value):
        first, last = next(lone_surrogates(text[start:end]), (0, 1))
        hint = "Write both halves of the pair, or the character itself."
        if not flaws:
            flaws.append(Flaw(start + first, start + last, "Half of a surrogate pair in a string", hint, False))
    return Piece(end, writable(value), tuple(flaws))


def writable(value: str) -> str:
    """A string that can be written as UTF-8: halves of surrogate pairs are replaced."""
    return _SURROGATE.sub("\ufffd", value)


def _unescaped(content: str) -> tuple[str, tuple[int, str] | None]:
    r"""The text that `content` stands for, and the first escape in it that there is not (offset, ``\x``)."""
    if "\\" not in content:
        return content, None
    bad: list[tuple[int, str]] = []

    def replace(match: re.Match[str]) -> str:
        escape = match[1]
        if len(escape) == 5:
            return chr(int(escape[1:], 16))
        if escape in _PLAIN_ESCAPES:
            return _PLAIN_ESCAPES[escape]
        bad.append((match.start(), match.group()))
        return match.group()

    value = _ESCAPE.sub(replace, content)
    if _SURROGATE.search(value):
        value = value.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return value, bad[0] if bad else None


def _end_of(content: str) -> str:
    return content if len(content) <= 40 else "…" + content[-39:]


def _cut(content: str) -> str:
    return content if len(content) <= 40 else content[:39] + "…"
