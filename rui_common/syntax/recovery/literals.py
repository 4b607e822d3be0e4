"""The lexer of words and numbers that are not JSON: `True`, `undefined`, `01`, names and texts without quotes."""

from __future__ import annotations

import json
import re
import sys
from math import copysign, isinf

from rui_common.syntax.recovery.strings import REMOVAL, Lexeme, LexError, encodable, replacement_hint, shorten

_PHRASE = re.compile(r"(?:\\\S|(?!//|/\*)[^\s,:\[\]{}\"\\])+(?:[ \t]+(?:(?!//|/\*)[^\s,:\[\]{}\"\\])+)*")
# The limit keeps a line with thousands of words from taking quadratic time.
UNQUOTED_NAME = re.compile(r"[\w$][\w$.-]*+(?:[ \t]++[\w$.-]++){0,9}+")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_NUMBER_LIKE = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|\.?[0-9][0-9_.]*(?:[eE][-+]?[0-9]*)?)(?:\"[0-9]*)?")
_NUMBER_PARTS = re.compile(r"\+?(-?)0*([0-9]*?)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]*))?")
_AFTER_NUMBER = re.compile(r"[,:{}\[\]\s]|//|/\*|\Z")
_SYNONYMS = {
    "true": True, "yes": True, "on": True, "false": False, "no": False, "off": False,
    "null": None, "none": None, "nil": None, "undefined": None, "nan": None,
    "infinity": None, "-infinity": None, "+infinity": None, "inf": None, "-inf": None,
}  # fmt: skip
_JSON = {True: "true", False: "false", None: "null"}


def lex_literal(text: str, start: int) -> Lexeme:
    """Read the word or phrase at `start`, a character that begins no other token.

    A phrase that is neither a number nor a literal is read as a string without quotes.
    """
    number = _lex_number(text, start)
    if number is not None:
        return number
    match = _PHRASE.match(text, start)
    phrase = text[start] if match is None else match.group()
    return _lex_synonym(phrase, start) or _lex_unknown(phrase, start)


def _lex_synonym(phrase: str, start: int) -> Lexeme | None:
    """Read a literal of another language, such as `None`, or a valid one of JSON."""
    folded = phrase.casefold()
    if folded not in _SYNONYMS:
        return None
    value = _SYNONYMS[folded]
    if phrase == _JSON[value]:
        return Lexeme(start + len(phrase), value)
    literal = _JSON[value]
    hint = f"{replacement_hint(literal, phrase)[:-1]}, or put the word in double quotes."
    end = start + len(phrase)
    return Lexeme(end, value, LexError(start, end, f"Unknown value {phrase}, did you mean {literal}?", hint, False))


def _lex_unknown(phrase: str, start: int) -> Lexeme:
    end = start + len(phrase)
    value = encodable(phrase)
    if not phrase[:1].isprintable() or (len(phrase) == 1 and not phrase.isalnum()):
        display = phrase if phrase.isprintable() else f"U+{ord(phrase[0]):04X}"
        error = LexError(start, end, f"Unexpected character {display}", REMOVAL, True)
        return Lexeme(end, value, error, is_noise=phrase != ")")  # ) may be meant for } or ].
    quoted = json.dumps(phrase, ensure_ascii=False)
    hint = f"{replacement_hint(quoted, phrase)[:-1]}, if it is meant as text."
    return Lexeme(end, value, LexError(start, end, f"Unknown value {shorten(phrase)}", hint, len(phrase) == 1))


def _lex_number(text: str, start: int) -> Lexeme | None:
    match = _NUMBER_LIKE.match(text, start)
    if match is None or _AFTER_NUMBER.match(text, match.end()) is None:
        return None
    end = match.end()
    digits = match.group()
    if _NUMBER.fullmatch(digits):
        error: LexError | None = None
        if isinf(float(digits)):
            hint = "Write a number up to 1.7e308, or put it in double quotes."
            error = LexError(start, end, "This number is too large for a double", hint, False)
        return Lexeme(end, _number(digits), error)
    message = f"Invalid number {shorten(digits)}"
    corrected = _correct_number(digits)
    if corrected is None:
        hint = f"{replacement_hint(json.dumps(digits), digits)[:-1]}, or a number such as 12.5."
        return Lexeme(end, digits, LexError(start, end, message, hint, '"' in digits))
    hint = replacement_hint(corrected, digits)
    return Lexeme(end, _number(corrected), LexError(start, end, message, hint, '"' in digits))


def _number(digits: str) -> int | float:
    """Return the number. One that overflows a double becomes the largest double."""
    number = float(digits)
    if isinf(number):
        return copysign(sys.float_info.max, number)
    is_fraction = any(mark in digits for mark in ".eE")
    if is_fraction:
        return number
    return int(digits)


def _correct_number(digits: str) -> str | None:
    """Return a valid number that is close to an invalid one, or None."""
    if digits.lstrip("+-")[:2] in {"0x", "0X"}:
        return str(int(digits[:200], 16))
    match = _NUMBER_PARTS.fullmatch(digits.replace("_", "").replace('"', ""))
    if match is None:
        return None
    sign, whole, fraction, exponent = match.groups(default="")
    number = sign + (whole or "0")
    if fraction:
        number += f".{fraction}"
    if exponent.strip("+-"):
        number += f"e{exponent}"
    return number
