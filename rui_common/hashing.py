"""`contentHash`: the SHA-256 of the canonical JSON of RFC 8785 (JCS)."""

import json
from hashlib import sha256

_quote = json.encoder.encode_basestring  # escapes exactly the characters that RFC 8785 section 3.2.2.2 lists

_MAX_FIXED = 21
_MIN_FIXED = -6
"""Positions of the decimal point between which ECMAScript writes a number without an exponent."""


def content_hash(value: object) -> str:
    """Return ``sha256:`` and the lower-case hex digest of `canonical_json` (docs/decisions.md, section 5)."""
    return hash_of(canonical_json(value))


def hash_of(canonical: bytes) -> str:
    return "sha256:" + sha256(canonical).hexdigest()


def canonical_json(value: object) -> bytes:
    """Return a JSON value in the form of RFC 8785, in UTF-8.

    Integers that a double cannot represent are written as the nearest double.

    Raises:
        OverflowError: a number is too large for a double. (The reader refuses such numbers.)
        TypeError: the value is not JSON.
    """
    parts: list[str] = []
    _write(value, parts)
    return "".join(parts).encode()


def _write(value: object, parts: list[str]) -> None:
    if isinstance(value, str):
        parts.append(_quote(value))
    elif isinstance(value, dict):
        separator = "{"
        for name in sorted(value, key=lambda name: name.encode("utf-16-be")):  # RFC 8785, section 3.2.3
            parts.append(f"{separator}{_quote(name)}:")
            _write(value[name], parts)
            separator = ","
        parts.append("}" if value else "{}")
    elif isinstance(value, list):
        separator = "["
        for element in value:
            parts.append(separator)
            _write(element, parts)
            separator = ","
        parts.append("]" if value else "[]")
    elif value is None or isinstance(value, bool):
        parts.append(json.dumps(value))
    elif isinstance(value, int | float):
        parts.append(format_number(value))
    else:
        raise TypeError(f"no JSON value: {type(value).__name__}")


def format_number(value: int | float) -> str:
    """Return a number as ECMAScript writes it (ECMA-262, Number::toString), as RFC 8785 requires.

    >>> format_number(1e21), format_number(1.5e-7), format_number(100.0)
    ('1e+21', '1.5e-7', '100')
    """
    number = float(value)
    if number == 0:
        return "0"
    if number < 0:
        return "-" + format_number(-number)
    mantissa, _, exponent = repr(number).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    leading_zeros = len(whole + fraction) - len(digits)
    point = len(whole) - leading_zeros + int(exponent or 0)  # the number is 0.digits * 10**point
    digits = digits.rstrip("0")
    if len(digits) <= point <= _MAX_FIXED:
        return digits + "0" * (point - len(digits))
    if 0 < point <= _MAX_FIXED:
        return digits[:point] + "." + digits[point:]
    if _MIN_FIXED < point <= 0:
        return "0." + "0" * -point + digits
    if len(digits) > 1:
        digits = digits[0] + "." + digits[1:]
    return f"{digits}e{point - 1:+d}"
