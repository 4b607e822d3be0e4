"""Tolerant reading: a broken text → its value, the places of its members, and a few precise faults.

Whatever the C scanner can read is left to it. Around the faults the text is read token by token; where a token
cannot stand, the smallest change that lets reading go on furthest is looked for (`repairs`), made and reported. If what
was read before does not end where its indentation says (`layout`), it is read again first, and the indentation counts.
Texts whose brackets agree are never judged by their indentation.
"""

from __future__ import annotations

from itertools import chain

from rui_common.syntax.errors import SyntaxFault
from rui_common.syntax.reader import stop_of_strict_reader
from rui_common.syntax.recovery import messages
from rui_common.syntax.recovery.backtracking import repairs_behind
from rui_common.syntax.recovery.budget import REPAIR_STEPS
from rui_common.syntax.recovery.builder import Builder
from rui_common.syntax.recovery.containers import state_outside
from rui_common.syntax.recovery.envelope import around, without
from rui_common.syntax.recovery.indentation import ROOT
from rui_common.syntax.recovery.lexer import END, NAME, STRING, VALUE
from rui_common.syntax.recovery.repairs import (
    ACCEPTED,
    AFTER,
    CLOSERS,
    FAR,
    KEY,
    NEXT,
    PUSH,
    TAKE,
    Repair,
    Trial,
    repairs_of,
)
from rui_common.syntax.recovery.strings import CUT_STRING
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.syntax.reader import Source
    from rui_common.syntax.recovery.budget import Budget
    from rui_common.syntax.recovery.containers import OpenContainer
    from rui_common.syntax.recovery.lexer import Token
    from rui_common.syntax.tree import Member

MAX_FAULTS = 100
UNEXPLAINED = ("This is not JSON here", "Check this place and the text before it.")
NEAR = 3
"""So many tokens are looked ahead when enough faults are known already."""
MAX_RETURNS = 20
"""So often something is read again by its indentation; at most `MAX_LOOKED_AT` members are looked at each time."""
MAX_LOOKED_AT = 200


class Recovered:
    """What could be made of a broken text.

    Attributes:
        value: its value; None if there is none.
        root: the root, with the members of all objects and arrays that are broken.
        faults: the errors, in text order.
        damaged: the objects and arrays in which something is directly broken, and plain values that are broken.
        repeats: whether some object has a key more than once.
    """

    __slots__ = ("faults", "incomplete", "repeats", "root", "value")

    def __init__(self, builder: Builder, faults: list[SyntaxFault]) -> None:
        self.root: Member
        self.value: object
        self.root, self.value = builder.root()
        self.incomplete = builder.incomplete
        self.repeats = builder.repeats or builder.tokens.repeats
        self.faults = tuple(faults)


def recover(source: Source, budget: Budget) -> Recovered:
    """Read a broken text. It never fails, and finds no error in valid JSON."""
    beside = around(source.text, source.start)
    recovery = _Recovery(source if beside is None else without(source, beside), budget)
    recovery.run()
    faults = recovery.builder.faults()
    if budget.is_spent and not faults:
        stop = max(recovery.builder.at, stop_of_strict_reader(source))
        faults = [SyntaxFault(Span(stop, stop + 1), *UNEXPLAINED)]
    if beside is not None:
        faults = [SyntaxFault(beside.span, *beside.words), *faults]
    if source.fault is not None:
        start, end, message, hint = source.fault
        faults = sorted([*faults, SyntaxFault(Span(start, end), message, hint)])
    return Recovered(recovery.builder, faults)


