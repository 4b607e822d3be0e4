"""Words where JSON has none: `True`, `undefined`, `01`, names and texts without quotes."""

from __future__ import annotations

import json
import re
import sys
from math import isinf

from rui_common.syntax.recovery.strings import Flaw, instead, writable

TYPE_CHECKING = False
if TYPE_CHECKING:
    Word = tuple[int, object, Flaw | None]

_PHRASE = re.compile(r"(?:\\\S|(?!//|/\*)[^\s,:\[\]{}\"\\])+(?:[ \t]+(?:(?!//|/\*)[^\s,:\[\]{}\"\\])+)*")
NAME_WITHOUT_QUOTES = re.compile(r"[\w$][\w$.-]*(?:[ \t]+[\w$.-]+)*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_NUMBER_LIKE = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|\.?[0-9][0-9_.]*(?:[eE][-+]?[0-9]*)?)(?:\"[0-9]*)?")
_ENDS = re.compile(r"[,:{}\[\]\s]|//|/\*|\Z")
_MEANT = {
    "true": True, "yes": True, "on": True, "false": False, "no": False, "off": False,
    "null": None, "none": None, "nil": None, "undefined": None, "nan": None,
    "infinity": None, "-infinity": None, "+infinity": None, "inf": None, "-inf": None,
}  # fmt: skip
_JSON = {True: "true", False: "false", None: "null"}
_WITH_QUOTE = re.compile(r'([a-z]*)"([a-z]*)')
_LITERALS = ("true", "false", "null")


def read_word(text: str, start: int) -> Word:
    """Read the word or phrase that begins at `start`, at a character that begins no other token.

    Returns:
        (the offset behind it, its value, what is wrong with it). A phrase that is nothing else is taken for a
        string without quotes.
    """
    number = _number(text, start)
    if number is not None:
        return number
    match = _WITH_QUOTE.match(text, start)
    if match is not None and match[1] + match[2] in _LITERALS:
        return match.end(), _MEANT[match[1] + match[2]], Flaw(*match.span(), "Unexpected quote", 'Remove the ".', True)
    match = _PHRASE.match(text, start)
    end = start + 1 if match is None else match.end()
    phrase = text[start:end]
    if phrase.casefold() in _MEANT:
        value = _MEANT[phrase.casefold()]
        if phrase == _JSON[value]:
            return end, value, None
        hint = _meant(_JSON[value], phrase)
        return end, value, Flaw(start, end, f"Unknown value {phrase}, did you mean {_JSON[value]}?", hint, False)
    meant = next((literal for literal in _LITERALS if _is_misspelt(phrase.casefold(), literal)), None)
    if meant is not None:
        value = _MEANT[meant]
        message = f"Unknown value {phrase}, did you mean {meant}?"
        return end, value, Flaw(start, end, message, _meant(meant, phrase), True)
    return end, writable(phrase), _unknown(phrase, start)


def _unknown(phrase: str, start: int) -> Flaw:
    if not phrase[:1].isprintable() or (len(phrase) == 1 and not phrase.isalnum()):
        shown = phrase if phrase.isprintable() else f"U+{ord(phrase[0]):04X}"
        return Flaw(start, start + len(phrase), f"Unexpected character {shown}", "Remove it.", True)
    shown = phrase if len(phrase) <= 40 else phrase[:39] + "…"
    hint = f"{instead(json.dumps(phrase, ensure_ascii=False), phrase)[:-1]}, if it is meant as text."
    return Flaw(start, start + len(phrase), f"Unknown value {shown}", hint, len(phrase) == 1)


def _meant(literal: str, phrase: str) -> str:
    return f"{instead(literal, phrase)[:-1]}, or put the word in double quotes."


def _is_misspelt(word: str, literal: str) -> bool:
    """Whether `word` is `literal` with one character too many or too few, or another one, or cut short."""
    if not 2 <= len(word) <= len(literal) + 1:
        return False
    if literal.startswith(word) or sorted(literal) == sorted(word):
        return True
    same_head = next((i for i, (a, b) in enumerate(zip(word, literal, strict=False)) if a != b), min(len(word), 4))
    ways = {word[same_head + 1 :] == literal[same_head:], word[same_head:] == literal[same_head + 1 :],
            word[same_head + 1 :] == literal[same_head + 1 :]}  # fmt: skip
    return len(word) >= 3 and True in ways


def _number(text: str, start: int) -> Word | None:
    match = _NUMBER_LIKE.match(text, start)
    if match is None or _ENDS.match(text, match.end()) is None:
        return None
    end, digits = match.end(), match.group()
    if _NUMBER.fullmatch(digits):
        value = _value(digits)
        return (end, value, None) if not _overflows(digits) else (end, value, _too_large(start, end))
    message, fixed = _fix(digits)
    hint = instead(fixed, digits) if fixed else "Write a number of JSON, such as 12.5, or put it in double quotes."
    doubtful = '"' in digits
    return end, _value(fixed) if fixed else digits, Flaw(start, end, message, hint, doubtful)


def _too_large(start: int, end: int) -> Flaw:
    hint = "Write a number up to 1.7e308, or put it in double quotes."
    return Flaw(start, end, "This number is too large for a double", hint, False)


def _overflows(digits: str) -> bool:
    return isinf(float(digits))


def _value(digits: str) -> int | float:
    """The number; one that overflows a double as the largest there is."""
    number = float(digits)
    if isinf(number):
        return sys.float_info.max if number > 0 else -sys.float_info.max
    return number if any(mark in digits for mark in ".eE") else int(digits)


def _fix(digits: str) -> tuple[str, str]:
    """What is wrong with a number, and the number of JSON that is meant, or ``""``."""
    sign = "-" if digits.startswith("-") else ""
    bare = digits.lstrip("+-")
    reason, fixed = "", digits.replace("_", "")
    if bare[:2] in {"0x", "0X"}:
        reason, fixed = ": JSON has no hexadecimal numbers", sign + str(int(bare[:200], 16))
    elif '"' in digits:
        reason, fixed = ": unexpected quote", digits.replace('"', "")
    elif digits.startswith("+"):
        reason, fixed = ": no plus sign is allowed", bare
    elif bare.startswith("."):
        reason, fixed = ": expected a digit before the point", f"{sign}0{bare}"
    elif bare.endswith("."):
        reason, fixed = ": expected a digit after the point", digits.rstrip(".")
    elif bare.startswith("0") and bare[1:2].isdigit():
        reason, fixed = ": no leading zeros are allowed", sign + (bare.lstrip("0") or "0")
    return f"Invalid number {_cut(digits)}{reason}", fixed if _NUMBER.fullmatch(fixed) else ""


def _cut(digits: str) -> str:
    return digits if len(digits) <= 40 else digits[:39] + "…"
