"""The lexer of words and numbers that are not JSON: `True`, `undefined`, `01`, names and texts without quotes."""

import re
import sys
import unicodedata
from math import copysign, isinf

from rui_common.json_values import as_json
from rui_common.syntax.errors import FaultKind
from rui_common.syntax.recovery.grammar import COMMA_AFTER_WORD, OTHER_COLON, OTHER_COMMA
from rui_common.syntax.recovery.omissions import is_omission
from rui_common.syntax.recovery.string_contents import encodable, replacement
from rui_common.syntax.recovery.tokens import Token, TokenKind
from rui_common.syntax.spans import Edit, Span
from rui_common.texts import MAX_SHOWN, shorten

# A comment, or a semicolon after a value, is no part of a word.
_IN_WORD = rf"(?:(?!//|/\*|{COMMA_AFTER_WORD})[^\s,:\[\]{{}}\"\\]|(?<=[A-Za-z]):(?=//\S)|(?<=[A-Za-z]:)//(?=\S))"
_PHRASE = re.compile(rf"(?:\\\S|{_IN_WORD})+(?:[ \t]+(?:{_IN_WORD})+)*")
_MORE_WORDS = re.compile(rf"(?:[ \t]+(?:{_IN_WORD})+)+")
MAX_PHRASE = 1_000  # Maximum length of words without quotes that words in brackets follow
# The limit keeps a line with thousands of words from taking quadratic time.
UNQUOTED_NAME = re.compile(r"[\w$][\w$.-]*+(?:[ \t]++[\w$.-]++){0,9}")
_WITH_COLON = re.compile(
    rf"{UNQUOTED_NAME.pattern}:[ \t]+(?!(?:true|false|null|None|True|False)\b|[+-]?[0-9.]+[ \t]*[,}}\]\r\n])"
    rf"(?=[^\W_])(?:{_IN_WORD})+(?:[ \t]+(?:{_IN_WORD})+)*"
)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_NUMBER_LIKE = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|\.?[0-9][0-9_.]*(?:[eE][-+]?[0-9]*)?)(?:\"[0-9]*)?")
_DECIMAL = re.compile(r"\+?-?(?!0[0-9])[0-9]*\.?[0-9]*")
_NUMBER_PARTS = re.compile(r"\+?(-?)0*([0-9]*?)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]*))?")
_AFTER_NUMBER = re.compile(rf"[,:{{}}\[\]\s]|{OTHER_COLON}|{OTHER_COMMA}|//|/\*|\Z")
_IN_BRACKETS = re.compile(r"[ \t]+(?:\[[\w .-]{1,60}\]|\{[\w .-]{1,60}\})(?=[ \t]*[,}\]\r\n\[{]|[ \t]+\w|\Z)")
_SYNONYMS = {
    "true": True, "false": False, "null": None, "none": None, "nil": None, "undefined": None, "nan": None,
    "infinity": None, "-infinity": None, "+infinity": None, "inf": None, "-inf": None,
}  # fmt: skip
_JSON = {True: "true", False: "false", None: "null"}
_OTHER_READINGS = {"yes": "true", "on": "true", "no": "false", "off": "false"}
"""Words that may be meant as text, or, in YAML, as a boolean."""
_SYMBOLS = ("Sc", "So")  # Categories of characters that may be a unit, besides `%` and `‰`: currencies, degrees


def lex_literal(text: str, start: int) -> Token:
    """Read the word or phrase at `start`, a character that begins no other token.

    A phrase that is neither a number nor a literal is read as a string without quotes.
    """
    number = _lex_number(text, start)
    if number is not None:
        return number
    phrase = phrase_at(text, start)
    return _lex_synonym(phrase, start) or _lex_unknown(phrase, start)


def phrase_at(text: str, start: int, max_length: int | None = None) -> str:
    """Return the words without quotes at `start`, or one character. They may contain words in brackets.

    Of longer words than `max_length`, about this length is read: a line may have thousands of values.
    """
    end = len(text) if max_length is None else start + max_length
    match = _WITH_COLON.match(text, start, end) or _PHRASE.match(text, start, end)
    if match is None:
        return text[start]
    end = match.end()
    while (bracket := _IN_BRACKETS.match(text, end)) is not None and end - start < MAX_PHRASE:
        more = _MORE_WORDS.match(text, bracket.end())
        end = bracket.end() if more is None else more.end()
    return text[start:end]


def has_colon(text: str, start: int) -> bool:
    """Return whether words without quotes contain a colon: words, and no value, follow it on its line."""
    return _WITH_COLON.match(text, start) is not None


def is_url(text: str, end: int) -> bool:
    """Return whether a word before an offset is the scheme of a URL."""
    return text.startswith("://", end)


