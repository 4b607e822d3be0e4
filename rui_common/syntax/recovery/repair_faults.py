"""The faults that repairs report: their words and edits, one function per kind."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from rui_common.syntax.errors import FaultKind, SyntaxFault
from rui_common.syntax.recovery.builder import Builder
from rui_common.syntax.recovery.containers import Level
from rui_common.syntax.recovery.grammar import CLOSERS, NO_VALUE, ROOT, State
from rui_common.syntax.recovery.lexer import Token, TokenKind
from rui_common.syntax.recovery.repairs import Place, Repair
from rui_common.syntax.recovery.token_faults import MAX_DISPLAY, shorten
from rui_common.syntax.spans import Edit, Span

_LEVEL_NAMES = {"{": "object", "[": "array", ROOT: "document"}
_MARK_NAMES = {",": "comma", ":": "colon", TokenKind.END: "end of the text"}
_NULLS = {State.COLON: ": null", State.VALUE: "null"}
"""What completes a property, by state."""
MAX_CLOSERS = 60
"""Maximum number of brackets in a message."""


class Cut(NamedTuple):
    """The string, word or number that a text ends within.

    Attributes:
        kind: what it is, for a message; ``""`` if the text ends between two tokens.
        completed: the text that completes it.
        partial: the end of the text that `completed` replaces; ``""`` if it is appended.
        edits: the changes of the text up to its end.
    """

    kind: str
    completed: str
    partial: str
    edits: tuple[Edit, ...]

    @property
    def quote(self) -> str:
        """The quote that is missing at the end, or ``""``."""
        if self.completed == '"':
            return self.completed
        return ""


NO_CUT = Cut("", "", "", ())


def fault_of(repair: Repair, token: Token, builder: Builder) -> SyntaxFault:
    """Return the fault that a repair at `token` reports; `builder` has read the text before it."""
    place, marks, _ = repair
    if place == Place.AT:
        return _wrong_token(token, marks, builder) if marks else _superfluous_token(token, builder)
    if place == Place.MEMBER:
        start = builder.container.members[-1].start
        return _missing_opener("[", Span(start, start + 1))
    if place == Place.BEFORE or (place == Place.COMMA and marks):
        is_closer = set(marks) & set(CLOSERS.values())
        return _missing_closer(repair, token, builder) if is_closer else _missing_mark(token, marks, builder)
    if place == Place.COMMA:
        return _comma_before_closer(token, builder)
    return _wrong_mark(repair, token, builder)


def span_of(token: Token) -> Span:
    """Return the range of an error at a token."""
    if token.kind in {TokenKind.STRING, TokenKind.NAME, TokenKind.VALUE}:
        return Span(token.start, token.end)
    return Span(token.start, min(token.start + 1, token.end))


# Missing marks --------------------------------------------------------------------------------------------------------


def _missing_mark(token: Token, marks: str, builder: Builder) -> SyntaxFault:
    span = span_of(token)
    if NO_VALUE in marks:
        return _missing_value(token, marks, builder)
    if marks in CLOSERS:
        return _missing_opener(marks, span)
    edit = Edit(Span(builder.offset, builder.offset), marks)
    if marks == ",":
        hint = "Put a comma after the value before it."
        return SyntaxFault(span, FaultKind.MISSING_COMMA, "Expected comma", hint, "Add a comma", (edit,), is_safe=True)
    hint = "Put a colon after the name of the property."
    return SyntaxFault(span, FaultKind.MISSING_COLON, "Expected colon", hint, "Add a colon", (edit,), is_safe=True)


def _missing_opener(mark: str, span: Span) -> SyntaxFault:
    return SyntaxFault(
        span, FaultKind.MISSING_OPENER, f"Expected {mark} before this",
        f"Put {mark} here, where the {_LEVEL_NAMES[mark]} begins.",
        f"Put {mark} here", (Edit(Span(span.start, span.start), mark),),
    )  # fmt: skip


def _missing_value(token: Token, marks: str, builder: Builder) -> SyntaxFault:
    message = f"Expected a value before {display(token)}"
    missing = "the value of the property"
    if builder.state == State.COLON:
        message = f"Expected colon and a value before {display(token)}"
        missing = f"a colon and {missing}"
    comma = "," if marks.endswith(",") else ""
    and_comma = " and a comma" if comma else ""
    example = f"{_NULLS[builder.state]}{comma}"
    hint = f"Put {missing}{and_comma} here, for example {example}" + ("" if comma else ".")
    return SyntaxFault(
        span_of(token), FaultKind.MISSING_VALUE, message, hint,
        f"Add {example} for now", (Edit(Span(builder.offset, builder.offset), _spaced(example)),),
    )  # fmt: skip


def _spaced(text: str) -> str:
    return f" {text}" if text.startswith("null") else text


def _missing_closer(repair: Repair, token: Token, builder: Builder) -> SyntaxFault:
    level = builder.container
    closers = repair.marks.strip(f":{NO_VALUE},")
    missing = f"{_NULLS.get(builder.state, '')}{closers}"
    has_comma = repair.marks.endswith(",")
    comma = Span(level.comma, level.comma + 1)
    where = _for_level(level, builder)
    if repair.place == Place.BEFORE:
        title = f"Add {missing}{' and a comma' if has_comma else ''}"
        edit = Edit(Span(builder.offset, builder.offset), _spaced(missing) + ("," if has_comma else ""))
    elif has_comma:
        title = f"Add {missing} before the comma"
        edit = Edit(Span(comma.start, comma.start), missing)
    else:
        title = f"Write {missing} instead of the comma"
        edit = Edit(comma, missing)
        where = f" before this{where}"
    message = f"This {_LEVEL_NAMES[level.kind]} is never closed: expected {CLOSERS[level.kind]}"
    return SyntaxFault(span_of(token), FaultKind.MISSING_CLOSER, message, f"{title}{where}.", title, (edit,))


def _for_level(level: Level, builder: Builder) -> str:
    """Return which bracket is closed."""
    return f" for the {level.kind} in line {builder.lines.line_of(level.start) + 1}"


# Superfluous and wrong marks ------------------------------------------------------------------------------------------


def _comma_before_closer(token: Token, builder: Builder) -> SyntaxFault:
    span = Span(builder.container.comma, builder.container.comma + 1)
    return SyntaxFault(
        span, FaultKind.SUPERFLUOUS_COMMA, f"Unexpected comma before {display(token)}", "Remove the comma.",
        "Remove the comma", (Edit(span, ""),), is_safe=True,
    )  # fmt: skip


def superfluous_comma(token: Token, level: Level) -> SyntaxFault:
    """A comma where a property or value is expected."""
    span = span_of(token)
    expected = "property" if level.kind == "{" else "value"
    message = f"Unexpected comma: expected a {expected}"
    hint = f"Remove the comma, or write a {expected}."
    return SyntaxFault(
        span, FaultKind.SUPERFLUOUS_COMMA, message, hint, "Remove the comma", (Edit(span, ""),), is_safe=True
    )


def _superfluous_token(token: Token, builder: Builder) -> SyntaxFault:
    if token.kind == "," and builder.container.kind != ROOT:
        return superfluous_comma(token, builder.container)
    message = f"Unexpected {display(token)}"
    title = f"Remove {display(token)}"
    hint = "Remove it."
    if token.is_quote:
        message = "Unexpected quote"
        title = 'Remove the "'
        hint = f"{title}."
    elif token.kind in "}]":
        title = f"Remove the {token.kind}"
        hint = f"{title}; no bracket is open that it closes."
    edit = Edit(Span(token.start, token.end), "")
    return SyntaxFault(span_of(token), FaultKind.SUPERFLUOUS_TOKEN, message, hint, title, (edit,))


def _wrong_token(token: Token, mark: str, builder: Builder) -> SyntaxFault:
    old = display(token)
    level = builder.container
    message = f"Expected {_MARK_NAMES.get(mark, mark)} instead of {old}"
    title = f"Write {mark}"
    hint = f"{title} instead of {token.kind if token.kind in _MARK_NAMES else old}"
    edits = [Edit(Span(token.start, token.end), mark)]
    if builder.state == State.NEXT and mark in "}]":
        hint = f"Remove the comma before this, and w{hint[1:]}"
        edits.insert(0, Edit(Span(level.comma, level.comma + 1), ""))
    if mark in "}]" and level.kind != ROOT:
        hint += _for_level(level, builder)
    return SyntaxFault(span_of(token), FaultKind.WRONG_MARK, message, f"{hint}.", title, tuple(edits))


def _wrong_mark(repair: Repair, token: Token, builder: Builder) -> SyntaxFault:
    """A colon after the token, or a bracket that was read before."""
    span = Span(builder.container.start, builder.container.start + 1)
    edits: tuple[Edit, ...] = (Edit(span, repair.marks),)
    rest = ""
    if repair.place == Place.COLON:
        colon = builder.lexer.at(token.end)
        span = Span(colon.start, colon.end)
        edits = (Edit(span, repair.marks),)
    elif repair.place == Place.CLOSER:
        span, edits = _wrong_closer(repair.marks, builder)
        rest = "; the text after it belongs inside"
    new = repair.marks
    old = builder.text[slice(*span)]
    name = _MARK_NAMES.get(old, old)
    if not new:
        title = f"Remove the {old}"
        return SyntaxFault(span, FaultKind.SUPERFLUOUS_TOKEN, f"Unexpected {name}", f"{title}{rest}.", title, edits)
    message = f"Expected {_MARK_NAMES.get(new, new)} instead of {name}"
    title = f"Write {new}"
    return SyntaxFault(span, FaultKind.WRONG_MARK, message, f"{title} instead of {old}{rest}.", title, edits)


def _wrong_closer(new: str, builder: Builder) -> tuple[Span, tuple[Edit, ...]]:
    """Return the closing bracket of the last member, and the edits that write `new` instead of it."""
    last = builder.container.members[-1]
    span = Span(last.end - 1, last.end)
    is_empty = next(iter(last.members() or ()), None) is None
    if builder.state != State.NEXT or not (new or is_empty):
        return span, (Edit(span, new),)
    # The comma after the bracket moves before the new one, or goes.
    comma = Span(builder.container.comma, builder.container.comma + 1)
    return span, (Edit(span, "" if is_empty else ","), Edit(comma, new))


# The end of the text --------------------------------------------------------------------------------------------------


def cut_text(levels: Sequence[Level], cut: Cut, builder: Builder) -> SyntaxFault:
    """A text that ends within objects and arrays, the innermost first."""
    state = builder.state
    closers = "".join(CLOSERS[level.kind] for level in levels)
    value = _NULLS.get(state, "")
    message = f"{len(levels)} objects and arrays are never closed: expected "
    if len(levels) == 1:
        message = f"This {_LEVEL_NAMES[levels[0].kind]} is never closed: expected "
    if cut.kind:
        message = f"The text ends within {cut.kind}, and {message[0].lower()}{message[1:]}{cut.quote}"
    message += closers
    if len(closers) > MAX_CLOSERS:
        message = f"{message[: MAX_CLOSERS - len(closers) - 1]}…"
    details = ""
    if value:
        details = ", with the value of the property instead of null"
    elif len(levels) > 1:
        details = f"; the innermost is the {levels[0].kind} in line {builder.lines.line_of(levels[0].start) + 1}"
    elif not cut.kind:
        details = _for_level(levels[0], builder)
    if len(levels) > 1 or cut.kind:
        details += ". If the text was cut off, the whole of it is needed"
    missing = f"{cut.completed}{value}{closers}"
    title = f"Add {missing}"
    where = ""
    at = len(builder.text) if cut.kind else builder.offset
    edits = (*cut.edits, Edit(Span(at, at), f"{value}{closers}"))
    if cut.partial:
        title = f"Write {missing} instead of {cut.partial}"
        where = " at the end"
    elif state == State.NEXT and not cut.kind:
        title = f"Write {missing} instead of the comma"
        where = " at the end"
        comma = builder.container.comma
        edits = (Edit(Span(comma, comma + 1), missing),)
    end = Span(len(builder.text), len(builder.text))
    return SyntaxFault(end, FaultKind.CUT_TEXT, message, f"{title}{where}{details}.", title, edits)


def empty_text(builder: Builder) -> SyntaxFault:
    """A text without a value."""
    end = Span(len(builder.text), len(builder.text))
    message = "Expected a JSON value, the text is empty"
    return SyntaxFault(end, FaultKind.EMPTY, message, "Write a document, beginning with {.")


def text_after_document(token: Token, span: Span, *, is_prose: bool) -> SyntaxFault:
    """The text from `token` on, after the end of the root; `span` is all of it."""
    title = "Remove the text after the document"
    message = f"Unexpected {display(token)} after the end of the document"
    return SyntaxFault(
        span_of(token), FaultKind.TEXT_AFTER_DOCUMENT, message, f"{title}: a document is one value.",
        title, (Edit(span, ""),), is_prose,
    )  # fmt: skip


def second_document(token: Token, span: Span) -> SyntaxFault:
    """A second document after the root; `span` is all of the text from `token` on."""
    message = "Unexpected text and a second document after the document"
    hint = "A request or a file contains one document. Send each document by itself"
    rest = ", without the text between them."
    if token.kind in {"{", "["}:
        message = "A second document begins here"
        rest = "."
    title = "Remove the second document"
    return SyntaxFault(span_of(token), FaultKind.SECOND_DOCUMENT, message, f"{hint}{rest}", title, (Edit(span, ""),))


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
