"""Repairs of the text at a token that the grammar does not accept, and the look-ahead that chooses one.

A repair replaces the marks in a place by others. The look-ahead tries each on the tokens alone: the marks must be
accepted, and it counts the tokens after them up to the first that the grammar does not accept.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from rui_common.syntax.recovery.budget import LOOKAHEAD_STEPS
from rui_common.syntax.recovery.containers import Level, OpenContainer
from rui_common.syntax.recovery.grammar import (
    ACCEPTED,
    CLOSERS,
    MARKS,
    MISSING_MARKS,
    NO_VALUE,
    ROOT,
    STATES,
    Action,
    State,
)
from rui_common.syntax.recovery.lexer import Lexer
from rui_common.syntax.recovery.tokens import Token, TokenKind
from rui_common.syntax.tree import UNKNOWN, Member
from rui_common.vocabulary.rules import MAX_DEPTH

MAX_DISTANCE = 40  # Maximum number of tokens that the look-ahead reads
MAX_CLOSED = 3  # Maximum number of levels that one repair closes
MAX_INDENTATION = 200  # Characters of white space that count as indentation
MAX_JOINED = 1_000  # Maximum length of a text that is joined. It bounds the time for thousands of words.
MAX_PARTS = 10  # Maximum number of such parts that the look-ahead reads
MAX_GAP = 200  # Maximum number of characters between the parts of a text that is joined
_BEFORE_NAME = (State.FIRST, State.NEXT)
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$-]*")
AGAINST_INDENTATION = MAX_DISTANCE
"""Cost of closing levels before a token that is indented like the members of the level."""


class Place:
    """The places of repairs."""

    BEFORE = "before the token"
    AT = "the token"
    COMMA = "the comma before the token"
    COLON = "the colon after the token, which is a name where a value is expected"
    CLOSER = "the closing bracket of the last member"
    OPENER = "the opening bracket of the level"
    MEMBER = "before the value of the last member"
    LAST = "the last value, which continues with the token"
    NAME = "the token, which is a name without quotes"
    AUTHOR = "the token, whose place only the author knows"


class Repair(NamedTuple):
    """A change to the text."""

    place: str  # a `Place`
    marks: str  # the marks that it puts there; `NO_VALUE` is the missing value of a property
    cost: float  # how unlikely it is, in tokens of look-ahead


Position = tuple[Level, str, Token]  # A position of the parser: the innermost open level, its state, and the next token


KEEP = Repair(Place.BEFORE, "", 0)


class RepairFinder:
    """Finds the repairs at a token that the grammar does not accept, or that is read by a guess."""

    def __init__(self, container: OpenContainer, state: str, token: Token, lexer: Lexer) -> None:
        self._container = container
        self._state = state
        self._token = token
        self._closer = CLOSERS.get(container.kind, "")
        self._following = lexer.at(token.end)
        while token.kind == self._following.kind == ",":
            self._following = lexer.at(self._following.end)
        self._lexer = lexer

    def best(self, distance: int) -> tuple[Repair, int]:
        """Return the repair after which the most tokens are accepted, and their number, at most `distance`."""
        best = self._default()
        best_score = 0.0
        best_accepted = 0
        for repair, position in self._repairs():
            accepted = self._count_accepted(repair.marks, position, distance)
            if repair.place in {Place.LAST, Place.NAME}:
                accepted = min(accepted + 1, distance)  # the token itself
            score = accepted - repair.cost
            if accepted and (best_accepted == 0 or score > best_score):
                best = repair
                best_score = score
                best_accepted = accepted
            if best_score == distance:
                break
        return best, best_accepted

    def _default(self) -> Repair:
        """Return the repair if the grammar accepts no token after any: no word is removed."""
        if self._continues_last():
            return Repair(Place.LAST, "", 0)
        if not self._has_words():
            return Repair(Place.AT, "", 0)
        if self._state == State.AFTER and self._is_indented_as_member():
            return Repair(Place.BEFORE, ",", 0)
        if self._container.kind == "{" and self._token.kind == TokenKind.VALUE and self._state in _BEFORE_NAME:
            return Repair(Place.NAME, f":{NO_VALUE}", 0)
        return Repair(Place.AUTHOR, "", 0)

    def _has_words(self) -> bool:
        """Return whether the token may be content: it has a letter, a digit, or a unit."""
        token = self._token
        if token.kind in {TokenKind.STRING, TokenKind.NAME}:
            return not token.is_quote
        return token.kind == TokenKind.VALUE

    def _continues_last(self) -> bool:
        """Return whether the token, or the name without a colon before it, may be a part of the last value.

        That value is a scalar, and only blanks are between them. After a comma in an object, the token is on the same
        line, and no name: ``12,500``, ``"Free", beds and rooms``, ``free, taken``.
        """
        container = self._container
        if not container.members or container.kind == ROOT or not container.is_last_scalar():
            return False
        token = self._token
        if self._state == State.COLON:
            if container.key is None or container.key.is_quote or token.kind not in {",", "}"}:
                return False
            token = container.key
        elif token.kind == TokenKind.PARENTHESIS:
            return self._state == State.AFTER and self._closes_parenthesis()
        elif not self._has_words() or token.kind == TokenKind.NAME or self._state not in {State.AFTER, State.NEXT}:
            return False
        gap = self._lexer.text[container.members[-1].end : token.start][: MAX_GAP + 1]
        if len(gap) > MAX_GAP or token.end - container.members[-1].start > MAX_JOINED:
            return False
        if self._state == State.AFTER:
            if gap.strip() or self._is_indented_as_member():
                return False
            return container.kind == "{" or (token.is_word and "\n" not in gap)
        if container.kind != "{" or gap.strip() != "," or "\n" in gap:
            return False
        if isinstance(token.value, int | float):
            return True
        name = str(token.value).strip()
        if name and _IDENTIFIER.fullmatch(name) is None:
            return True
        # A name of a property, which its author may not have typed yet, unless the last text is not in quotes, or each
        # property has a line of its own.
        last = container.members[-1]
        return last.is_incomplete or self._begins_line(last)

    def _after_text(self) -> Token:
        """Return the token after all that continues the last value, too: words, commas between them."""
        following = self._token if self._state == State.COLON else self._following
        for _ in range(MAX_PARTS):
            first = following
            is_object = self._container.kind == "{"
            if first.kind == "," and is_object and not first.errors:
                first = self._lexer.at(first.end)
            is_part = (first.kind == TokenKind.VALUE and first.is_word) or (
                first.kind == TokenKind.STRING and is_object
            )
            if not is_part or "\n" in self._lexer.text[following.start : first.start]:
                break
            following = self._lexer.at(first.end)
        return following

    def _begins_line(self, member: Member) -> bool:
        """Return whether a member begins a line, after that of the bracket of the level."""
        text = self._lexer.text
        indentation = _indentation(text, member.first_offset)
        return indentation is not None and "\n" in text[self._container.start : member.first_offset]

    def _closes_parenthesis(self) -> bool:
        text = self._lexer.text
        last = self._container.members[-1]
        if text[self._token.start] != ")" or self._token.end - last.start > MAX_JOINED:
            return False
        return text.count("(", last.start, last.end) > text.count(")", last.start, last.end)

    def _count_accepted(self, marks: str, position: Position, distance: int) -> int:
        """Return the number of tokens that the grammar accepts after the marks, at most `distance`."""
        level, state, token = position
        for mark in marks:
            action = ACCEPTED.get((level.kind, state, mark))
            if action is None:
                return 0
            level = _level_after(level, action, mark, self._token.start)
            state = STATES[action]
        if level.depth > MAX_DEPTH:
            return 0
        accepted = 0
        while accepted < distance:
            action = ACCEPTED.get((level.kind, state, token.kind))
            if action is None:
                break
            if action == Action.END:
                accepted = distance
                break
            accepted += 1
            level, state, token = self._read(level, action, token)
        self._lexer.budget.steps -= LOOKAHEAD_STEPS * (accepted + 2)
        return accepted

    def _read(self, level: Level, action: str, token: Token) -> Position:
        """Return the position after a token, or after the valid object or array that it begins."""
        if action == Action.OPEN:
            valid = self._lexer.container(token.start, level.depth)
            if valid is not None:
                return level, State.AFTER, self._lexer.at(valid.end)
        return _level_after(level, action, token.kind, token.start), STATES[action], self._lexer.at(token.end)

    def _repairs(self) -> Iterator[tuple[Repair, Position]]:
        """Yield repairs, the most likely ones first, and the positions at which their marks are read.

        After the root, these are only repairs of brackets before the token.
        """
        if self._container.kind != ROOT or self._state != State.AFTER:
            yield from self._repairs_at_token()
        yield from self._repairs_of_opener()
        if self._container.members and self._container.members[-1].start != UNKNOWN and self._state != State.VALUE:
            yield from self._repairs_of_last(self._container.members[-1])

    def _repairs_at_token(self) -> Iterator[tuple[Repair, Position]]:
        at_token: Position = (self._container, self._state, self._token)
        kind = self._token.kind
        if (self._container.kind, self._state, kind) in ACCEPTED:
            yield KEEP, at_token
        if self._continues_last():
            yield Repair(Place.LAST, "", 0), (self._container, State.AFTER, self._after_text())
        # A quote alone is hardly an empty string.
        yield Repair(Place.BEFORE, ",", 0.75 if self._token.is_quote else 0), at_token
        yield Repair(Place.BEFORE, ":", 0), at_token
        if self._state == State.NEXT and kind == self._closer and self._has_comma():
            yield Repair(Place.COMMA, "", 0), (self._container, State.AFTER, self._token)
        missing = MISSING_MARKS.get(self._state, "")
        if missing:
            yield Repair(Place.BEFORE, missing, 1), at_token
            yield Repair(Place.BEFORE, f"{missing},", 1.5), at_token
        if kind == TokenKind.NAME and ACCEPTED.get((self._container.kind, self._state, "{")) is not None:
            after_colon = self._lexer.at(self._following.end)
            for mark in ("", ",", self._closer):
                yield Repair(Place.COLON, mark, 1), (self._container, State.AFTER, after_colon)
        for mark in "{[":
            yield Repair(Place.BEFORE, mark, 1), at_token
            if kind in {",", ":", "}", "]", TokenKind.PARENTHESIS} or self._token.is_quote:
                yield self._replacement(mark, 1.5)
        yield from self._closings(missing)
        if kind == TokenKind.VALUE and self._container.kind == "{" and self._state in _BEFORE_NAME:
            for marks in ("", f":{NO_VALUE}", f":{NO_VALUE},"):
                yield Repair(Place.NAME, marks, 1 + len(marks) / 4), (self._container, State.COLON, self._following)
        if kind in MARKS or (self._token.is_word and not self._has_words()):
            # A bracket that begins a value is hardly a mistyped comma.
            yield self._replacement(",", 3 if kind in CLOSERS else 1)
            yield self._replacement(":", 1)
            yield self._replacement(self._closer, 1)
        if not self._has_words():
            yield self._replacement("", self._cost_of_deletion())
        elif self._token.is_word and self._begins_property(is_after_empty=False):
            _, position = self._replacement("", 0)
            yield Repair(Place.AUTHOR, "", 0.5), position

    def _replacement(self, mark: str, cost: float) -> tuple[Repair, Position]:
        state = self._state
        if state == State.NEXT and self._closer in {mark, self._following.kind} and self._has_comma():
            state = State.AFTER  # The comma before it is removed, too.
        return Repair(Place.AT, mark, cost), (self._container, state, self._following)

    def _has_comma(self) -> bool:
        """Return whether the last comma of the level is in the text, so that it may be moved or removed."""
        comma = self._container.comma
        return comma.start < comma.end

    def _closings(self, missing: str) -> Iterator[tuple[Repair, Position]]:
        """Yield repairs that close levels. A comma before the token probably belongs to the level around them."""
        place = Place.BEFORE
        extra_cost = {"": 0.0, ",": 1.5}
        state = self._state
        if state == State.NEXT:
            place = Place.COMMA
            extra_cost = {",": 0.0, "": 1.5}
            state = State.AFTER
        indentation_cost = 0
        if self._is_indented_as_member():
            indentation_cost = AGAINST_INDENTATION
        level: Level | None = self._container
        marks = missing
        for count in range(1, MAX_CLOSED + 1):
            if level is None or level.kind == ROOT:
                return
            marks += CLOSERS[level.kind]
            level = level.parent
            for comma, cost in extra_cost.items():
                repair = Repair(place, marks + comma, count + cost + indentation_cost)
                yield repair, (self._container, state, self._token)

    def _is_indented_as_member(self) -> bool:
        """Return whether the token begins a line, as the last member of its level does, with the same indentation.

        The end of a text that is cut off fits any number of closed levels, so the tokens alone do not tell.
        """
        container = self._container
        if not container.members or UNKNOWN in (container.members[-1].first_offset, container.start):
            return False
        text = self._lexer.text
        indentation = _indentation(text, self._token.start)
        return (
            indentation is not None
            and indentation == _indentation(text, container.members[-1].first_offset)
            and not _line_indentation(text, container.start).startswith(indentation)
        )

    def _cost_of_deletion(self) -> float:
        token = self._token
        if is_before_guess(token, self._following):
            return 0.25  # The token is probably mistyped for a quote.
        if token.kind in CLOSERS:
            return 1
        return 0.5

    def _repairs_of_opener(self) -> Iterator[tuple[Repair, Position]]:
        """Yield repairs of the opening bracket before the token, or before a name without a colon."""
        container = self._container
        parent = container.parent
        if parent is None or container.members or self._state not in {State.FIRST, State.COLON}:
            return
        is_written = self._lexer.text[container.start] == container.kind
        if not is_written or not self._is_first_after(container.start + 1):
            return
        position = (parent, state_of_value(parent), container.key or self._token)
        yield Repair(Place.OPENER, "[" if container.kind == "{" else "{", 1), position
        if container.key is None:
            yield Repair(Place.OPENER, "", 1), position

    def _is_first_after(self, offset: int) -> bool:
        """Return whether the token, or the name without a colon before it, is the first after an offset.

        If others were deleted or it is a word, the text is probably not JSON at all.
        """
        first = self._container.key or self._token
        return not first.is_word and self._lexer.at(offset).start == first.start

    def _begins_property(self, *, is_after_empty: bool) -> bool:
        """Return whether the token is probably the name of a property that its author types in a line of its own."""
        token = self._token
        if self._container.kind != "{" or _indentation(self._lexer.text, token.start) is None:
            return False
        return token.is_word or (is_after_empty and token.kind == TokenKind.STRING)

    def _repairs_of_last(self, member: Member) -> Iterator[tuple[Repair, Position]]:
        """Yield repairs of the last member: a missing opening bracket, a superfluous or mistyped closing one."""
        container = self._container
        state = self._state
        before = member.end if state == State.AFTER else container.comma.end
        kind = member.text_at(member.start)
        members = member.members()
        is_inserted = members is not None and kind not in CLOSERS
        if container.kind == "{" and self._is_first_after(before) and not is_inserted:
            after_key = state
            if state == State.COLON:
                after_key = State.NEXT
            level = Level("[", container, member.start)
            yield Repair(Place.MEMBER, "", 1), (level, after_key, container.key or self._token)
        if state == State.COLON or (state == State.NEXT and not self._has_comma()):
            return
        if members is None or member.text_at(member.end - 1) != CLOSERS.get(kind):
            return
        is_empty = next(iter(members), None) is None
        if self._begins_property(is_after_empty=is_empty):
            return
        if state == State.AFTER and is_empty:
            state = State.FIRST
        # A name that the last object has is the first one of the next object.
        is_next = self._token.kind == TokenKind.NAME and members.get(str(self._token.value), unique=False) is not None
        for mark, cost in {",": 1, "": 2 if is_next else 0.5, "{": 1, "[": 1}.items():
            yield Repair(Place.CLOSER, mark, cost), (Level(kind, container, member.start), state, self._token)


def is_before_guess(token: Token, following: Token) -> bool:
    """Return whether the lexer guessed the token right after this one."""
    return following.start == token.end and any(error.is_doubtful for error in following.errors)


def _line_indentation(text: str, offset: int) -> str:
    """Return the white space at the beginning of the line of an offset; at most `MAX_INDENTATION` characters."""
    start = text.rfind("\n", 0, offset) + 1
    line = text[start : min(offset, start + MAX_INDENTATION)]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _indentation(text: str, offset: int) -> str | None:
    """Return the white space before an offset if it begins a line, else None."""
    start = max(text.rfind(end, max(0, offset - MAX_INDENTATION), offset) for end in "\r\n") + 1
    before = text[start:offset]
    if start == 0 or before.strip(" \t"):
        return None
    return before


def state_of_value(container: OpenContainer) -> str:
    """Return the state of a level before a value that it contains is read."""
    if container.kind == "{":
        return State.VALUE
    if container.members:
        return State.NEXT
    return State.FIRST


def _level_after(level: Level, action: str, kind: str, start: int) -> Level:
    if action == Action.OPEN:
        return Level(kind, level, start)
    if action == Action.CLOSE and level.parent is not None:
        return level.parent
    return level
