"""Words for what is broken: every repair as a fault with a hint."""

from __future__ import annotations

from rui_common.syntax.recovery.indentation import ROOT
from rui_common.syntax.recovery.lexer import END, NAME, STRING, VALUE
from rui_common.syntax.recovery.repairs import AFTER_COLON, CLOSERS, COLON, NEXT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rui_common.syntax.recovery.indentation import Level
    from rui_common.syntax.recovery.lexer import Token
    from rui_common.syntax.recovery.repairs import Repair

    # What a fault says, and how to mend it.
    Words = tuple[str, str]

_NAMES = {"{": "object", "[": "array", ROOT: "document"}
_MARKS = {",": "comma", ":": "colon"}
MAX_CLOSERS = 60
"""Brackets that a hint names at most."""


def error_message(repair: Repair, level: Level, token: Token, dropped: str, first_line: int) -> Words:
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
        return f"Expected {mark} before this", f"Put {mark} here, where the {_NAMES[mark]} begins."
    if name == "replace":
        return _replaced(mark, level, token, first_line)
    if name in {"delete", "convert"}:
        return _deleted(level, token) if name == "delete" else _converted(level)
    if name == "close":
        return _closed(repair, level, first_line)
    message, hint = _PLAIN[name, bool(mark)]
    words = message.format(mark=_MARKS.get(mark, mark), token=shown(token), dropped=dropped)
    return words, hint.format(mark=mark, dropped=dropped)


def never_closed(levels: Sequence[Level], state: str, first_line: int, quote: str = "") -> Words:
    """What to say where the text ends although objects and arrays are open.

    Args:
        levels: what is open; the innermost comes first.
        state: what that waits for (`rui_common.syntax.recovery.repairs`).
        first_line: the number of the first line of the text.
        quote: what closes the string that the text ends in, or ``""``.
    """
    closers = "".join(CLOSERS[level.kind] for level in levels)
    some = closers if len(closers) <= MAX_CLOSERS else closers[: MAX_CLOSERS - 1] + "…"
    message = f"{len(levels)} objects and arrays are never closed: expected {some}"
    first, where = levels[0], ""
    if len(levels) == 1:
        message = f"This {_NAMES[first.kind]} is never closed: expected {closers}"
        where = _for_what(first, first_line)
    elif first.line >= 0:
        where = f"; the innermost is the {first.kind} in line {first.line + first_line}"
    rest = " If the text was cut off, the whole of it is needed." if len(levels) > 1 or quote else ""
    if state == NEXT and not quote:
        return message, f"Write {some} instead of the comma at the end{where}.{rest}"
    value = {COLON: ": null", AFTER_COLON: "null"}.get(state, "")
    if value and not quote.strip(' "'):
        where = ", with the value of the property instead of null"
    return message, f"Add {quote}{value}{some}{where}.{rest}"


def _closed(repair: Repair, level: Level, first_line: int) -> Words:
    """What to say of objects and arrays that are not closed before a token."""
    count = int(repair.mark[0])
    inner, kinds = level, [level.kind]
    while len(kinds) < count and inner.parent is not None:
        inner = inner.parent
        kinds.append(inner.kind)
    closers = "".join(CLOSERS[kind] for kind in kinds)
    message = f"This {_NAMES[level.kind]} is never closed: expected {CLOSERS[level.kind]}"
    for_what = _for_what(level, first_line)
    if repair.mark.endswith("-"):
        return message, f"Write {closers} instead of the comma before this{for_what}."
    if repair.mark.endswith(","):
        return message, f"Add {closers} and a comma{for_what}."
    return message, f"Add {closers}{' before the comma' if repair.state == NEXT else ''}{for_what}."


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
    there = token.kind if token.kind in _MARKS or token.kind in "{}[]" else shown(token)
    return f"Expected {_MARKS.get(mark, mark)} instead of {shown(token)}", f"Write {mark} instead of {there}{for_what}."


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
    hint = f"Write {other} instead of {level.kind}: what follows are {contents}."
    return f"Expected {other} instead of {level.kind}", hint


# By the name of the repair, and whether it has a mark.
_PLAIN = {
    ("no value", False): ("Expected a value before {token}", "Put the value of the property here, for example null."),
    ("no value", True): (
        "Expected a value before {token}",
        "Put the value of the property and a comma here, for example null,",
    ),
    ("no name", False): ("Expected a property name", 'Write a name in double quotes, as in "name": value.'),
    ("no colon", False): ("Unexpected colon", "Remove it."),
    ("no colon", True): ("Expected {mark} instead of colon", "Write {mark} instead of :"),
    ("uncomma", False): ("Unexpected comma before {token}", "Remove the comma."),
    ("wrap", False): ("Expected [ before this: the array is never opened", "Put [ here, where the array begins."),
    ("unopen", False): ("Unexpected {dropped}", "Remove the {dropped}; nothing closes it."),
    ("unwrap", False): ("Unexpected {dropped}", "Remove the {dropped}; nothing closes it."),
    ("reopen", False): ("Unexpected {dropped}", "Remove the {dropped}; what follows belongs inside."),
    ("reopen", True): (
        "Expected {mark} instead of {dropped}",
        "Write {mark} instead of {dropped}; what follows belongs inside.",
    ),
}
