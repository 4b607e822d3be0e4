"""Text or bytes → the strict verdict and the value (docs/decisions.md, section 4).

CPython's JSON scanner, in C, reads the text. The checks here add the constraints that it lacks:
numbers must fit a double, surrogates must be paired, and nesting is limited.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from json.decoder import WHITESPACE  # type: ignore[attr-defined]

from rui_common.syntax.errors import SyntaxFault
from rui_common.syntax.paths import Path
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

_BYTE_ORDER_MARKS = (
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
# The zero bytes among the first bytes of ASCII characters.
_ZERO_BYTES = {
    (True, True, True, False): "utf-32-be",
    (False, True, True, True): "utf-32-le",
    (True, False): "utf-16-be",
    (False, True): "utf-16-le",
}
_ENCODING_NAMES = {
    "utf-16-le": "UTF-16 (little-endian)",
    "utf-16-be": "UTF-16 (big-endian)",
    "utf-32-le": "UTF-32 (little-endian)",
    "utf-32-be": "UTF-32 (big-endian)",
}


class RefusedNumberError(ValueError):
    """`NaN`, `Infinity`, or a number that overflows a double. The scanner accepts them, this reader does not."""


class Source:
    """A text to read, decoded if it was bytes.

    Attributes:
        text: the text, without the byte-order mark of bytes.
        raw: the text in UTF-8, or None if it has lone surrogates or the bytes had another encoding.
        has_surrogates: whether a `str` has surrogates, which are never paired.
        start: the offset at which reading begins, after the byte-order mark of a `str`.
        bom: whether there was a byte-order mark.
        error_offset: the offset at which the scanner refused the root, or None.
        fault: an encoding error, or None.
    """

    __slots__ = ("bom", "error_offset", "fault", "has_surrogates", "raw", "start", "text")

    def __init__(self, source: str | bytes) -> None:
        self.raw: bytes | None = None
        self.has_surrogates = False
        self.error_offset: int | None = None
        self.fault: SyntaxFault | None = None
        if not isinstance(source, str):
            self._decode(bytes(source))
            return
        self.text = source
        self.bom = source.startswith(BOM)
        self.start = len(BOM) if self.bom else 0
        try:
            self.raw = source.encode()
        except UnicodeEncodeError:
            self.has_surrogates = True

    def _decode(self, source: bytes) -> None:
        self.start = 0
        raw = source.removeprefix(b"\xef\xbb\xbf")
        self.bom = len(raw) != len(source)
        encoding = _foreign_encoding(raw)
        if encoding is not None:
            text = raw.decode(encoding, errors="replace")
            self.text = text.removeprefix(BOM)
            self.bom = len(self.text) != len(text)
            span = Span(0, min(1, len(self.text)))
            message = f"This is {_ENCODING_NAMES[encoding]}, expected UTF-8"
            self.fault = SyntaxFault(span, message, "Save the file with the encoding UTF-8.")
            return
        try:
            self.text = raw.decode()
            self.raw = raw
        except UnicodeDecodeError as error:
            self.text = raw.decode(errors="replace")
            start = len(raw[: error.start].decode())
            message = f"The byte 0x{raw[error.start]:02X} is not UTF-8 here"
            hint = "Save the file with the encoding UTF-8; it may be Latin-1 or Windows-1252 now."
            self.fault = SyntaxFault(Span(start, start + 1), message, hint)


def _foreign_encoding(raw: bytes) -> str | None:
    """Detect UTF-16 and UTF-32 by the byte-order mark or by the zero bytes of ASCII characters."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if raw.startswith(mark) and len(raw) % (len(mark)) == 0:
            return encoding
    for width in (4, 2):
        zeros = tuple(byte == 0 for byte in raw[:width])
        if len(raw) % width == 0 and zeros in _ZERO_BYTES:
            return _ZERO_BYTES[zeros]
    return None


class ParseResult:
    """The result of the strict reader.

    Attributes:
        valid: whether the text is JSON by docs/decisions.md, section 4.
        value: the value, if it is valid.
        duplicate_keys: whether an object of a valid text has a key more than once.
        errors: none; the recovering parser finds them.
        is_unsure: whether the scanner gave up because the Python stack was too full.
    """

    __slots__ = ("duplicate_keys", "errors", "is_unsure", "valid", "value")

    def __init__(self, *, is_unsure: bool = False) -> None:
        self.valid = False
        self.value: object = None
        self.duplicate_keys = False
        self.errors: tuple[SyntaxFault, ...] = ()
        self.is_unsure = is_unsure

    def incomplete(self) -> frozenset[Path]:
        """Return no paths: every value of a valid text is complete."""
        return frozenset()


