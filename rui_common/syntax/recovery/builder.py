"""What the recovery has made so far: values and members, faults, damage. All of it can be taken back."""

from __future__ import annotations

import re

from rui_common.syntax.errors import SyntaxFault
from rui_common.syntax.reader import skip_space
from rui_common.syntax.recovery.budget import MEMBER_STEPS
from rui_common.syntax.recovery.containers import MISSING, OpenContainer
from rui_common.syntax.recovery.indentation import ROOT, Layout, Level
from rui_common.syntax.recovery.lexer import NAME, VALUE, Token, Tokens
from rui_common.syntax.recovery.repairs import AFTER, AFTER_COLON, FIRST, KEY, NEXT, POP, PUSH, TAKE
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import UNKNOWN, Member, Members
from rui_common.vocabulary.rules import MAX_DEPTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.syntax.paths import Path
    from rui_common.syntax.reader import Source
    from rui_common.syntax.recovery.budget import Budget
    from rui_common.syntax.recovery.strings import Flaw

_NAME_AND_COLON = re.compile(r'("([^"\\\x00-\x1f]*)")[ \t\n\r]*:[ \t\n\r]*')
_COMMA_OR_END = {
    "{": re.compile(r"[ \t\n\r]*(?:(,)[ \t\n\r]*|(?=}))"),
    "[": re.compile(r"[ \t\n\r]*(?:(,)[ \t\n\r]*|(?=]))"),
}


