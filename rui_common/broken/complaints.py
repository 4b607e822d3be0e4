"""Words for what is broken: every repair as a fault with a hint."""

from __future__ import annotations

from rui_common.broken.layout import ROOT
from rui_common.broken.repairs import CLOSERS
from rui_common.broken.tokens import END, NAME, STRING, VALUE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rui_common.broken.layout import Level
    from rui_common.broken.repairs import Repair
    from rui_common.broken.tokens import Token

    # What a fault says, and how to mend it.
    Words = tuple[str, str]

_NAMES = {"{": "object", "[": "array", ROOT: "document"}
_MARKS = {",": "comma", ":": "colon"}


def complaint(repair: Repair, level: Level, token: Token, dropped: str, first_line: int) -> Words:
    """What to say of a repair.

    Args:
        repair: the repair.
        level: the innermost object or array that was open.
        token: the token that could not stand there.
        dropped: the mark that the repair takes away, or ``""``.
        first_line: the number of the first line of the text.
    """
    name, mark = repair.name, repair.mark
    if name == "insert" and mark in _MARKS:
        where = "value before it" if mark == "," else "name of the property"
        return f"Expected {_MARKS[mark]}", f"Put a {_MARKS[mark]} behind the {where}."
    if name == "insert":
        return f"Expected {mark} before this", f"Put {mark} where the {_NAMES[mark]} begins."
    if name == "replace":
        return _replaced(mark, level, token, first_line)
    if name in {"delete", "convert"}:
        return _deleted(level, token) if name == "delete" else _converted(level)
    if name == "close":
        return never_closed([level], first_line)
    message, hint = _PLAIN[name, bool(mark)]
    words = message.format(mark=_MARKS.get(mark, mark), token=shown(token), dropped=dropped)
    return words, hint.format(mark=mark, dropped=dropped)


def never_closed(levels: Sequence[Level], first_line: int) -> Words:
    """What to say of objects and arrays that are not closed; the innermost comes first."""
    closers = "".join(CLOSERS[level.kind] for level in levels)
    first = levels[0]
    if len(levels) == 1:
        message = f"This {_NAMES[first.kind]} is never closed: expected {closers}"
        return message, f"Add {closers}{_for_what(first, first_line)}."
    some = closers if len(closers) <= 20 else closers[:19] + "…"
    hint = f"Add {some}."
    if first.line >= 0:
        hint = f"Add {some}; the innermost is the {first.kind} in line {first.line + first_line}."
    return f"{len(levels)} objects and arrays are never closed: expected {some}", hint


def shown(token: Token) -> str:
    """A token, the way a message names it."""
    if token.kind in _MARKS:
        return _MARKS[token.kind]
    if token.kind in {STRING, NAME}:
        text = str(token.value)
        return f'"{text if len(text) <= 40 else text[:39] + "…"}"'
    if token.kind == VALUE:
        return str(token.value)[:40] if token.is_word and token.value is not None else "value"
    return "end of the text" if token.kind == END else token.kind


def _replaced(mark: str, level: Level, token: Token, first_line: int) -> Words:
    closes = mark in "}]" and level.kind != ROOT
    for_what = _for_what(level, first_line) if closes else ""
    return f"Expected {_MARKS.get(mark, mark)} instead of {shown(token)}", f"Write {mark}{for_what}."


def _for_what(level: Level, first_line: int) -> str:
    """Which bracket is to be closed; a bracket that was put in before the first line stands in no line."""
    return f" for the {level.kind} in line {level.line + first_line}" if level.line >= 0 else ""


def _deleted(level: Level, token: Token) -> Words:
    if token.kind == "," and level.kind != ROOT:
        wanted = "property" if level.kind == "{" else "value"
        return f"Unexpected comma: expected a {wanted}", f"Remove the comma, or write a {wanted}."
    if token.kind in "}]":
        return f"Unexpected {token.kind}", f"Remove the {token.kind}; nothing is open here that it closes."
    return f"Unexpected {shown(token)}", "Remove it."


def _converted(level: Level) -> Words:
    other = "[" if level.kind == "{" else "{"
    contents = "elements" if other == "[" else "properties"
    return f"Expected {other} instead of {level.kind}", f"Write {other} here: what follows are {contents}."


# By the name of the repair, and whether it has a mark.
_PLAIN = {
    ("no value", False): ("Expected a value before {token}", "Write the value of the property."),
    ("no value", True): ("Expected a value before {token}", "Write the value of the property, and a comma."),
    ("no name", False): ("Expected a property name", 'Write a name in double quotes, as in "name": value.'),
    ("no colon", False): ("Unexpected colon", "Remove it."),
    ("no colon", True): ("Expected {mark} instead of colon", "Write {mark}"),
    ("uncomma", False): ("Unexpected comma before {token}", "Remove the comma."),
    ("wrap", False): ("Expected [ before this: the array is never opened", "Put [ where the array begins."),
    ("unopen", False): ("Unexpected {dropped}", "Remove the {dropped}; nothing closes it."),
    ("unwrap", False): ("Unexpected {dropped}", "Remove the {dropped}; nothing closes it."),
    ("reopen", False): ("Unexpected {dropped}", "Remove the {dropped}; what follows belongs inside."),
    ("reopen", True): (
        "Expected {mark} instead of {dropped}",
        "Write {mark}; what follows belongs inside.",
    ),
}
