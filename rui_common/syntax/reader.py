"""Reads a text or bytes strictly, and returns the value (docs/decisions.md, section 4).

CPython's JSON scanner, in C, reads the text. The checks here add the constraints that it lacks:
numbers must fit a double, surrogates must be paired, and nesting is limited.
"""

import codecs
import json
import re
from collections.abc import Callable, Iterator
from copy import copy
from json.decoder import WHITESPACE  # type: ignore[attr-defined]
from typing import NamedTuple

from rui_common.syntax.errors import FaultKind, SyntaxFault
from rui_common.syntax.spans import Span
from rui_common.vocabulary.rules import MAX_DEPTH

# (text, start of a value) → (the value, its end). Raises ValueError or StopIteration if there is none.
Scan = Callable[[str, int], tuple[object, int]]

BOM = "\ufeff"

_INFINITIES = (float("inf"), float("-inf"))


def total_match(pattern: str) -> Callable[[str, int], re.Match[str]]:
    """Return the `match` of a pattern that matches at every offset, so that it never returns None."""
    return re.compile(pattern).match  # type: ignore[return-value]


skip_space: Callable[[str, int], re.Match[str]] = WHITESPACE.match
skip_blanks = total_match(r"[ \t]*")

_BYTE_ORDER_MARKS = {  # That of UTF-32 LE begins with that of UTF-16 LE.
    codecs.BOM_UTF32_LE: "UTF-32 LE",
    codecs.BOM_UTF32_BE: "UTF-32 BE",
    codecs.BOM_UTF16_LE: "UTF-16 LE",
    codecs.BOM_UTF16_BE: "UTF-16 BE",
}

_NUL_PATTERNS: dict[tuple[bool, ...], str] = {
    (False, True, True, True): "UTF-32 LE",
    (True, True, True, False): "UTF-32 BE",
    (False, True, False, True): "UTF-16 LE",
    (True, False, True, False): "UTF-16 BE",
}
"""Which of the first four bytes are NUL → the encoding. JSON begins with two ASCII characters (RFC 4627, section 3)."""

_STRING_OR_WORD = r'"[^"\\]*+(?:\\.[^"\\]*+)*"|(-?\w[\w.+-]*+)'


class RefusedNumberError(ValueError):
    """`NaN`, `Infinity`, or a number that overflows a double. The scanner accepts them, this reader does not."""


class Source:
    """A text to read, decoded if it was bytes."""

    __slots__ = ("bom", "error_offset", "fault", "has_surrogates", "is_lossy", "is_text", "start", "text")

    def __init__(self, source: str | bytes) -> None:
        self.has_surrogates = False  # whether a `str` has surrogates, which are never paired
        self.error_offset: int | None = None  # at which the scanner refused the root
        self.fault: SyntaxFault | None = None  # an encoding error
        self.is_lossy = False  # whether U+FFFD replaces bytes that are no text in their encoding
        self.is_text = True  # whether the characters are known, unlike those of a binary file or unknown encoding
        if not isinstance(source, str):
            self._decode(bytes(source))
            return
        self.text = source  # without the byte-order mark of bytes
        self.bom = source.startswith(BOM)  # whether there was a byte-order mark
        self.start = len(BOM) if self.bom else 0  # the offset at which reading begins
        try:
            source.encode()
        except UnicodeEncodeError:
            self.has_surrogates = True
        if "\0" in source[self.start : self.start + 4]:
            # An editor has decoded the bytes of another encoding, or of a binary file.
            self.is_text = False
            self.fault = _encoding_fault(_encoding_by_nuls(source[self.start : self.start + 4]))

    def with_text(self, text: str) -> "Source":
        """Return the source with another text of the same length."""
        source = copy(self)
        source.text = text
        source.error_offset = None
        return source

    def _decode(self, source: bytes) -> None:
        self.start = 0
        raw = source.removeprefix(codecs.BOM_UTF8)
        self.bom = len(raw) != len(source)
        mark = next((mark for mark in _BYTE_ORDER_MARKS if raw.startswith(mark)), b"")
        encoding = _BYTE_ORDER_MARKS.get(mark) or _encoding_by_nuls(raw[:4].decode("latin-1"))
        if encoding or b"\0" in raw[:4]:
            self.bom = self.bom or bool(mark)
            self.is_text = bool(encoding)
            raw = raw[len(mark) :]
            self.text = raw.decode(encoding or "utf-8", errors="replace")
            self.is_lossy = self.text.encode(encoding or "utf-8", errors="replace") != raw
            self.fault = _encoding_fault(encoding)
            return
        try:
            self.text = raw.decode()
        except UnicodeDecodeError as error:
            self.text = raw.decode(errors="replace")
            self.is_lossy = True
            start = len(raw[: error.start].decode())
            problem = f"The byte 0x{raw[error.start]:02X} is not UTF-8 here"
            rest = "; it may be Latin-1 or Windows-1252 now"
            self.fault = FaultKind.ENCODING.at(Span(start, start + 1), problem=problem, rest=rest)