def parse_strictly(source: Source) -> ParseResult:
    """Check a text and read its value."""
    raw = source.raw
    text = source.text
    if raw is None or source.fault is not None:
        return ParseResult()
    scanner = Scanner()
    try:
        value, end = scanner.scan(text, skip_space(text, source.start).end())
    except (ValueError, StopIteration) as error:
        source.error_offset = offset_of(error, text)
        return ParseResult()
    except RecursionError:
        return ParseResult(is_unsure=depth_of(raw) <= MAX_DEPTH)
    result = ParseResult()
    if skip_space(text, end).end() == len(text) and not is_too_deep(raw) and not _has_lone_surrogates(raw, text):
        result.valid = True
        result.value = value
        result.duplicate_keys = scanner.has_duplicate_keys
    return result


def offset_of(error: Exception, text: str) -> int:
    """Return the offset at which the scanner stopped."""
    if isinstance(error, json.JSONDecodeError):
        return error.pos
    if isinstance(error, StopIteration):
        return int(error.value)
    return max(0, text.find(str(error)))  # of a refused number


class Scanner:
    """The C scanner, configured to refuse `NaN`, `Infinity` and numbers that overflow a double.

    Attributes:
        scan: (text, start of a value) → (value, its end). Raises StopIteration if no value begins there,
            ValueError if it is broken (json.JSONDecodeError has the offset), RecursionError if it is nested too deep.
    """

    __slots__ = ("_duplicates", "scan")

    def __init__(self) -> None:
        # A list rather than a bound method avoids a reference cycle.
        duplicates = list[bool]()
        self._duplicates = duplicates

        def to_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
            result = dict(pairs)
            if len(result) != len(pairs):
                duplicates.append(True)
            return result

        decoder = json.JSONDecoder(
            object_pairs_hook=to_object, parse_float=_float, parse_int=_integer, parse_constant=_constant
        )
        self.scan: Scan = decoder.scan_once  # type: ignore[attr-defined]

    @property
    def has_duplicate_keys(self) -> bool:
        """Whether a scanned object had a key more than once."""
        return bool(self._duplicates)


def _float(digits: str) -> float:
    number = float(digits)
    if number in _INFINITIES:
        raise RefusedNumberError(digits)
    return number


def _integer(digits: str) -> int:
    # Up to 308 digits fit a double. For longer ones `_float` also avoids Python's limit on digits.
    if len(digits) > 308:
        _float(digits)
    return int(digits)


def _constant(name: str) -> object:
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


def _has_lone_surrogates(raw: bytes, text: str) -> bool:
    # The search for one byte is the fastest. UTF-8 cannot contain raw surrogates.
    if b"\\" not in raw or not (b"\\ud" in raw or b"\\uD" in raw):
        return False
    return next(lone_surrogates(text), None) is not None


_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b'{}[]"')
_SQUARE = bytes.maketrans(b"{}", b"[]")
_MAX_REMOVED_LEVELS = 8
_MAX_COUNTED_BYTES = 16_384


def is_too_deep(raw: bytes) -> bool:
    """Return whether valid JSON, in UTF-8, is nested deeper than `MAX_DEPTH`."""
    # Counting is faster, but long texts mostly have more brackets than that.
    if len(raw) < _MAX_COUNTED_BYTES and raw.count(b"[") + raw.count(b"{") <= MAX_DEPTH:
        return False
    return depth_of(raw) > MAX_DEPTH


def depth_of(raw: bytes) -> int:
    """Return the depth of valid JSON, in UTF-8; of broken JSON it is undefined.

    It removes the strings, then everything except brackets, then the innermost pairs of brackets, level by level.
    These are passes in C over a shrinking text, which is faster than counting brackets one by one.
    """
    if b"\\" in raw:
        raw = raw.replace(b"\\\\", b"").replace(b'\\"', b"")
    brackets = raw.translate(_SQUARE, _NO_BRACKETS).replace(b'""', b"")
    if b'"' in brackets:
        brackets = b"".join(brackets.split(b'"')[::2])
    for removed_levels in range(_MAX_REMOVED_LEVELS):
        if not brackets:
            return removed_levels
        brackets = brackets.replace(b"[]", b"")
    level = 0
    deepest = 0
    for run in re.findall(rb"\[+|\]+", brackets):
        if run.startswith(b"["):
            level += len(run)
        else:
            level -= len(run)
        deepest = max(deepest, level)
    return _MAX_REMOVED_LEVELS + deepest
