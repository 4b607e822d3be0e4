"""Messages and hints of repairs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from rui_common.syntax.line_index import LineIndex
from rui_common.syntax.recovery.containers import Level
from rui_common.syntax.recovery.grammar import CLOSERS, NO_VALUE, ROOT, State
from rui_common.syntax.recovery.lexer import Token, TokenKind
from rui_common.syntax.recovery.repairs import Place, Repair
from rui_common.syntax.recovery.strings import MAX_DISPLAY, shorten

# (message, hint) of an error.
Words = tuple[str, str]

_LEVEL_NAMES = {"{": "object", "[": "array", ROOT: "document"}
_MARK_NAMES = {",": "comma", ":": "colon", TokenKind.END: "end of the text"}
MAX_CLOSERS = 60
"""Maximum number of brackets in a message."""


class Cut(NamedTuple):
    """The string, word or number that a text ends within.

    Attributes:
        kind: what it is, for a message; ``""`` if the text ends between two tokens.
        completed: the text that completes it.
        partial: the end of the text that `completed` replaces; ``""`` if it is appended.
    """

    kind: str
    completed: str
    partial: str

    @property
    def quote(self) -> str:
        """The quote that is missing at the end, or ``""``."""
        if self.completed == '"':
            return self.completed
        return ""


NO_CUT = Cut("", "", "")


def describe_repair(repair: Repair, old: str, level: Level, state: str, token: Token, lines: LineIndex) -> Words:
    """Return the message and the hint of a repair at `token`; `old` is the text in its place, `level` around it."""
    place = repair.place
    marks = repair.marks
    if place == Place.AT:
        return _describe_replacement(marks, level, state, token, lines)
    if place == Place.MEMBER or (place == Place.BEFORE and not set(marks) & set(CLOSERS.values())):
        return _describe_insertion(marks or "[", state, token)
    if place == Place.BEFORE or (place == Place.COMMA and marks):
        return _describe_closing(marks, state, level, lines)
    if place == Place.COMMA:
        return f"Unexpected comma before {display(token)}", "Remove the comma."
    old_name = _MARK_NAMES.get(old, old)
    inside = "; the text after it belongs inside" if place == Place.CLOSER else ""
    if not marks:
        return f"Unexpected {old_name}", f"Remove the {old}{inside}."
    return f"Expected {_MARK_NAMES.get(marks, marks)} instead of {old_name}", f"Write {marks} instead of {old}{inside}."


def _describe_value(marks: str, state: str, token: Token) -> Words:
    """Return the message and the hint for a missing value, perhaps with a missing colon or comma."""
    message = f"Expected a value before {display(token)}"
    missing = "the value of the property"
    example = "null"
    if state == State.COLON:
        message = f"Expected colon and a value before {display(token)}"
        missing = f"a colon and {missing}"
        example = ": null"
    if marks.endswith(","):
        return message, f"Put {missing} and a comma here, for example {example},"
    return message, f"Put {missing} here, for example {example}."


def never_closed(levels: Sequence[Level], state: str, cut: Cut, lines: LineIndex) -> Words:
    """Return the message and the hint for a text that ends within objects and arrays, the innermost first."""
    closers = "".join(CLOSERS[level.kind] for level in levels)
    value = {State.COLON: ": null", State.VALUE: "null"}.get(state, "")
    message = f"{len(levels)} objects and arrays are never closed: expected "
    if len(levels) == 1:
        message = f"This {_LEVEL_NAMES[levels[0].kind]} is never closed: expected "
    if cut.kind:
        message = f"The text ends within {cut.kind}, and {message[0].lower()}{message[1:]}{cut.quote}"
    message += closers
    if len(closers) > MAX_CLOSERS:
        message = f"{message[: MAX_CLOSERS - len(closers) - 1]}…"
    missing = f"{cut.completed}{value}{closers}"
    details = ""
    if value:
        details = ", with the value of the property instead of null"
    elif len(levels) > 1:
        details = f"; the innermost is the {levels[0].kind} in line {lines.line_of(levels[0].start) + 1}"
    elif not cut.kind:
        details = _for_level(levels[0], lines)
    if len(levels) > 1 or cut.kind:
        details += ". If the text was cut off, the whole of it is needed"
    if cut.partial:
        return message, f"Write {missing} instead of {cut.partial} at the end{details}."
    if state == State.NEXT and not cut.kind:
        return message, f"Write {missing} instead of the comma at the end{details}."
    return message, f"Add {missing}{details}."


def describe_rest(token: Token, *, has_document: bool) -> Words:
    """Return the message and the hint for the text from `token` on, after the end of the root."""
    if not has_document:
        message = f"Unexpected {display(token)} after the end of the document"
        return message, "A document is one value; remove the text after it."
    hint = "A request or a file contains one document. Send each document by itself"
    if token.kind in {"{", "["}:
        return "A second document begins here", f"{hint}."
    return "Unexpected text and a second document after the document", f"{hint}, without the text between them."


def display(token: Token) -> str:
    """Return a token as messages name it."""
    if token.is_quote:
        return '"'
    if token.kind in {TokenKind.STRING, TokenKind.NAME}:
        return f'"{shorten(str(token.value))}"'
    if token.kind != TokenKind.VALUE:
        return _MARK_NAMES.get(token.kind, token.kind)
    if token.is_word and token.value is not None:
        return str(token.value)[:MAX_DISPLAY]
    is_short = isinstance(token.value, int) or token.value is None
    return shorten(json.dumps(token.value)) if is_short else "value"


def _describe_insertion(mark: str, state: str, token: Token) -> Words:
    """Return the message and the hint for missing marks."""
    if NO_VALUE in mark:
        return _describe_value(mark, state, token)
    if mark == ",":
        return "Expected comma", "Put a comma after the value before it."
    if mark == ":":
        return "Expected colon", "Put a colon after the name of the property."
    return f"Expected {mark} before this", f"Put {mark} here, where the {_LEVEL_NAMES[mark]} begins."


def _describe_closing(marks: str, state: str, level: Level, lines: LineIndex) -> Words:
    closers = marks.strip(f":{NO_VALUE},")
    message = f"This {_LEVEL_NAMES[level.kind]} is never closed: expected {CLOSERS[level.kind]}"
    where = _for_level(level, lines)
    has_comma = marks.endswith(",")
    if state == State.NEXT and not has_comma:
        return message, f"Write {closers} instead of the comma before this{where}."
    if state == State.NEXT:
        return message, f"Add {closers} before the comma{where}."
    if has_comma:
        return message, f"Add {closers} and a comma{where}."
    return message, f"Add {closers}{where}."


def _describe_replacement(mark: str, level: Level, state: str, token: Token, lines: LineIndex) -> Words:
    if not mark:
        return _describe_deletion(level, token)
    old = display(token)
    new = _MARK_NAMES.get(mark, mark)
    where = ""
    if mark in "}]" and level.kind != ROOT:
        where = _for_level(level, lines)
    old_mark = token.kind if token.kind in _MARK_NAMES else old
    message = f"Expected {new} instead of {old}"
    if state == State.NEXT and mark in "}]":
        return message, f"Remove the comma before this, and write {mark} instead of {old_mark}{where}."
    return message, f"Write {mark} instead of {old_mark}{where}."


def _for_level(level: Level, lines: LineIndex) -> str:
    """Return which bracket is closed."""
    return f" for the {level.kind} in line {lines.line_of(level.start) + 1}"


def _describe_deletion(level: Level, token: Token) -> Words:
    if token.kind == "," and level.kind != ROOT:
        expected = "property" if level.kind == "{" else "value"
        return f"Unexpected comma: expected a {expected}", f"Remove the comma, or write a {expected}."
    if token.is_quote:
        return "Unexpected quote", 'Remove the ".'
    if token.kind in "}]":
        return f"Unexpected {token.kind}", f"Remove the {token.kind}; no bracket is open that it closes."
    return f"Unexpected {display(token)}", "Remove it."
