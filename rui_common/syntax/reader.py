"""Text or bytes → the strict verdict and the value: docs/decisions.md, section 4, and nothing more lenient.

The work is done by CPython's own JSON scanner, in C. What it lets pass, and we do not, is looked for beside it:
numbers that overflow a double, lone surrogates, and values nested too deep.
"""

from __future__ import annotations

import json
import re
from json.decoder import WHITESPACE  # type: ignore[attr-defined]
from math import isinf

from rui_common.vocabulary.rules import MAX_DEPTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    # (text, start of a value) → (the value, the offset behind it); ValueError or StopIteration if there is none.
    Scan = Callable[[str, int], tuple[object, int]]

BOM = "\ufeff"

skip_space: Callable[[str, int], re.Match[str]] = WHITESPACE.match

_FOREIGN = (
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_NAMES = {
    "utf-16-le": "UTF-16 (little-endian)",
    "utf-16-be": "UTF-16 (big-endian)",
    "utf-32-le": "UTF-32 (little-endian)",
    "utf-32-be": "UTF-32 (big-endian)",
}


class RefusedNumberError(ValueError):
    """The scanner accepts something that is refused here: `NaN`, `Infinity`, or a number too large."""


class Source:
    """What was given to read, as text.

    Attributes:
        text: the text; bytes are decoded, their byte-order mark taken away.
        raw: the text in UTF-8, or None if it cannot be written so.
        start: where reading starts; behind the byte-order mark that a text begins with.
        bom: whether there was a byte-order mark.
        is_scanned: whether the scanner has tried the root, and in vain.
        fault: what is wrong with the encoding: (start, end, message, hint), offsets into `text`; or None.
        first_line: the number by which hints call the first line; another than 1 if the text is only a part of one.
    """

    __slots__ = ("bom", "fault", "first_line", "is_scanned", "raw", "start", "text")

    def __init__(self, source: str | bytes) -> None:
        self.start = 0
        self.raw: bytes | None = None
        self.is_scanned = False
        self.fault: tuple[int, int, str, str] | None = None
        self.first_line = 1
        if isinstance(source, str):
            self.text = source
            self.bom = source.startswith(BOM)
            self.start = len(BOM) if self.bom else 0
            try:
                self.raw = source.encode()
            except UnicodeEncodeError:
                self.raw = None  # Lone surrogates; `read_strictly` refuses them, the recovery finds words for them.
        else:
            self._decode(bytes(source))

    def _decode(self, source: bytes) -> None:
        self.bom = source.startswith(b"\xef\xbb\xbf")
        raw = source[3:] if self.bom else source
        foreign = _foreign_encoding(raw)
        if foreign is not None:
            self.text = raw.decode(foreign, errors="replace")
            self.bom = self.text.startswith(BOM)
            self.text = self.text.removeprefix(BOM)
            message = f"This is {_NAMES[foreign]}, expected UTF-8"
            self.fault = (0, min(1, len(self.text)), message, "Save the file with the encoding UTF-8.")
            return
        try:
            self.text = raw.decode()
            self.raw = raw
        except UnicodeDecodeError as error:
            self.text = raw.decode(errors="replace")
            at = len(raw[: error.start].decode())
            message = f"The byte 0x{raw[error.start]:02X} is not UTF-8 here"
            hint = "Save the file with the encoding UTF-8; it may be Latin-1 or Windows-1252 now."
            self.fault = (at, at + 1, message, hint)


def _foreign_encoding(raw: bytes) -> str | None:
    """UTF-16 or UTF-32, told by their byte-order mark or by the zero bytes that they make of ASCII."""
    for mark, encoding in _FOREIGN:
        if raw.startswith(mark) and len(raw) % (len(mark)) == 0:
            return encoding
    zeros = tuple(byte == 0 for byte in raw[:4])
    if len(raw) % 4 == 0 and zeros in {(True, True, True, False), (False, True, True, True)}:
        return "utf-32-be" if zeros[0] else "utf-32-le"
    if len(raw) % 2 == 0 and zeros[:2] in {(True, False), (False, True)}:
        return "utf-16-be" if zeros[0] else "utf-16-le"
    return None


class Reading:
    """The verdict on a text.

    Attributes:
        valid: whether it is JSON by docs/decisions.md, section 4.
        value: its value, if it is valid.
        repeats: whether some object of a valid text has a key more than once.
        unsure: whether the stack was too full for the scanner to tell.
    """

    __slots__ = ("repeats", "unsure", "valid", "value")

    def __init__(self) -> None:
        self.valid = self.repeats = self.unsure = False
        self.value: object = None


def read_strictly(source: Source) -> Reading:
    """Judge a text and read its value, at the speed of the C scanner."""
    reading = Reading()
    raw = source.raw
    if raw is None or source.fault is not None:
        return reading
    scanner = Scanner()
    try:
        value, end = scanner.scan(source.text, skip_space(source.text, source.start).end())
    except (ValueError, StopIteration):
        source.is_scanned = True
        return reading
    except RecursionError:
        reading.unsure = depth_of(raw) <= MAX_DEPTH
        return reading
    if skip_space(source.text, end).end() != len(source.text):
        return reading
    if is_too_deep(raw) or _has_lone_surrogates(raw, source.text):
        return reading
    reading.valid, reading.value, reading.repeats = True, value, scanner.repeats
    return reading


def stop_of_strict_reader(source: Source) -> int:
    """Return the offset at which the scanner stops in a text that is not JSON."""
    text = source.text
    try:
        _, end = Scanner().scan(text, skip_space(text, source.start).end())
    except json.JSONDecodeError as error:
        return error.pos
    except StopIteration as error:
        return int(error.value)
    except RefusedNumberError as error:
        return max(0, text.find(str(error)))
    except RecursionError:
        return 0
    trailing = skip_space(text, end).end()
    return trailing if trailing < len(text) else 0


class Scanner:
    """The C scanner, set up to refuse `NaN`, `Infinity` and numbers that overflow a double.

    Attributes:
        scan: (text, start of a value) → (value, offset behind it). Raises StopIteration where no value starts,
            ValueError where it is broken (json.JSONDecodeError tells where), RecursionError if it is nested too deep.
    """

    __slots__ = ("_repeated", "scan")

    def __init__(self) -> None:
        # A list and no method of this object: the scanner would hold it, it the scanner, and both would wait for the
        # garbage collector.
        self._repeated = repeated = list[bool]()

        def to_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
            result = dict(pairs)
            if len(result) != len(pairs):
                repeated.append(True)
            return result

        decoder = json.JSONDecoder(
            object_pairs_hook=to_object, parse_float=_float, parse_int=_integer, parse_constant=_constant
        )
        self.scan: Scan = decoder.scan_once  # type: ignore[attr-defined]

    @property
    def repeats(self) -> bool:
        """Whether an object that was scanned had a key more than once."""
        return bool(self._repeated)


def _float(digits: str) -> float:
    number = float(digits)
    if isinf(number):
        raise RefusedNumberError(digits)
    return number


def _integer(digits: str) -> int:
    # 308 digits always fit; asking the double first also keeps clear of Python's own limit on digits.
    if len(digits) > 308:
        _float(digits)
    return int(digits)


def _constant(name: str) -> object:
    raise RefusedNumberError(name)


# Compiled when it is needed, which is rarely.
_ESCAPE_OR_SURROGATE = (
    r"(?s)\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a pair, which is fine
    r"|(?P<escaped>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)|(?P<raw>[\ud800-\udfff])"
)


def lone_surrogates(text: str) -> Iterator[tuple[int, int]]:
    """The halves of surrogate pairs without their other half, raw or escaped: (start, end) in text order."""
    for match in re.finditer(_ESCAPE_OR_SURROGATE, text):
        if match.lastgroup is not None:
            yield match.span()


def _has_lone_surrogates(raw: bytes, text: str) -> bool:
    # One byte is found at the speed of memory, so it is asked for first; raw surrogates cannot be in UTF-8.
    if b"\\" not in raw or not (b"\\ud" in raw or b"\\uD" in raw):
        return False
    return next(lone_surrogates(text), None) is not None


_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b'{}[]"')
_SQUARE = bytes.maketrans(b"{}", b"[]")
_PEELS = 8
_SHORT = 16_384


