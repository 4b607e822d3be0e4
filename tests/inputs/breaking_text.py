"""Valid texts broken as agents and people break JSON: each break is one mistake, made once or everywhere.

These breaks change the text; those of `tests/inputs/breaking.py` change the value.
"""

import json
import random
import re
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from tests.inputs.sample import sample_text

Json = Any
Random = random.Random
Breaker = Callable[[str, Random], str]

_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]')
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_NAME = re.compile(r'"(\w+)"(?=\s*:)')
_WORDS = re.compile(r'"\w[^"\\]* [^"\\]*"(?=\s*[,}\]])')


def _marks(text: str, marks: str) -> list[int]:
    """Return the offsets of these marks outside of strings."""
    return [match.start() for match in _TOKENS.finditer(text) if match[0] in marks and match[0] != '"']


def _replaced(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


def _one(marks: str, new: str) -> Breaker:
    """Replace one of these marks."""

    def apply(text: str, chance: Random) -> str:
        offset = chance.choice(_marks(text, marks))
        return _replaced(text, offset, offset + 1, new)

    return apply


def _one_match(pattern: re.Pattern[str], new: Callable[[str], str]) -> Breaker:
    def apply(text: str, chance: Random) -> str:
        match = chance.choice(list(pattern.finditer(text)))
        return _replaced(text, *match.span(), new(match[0]))

    return apply


def _every_match(pattern: re.Pattern[str], new: Callable[[str], str]) -> Breaker:
    return lambda text, _: pattern.sub(lambda match: new(match[0]), text)


def _trailing_comma(text: str, chance: Random) -> str:
    closers = [offset for offset in _marks(text, "}]") if text[:offset].rstrip()[-1] not in "{["]
    offset = len(text[: chance.choice(closers)].rstrip())
    return _replaced(text, offset, offset, ",")


def _open_end(text: str, chance: Random) -> str:
    for _ in range(chance.randint(1, 3)):
        text = text.rstrip()[:-1]
    return text


def _cut(text: str, chance: Random) -> str:
    return text[: chance.randrange(len(text) // 4, len(text) - 10)]


def _comments(text: str, chance: Random) -> str:
    for _ in range(chance.randint(1, 3)):
        lines = text.split("\n")
        line_number = chance.randrange(len(lines))
        lines[line_number] += chance.choice((" // the orders", " # the orders", " /* the orders */"))
        text = "\n".join(lines) if len(lines) > 1 else "/* the orders */ " + text
    return text


def _word(text: str, chance: Random) -> str:
    offset = text.index('"meta"')
    offset = text.index("{", offset) + 1
    return _replaced(text, offset, offset, f'"draft": {chance.choice(("True", "False", "None", "NaN", "undefined"))}, ')


def _raw_control(text: str, chance: Random) -> str:
    match = chance.choice(list(_WORDS.finditer(text)))
    offset = text.index(" ", match.start())
    return _replaced(text, offset, offset + 1, chance.choice(("\n", "\n", "\t")))


def _quoted_word(string: str) -> str:
    words = string[1:-1].split(" ")
    return '"' + " ".join([words[0], f'"{words[1]}"', *words[2:]]) + '"'


def _surrounded(*pairs: tuple[str, str]) -> Breaker:
    def apply(text: str, chance: Random) -> str:
        prefix, suffix = chance.choice(pairs)
        return prefix + text + suffix

    return apply


def _single(string: str) -> str:
    return f"'{string[1:-1]}'"


def _curly(string: str) -> str:
    return f"“{string[1:-1]}”"


TEXT_BREAKS: dict[str, Breaker] = {
    "trailing comma": _trailing_comma,
    "comma missing": _one(",", ""),
    "colon missing": _one(":", ""),
    "a bracket missing": _one("}]", ""),
    "an opening bracket missing": _one("{[", ""),
    "brackets mixed up": _one("}", "]"),
    "end missing": _open_end,
    "cut off": _cut,
    "= for :": _one(":", " ="),
    "; for ,": _one(",", ";"),
    "one string in single quotes": _one_match(_STRING, _single),
    "all strings in single quotes": _every_match(_STRING, _single),
    "one string in curly quotes": _one_match(_STRING, _curly),
    "all strings in curly quotes": _every_match(_STRING, _curly),
    "one name without quotes": _one_match(_NAME, lambda name: name[1:-1]),
    "all names without quotes": _every_match(_NAME, lambda name: name[1:-1]),
    "last quote missing": _one_match(_STRING, lambda string: string[:-1]),
    "first quote missing": _one_match(_STRING, lambda string: string[1:]),
    "quotes in a string": _one_match(_WORDS, _quoted_word),
    "line break or tab in a string": _raw_control,
    "backslash in a string": _one_match(_WORDS, lambda string: string.replace(" ", " \\d", 1)),
    "comments": _comments,
    "... left in": _one("}", ", ... }"),
    "True, None, NaN": _word,
    "hard space": _one(":", ":\u00a0"),
    "code fence": _surrounded(("```json\n", "\n```"), ("```\n", "\n```\n")),
    "words around": _surrounded(
        ("Here is the RUI:\n\n", ""), ("Here is the RUI: ", ""), ("", "\n\nLet me know if it helps."),
        ("Sure!\n\n```json\n", "\n```\n\nIt has a page for each list."), ("const rui = ", ";\n")),
    "document twice": lambda text, chance: text + chance.choice(("", "\n", "\n\n")) + text,
    "two byte-order marks": lambda text, _: "\ufeff\ufeff" + text,
    "document in an object": lambda text, chance: json.dumps(
        {chance.choice(("rui", "document", "spec", "body")): json.loads(text)}, indent=2),
    "document in an array": _surrounded(("[", "]")),
    "document as a string": lambda text, _: json.dumps(text),
    "document as a string in an object": lambda text, chance: json.dumps(
        {chance.choice(("rui", "document")): text}),
}  # fmt: skip
"""Breaks by name: (text of a valid document, chance) → broken text."""

OMITTING = "... left in"
"""The break that says that something is left out: only the author can write it, so no hint repairs it."""

LOSING = ("cut off",)
"""The breaks that remove part of the document. No hint can restore it, so fixing ends with a valid rest."""


@st.composite
def broken_texts(draw: st.DrawFn) -> str:
    """Draw a document whose text and content are broken in up to four ways."""
    chance = random.Random(draw(st.integers(0, 10_000)))
    text = sample_text(1_500, seed=draw(st.integers(0, 20)), indent=draw(st.sampled_from([2, None])))
    text = text.replace('"label"', draw(st.sampled_from(['"label"', '"lable"'])), 1)
    for name in draw(st.lists(st.sampled_from(sorted(TEXT_BREAKS)), max_size=4)):
        try:
            text = TEXT_BREAKS[name](text, chance)
        except (ValueError, IndexError):  # nothing is left that this break could change
            continue
    return text
