"""`contentHash`: SHA-256 of the RFC 8785 form (JCS), so that anyone can recompute it from the answer."""

from __future__ import annotations

import json
from hashlib import sha256

_quote = json.encoder.encode_basestring  # escapes what JSON demands and nothing else, as RFC 8785 section 3.2.2.2


def content_hash(value: object) -> str:
    """``sha256:`` and the lower-case hex digest of `canonical_json` (docs/decisions.md, section 5).

    Args:
        value: a JSON value; of a spec, its ``normalizedRui``. The order of its keys does not matter.
    """
    return hash_of(canonical_json(value))


def hash_of(canonical: bytes) -> str:
    """The `content_hash` of a value of which the RFC 8785 form is known already."""
    return "sha256:" + sha256(canonical).hexdigest()


def canonical_json(value: object) -> bytes:
    """The JSON value in the form of RFC 8785, in UTF-8.

    Integers that a double cannot hold are written as RFC 8785 writes the nearest double.

    Raises:
        OverflowError: a number is too large for a double. (The reader refuses such numbers.)
    """
    parts: list[str] = []
    _write(value, parts)
    return "".join(parts).encode()


def _write(value: object, parts: list[str]) -> None:
    if isinstance(value, str):
        parts.append(_quote(value))
    elif isinstance(value, dict):
        _write_object(value, parts)
    elif isinstance(value, list):
        parts.append("[")
        for index, element in enumerate(value):
            if index:
                parts.append(",")
            _write(element, parts)
        parts.append("]")
    elif value is None or isinstance(value, bool):
        parts.append({None: "null", True: "true", False: "false"}[value])
    elif isinstance(value, int | float):
        parts.append(format_number(value))
    else:
        raise TypeError(f"no JSON value: {type(value).__name__}")


def _write_object(value: dict[str, object], parts: list[str]) -> None:
    parts.append("{")
    for index, name in enumerate(sorted(value, key=_utf_16)):
        if index:
            parts.append(",")
        parts.append(_quote(name))
        parts.append(":")
        _write(value[name], parts)
    parts.append("}")


def _utf_16(name: str) -> bytes:
    """Sorts names by UTF-16 code units, as RFC 8785 section 3.2.3 asks."""
    return name.encode("utf-16-be")


def format_number(value: int | float) -> str:
    """A number as ECMAScript writes it (ECMA-262, Number::toString), which is what RFC 8785 asks for.

    >>> format_number(1e21), format_number(1.5e-7), format_number(100.0)
    ('1e+21', '1.5e-7', '100')
    """
    number = float(value)
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    mantissa, _, exponent = repr(abs(number)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    # The decimal point stands behind so many of `digits`:
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    scale = f"e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return sign + digits[0] + ("." + digits[1:] if count > 1 else "") + scale
