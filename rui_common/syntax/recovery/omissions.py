"""Marks of what an author or a tool has left out: ``...``, ``… 12 more tables …``, ``(omitted)``, ``[Object]``.

Only the author knows what is missing. Such a mark is an error of its own, which no safe fix removes.
"""

import re

from rui_common.syntax.reader import skip_blanks

MAX_PROSE = 65_536  # Maximum length of the text around a document that is searched. Bounds the time.
MAX_WORDS = 200  # Maximum length of the words in a mark. Bounds the time of a search.

_DOTS = r"(?:\.{2,}(?!/)|[\u2025\u2026\u22ef])"
_COUNT = r"[0-9][0-9,.]{0,12}\s{1,9}(?:more|others?|further|additional|lines|items|characters|bytes|tokens)\b"
_LEFT_OUT = (
    r"(?:omitted|unchanged|truncated|elided|abbreviated|abridged|snip(?:ped)?|clipped|skipped|shortened|redacted"
    r"|etc|et\s+cetera|for\s+brevity|and\s+so\s+(?:on|forth)|as\s+(?:before|above))\b"
)
_REST = r"\b(?:rest|remaining|remainder|existing|previous|others?|further|more|same)\b"
_STAYS = r"\b(?:here|same|stays?|remains?|unchanged|before|go(?:es)?|follows?)\b"
_CERTAIN = rf"\b(?:{_LEFT_OUT}|{_COUNT})"

_IN_COMMENT = re.compile(rf"{_DOTS}|{_CERTAIN}|{_REST}(?!\s*:)", re.IGNORECASE)
_IN_PROSE = re.compile(
    rf"^[ \t]*{_DOTS} | [\[({{<]\s*{_DOTS} | {_CERTAIN} | {_REST} [^.!?\r\n]{{0,80}} {_STAYS}",
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
_PHRASE = re.compile(
    rf"""
    (?: (?:.+\s)? {_LEFT_OUT}
    |   (?:and\s|\+\s?)? {_COUNT} .*
    |   (?:the\s)? {_REST} .* (?: {_STAYS} | \b(?:above|below)\b )
    |   Array(?:\([0-9]+\))? | Object | Function | Circular(?:\s\*[0-9]+)?
    ) \.?""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words that stand for an element or a property as a whole. Node.js and browsers print those of the last line."""

_BRACKETED = re.compile(
    rf"\(([^()\"{{}}\[\]\r\n]{{1,{MAX_WORDS}}})\)|<{{1,3}}(?!!)([^<>\"{{}}\[\]\r\n]{{1,{MAX_WORDS}}})>{{1,3}}"
    rf"|([-=*~])\3+[ \t]*([^\"{{}}\[\]:,\r\n]{{1,{MAX_WORDS}}}?)[ \t]*\3\3+"
)
_IN_SQUARE_BRACKETS = re.compile(rf"\[([^\"{{}}\[\]\r\n]{{1,{MAX_WORDS}}})\]")
_FROM_DOTS = re.compile(
    rf"""{_DOTS}
    (?>(?: (?!//|/\*|\#) [^\s,:{{}}\[\]"]
    |   [ \t]++ (?! (?:-?[0-9][0-9.]{{0,20}}|true|false|null)[ \t]*[,}}\]\r\n]) (?=[^\s,:{{}}\[\]"\#/])
    |   [ \t]*+ "[^"{{}}\[\]:,\r\n]{{0,{MAX_WORDS}}}" (?=[ \t]*+[^\s:,}}\]"])
    )*)""",
    re.VERBOSE,
)
"""An ellipsis with the words after it, and the quoted words among them."""


def end_of_omission(text: str, start: int, *, is_after_value: bool) -> int | None:
    """Return the end of the mark of an omission that begins at `start`; None if there is none.

    `is_after_value` is whether no value can begin there, so that words in square brackets are no array.
    """
    dots = _FROM_DOTS.match(text, start)
    if dots is not None:
        square = _IN_SQUARE_BRACKETS.match(text, skip_blanks(text, dots.end()).end())
        if square is not None and _IN_COMMENT.search(square[1]):
            return square.end()
        return dots.end()
    bracketed = _BRACKETED.match(text, start)
    if bracketed is None and is_after_value:
        bracketed = _IN_SQUARE_BRACKETS.match(text, start)
    if bracketed is not None and _IN_COMMENT.search(bracketed[bracketed.lastindex or 0]):
        return bracketed.end()
    return None


def is_omission(phrase: str) -> bool:
    """Return whether words without quotes, which stand in place of an element or a property, are such a mark."""
    return len(phrase) <= MAX_WORDS and _PHRASE.fullmatch(phrase) is not None


def is_omission_in_comment(words: str) -> bool:
    """Return whether a comment says that something is left out in its place."""
    return _IN_COMMENT.search(words) is not None


def is_omission_in_prose(words: str) -> bool:
    """Return whether the text around a document says that something is left out in the document."""
    return _IN_PROSE.search(words, 0, MAX_PROSE) is not None