def _lex_synonym(phrase: str, start: int) -> Token | None:
    """Read a literal of another language, such as `None`, or a valid one of JSON."""
    folded = phrase.casefold()
    if folded not in _SYNONYMS:
        return None
    value = _SYNONYMS[folded]
    span = Span(start, start + len(phrase))
    if phrase == _JSON[value]:
        return Token(TokenKind.VALUE, *span, value)
    new = _JSON[value]
    is_safe = phrase.lower() in {"true", "false", "null", "none"}
    error = FaultKind.FOREIGN_LITERAL.at(span, Edit(span, new), is_safe=is_safe, old=phrase, new=new)
    return Token(TokenKind.VALUE, *span, value, (error,))


def _lex_unknown(phrase: str, start: int) -> Token:
    span = Span(start, start + len(phrase))
    value = encodable(phrase)
    if not phrase[:1].isprintable() or (len(phrase) == 1 and not _is_content(phrase)):
        character = phrase if phrase.isprintable() else f"U+{ord(phrase[0]):04X}"
        error = FaultKind.CHARACTER.at(span, Edit(span, ""), is_doubtful=True, character=character)
        kind = TokenKind.PARENTHESIS if phrase in {"(", ")"} else TokenKind.NOISE
        return Token(kind, *span, value, (error,))
    quoted = as_json(phrase)
    new = as_json(value)
    other = _OTHER_READINGS.get(phrase.casefold(), "")
    error = FaultKind.UNKNOWN_VALUE.at(
        span, Edit(span, new), is_safe=_is_word(phrase) and not other and not is_omission(phrase),
        is_doubtful=len(phrase) == 1, group="text" if quoted[1:-1] == phrase and not other else "",
        old=shorten(phrase), new=shorten(new), command=replacement(quoted, phrase),
        other=f", or {other}" if other else "",
    )  # fmt: skip
    return Token(TokenKind.VALUE, *span, value, (error,))


def _is_content(character: str) -> bool:
    """Return whether a character alone may be a part of a text: a letter, a digit, a unit."""
    return character.isalnum() or character in "%\u2030" or unicodedata.category(character) in _SYMBOLS


def lex_name(match: re.Match[str]) -> Token:
    """Read a name without quotes, a match of `UNQUOTED_NAME`."""
    span = Span(*match.span())
    name = encodable(match[0])
    old = name[:MAX_SHOWN]
    new = f'"{old}"'
    error = FaultKind.NAME_WITHOUT_QUOTES.at(
        span, Edit(span, as_json(name)), is_safe=_is_word(name), group="name",
        old=old, new=new, command=replacement(new, old),
    )  # fmt: skip
    return Token(TokenKind.NAME, *span, name, (error,))


def _is_word(text: str) -> bool:
    """Return whether a text without quotes can only be meant as the same text with quotes."""
    return text.replace("_", "").replace("-", "").isalnum()


def _lex_number(text: str, start: int) -> Token | None:
    match = _NUMBER_LIKE.match(text, start)
    if match is None or _AFTER_NUMBER.match(text, match.end()) is None:
        return None
    span = Span(start, match.end())
    digits = match.group()
    if _NUMBER.fullmatch(digits):
        value = _number(digits)
        if not isinf(float(digits)):
            return Token(TokenKind.VALUE, *span, value)
        new = as_json(value)
        return Token(TokenKind.VALUE, *span, value, (FaultKind.HUGE_NUMBER.at(span, Edit(span, new), new=new),))
    corrected = _correct_number(digits)
    kind = FaultKind.UNCLEAR_NUMBER if corrected is None else FaultKind.NUMBER
    new = as_json(digits) if corrected is None else corrected
    frame = digits.replace(new, "…")
    error = kind.at(
        span, Edit(span, new), is_safe=corrected is not None and _DECIMAL.fullmatch(digits) is not None,
        is_doubtful='"' in digits, group="" if frame == digits or re.search(r"\w", frame) else frame,
        old=shorten(digits), new=shorten(new), command=replacement(new, digits),
    )  # fmt: skip
    return Token(TokenKind.VALUE, *span, digits if corrected is None else _number(corrected), (error,))


def _number(digits: str) -> int | float:
    """Return the number. One that overflows a double becomes the largest double."""
    number = float(digits)
    if isinf(number):
        return copysign(sys.float_info.max, number)
    is_fraction = any(mark in digits for mark in ".eE")
    return number if is_fraction else int(digits)


def _correct_number(digits: str) -> str | None:
    """Return a valid number that is close to an invalid one, or None."""
    digits = digits.replace("_", "").replace('"', "")
    if digits.lstrip("+-")[:2] in {"0x", "0X"}:
        return str(int(digits[:200], 16))
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
