"""The error of a text that is valid JSON after one comma or colon is inserted, or one comma is removed.

These are the most frequent errors in requests. The scanner's offset leads to the repair, and the scanner checks it.
This takes a quarter of the time of the recovering parser, which finds the same error: it prefers these repairs if it
can read all of the text after them.
"""

from __future__ import annotations

import re

from rui_common.syntax.errors import SyntaxFault
from rui_common.syntax.reader import Scanner, Source, parse_strictly, skip_space
from rui_common.syntax.recovery.grammar import CLOSERS
from rui_common.syntax.recovery.lexer import Token
from rui_common.syntax.recovery.messages import describe_insertion, describe_superfluous_comma
from rui_common.syntax.spans import Span

_SPACE = " \t\n\r"
_MARK = re.compile(r"[{}\[\],:]")
_VALUE_START = re.compile(r"[{\[\"]|-?[0-9]|true|false|null")
# Two numbers or words without a space between them.
_WORDS = re.compile(r"[\w.][\w.-]")


def find_single_error(source: Source) -> SyntaxFault | None:
    """Return the only error of a text, or None if it has others, or is not as simple as that."""
    offset = source.error_offset
    text = source.text
    root = skip_space(text, source.start).end()
    if not offset or source.raw is None or text[root : root + 1] not in CLOSERS:
        return None
    previous = len(text[:offset].rstrip(_SPACE)) - 1
    mark = text[offset : offset + 1]
    if mark in CLOSERS.values() and text[previous] == ",":
        repaired = f"{text[:previous]} {text[previous + 1 :]}"
        words = describe_superfluous_comma(Token(mark, offset, offset + 1))
        error = SyntaxFault(Span(previous, previous + 1), *words)
        return error if _is_repaired(repaired) else None
    if _VALUE_START.match(text, offset) is None or text[previous] in "{[,:" or _WORDS.match(text, offset - 1):
        return None
    inserted = source.expected
    if inserted and _is_repaired(f"{text[:offset]}{inserted}{text[offset:]}"):
        return SyntaxFault(_token_span(text, offset), *describe_insertion(inserted))
    return None


def _is_repaired(text: str) -> bool:
    return parse_strictly(Source(text)).valid


def _token_span(text: str, offset: int) -> Span:
    if _MARK.match(text, offset):
        return Span(offset, offset + 1)
    return Span(offset, Scanner().scan(text, offset)[1])
