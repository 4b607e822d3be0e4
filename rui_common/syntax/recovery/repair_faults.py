"""The faults that repairs report: their words and edits, one function per kind."""

from collections.abc import Sequence
from typing import NamedTuple

from rui_common.json_values import as_json
from rui_common.syntax.errors import FaultKind, SyntaxFault
from rui_common.syntax.recovery.builder import Builder
from rui_common.syntax.recovery.containers import MISSING, Level
from rui_common.syntax.recovery.grammar import CLOSERS, MARK_NAMES, MARKS, MISSING_MARKS, NO_VALUE, QUOTES, ROOT, State
from rui_common.syntax.recovery.repairs import Place, Repair
from rui_common.syntax.recovery.string_contents import encodable, replacement
from rui_common.syntax.recovery.tokens import Token, TokenKind
from rui_common.syntax.spans import Edit, Span
from rui_common.texts import MAX_SHOWN, shorten

_LEVEL_NAMES = {"{": "object", "[": "array", ROOT: "document"}
MAX_CLOSERS = 60  # Maximum number of brackets in a message


class Cut(NamedTuple):
    """The string, word or number that a text ends within."""

    kind: str  # what it is, for a message; `""` if the text ends between two tokens
    completed: str  # the text that completes it
    partial: str  # the end of the text that `completed` replaces; `""` if it is appended
    edits: tuple[Edit, ...]  # the changes of the text up to its end

    @property
    def quote(self) -> str:
        """The quote that is missing at the end, or ``""``."""
        return self.completed if self.completed == '"' else ""


NO_CUT = Cut("", "", "", ())


def fault_of(repair: Repair, token: Token, builder: Builder) -> SyntaxFault:
    """Return the fault that a repair at `token` reports; `builder` has read the text before it."""
    place, marks, _ = repair
    if place == Place.AUTHOR:
        return FaultKind.STRAY_WORDS.at(token.span, token=display(token))
    if place == Place.NAME:
        return _name_without_quotes(token, marks, builder)
    if place == Place.AT:
        return _wrong_token(token, marks, builder) if marks else _extra_token(token, builder)
    if place == Place.MEMBER:
        start = builder.container.members[-1].start
        return _missing_opener("[", Span(start, start + 1))
    if place == Place.BEFORE or (place == Place.COMMA and marks):
        is_closer = set(marks) & set(CLOSERS.values())
        return _missing_closer(repair, token, builder) if is_closer else _missing_mark(token, marks, builder)
    if place == Place.COMMA:
        return _trailing_comma(token, builder)
    return _wrong_mark(repair, token, builder)


def _missing_mark(token: Token, marks: str, builder: Builder) -> SyntaxFault:
    if NO_VALUE in marks:
        return _missing_value(token, marks, builder)
    if marks in CLOSERS:
        return _missing_opener(marks, token.span)
    kind = FaultKind.MISSING_COMMA if marks == "," else FaultKind.MISSING_COLON
    return kind.at(token.span, _insertion(builder.offset, marks), is_safe=True)


def _name_without_quotes(token: Token, marks: str, builder: Builder) -> SyntaxFault:
    """Return the fault of a value in the place of a property; `marks` are what the property lacks after its name."""
    name = encodable(builder.text[slice(*token.span)])
    new = as_json(name) + _written(marks)
    return FaultKind.NAME_WITHOUT_VALUE.at(token.span, Edit(token.span, new), token=shorten(name), new=shorten(new))


def split_text(token: Token, text: str, builder: Builder) -> SyntaxFault:
    """Return the fault of a token that continues the last value, a scalar; `text` is the whole of it."""
    last = builder.container.members[-1]
    span = Span(last.start, token.end)
    new = as_json(text)
    command = replacement(new, builder.text[slice(*span)])
    kind = FaultKind.SPLIT_TEXT
    if token.kind in {TokenKind.STRING, TokenKind.NAME} and last.text_at(last.start) in QUOTES:
        kind = FaultKind.TWO_STRINGS
    return kind.at(token.span, Edit(span, new), command=command, new=shorten(new), token=display(token))


def _missing_opener(mark: str, span: Span) -> SyntaxFault:
    return FaultKind.MISSING_OPENER.at(span, _insertion(span.start, mark), new=mark, level=_LEVEL_NAMES[mark])


def _missing_value(token: Token, marks: str, builder: Builder) -> SyntaxFault:
    new = _written(marks)
    expected = "a value"
    missing = "the value of the property"
    if marks[0] == ":":
        expected = f"colon and {expected}"
        missing = f"a colon and {missing}"
    if marks[-1] == ",":
        missing += " and a comma"
    return FaultKind.MISSING_VALUE.at(
        token.span, _insertion(builder.offset, new), expected=expected, token=display(token),
        missing=missing, example=new if marks[-1] == "," else f"{new}.", new=new,
    )  # fmt: skip