def is_too_deep(raw: bytes) -> bool:
    """Whether valid JSON, in UTF-8, is nested deeper than `MAX_DEPTH`."""
    if len(raw) < _SHORT and raw.count(b"[") + raw.count(b"{") <= MAX_DEPTH:  # in long texts there are mostly more
        return False
    return depth_of(raw) > MAX_DEPTH


def depth_of(raw: bytes) -> int:
    """How many levels of objects and arrays valid JSON, in UTF-8, has (of broken JSON: some number).

    Strings are taken away, then all but the brackets, and these from the inside out: passes in C over a text
    that shrinks, where counting them one by one would take as long as reading the document.
    """
    if b"\\" in raw:
        raw = raw.replace(b"\\\\", b"").replace(b'\\"', b"")
    brackets = raw.translate(_SQUARE, _NO_BRACKETS).replace(b'""', b"")
    if b'"' in brackets:
        brackets = b"".join(brackets.split(b'"')[::2])
    for peeled in range(_PEELS):
        if not brackets:
            return peeled
        brackets = brackets.replace(b"[]", b"")
    level = deepest = 0
    for run in re.findall(rb"\[+|\]+", brackets):  # few are left, and long ones
        level += len(run) if run.startswith(b"[") else -len(run)
        deepest = max(deepest, level)
    return _PEELS + deepest


def object_in(value: object) -> object:
    """The object that a string holds as JSON; anything else as it is."""
    if not isinstance(value, str) or not value.startswith("{"):
        return value
    try:
        return Scanner().scan(value, 0)[0]
    except (ValueError, StopIteration, RecursionError):
        return None
