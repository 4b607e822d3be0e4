"""Repairs of the text at a token that the grammar does not accept, and the look-ahead that chooses one.

A repair puts marks in a place, instead of what is there. The look-ahead tries each on the tokens alone: the marks must
be accepted, and it counts the tokens after them up to the first that the grammar does not accept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rui_common.syntax.recovery.budget import LOOKAHEAD_STEPS
from rui_common.syntax.recovery.containers import Level, OpenContainer
from rui_common.syntax.recovery.grammar import ACCEPTED, CLOSERS, MARKS, NO_VALUE, ROOT, STATES, Action, State
from rui_common.syntax.recovery.lexer import Lexer, Token, TokenKind
from rui_common.syntax.tree import UNKNOWN
from rui_common.vocabulary.rules import MAX_DEPTH

MAX_DISTANCE = 40
"""Maximum number of tokens that the look-ahead reads."""
MAX_CLOSED = 3
"""Maximum number of levels that one repair closes."""


class Place:
    """The places of repairs."""

    BEFORE = "before the token"
    AT = "the token"
    COMMA = "the comma before the token"
    COLON = "the colon after the token, which is a name where a value is expected"
    CLOSER = "the closing bracket of the last member"


class Repair(NamedTuple):
    """A change to the text.

    Attributes:
        place: a `Place`.
        marks: the marks that it puts there; `NO_VALUE` is the missing value of a property.
        cost: how unlikely it is, in tokens of look-ahead.
    """

    place: str
    marks: str
    cost: float


Position = tuple[Level, str, Token]
"""A position of the parser: the innermost open level, its state, and the next token."""


class RepairFinder:
    """Finds the repairs at a token that the grammar does not accept."""

    def __init__(self, container: OpenContainer, state: str, token: Token, lexer: Lexer) -> None:
        self._container = container
        self._state = state
        self._token = token
        self._following = lexer.at(token.end)
        while token.kind == self._following.kind == ",":
            self._following = lexer.at(self._following.end)
        self._lexer = lexer

    def best(self, distance: int) -> tuple[Repair, int]:
        """Return the repair after which the most tokens are accepted, and their number, at most `distance`."""
        best = Repair(Place.AT, "", 0)
        best_score = 0.0
        best_accepted = 0
        for repair in self._repairs():
            accepted = self._count_accepted(repair, distance)
            score = accepted - repair.cost
            if accepted and (best_accepted == 0 or score > best_score):
                best = repair
                best_score = score
                best_accepted = accepted
            if best_score == distance:
                break
        return best, best_accepted

    def _count_accepted(self, repair: Repair, distance: int) -> int:
        """Return the number of tokens that the grammar accepts after a repair, at most `distance`."""
        position = self._position_after(repair)
        if position is None or position[0].depth > MAX_DEPTH:
            return 0
        level, state, token = position
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

    def _position_after(self, repair: Repair) -> Position | None:
        """Return the position after the marks of a repair, or None if the grammar does not accept them."""
        position = self._position_in(repair)
        if position is None:
            return None
        level, state, token = position
        for mark in repair.marks:
            action = ACCEPTED.get((level.kind, state, mark))
            if action is None:
                return None
            level = _level_after(level, action, mark, self._token.start)
            state = STATES[action]
        return level, state, token

    def _position_in(self, repair: Repair) -> Position | None:
        """Return the position in the place of a repair, or None if it cannot be there."""
        level: Level = self._container
        state = self._state
        token = self._token
        closer = CLOSERS.get(level.kind)
        if repair.place == Place.AT:
            token = self._following
            if state == State.NEXT and closer in {repair.marks, token.kind}:
                state = State.AFTER  # The comma before it is removed, too.
        elif repair.place == Place.COMMA:
            state = State.AFTER
        elif repair.place == Place.COLON:
            if ACCEPTED.get((level.kind, state, TokenKind.STRING)) != Action.VALUE:
                return None
            state = State.AFTER
            token = self._lexer.at(self._following.end)
        elif repair.place == Place.CLOSER:
            member = self._container.members[-1]
            level = Level(member.text_at(member.start), level, member.start)
            if state == State.AFTER and next(iter(member.members() or ()), None) is None:
                state = State.FIRST
        return level, state, token

    def _repairs(self) -> Iterator[Repair]:
        """Yield the repairs, the most likely ones first. After the root, only those of brackets before the token."""
        if self._container.kind != ROOT or self._state != State.AFTER:
            yield from self._repairs_at_token()
        if self._ends_in_closer():
            yield Repair(Place.CLOSER, ",", 1)
            yield Repair(Place.CLOSER, "", 0.5)

    def _repairs_at_token(self) -> Iterator[Repair]:
        kind = self._token.kind
        closer = CLOSERS.get(self._container.kind, "")
        yield Repair(Place.BEFORE, ",", 0)
        yield Repair(Place.BEFORE, ":", 0)
        if self._state == State.NEXT and kind == closer:
            yield Repair(Place.COMMA, "", 0)
        missing = missing_value(self._state)
        if missing:
            yield Repair(Place.BEFORE, missing, 1)
            yield Repair(Place.BEFORE, f"{missing},", 1.5)
        if kind == TokenKind.NAME:
            for mark in ("", ",", closer):
                yield Repair(Place.COLON, mark, 1)
        for mark in "{[":
            yield Repair(Place.BEFORE, mark, 1)
            if kind in {",", ":", "}", "]"}:
                yield Repair(Place.AT, mark, 1.5)
        yield from self._closings(missing)
        if kind in MARKS or self._token.is_word:
            # A bracket that begins a value is hardly a mistyped comma.
            yield Repair(Place.AT, ",", 3 if kind in {"{", "["} else 1)
            yield Repair(Place.AT, ":", 1)
            if closer not in {"", kind}:
                yield Repair(Place.AT, closer, 1)
        yield self._deletion()

    def _closings(self, missing: str) -> Iterator[Repair]:
        """Yield repairs that close levels. A comma before the token probably belongs to the level around them."""
        level: Level | None = self._container
        marks = missing
        for count in range(1, MAX_CLOSED + 1):
            if level is None or level.kind == ROOT:
                return
            marks += CLOSERS[level.kind]
            level = level.parent
            if self._state == State.NEXT:
                yield Repair(Place.COMMA, f"{marks},", count)
                yield Repair(Place.COMMA, marks, count + 1.5)
            else:
                yield Repair(Place.BEFORE, marks, count)
                yield Repair(Place.BEFORE, f"{marks},", count + 1.5)

    def _deletion(self) -> Repair:
        """Return the repair that deletes the token."""
        token = self._token
        following = self._following
        cost = 0.5
        if following.start == token.end and any(error.is_doubtful for error in following.errors):
            cost = 0.25  # The token is probably mistyped for a quote.
        elif token.kind in {"{", "["}:
            cost = 1
        elif token.kind in {TokenKind.STRING, TokenKind.NAME, TokenKind.VALUE} and not token.is_word:
            cost = 2
        return Repair(Place.AT, "", cost)

    def _ends_in_closer(self) -> bool:
        """Return whether the last member is an object or array with a closing bracket."""
        members = self._container.members
        if not members or members[-1].start == UNKNOWN or self._state not in {State.AFTER, State.NEXT}:
            return False
        member = members[-1]
        return member.members() is not None and member.text_at(member.end - 1) == CLOSERS.get(
            member.text_at(member.start)
        )


def missing_value(state: str) -> str:
    """Return the marks that complete the property that is being read."""
    return {State.COLON: f":{NO_VALUE}", State.VALUE: NO_VALUE}.get(state, "")


def _level_after(level: Level, action: str, kind: str, start: int) -> Level:
    if action == Action.OPEN:
        return Level(kind, level, start)
    if action == Action.CLOSE and level.parent is not None:
        return level.parent
    return level