def _written(marks: str) -> str:
    """Return marks as text: a missing value is null."""
    return marks.replace(f":{NO_VALUE}", ": null").replace(NO_VALUE, "null")


def _insertion(offset: int, text: str) -> Edit:
    """Return the insertion of marks, with a space before a value."""
    return Edit(Span(offset, offset), f" {text}" if text.startswith("null") else text)


def _missing_closer(repair: Repair, token: Token, builder: Builder) -> SyntaxFault:
    level = builder.container
    comma = display(level.comma)
    missing = _written(repair.marks.rstrip(","))
    has_comma = repair.marks.endswith(",")
    where = _for_level(level, builder)
    if repair.place == Place.BEFORE and has_comma:
        title = f"Add {missing} and a comma"
        edit = _insertion(builder.offset, f"{missing},")
    elif repair.place == Place.BEFORE:
        title = f"Add {missing}"
        edit = _insertion(builder.offset, missing)
    elif has_comma:
        title = f"Add {missing} before the {comma}"
        edit = _insertion(level.comma.start, missing)
    else:
        title = f"Write {missing} instead of the {comma}"
        edit = Edit(level.comma.span, missing)
        where = f" before this{where}"
    return FaultKind.MISSING_CLOSER.at(
        token.span, edit, level=_LEVEL_NAMES[level.kind], closer=CLOSERS[level.kind], title=title, where=where
    )


def _for_level(level: Level, builder: Builder) -> str:
    """Return which bracket is closed."""
    return f" for the {level.kind} in line {builder.lines.line_of(level.start) + 1}"


def _trailing_comma(token: Token, builder: Builder) -> SyntaxFault:
    comma = builder.container.comma
    edit = Edit(comma.span, "")
    return FaultKind.TRAILING_COMMA.at(comma.span, edit, is_safe=True, comma=display(comma), token=display(token))


def extra_comma(token: Token, builder: Builder) -> SyntaxFault:
    """Return the fault of a comma where something else is expected."""
    member = "property" if builder.container.kind == "{" else "value"
    expected = {State.COLON: "colon", State.VALUE: "value"}.get(builder.state, member)
    edit = Edit(token.span, "")
    return FaultKind.EXTRA_COMMA.at(token.span, edit, is_safe=True, comma=display(token), expected=expected)


def _extra_token(token: Token, builder: Builder) -> SyntaxFault:
    if token.kind == "," and builder.container.kind != ROOT:
        return extra_comma(token, builder)
    kind = FaultKind.EXTRA_TOKEN
    if token.is_quote:
        kind = FaultKind.EXTRA_QUOTE
    elif token.kind in "}]":
        kind = FaultKind.EXTRA_CLOSER
    return kind.at(token.span, Edit(token.span, ""), token=display(token))


def _wrong_token(token: Token, mark: str, builder: Builder) -> SyntaxFault:
    level = builder.container
    kind = FaultKind.WRONG_MARK
    edits = [Edit(token.span, mark)]
    if builder.state == State.NEXT and mark in "}]":
        kind = FaultKind.WRONG_MARK_AFTER_COMMA
        edits.insert(0, Edit(level.comma.span, ""))
    return kind.at(
        token.span, *edits,
        expected=MARK_NAMES.get(mark, mark), token=display(token), new=mark, comma=display(level.comma),
        old=builder.text[slice(*token.span)] if token.kind in MARKS else display(token),
        where=_for_level(level, builder) if mark in "}]" and level.kind != ROOT else "",
    )  # fmt: skip


def _wrong_mark(repair: Repair, token: Token, builder: Builder) -> SyntaxFault:
    """Return the fault of a colon after the token, or of a bracket that was read before."""
    span = Span(builder.container.start, builder.container.start + 1)
    edits = [Edit(span, repair.marks)]
    where = ""
    if repair.place == Place.COLON:
        colon = builder.lexer.at(token.end)
        span = colon.span
        edits = [Edit(span, repair.marks)]
    elif repair.place == Place.CLOSER:
        span, edits = _wrong_closer(repair.marks, builder)
        where = "; the text after it belongs inside"
    old = builder.text[slice(*span)]
    name = MARK_NAMES.get(old, old)
    if not repair.marks:
        return FaultKind.EXTRA_MARK.at(span, *edits, name=name, old=old, where=where)
    expected = MARK_NAMES.get(repair.marks, repair.marks)
    return FaultKind.WRONG_MARK.at(span, *edits, expected=expected, token=name, new=repair.marks, old=old, where=where)


