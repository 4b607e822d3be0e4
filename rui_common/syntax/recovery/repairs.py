"""Which small change to a broken text lets it be read on furthest: every one that may be meant is tried ahead.

A change is tried on the tokens alone, no value is made. How far it reaches counts twice: up to the first token that
cannot stand there, and up to the first whose indentation speaks against it.
"""

from __future__ import annotations

from collections import namedtuple

from rui_common.syntax.recovery.budget import LOOKAHEAD_STEPS
from rui_common.syntax.recovery.indentation import ROOT, Layout, Level
from rui_common.syntax.recovery.lexer import END, NAME, STRING, VALUE, Token, Tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FIRST, NEXT, COLON, AFTER_COLON, AFTER = "first", "next", "colon", "after colon", "after"
"""What a level waits for: its first member or its end; a member, after a comma; a colon; the value after it; a comma or
its end, after a member."""

KEY, POP, PUSH, TAKE, DONE = "key", "pop", "push", "take", "done"
"""What a token does besides bringing about one of these states."""

_VALUES = {STRING: TAKE, VALUE: TAKE, "{": PUSH, "[": PUSH}
ACCEPTED: dict[tuple[str, str], dict[str, str]] = {
    ("{", FIRST): {NAME: KEY, STRING: KEY, "}": POP},
    ("{", NEXT): {NAME: KEY, STRING: KEY},
    ("{", COLON): {":": AFTER_COLON},
    ("{", AFTER_COLON): _VALUES,
    ("{", AFTER): {",": NEXT, "}": POP},
    ("[", FIRST): {**_VALUES, "]": POP},
    ("[", NEXT): _VALUES,
    ("[", AFTER): {",": NEXT, "]": POP},
    (ROOT, FIRST): _VALUES,
    (ROOT, AFTER): {END: DONE},
}
"""(kind of the level, state) → kind of a token that may come → what it does. It is JSON's grammar."""

CLOSERS = {"{": "}", "[": "]"}
_MARKS = frozenset("{}[],:")
FAR = 40
"""So many tokens are looked ahead."""


class Repair(namedtuple("Repair", ("name", "mark", "level", "state", "token", "price", "dropped"), defaults=[-1])):
    """A change to the text.

    Attributes:
        name: what it is: ``insert``, ``delete``, ``replace`` …
        mark: the mark that it inserts, or puts in place of the token.
        level, state, token: where reading goes on.
        price: how far-fetched it is, in tokens.
        dropped: the offset of the mark that it takes away, or -1.
    """

    __slots__ = ()
    name: str
    mark: str
    level: Level
    state: str
    token: Token
    price: float
    dropped: int


class Trial:
    """Tries changes ahead.

    Args:
        tokens: the tokens of the text.
        layout: its lines.
    """

    def __init__(self, tokens: Tokens, layout: Layout) -> None:
        self._tokens = tokens
        self._layout = layout

    def best(self, repairs: Iterator[Repair], far: int) -> Repair | None:
        """The change that lets the text be read furthest; None if none gets even one token further."""
        best: Repair | None = None
        best_score = 0.0
        for repair in repairs:
            line = self._layout.leave_out(repair.dropped) if repair.dropped >= 0 else None
            reached = self.reach(repair.level, repair.state, repair.token, far)
            if line is not None:
                self._layout.put_back(line)
            score = reached - repair.price
            if reached and (best is None or score > best_score):
                best, best_score = repair, score
        return best

    def reach(self, level: Level, state: str, token: Token, far: int) -> int:
        """How far reading gets: the tokens up to the first that cannot stand where it stands.

        To these are added those up to the first whose indentation is odd; it is at most twice `far`.
        """
        read, well_placed = 0, -1
        while read < far:
            action = ACCEPTED.get((level.kind, state), {}).get(token.kind)
            if action is None:
                break
            is_member = action == KEY or (level.kind == "[" and action in {TAKE, PUSH})
            if well_placed < 0 and not self._layout.fits(level, token, is_member=is_member):
                well_placed = read
            if action == DONE:
                read = far
                break
            read += 1
            level, state, token = self._step(level, action, token)
        self._tokens.budget.steps -= LOOKAHEAD_STEPS * (read + 2)
        return read + (read if well_placed < 0 else well_placed)

    def _step(self, level: Level, action: str, token: Token) -> tuple[Level, str, Token]:
        state = action
        if action == PUSH:
            whole = self._tokens.whole(token.start, level.depth)
            if whole is not None and not self._layout.is_odd(whole.start, whole.end):
                token, state = whole, AFTER
            else:
                level, state = self._layout.level(token.kind, level, token.start), FIRST
        elif action == POP:
            level, state = level.parent or level, AFTER
        elif action == KEY:
            state = COLON
        elif action == TAKE:
            state = AFTER
        return level, state, self._tokens.at(token.end)