class _Recovery:
    """Reads on where possible and decides what to change where not."""

    def __init__(self, source: Source, budget: Budget) -> None:
        self.builder = Builder(source, budget)
        self._budget = budget
        self._trial = Trial(self.builder.tokens, self.builder.layout)
        self._read_again: set[int] = set()
        # Brackets that were found to be too many, or a comma; and the last token that was put up with.
        self._read_as: dict[int, str] = {}
        self._tolerated = UNKNOWN
        self._done = False

    def run(self) -> None:
        """Read the whole text."""
        builder = self.builder
        while not self._done:
            if builder.messages > self._budget.errors:
                self._stop()
                return
            if not builder.frame.guarded:
                builder.gallop()
            token = builder.tokens.at(builder.at)
            if self._budget.is_spent:
                self._stop()
                return
            mark = self._read_as.get(token.start)
            if mark is not None:
                builder.at = token.end
                builder.state = NEXT if mark else builder.state
                continue
            action = ACCEPTED.get((builder.frame.kind, builder.state), {}).get(token.kind)
            if action is None or not self._fits(token, action):
                self._repair(token, can_stand=action is not None)
            elif token.kind == END:
                builder.report_token(token.flaws, token.start)
                self._done = True
            else:
                builder.shift(token, action)

    def _fits(self, token: Token, action: str) -> bool:
        frame = self.builder.frame
        if not frame.guarded or token.start == self._tolerated:
            return True
        frame.measure(self.builder.layout)
        is_member = action == KEY or (frame.kind == "[" and action in {TAKE, PUSH})
        return self.builder.layout.fits(frame, token, is_member=is_member)

    def _repair(self, token: Token, *, can_stand: bool) -> None:
        """Change something, so that reading can go on at a token that cannot stand where it stands."""
        builder, frame = self.builder, self.builder.frame
        builder.report_token((flaw for flaw in token.flaws if flaw.end <= token.start), token.start)
        if token.kind == END:
            self._end(token)
            return
        # A comma before the bracket that may stand there is one too many, wherever either of them stands.
        is_closed = builder.state == NEXT and token.kind == CLOSERS.get(frame.kind)
        if not frame.guarded and not is_closed and self._look_back(frame):
            return
        self._measure()
        far = FAR if builder.fault_count < MAX_FAULTS else NEAR
        if frame.kind == ROOT and builder.state == AFTER and not self._belongs_inside(token, far):
            self._reject_rest(token)
            return
        best = self._trial.best(self._possible(token, can_stand=can_stand), far)
        self._budget.steps -= REPAIR_STEPS
        following = builder.tokens.at(token.end)
        if self._budget.is_spent:
            self._stop()
            return
        self._make(best or Repair("delete", "", frame, builder.state, following, 0), token)
        self._tolerated = token.start

    def _measure(self) -> None:
        frame: OpenContainer | None = self.builder.frame
        for _ in range(4):
            if frame is not None:
                frame.measure(self.builder.layout)
                frame = frame.around

    def _possible(self, token: Token, *, can_stand: bool) -> Iterator[Repair]:
        builder, frame, state = self.builder, self.builder.frame, self.builder.state
        behind = repairs_behind(frame, state, token, builder.layout)
        if frame.kind == ROOT and state == AFTER:
            return behind
        keep = [Repair("keep", "", frame, state, token, 0)] if can_stand else []
        return chain(keep, repairs_of(frame, state, token, builder.tokens, builder.layout), behind)

    def _belongs_inside(self, token: Token, far: int) -> bool:
        """Whether what follows the root can be read on by some change to the root."""
        builder = self.builder
        if builder.tokens.at(token.end).kind == END:
            return False
        best = self._trial.best(self._possible(token, can_stand=False), far)
        return best is not None and self._trial.reach(best.level, best.state, best.token, far) >= far

    def _look_back(self, frame: OpenContainer) -> bool:
        """Read a member of `frame` again that does not end where its indentation says, if there is one."""
        builder = self.builder
        if len(self._read_again) >= MAX_RETURNS:
            return False
        first = max(frame.checked, len(frame.members) - MAX_LOOKED_AT)
        for index in range(len(frame.members) - 1, first - 1, -1):
            member = frame.members[index]
            start = member.start
            if start == UNKNOWN or start in self._read_again or builder.text[start] not in "{[":
                continue
            if builder.layout.is_odd(start, member.end):
                self._read_again.add(start)
                builder.go_back(frame, index, guarded=True)
                self._tolerated = UNKNOWN
                return True
        frame.checked = len(frame.members)
        return False

    # Making a repair

    def _make(self, repair: Repair, token: Token) -> None:
        if repair.name == "keep":
            return
        builder = self.builder
        dropped = builder.text[repair.dropped] if repair.dropped >= 0 else ""
        words = messages.error_message(repair, builder.frame, token, dropped, builder.first_line)
        if repair.dropped >= 0:
            builder.layout.leave_out(repair.dropped)
        if repair.name in {"reopen", "unwrap"}:
            self._read_again_as(repair, words)
            return
        builder.report(self._place(repair, token), words, token.start)
        if repair.name in {"delete", "replace"} or (repair.name == "no name" and token.kind == ":"):
            builder.at = token.end
        if repair.name == "delete" and token.kind == ",":
            self._skip_commas()
        if repair.name in {"insert", "replace"}:
            self._put(repair, token)
        elif repair.name == "close":
            self._close(repair, token)
        elif repair.name in {"convert", "wrap", "unopen"}:
            self._change_bracket(repair, token)
        else:
            self._change_member(repair, token)

    def _skip_commas(self) -> None:
        builder = self.builder
        while (following := builder.tokens.at(builder.at)).kind == ",":
            builder.at = following.end

    def _change_bracket(self, repair: Repair, token: Token) -> None:
        """Make the bracket before what was read last another one, or none, or one more."""
        builder, state = self.builder, self.builder.state
        if repair.name == "convert":
            builder.state = builder.frame.convert(builder.text, state)
        elif repair.name == "wrap":
            builder.wrap_last(repair.level)
            builder.mark_incomplete(token.start)
        else:
            builder.dissolve()
            builder.state = state_outside(state) if builder.state == AFTER else builder.state

    def _change_member(self, repair: Repair, token: Token) -> None:
        """Read on in the same object or array as if a name, value, colon or comma were there, or not."""
        builder, frame = self.builder, self.builder.frame
        if repair.name == "no value":
            builder.add_missing()
        elif repair.name == "no name":
            frame.key = None
        elif repair.name == "no colon":
            builder.add(token.start, token.end, token.value)
            builder.at = builder.tokens.at(token.end).end
            if repair.level is frame.parent:
                builder.close(builder.at)
        builder.state = repair.state

    def _put(self, repair: Repair, token: Token) -> None:
        """Act as if `repair.mark` stood before the token or in its place."""
        builder = self.builder
        if repair.mark in "{[":
            builder.open(repair.level, token.start)
            builder.mark_incomplete(token.start)
        elif repair.mark in "}]":
            builder.close(token.end)
        else:
            builder.state = repair.state

    def _close(self, repair: Repair, token: Token) -> None:
        builder = self.builder
        for _ in range(int(repair.mark[0])):
            if builder.frame.key is not None:
                builder.add_missing()
            builder.mark_incomplete(token.start)
            builder.close(token.start)
        builder.state = repair.state

    def _read_again_as(self, repair: Repair, words: tuple[str, str]) -> None:
        """Read the last member again, without the bracket that opened or closed it, or with a comma instead."""
        builder, frame, bracket = self.builder, self.builder.frame, repair.dropped
        index = len(frame.members) - 1
        start = frame.members[index].start
        self._read_as[bracket] = repair.mark
        builder.go_back(frame, index, guarded=False)
        builder.report(Span(bracket, bracket + 1), words, bracket)
        if bracket == start:
            builder.dissolve()

    def _place(self, repair: Repair, token: Token) -> Span:
        """Where a repair is reported."""
        frame = self.builder.frame
        if repair.name == "uncomma":
            return Span(frame.comma, frame.comma + 1)
        if repair.name in {"convert", "unopen"}:
            return Span(frame.member.start, frame.member.start + 1)
        if repair.name == "wrap":
            start = frame.members[-1].start
            return Span(start, start + 1)
        return self._span(self.builder.tokens.at(token.end) if repair.name == "no colon" else token)

    def _span(self, token: Token) -> Span:
        is_word = token.kind in {STRING, NAME, VALUE}
        return Span(token.start, token.end if is_word else min(token.start + 1, token.end))

    # Endings

    def _end(self, token: Token) -> None:
        """The text ends although something is open."""
        builder = self.builder
        frame: OpenContainer | None = builder.frame
        while frame is not None:
            if not frame.guarded and self._look_back(frame):
                return
            frame = frame.around
        end = len(builder.text)
        frame = builder.frame
        levels = []
        while frame is not None and frame.around is not None:
            levels.append(frame)
            frame = frame.around
        in_string = builder.take_back(CUT_STRING, end)
        if levels:
            words = messages.never_closed(levels, builder.state, builder.first_line, '"' if in_string else "")
        else:
            words = "Expected a JSON value, the text is empty", "Write a document, beginning with {."
        if in_string:
            words = (CUT_STRING, words[1] if levels else 'Add " to close the string.')
        builder.report(Span(end, end), words, token.start)
        self._stop()

    def _stop(self) -> None:
        """Read no further; whatever is open may lack something."""
        builder = self.builder
        while builder.frame.around is not None:
            if builder.frame.key is not None:
                builder.add_missing()
            builder.mark_incomplete(builder.at)
            builder.close(len(builder.text), is_open=True)
        self._done = True

    def _reject_rest(self, token: Token) -> None:
        message = f"Unexpected {messages.shown(token)} after the end of the document"
        words = message, "A document is one value; remove what follows it."
        self.builder.report(self._span(token), words, token.start)
        self._done = True