class Builder:
    """Reads tokens into values and members.

    Attributes:
        frame: the innermost object or array that is open; at last what is around the root.
        first_line: the number of the first line, in words.
        state: what it waits for (`rui_common.syntax.recovery.repairs`).
        at: how far the text is read.
        is_calm: whether the last token was a sound one. A guess right behind a fault is no second fault.
        complaints: how many faults were seen, those that are taken for none or told already with them.
    """

    def __init__(self, source: Source, budget: Budget) -> None:
        self.text = source.text
        self.tokens = Tokens(source, budget)
        self.layout = Layout(source.text)
        self.first_line = source.first_line
        self.frame = OpenContainer(Level(ROOT, None, -1, None), Member(source.text, "", None, UNKNOWN), None)
        self.state = FIRST
        self.at = source.start
        self.is_calm = True
        self.messages = 0
        self.repeats = False
        # Everything with the offset at which it was noticed, so that it can be taken back.
        self._faults: dict[SyntaxFault, int] = {}
        self._mark_incomplete: list[tuple[Member, int]] = []
        self._around: dict[Member, Member | None] = {}

    # Faults and damage

    @property
    def fault_count(self) -> int:
        """How many faults were found."""
        return len(self._faults)

    def faults(self) -> list[SyntaxFault]:
        """All faults, in text order."""
        return sorted(self._faults)

    def report(self, span: Span, words: tuple[str, str], noticed: int, *, is_guess: bool = True) -> None:
        """Report a fault in the object or array that is open.

        Args:
            span: where it is.
            words: message and hint.
            noticed: the offset at which it was noticed.
            is_guess: whether it may only follow from a fault right before it; it is not reported then.
        """
        self.messages += 1
        self.mark_incomplete(noticed)
        if self.is_calm or not is_guess or not self._faults:
            self._faults.setdefault(SyntaxFault(span, *words), noticed)
        self.is_calm = False

    def report_token(self, flaws: Iterator[Flaw] | tuple[Flaw, ...], noticed: int) -> None:
        """Report what is wrong with a token."""
        for flaw in flaws:
            was_calm = self.is_calm
            span = Span(flaw.start, flaw.end)
            self.report(span, (flaw.message, flaw.hint), noticed, is_guess=flaw.is_doubtful)
            self.is_calm = was_calm and not flaw.is_doubtful

    def take_back(self, message: str, end: int) -> bool:
        """Withdraw what was said of the end of the text, if it was that; whether it was."""
        said = [fault for fault in self._faults if fault.message == message and fault.span.start == end]
        for fault in said:
            del self._faults[fault]
        self.is_calm = self.is_calm or bool(said)
        return bool(said)

    def mark_incomplete(self, noticed: int) -> None:
        """Something may be missing in the object or array that is open."""
        if not self._mark_incomplete or self._mark_incomplete[-1][0] is not self.frame.member:
            self._mark_incomplete.append((self.frame.member, noticed))

    def incomplete(self) -> frozenset[Path]:
        """The paths of all that is damaged."""
        return frozenset(path for member, _ in self._mark_incomplete if (path := self._path(member)) is not None)

    def _path(self, member: Member) -> Path | None:
        if member is self._outermost().member:
            return ()
        steps: list[str | int] = []
        at: Member | None = member
        while at is not None and at in self._around:
            around = self._around[at]
            if around is not None:
                steps.append(at.step)
                inside = around.members()
                if inside is None or inside.get(at.step, unique=False) is not at:
                    return None  # a repeated key, and another one counts
            at = around
        return tuple(reversed(steps)) if at is None else None

    # Reading on

    def shift(self, token: Token, action: str) -> None:
        """Read a token that can stand where it stands."""
        self.report_token(token.flaws, token.start)
        self.at = token.end
        if action in {TAKE, PUSH, POP, KEY} and not any(flaw.is_doubtful for flaw in token.flaws):
            self.is_calm = True
        if action == TAKE:
            self.add(token.start, token.end, token.value)
            self._mark_value_incomplete(token)
        elif action == PUSH:
            self._push(token)
        elif action == POP:
            self.close(token.end)
        elif action == KEY:
            self.frame.key = token
            self.state = "colon"
        else:
            self.state = action
            if action == NEXT:
                self.frame.comma = token.start

    def _mark_value_incomplete(self, token: Token) -> None:
        """Note that the value that was added is not, or not yet, what it is meant to be: a word, an open string."""
        own = [flaw for flaw in token.flaws if flaw.start >= token.start]
        if self.frame.members and any(token.kind == VALUE or flaw.is_doubtful for flaw in own):
            member = self.frame.members[-1]
            self._around[member] = self.frame.member if self.frame.kind != ROOT else None
            self._mark_incomplete.append((member, token.start))

    def gallop(self) -> None:
        """Read sound members as fast as possible, up to the first that is not plainly one."""
        frame, text = self.frame, self.text
        if self.state not in {FIRST, NEXT} or frame.kind == ROOT or not self.tokens.is_plain:
            return
        is_object = frame.kind == "{"
        comma_or_end = _COMMA_OR_END[frame.kind].match
        sound, members, values, depth = self.tokens.sound, frame.members, frame.values, frame.depth
        budget = self.tokens.budget
        start = skip_space(text, self.at).end()
        while not budget.is_spent:
            budget.steps -= MEMBER_STEPS
            name = None
            if is_object:
                name = _NAME_AND_COLON.match(text, start)
                if name is None:
                    return
                start = name.end()
            read = sound(start, depth)
            after = None if read is None else comma_or_end(text, read[1])
            if read is None or after is None:
                return
            value, end = read
            if name is not None:
                members.append(Member(text, name[2], Span(*name.span(1)), start, end))
            else:
                members.append(Member(text, len(members), None, start, end))
            values.append(value)
            self.is_calm = True
            if after.lastindex is None:
                self.at, self.state = end, AFTER
                return
            self.at = start = after.end()
            self.state, frame.comma = NEXT, after.start(1)

    def add(self, start: int, end: int, value: object) -> None:
        """Add a value to what is open."""
        self.frame.add(self.frame.new_member(self.text, start, end), value)
        self.state = AFTER

    def add_missing(self) -> None:
        """Add the property that is being read without a value."""
        self.frame.add(self.frame.new_member(self.text, UNKNOWN), MISSING)
        self.state = AFTER

    def _push(self, token: Token) -> None:
        frame = self.frame
        whole = self.tokens.whole(token.start, frame.depth)
        if whole is not None and not (frame.guarded and self.layout.is_odd(whole.start, whole.end)):
            self.at = whole.end
            self.add(whole.start, whole.end, whole.value)
        elif frame.depth >= MAX_DEPTH:
            words = f"Nested deeper than {MAX_DEPTH} levels", "Move what is inside further up."
            self.report(Span(token.start, token.end), words, token.start)
            self.at = self.tokens.skip(token.start)
            member = frame.new_member(self.text, token.start, self.at)
            if member is not None:
                member.settle(self.at, Members(iter(())))
            frame.add(member, {} if token.kind == "{" else [])
            self.state = AFTER
        else:
            self.open(self.layout.level(token.kind, frame, token.start), token.start)

    def open(self, level: Level, start: int) -> None:
        """Open an object or array whose bracket is, or would be, at `start`."""
        around = self.frame
        member = around.new_member(self.text, start) or Member(self.text, "", None, start)
        self.frame = OpenContainer(level, member, around)
        self.frame.guarded = around.guarded
        self.state = FIRST

    def close(self, end: int, *, is_open: bool = False) -> None:
        """Close the innermost object or array; it ends at `end`, because the text does if it `is_open`."""
        frame, around = self.frame, self.frame.around
        if around is None:
            return
        value, repeats = frame.value()
        self.repeats = self.repeats or repeats
        frame.finish(end)
        frame.member.is_open = is_open
        self.frame, self.state = around, AFTER
        if around.kind == "{" and around.key is None:
            return  # the value of a property without a name
        self._around[frame.member] = around.member if around.kind != ROOT else None
        around.add(frame.member, value)

    # Going back

    def go_back(self, frame: OpenContainer, index: int, *, guarded: bool) -> None:
        """Take back what was read since the member of `frame` with that number was opened, and open it again."""
        member = frame.members[index]
        start = member.start
        frame.cut(index)
        if member.key_span is not None:
            frame.key = Token(NAME, *member.key_span, member.step)
        self._faults = {fault: noticed for fault, noticed in self._faults.items() if noticed < start}
        self._mark_incomplete = [(member, noticed) for member, noticed in self._mark_incomplete if noticed < start]
        self.frame, self.at, self.is_calm = frame, start + 1, True
        self.open(self.layout.level(self.text[start], frame, start), start)
        self.frame.guarded = guarded

    def wrap_last(self, level: Level) -> None:
        """Open an array around the last member that was read."""
        frame, state = self.frame, self.state
        member, value = frame.members[-1], frame.values[-1]
        frame.cut(len(frame.members) - 1)
        if member.key_span is not None:
            frame.key = Token(NAME, *member.key_span, member.step)
        self.open(level, member.start)
        member.step, member.key_span = 0, None
        self.frame.add(member, value)
        self._around[member] = self.frame.member
        self.state = state

    def dissolve(self) -> None:
        """Take the innermost object or array away and leave its only member in its place, if it has one.

        In an array, any number of elements take the place of the array that they are in.
        """
        frame, around = self.frame, self.frame.around
        if around is None:
            return
        self.frame = around
        if frame.kind == "{" and frame.key is not None:
            self.add(frame.key.start, frame.key.end, frame.key.value)
        elif frame.members:
            for member, value in zip(frame.members, frame.values, strict=True):
                is_only = len(frame.members) == 1
                member.step = frame.member.step if is_only else len(around.members)
                member.key_span = frame.member.key_span
                self._around[member] = around.member if around.kind != ROOT else None
                around.add(member, value)
            self.state = AFTER
        elif around.kind == "{":
            self.state = AFTER_COLON
        else:
            self.state = NEXT if around.members else FIRST

    def root(self) -> tuple[Member, object]:
        """The root and its value."""
        frame = self._outermost()
        if frame.members:
            return frame.members[0], frame.values[0]
        return frame.member, None

    def _outermost(self) -> OpenContainer:
        frame = self.frame
        while frame.around is not None:
            frame = frame.around
        return frame
