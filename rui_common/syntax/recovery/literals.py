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
_WORD_WITH_QUOTE = re.compile(r'([a-z]*)"([a-z]*)')
_LITERALS = ("true", "false", "null")


def lex_literal(text: str, start: int) -> Lexeme:
    """Read the word or phrase at `start`, a character that begins no other token.

    A phrase that is neither a number nor a misspelt literal is read as a string without quotes.
    """
    number = _lex_number(text, start)
    if number is not None:
        return number
    match = _WORD_WITH_QUOTE.match(text, start)
    if match is not None and match[1] + match[2] in _LITERALS:
        error = LexError(*match.span(), "Unexpected quote", 'Remove the ".', True)
        return Lexeme(match.end(), _SYNONYMS[match[1] + match[2]], error)
    match = _PHRASE.match(text, start)
    phrase = text[start] if match is None else match.group()
    return _lex_synonym(phrase, start) or _lex_misspelt(phrase, start) or _lex_unknown(phrase, start)


def _lex_synonym(phrase: str, start: int) -> Lexeme | None:
    """Read a literal of another language, such as `None`, or a valid one of JSON."""
    folded = phrase.casefold()
    if folded not in _SYNONYMS:
        return None
    value = _SYNONYMS[folded]
    if phrase == _JSON[value]:
        return Lexeme(start + len(phrase), value)
    error = _literal_error(phrase, start, _JSON[value])
    return Lexeme(error.end, value, error)


def _lex_misspelt(phrase: str, start: int) -> Lexeme | None:
    for literal in _LITERALS:
        if _is_misspelt(phrase.casefold(), literal):
            error = _literal_error(phrase, start, literal)._replace(is_doubtful=True)
            return Lexeme(error.end, _SYNONYMS[literal], error)
    return None


def _literal_error(phrase: str, start: int, literal: str) -> LexError:
    message = f"Unknown value {phrase}, did you mean {literal}?"
    hint = f"{replacement_hint(literal, phrase)[:-1]}, or put the word in double quotes."
    return LexError(start, start + len(phrase), message, hint, False)


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


def _is_misspelt(word: str, literal: str) -> bool:
    """Return whether `word` is the start of `literal`, an anagram of it, or one edit away from it."""
    if not 2 <= len(word) <= len(literal) + 1:
        return False
    if literal.startswith(word) or sorted(literal) == sorted(word):
        return True
    if len(word) < 3:
        return False
    at = 0
    while at < min(len(word), len(literal), 4) and word[at] == literal[at]:
        at += 1
    is_longer = word[at + 1 :] == literal[at:]
    is_shorter = word[at:] == literal[at + 1 :]
    return is_longer or is_shorter or word[at + 1 :] == literal[at + 1 :]


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
    reason, corrected = _correct_number(digits)
    message = f"Invalid number {shorten(digits)}{reason}"
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


def _correct_number(digits: str) -> tuple[str, str | None]:
    """Return the reason why a number is invalid, and a valid number if one is close."""
    sign = "-" if digits.startswith("-") else ""
    unsigned = digits.lstrip("+-")
    reason = ""
    corrected = digits.replace("_", "")
    if unsigned[:2] in {"0x", "0X"}:
        reason = ": JSON has no hexadecimal numbers"
        corrected = sign + str(int(unsigned[:200], 16))
    elif '"' in digits:
        reason = ": unexpected quote"
        corrected = digits.replace('"', "")
    elif digits.startswith("+"):
        reason = ": no plus sign is allowed"
        corrected = unsigned
    elif unsigned.startswith("."):
        reason = ": expected a digit before the point"
        corrected = f"{sign}0{unsigned}"
    elif unsigned.endswith("."):
        reason = ": expected a digit after the point"
        corrected = digits.rstrip(".")
    elif unsigned[-1] in "eE+-":
        reason = ": expected a digit in the exponent"
        corrected = digits.rstrip("+-").rstrip("eE")
    elif unsigned.startswith("0") and unsigned[1:2].isdigit():
        reason = ": no leading zeros are allowed"
        corrected = sign + (unsigned.lstrip("0") or "0")
    if _NUMBER.fullmatch(corrected) is None:
        corrected = _rebuild_number(corrected) or corrected
    return reason, corrected if _NUMBER.fullmatch(corrected) else None


def _rebuild_number(digits: str) -> str | None:
    """Return a number without the parts that lack digits, and without leading zeros; None if it has other errors."""
    match = _NUMBER_PARTS.fullmatch(digits)
    if match is None:
        return None
    sign, whole, fraction, exponent = match.groups(default="")
    number = sign + (whole or "0")
    if fraction:
        number += f".{fraction}"
    if exponent.strip("+-"):
        number += f"e{exponent}"
    return number
