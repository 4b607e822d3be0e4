"""Repairs of the text at a token that the grammar does not accept, and the look-ahead that chooses one.

The look-ahead tries each repair on the tokens alone. It counts the tokens up to the first that the grammar does not
accept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rui_common.syntax.recovery.budget import LOOKAHEAD_STEPS
from rui_common.syntax.recovery.containers import Level, OpenContainer
from rui_common.syntax.recovery.grammar import ACCEPTED, CLOSERS, MARKS, ROOT, Action, State, state_outside
from rui_common.syntax.recovery.lexer import Lexer, Token, TokenKind
from rui_common.syntax.tree import UNKNOWN

MAX_DISTANCE = 40
"""Maximum number of tokens that the look-ahead reads."""
MAX_CLOSED = 3
"""Maximum number of levels that one repair closes."""


class RepairKind:
    """The kinds of repairs."""

    INSERT = "insert a mark before the token"
    DELETE = "delete the token"
    REPLACE = "replace the token by a mark"
    CLOSE = "close levels before the token"
    CLOSE_AND_ADD_COMMA = "close levels before the token, and insert a comma"
    CLOSE_FOR_COMMA = "replace the comma before the token by closing brackets"
    REMOVE_COMMA = "remove the comma before the token"
    ADD_VALUE = "insert the missing value of a property"
    REPLACE_COLON = "remove a colon, or replace it by a mark"
    REOPEN = "remove the closing bracket of the last member, or replace it by a comma"


class Repair(NamedTuple):
    """A change to the text.

    Attributes:
        kind: a `RepairKind`.
        mark: the mark that it inserts, or puts in the place of another one.
        level, state, token: the position of the parser after the repair.
        cost: how unlikely it is, in tokens of look-ahead.
        closed: the number of levels that it closes.
    """

    kind: str
    mark: str
    level: Level
    state: str
    token: Token
    cost: float
    closed: int = 0


class Lookahead:
    """Tries repairs on the tokens of a text."""

    def __init__(self, lexer: Lexer) -> None:
        self._lexer = lexer

    def best(self, repairs: Iterable[Repair], distance: int) -> Repair | None:
        """Return the repair after which the most tokens are accepted; None if no repair helps."""
        best: Repair | None = None
        best_score = 0.0
        for repair in repairs:
            accepted = self.count_accepted(repair, distance)
            score = accepted - repair.cost
            if accepted and (best is None or score > best_score):
                best = repair
                best_score = score
            if best_score == distance:
                break
        return best

    def count_accepted(self, repair: Repair, distance: int) -> int:
        """Return the number of tokens that the grammar accepts after a repair, at most `distance`."""
        level = repair.level
        state = repair.state
        token = repair.token
        accepted = 0
        while accepted < distance:
            action = ACCEPTED.get((level.kind, state, token.kind))
            if action is None:
                break
            if action == Action.END:
                accepted = distance
                break
            accepted += 1
            level, state, token = self._step(level, action, token)
        self._lexer.budget.steps -= LOOKAHEAD_STEPS * (accepted + 2)
        return accepted

    def _step(self, level: Level, action: str, token: Token) -> tuple[Level, str, Token]:
        end = token.end
        if action == Action.OPEN:
            valid = self._lexer.container(token.start, level.depth)
            if valid is not None:
                end = valid.end
                state = State.AFTER
            else:
                level = Level(token.kind, level, token.start)
                state = State.FIRST
        elif action == Action.CLOSE:
            level = level.parent or level
            state = State.AFTER
        else:
            state = _STATES[action]
        return level, state, self._lexer.at(end)


_STATES = {
    Action.KEY: State.COLON,
    Action.COLON: State.VALUE,
    Action.VALUE: State.AFTER,
    Action.COMMA: State.NEXT,
}


class RepairFinder:
    """Finds the repairs at a token that the grammar does not accept."""

    def __init__(self, container: OpenContainer, state: str, token: Token, lexer: Lexer) -> None:
        self._container = container
        self._state = state
        self._token = token
        self._following = lexer.at(token.end)
        self._lexer = lexer

    def repairs(self) -> Iterator[Repair]:
        """Yield the repairs, the most likely ones first. After the root, only those of brackets before the token."""
        if self._container.kind != ROOT or self._state != State.AFTER:
            yield from self._repairs_at_token()
        yield from self._repairs_of_closer()

    def _repairs_at_token(self) -> Iterator[Repair]:
        level: Level = self._container
        state = self._state
        token = self._token
        if state == State.AFTER:
            yield Repair(RepairKind.INSERT, ",", level, State.NEXT, token, 0)
        elif state == State.COLON:
            yield Repair(RepairKind.INSERT, ":", level, State.VALUE, token, 0)
        elif state == State.NEXT and token.kind == CLOSERS.get(level.kind):
            yield Repair(RepairKind.REMOVE_COMMA, "", level, State.AFTER, token, 0)
        if state in {State.COLON, State.VALUE}:
            yield Repair(RepairKind.ADD_VALUE, "", level, State.AFTER, token, 1)
            yield Repair(RepairKind.ADD_VALUE, ",", level, State.NEXT, token, 1.5)
        if state == State.VALUE or (level.kind != "{" and state in {State.FIRST, State.NEXT}):
            yield from self._repairs_of_value()
        yield from self._closings()
        if token.kind != TokenKind.END:
            yield from self._replacements()
            yield self._deletion()

    def _repairs_of_value(self) -> Iterator[Repair]:
        """Yield repairs where a value is expected: a missing or mistyped opening bracket, a superfluous colon."""
        level: Level = self._container
        token = self._token
        if token.kind == TokenKind.NAME:
            after_colon = self._lexer.at(self._following.end)
            yield Repair(RepairKind.REPLACE_COLON, "", level, State.AFTER, after_colon, 1)
            yield Repair(RepairKind.REPLACE_COLON, ",", level, State.NEXT, after_colon, 1)
            if level.parent is not None and level.kind != ROOT:
                closer = CLOSERS[level.kind]
                yield Repair(RepairKind.REPLACE_COLON, closer, level.parent, State.AFTER, after_colon, 1)
        for mark in "{[":
            opened = Level(mark, level, token.start)
            yield Repair(RepairKind.INSERT, mark, opened, State.FIRST, token, 1)
            if token.kind in ",:}]":
                yield Repair(RepairKind.REPLACE, mark, opened, State.FIRST, self._following, 1.5)

    def _closings(self) -> Iterator[Repair]:
        """Yield repairs that close levels. A comma before the token belongs to the level around them then."""
        level: Level = self._container
        token = self._token
        state = state_outside(self._state)
        for count in range(1, MAX_CLOSED + 1):
            if level.kind == ROOT or level.parent is None:
                return
            level = level.parent
            is_root = level.kind == ROOT
            if state == State.AFTER or not is_root:
                yield Repair(RepairKind.CLOSE, "", level, state, token, count, closed=count)
            if state == State.NEXT:
                yield Repair(RepairKind.CLOSE_FOR_COMMA, "", level, State.AFTER, token, count + 1.5, closed=count)
            elif not is_root:
                yield Repair(RepairKind.CLOSE_AND_ADD_COMMA, "", level, State.NEXT, token, count + 1.5, closed=count)

    def _replacements(self) -> Iterator[Repair]:
        level: Level = self._container
        token = self._token
        if token.kind not in MARKS and not token.is_word:
            return
        if self._state == State.AFTER:
            # A bracket that begins a value is hardly a mistyped comma.
            cost = 3 if token.kind in "{[" else 1
            yield Repair(RepairKind.REPLACE, ",", level, State.NEXT, self._following, cost)
        elif self._state == State.COLON:
            yield Repair(RepairKind.REPLACE, ":", level, State.VALUE, self._following, 1)
        closer = CLOSERS.get(level.kind, token.kind)
        may_close = self._state in {State.FIRST, State.NEXT, State.AFTER}
        if closer != token.kind and may_close and level.parent is not None:
            yield Repair(RepairKind.REPLACE, closer, level.parent, State.AFTER, self._following, 1)

    def _deletion(self) -> Repair:
        """Return the repair that deletes the token; of several commas, all are deleted."""
        token = self._token
        following = self._following
        while token.kind == following.kind == ",":
            following = self._lexer.at(following.end)
        cost = 0.5
        state = self._state
        if token.kind == "," and state == State.NEXT and following.kind == CLOSERS.get(self._container.kind):
            state = State.AFTER  # the comma before these is removed, too
        if following.start == token.end and any(error.is_doubtful for error in following.errors):
            cost = 0.25  # The token is probably mistyped for a quote.
        elif token.kind in "{[":
            cost = 1
        elif token.kind in {TokenKind.STRING, TokenKind.NAME, TokenKind.VALUE} and not token.is_word:
            cost = 2
        return Repair(RepairKind.DELETE, "", self._container, state, following, cost)

    def _repairs_of_closer(self) -> Iterator[Repair]:
        """Yield repairs of the closing bracket of the last member: it is superfluous, or mistyped for a comma."""
        container = self._container
        state = self._state
        if not container.members or container.members[-1].start == UNKNOWN or state not in {State.AFTER, State.NEXT}:
            return
        member = container.members[-1]
        members = member.members()
        kind = member.text_at(member.start)
        if members is None or member.text_at(member.end - 1) != CLOSERS.get(kind):
            return
        inside = Level(kind, container, member.start)
        if state == State.AFTER:
            yield Repair(RepairKind.REOPEN, ",", inside, State.NEXT, self._token, 1)
            if next(iter(members), None) is None:
                state = State.FIRST
        yield Repair(RepairKind.REOPEN, "", inside, state, self._token, 0.5)