def _encoding_by_nuls(first: str) -> str:
    """Return the encoding of a text without byte-order mark by its first four bytes; ``""`` for UTF-8 and unknown."""
    if not first.replace("\0", "").strip().isprintable():
        return ""
    return _NUL_PATTERNS.get(tuple(byte == "\0" for byte in first), "")


def _encoding_fault(encoding: str) -> SyntaxFault:
    """Return the error of a text whose encoding is not UTF-8, or is unknown."""
    problem = "This is binary data or an unknown encoding: one of the first four bytes is NUL"
    if encoding:
        problem = f"This is {encoding}, expected UTF-8"
    return FaultKind.ENCODING.at(Span(0, 1), problem=problem, rest="")


class ParseResult(NamedTuple):
    """What the strict reader reads."""

    value: object
    duplicate_keys: bool  # whether an object has a key more than once


def parse_strictly(source: Source) -> ParseResult | None:
    """Return the value of a text; None if it is not JSON by docs/decisions.md, section 4."""
    text = source.text
    if source.has_surrogates or source.fault is not None:
        return None
    scanner = Scanner()
    try:
        value, end = scanner.scan(text, skip_space(text, source.start).end())
    except (ValueError, StopIteration) as error:
        source.error_offset = offset_of(error, text)
        return None
    except RecursionError:
        return None
    if skip_space(text, end).end() == len(text) and not is_too_deep(value) and not _has_lone_surrogates(text):
        return ParseResult(value, bool(scanner.duplicates))
    return None


def offset_of(error: Exception, text: str) -> int:
    """Return the offset at which the scanner stopped."""
    if isinstance(error, json.JSONDecodeError):
        return error.pos
    if isinstance(error, StopIteration):
        return int(error.value)
    # A number is refused. The text before it is JSON.
    return next((token.start() for token in re.finditer(_STRING_OR_WORD, text) if token[1] == str(error)), 0)


class Scanner:
    """The C scanner, configured to refuse `NaN`, `Infinity` and numbers that overflow a double.

    `scan` raises StopIteration if no value begins at the offset, ValueError if it is broken (json.JSONDecodeError has
    the offset), and RecursionError if it is nested too deep.
    """

    __slots__ = ("duplicates", "scan")

    def __init__(self) -> None:
        # A list rather than a bound method avoids a reference cycle.
        duplicates = list[bool]()
        self.duplicates = duplicates  # not empty if a scanned object had a key more than once

        def to_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
            result = dict(pairs)
            if len(result) != len(pairs):
                duplicates.append(True)
            return result

        decoder = json.JSONDecoder(
            object_pairs_hook=to_object, parse_float=to_finite, parse_int=_integer, parse_constant=refuse_constant
        )
        self.scan: Scan = decoder.scan_once  # type: ignore[attr-defined]


def to_finite(digits: str) -> float:
    """Return a number of JSON. Raises `RefusedNumberError` if it overflows a double."""
    number = float(digits)
    if number in _INFINITIES:
        raise RefusedNumberError(digits)
    return number


def _integer(digits: str) -> int:
    # Up to 308 digits fit a double. For longer ones `to_finite` also avoids Python's limit on digits.
    if len(digits) > 308:
        to_finite(digits)
    return int(digits)


def refuse_constant(name: str) -> object:
    """Raise `RefusedNumberError` for a constant that Python reads and JSON does not have, such as `NaN`."""
    raise RefusedNumberError(name)


# Compiled on demand, because few texts need it. The first alternative is a pair, which is valid.
_ESCAPE_OR_SURROGATE = (
    r"(?s)\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<escaped>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)|(?P<raw>[\ud800-\udfff])"
)


def lone_surrogates(text: str) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) of every unpaired surrogate, raw or escaped, in text order."""
    for match in re.finditer(_ESCAPE_OR_SURROGATE, text):
        if match.lastgroup is not None:
            yield match.span()


def _has_lone_surrogates(text: str) -> bool:
    # The search for one character is the fastest.
    if "\\" not in text or not ("\\ud" in text or "\\uD" in text):
        return False
    return next(lone_surrogates(text), None) is not None


def is_too_deep(value: object, max_depth: int = MAX_DEPTH) -> bool:
    """Return whether a value has more than `max_depth` levels of objects and arrays."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(max_depth):
        groups = (member.values() if type(member) is dict else member for member in level)
        level = [member for values in groups for member in values if type(member) is dict or type(member) is list]
        if not level:
            return False
    return True