def repairs_of(level: Level, state: str, token: Token, tokens: Tokens, layout: Layout) -> Iterator[Repair]:
    """The changes that may be meant where `token` cannot stand, whatever came before in its level.

    Args:
        level, state: where reading is.
        token: the token that cannot stand there.
        tokens: the tokens of the text.
        layout: its lines.
    """
    following = tokens.at(token.end)
    if state == AFTER:
        yield Repair("insert", ",", level, NEXT, token, 0)
    elif state == COLON:
        yield Repair("insert", ":", level, AFTER_COLON, token, 0)
    elif state == NEXT and token.kind == CLOSERS.get(level.kind):
        yield Repair("uncomma", "", level, AFTER, token, 0)
    if state in {COLON, AFTER_COLON}:
        yield Repair("no value", "", level, AFTER, token, 1)
        yield Repair("no value", ",", level, NEXT, token, 1.5)
    yield from _openings(level, state, token, tokens, layout)
    yield from _closings(level, state, token)
    if token.kind != END:
        yield from _replacements(level, state, token, following, layout)
        yield _deletion(level, state, token, tokens, layout)


def _deletion(level: Level, state: str, token: Token, tokens: Tokens, layout: Layout) -> Repair:
    """The token may be one too many; of several commas all are taken away."""
    following = tokens.at(token.end)
    while token.kind == following.kind == ",":
        following = tokens.at(following.end)
    price = 0.5
    if following.start == token.end and any(flaw.is_doubtful for flaw in following.flaws):
        price = 0.25  # It stands where a quote should.
    elif token.kind in "{[":
        column = layout.column_without(token.start)
        # Without it, what follows may stand where the other members do.
        price = 0.25 if column is not None and column == level.member_indent else 1 + _price_of(token, layout)
    elif token.kind in {STRING, NAME, VALUE} and not token.is_word:
        price = 2
    return Repair("delete", "", level, state, following, price, token.start if token.kind in _MARKS else -1)


def _price_of(token: Token, layout: Layout) -> float:
    """The price of taking a bracket for a mistake: a higher one if it has a line to itself."""
    return 2 if token.kind in "{[" and layout.is_alone(token.start) else 0


def _openings(level: Level, state: str, token: Token, tokens: Tokens, layout: Layout) -> Iterator[Repair]:
    """Brackets that may be missing, or mistyped as something else."""
    following = tokens.at(token.end)
    is_value_place = state == AFTER_COLON or (level.kind != "{" and state in {FIRST, NEXT})
    if is_value_place and token.kind == NAME:
        behind_colon = tokens.at(following.end)
        yield Repair("no colon", "", level, AFTER, behind_colon, 1)
        yield Repair("no colon", ",", level, NEXT, behind_colon, 1)
        if level.parent is not None and level.kind != ROOT:
            yield Repair("no colon", CLOSERS[level.kind], level.parent, AFTER, behind_colon, 1)
    if is_value_place:
        indent = level.member_indent
        for mark in "{[":
            opened = Level(mark, level, layout.line(token.start) - 1, indent)
            yield Repair("insert", mark, opened, FIRST, token, 1)
            if token.kind in ",:}]":
                yield Repair("replace", mark, opened, FIRST, following, 1.5)
    elif level.kind == "{" and state in {FIRST, NEXT}:
        if token.kind == ":":
            yield Repair("no name", "", level, AFTER_COLON, following, 2)
        elif token.kind in {VALUE, "{", "["}:
            yield Repair("no name", "", level, AFTER_COLON, token, 3)


def _closings(level: Level, state: str, token: Token) -> Iterator[Repair]:
    """Brackets that may be missing before `token`. A comma before it belongs to the level around then."""
    state = NEXT if state == NEXT else AFTER
    inner: Level | None = level
    for count in range(1, 4):
        if inner is None or inner.kind == ROOT or inner.parent is None:
            return
        inner = inner.parent
        mark = str(count)
        if inner.kind != ROOT or state != NEXT:
            yield Repair("close", mark, inner, state, token, count)
        if state != NEXT and inner.kind != ROOT:
            yield Repair("close", mark + ",", inner, NEXT, token, count + 1.5)
        if state == NEXT:
            yield Repair("close", mark + "-", inner, AFTER, token, count + 1.5)


def _replacements(level: Level, state: str, token: Token, following: Token, layout: Layout) -> Iterator[Repair]:
    """Another mark that may be meant with `token`."""
    if token.kind not in _MARKS and not token.is_word:
        return
    if state == AFTER:
        yield Repair("replace", ",", level, NEXT, following, 1 + _price_of(token, layout))
    elif state == COLON:
        yield Repair("replace", ":", level, AFTER_COLON, following, 1)
    closer = CLOSERS.get(level.kind)
    if closer not in {None, token.kind} and state in {FIRST, NEXT, AFTER} and level.parent is not None:
        yield Repair("replace", CLOSERS[level.kind], level.parent, AFTER, following, 1)