def _wrong_closer(new: str, builder: Builder) -> tuple[Span, list[Edit]]:
    """Return the closing bracket of the last member, and the edits that write `new` instead of it."""
    last = builder.container.members[-1]
    span = Span(last.end - 1, last.end)
    is_empty = next(iter(last.members() or ()), None) is None
    if builder.state != State.NEXT or not (new or is_empty):
        return span, [Edit(span, new)]
    # The comma after the bracket moves before the new one, or goes.
    return span, [Edit(span, "" if is_empty else ","), Edit(builder.container.comma.span, new)]


def cut_text(levels: Sequence[Level], cut: Cut, builder: Builder) -> SyntaxFault:
    """Return the fault of a text that ends within objects and arrays, the innermost first."""
    state = builder.state
    closers = "".join(CLOSERS[level.kind] for level in levels)
    value = _written(MISSING_MARKS.get(state, ""))
    problem = f"{len(levels)} objects and arrays are never closed: expected "
    if len(levels) == 1:
        problem = f"This {_LEVEL_NAMES[levels[0].kind]} is never closed: expected "
    if cut.kind:
        problem = f"The text ends within {cut.kind}, and {problem[0].lower()}{problem[1:]}{cut.quote}"
    problem += closers
    if len(closers) > MAX_CLOSERS:
        problem = f"{problem[: MAX_CLOSERS - len(closers) - 1]}…"
    where = ""
    if value:
        where = ", with the value of the property instead of null"
    elif len(levels) > 1:
        where = f"; the innermost is the {levels[0].kind} in line {builder.lines.line_of(levels[0].start) + 1}"
    elif not cut.kind:
        where = _for_level(levels[0], builder)
    if len(levels) > 1 or cut.kind:
        where += ". If the text was cut off, the whole of it is needed"
    missing = f"{cut.completed}{value}{closers}"
    end = Span(len(builder.text), len(builder.text))
    title = f"Add {missing}"
    edits = (*cut.edits, _insertion(end.end if cut.kind else builder.offset, f"{value}{closers}"))
    if cut.partial:
        title = f"Write {missing} instead of {cut.partial}"
        where = f" at the end{where}"
    elif state == State.NEXT and not cut.kind:
        comma = builder.container.comma
        title = f"Write {missing} instead of the {display(comma)}"
        where = f" at the end{where}"
        edits = (Edit(comma.span, missing),)
    return FaultKind.CUT_TEXT.at(end, *edits, problem=problem, title=title, where=where)


class TextAfter(NamedTuple):
    """The text after the end of the root."""

    span: Span  # all of it
    is_prose: bool  # whether it has neither brackets nor properties
    has_words: bool  # whether it is prose with words
    has_content: bool  # whether it has brackets or properties, which may be those of the document
    has_closers: bool  # whether it has closing brackets alone, of which there are too many
    has_document: bool  # whether a second object or array follows, perhaps after some words
    is_after_rui: bool  # whether the root is a RUI; what follows any other value is not removed


def text_after_document(token: Token, rest: TextAfter) -> SyntaxFault:
    """Return the fault of the text from `token` on, after the end of the root."""
    removal = Edit(rest.span, "")
    if not rest.has_document:
        if rest.has_closers and rest.is_after_rui:
            return FaultKind.TEXT_AFTER_DOCUMENT.at(token.span, removal, is_safe=True, token=display(token))
        if rest.has_content or (rest.has_words and not rest.is_after_rui):
            return FaultKind.CONTENT_AFTER_DOCUMENT.at(token.span, token=display(token))
        is_safe = rest.is_prose and rest.is_after_rui
        return FaultKind.TEXT_AFTER_DOCUMENT.at(token.span, removal, is_safe=is_safe, token=display(token))
    edits = [removal] if rest.is_after_rui else []
    if token.kind in {"{", "["}:
        return FaultKind.SECOND_DOCUMENT.at(token.span, *edits, problem="A second document begins here", rest="")
    problem = "Unexpected text and a second document after the document"
    return FaultKind.SECOND_DOCUMENT.at(token.span, *edits, problem=problem, rest=", without the text between them")


def display(token: Token) -> str:
    """Return a token as messages name it."""
    if token.is_quote:
        return '"'
    if token.kind in {TokenKind.STRING, TokenKind.NAME}:
        return as_json(shorten(str(token.value)))
    if token.kind != TokenKind.VALUE:
        mark = str(token.value or token.kind)
        return MARK_NAMES.get(mark, mark)
    if token.is_word and token.value is not None:
        return str(token.value)[:MAX_SHOWN]
    if token.value is MISSING:
        return "…"
    is_short = isinstance(token.value, int) or token.value is None
    return shorten(as_json(token.value)) if is_short else "value"
