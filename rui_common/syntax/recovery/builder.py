"""The result of the recovering parser so far: values, members, errors and incomplete values. All can be rolled back."""

from __future__ import annotations

import re

from rui_common.syntax.errors import SyntaxFault
from rui_common.syntax.reader import skip_space
from rui_common.syntax.recovery.containers import MISSING, OpenContainer
from rui_common.syntax.recovery.grammar import ROOT, Action, State
from rui_common.syntax.recovery.indentation import IndentationHints, IndentLevel
from rui_common.syntax.recovery.lexer import Lexer, TokenKind
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import UNKNOWN, Member, Members
from rui_common.vocabulary.rules import MAX_DEPTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rui_common.syntax.paths import Path
    from rui_common.syntax.reader import Source
    from rui_common.syntax.recovery.budget import Budget
    from rui_common.syntax.recovery.lexer import Token
    from rui_common.syntax.recovery.messages import Words
    from rui_common.syntax.recovery.strings import LexError

_NAME_AND_COLON = re.compile(r'("([^"\\\x00-\x1f]*)")[ \t\n\r]*:[ \t\n\r]*')
_COMMA_OR_END = {
    "{": re.compile(r"[ \t\n\r]*(?:(,)[ \t\n\r]*|(?=}))"),
    "[": re.compile(r"[ \t\n\r]*(?:(,)[ \t\n\r]*|(?=]))"),
}


class Builder:
    """Turns tokens into values and members.

    Attributes:
        container: the innermost open object or array, or the level around the root.
        state: the `State` of that container.
        offset: the end of the text that is read.
        report_count: the number of reports, including repeated and suppressed ones.
        has_duplicate_keys: whether a closed object has a key more than once.
    """

    def __init__(self, source: Source, budget: Budget) -> None:
        self.text = source.text
        self.lexer = Lexer(source, budget)
        self.indentation = IndentationHints(source.text, source.lines)
        root = Member(source.text, "", None, UNKNOWN)
        self.container = OpenContainer(IndentLevel(ROOT, None, -1, None), root, None)
        self.state = State.FIRST
        self.offset = source.start
        self.report_count = 0
        self.has_duplicate_keys = False
        self._budget = budget
        # Whether the last token had an error. A guess right after it is a consequence and is not reported.
        self._is_after_error = False
        # Each with the offset at which the parser noticed it, for rolling back.
        self._errors: dict[SyntaxFault, int] = {}
        self._incomplete: list[tuple[Member, int]] = []
        self._parents: dict[Member, Member] = {}

    # Errors

    @property
    def error_count(self) -> int:
        return len(self._errors)

    def errors(self) -> list[SyntaxFault]:
        return sorted(self._errors)

    def report(self, span: Span, words: Words, offset: int, *, is_guess: bool = True) -> None:
        """Report an error that the parser noticed at `offset`, unless it is a guess right after another error."""
        self.report_count += 1
        self.mark_incomplete(offset)
        if not (is_guess and self._is_after_error and self._errors):
            self._errors.setdefault(SyntaxFault(span, *words), offset)
        self._is_after_error = True

    def report_token(self, errors: Iterable[LexError], offset: int) -> None:
        """Report the errors of a token."""
        for error in errors:
            was_after_error = self._is_after_error
            words = (error.message, error.hint)
            self.report(Span(error.start, error.end), words, offset, is_guess=error.is_doubtful)
            self._is_after_error = was_after_error or error.is_doubtful

    def withdraw(self, message: str, offset: int) -> bool:
        """Remove the errors with a message at an offset. Returns whether there was one."""
        errors = [error for error in self._errors if error.message == message and error.span.start == offset]
        for error in errors:
            del self._errors[error]
        if errors:
            self._is_after_error = False
        return bool(errors)

    def last_error_start(self) -> int:
        """Return the start of the error that extends to the end of the text, or `UNKNOWN`."""
        end = len(self.text)
        return max((error.span.start for error in self._errors if error.span.end == end), default=UNKNOWN)

    def withdraw_at(self, start: int) -> None:
        """Remove the errors that begin at an offset."""
        self._errors = {error: offset for error, offset in self._errors.items() if error.span.start != start}

    def mark_incomplete(self, offset: int) -> None:
        """Note that members of the open container may be missing."""
        if not self._incomplete or self._incomplete[-1][0] is not self.container.member:
            self._incomplete.append((self.container.member, offset))

    def incomplete(self) -> frozenset[Path]:
        paths = (self._path_of(member) for member, _ in self._incomplete)
        return frozenset(path for path in paths if path is not None)

    def _path_of(self, member: Member) -> Path | None:
        outermost = self._outermost().member
        steps: list[str | int] = []
        while member is not outermost:
            parent = self._parents.get(member)
            if parent is None:
                return None
            if parent is not outermost:
                siblings = parent.members()
                if siblings is None or siblings.get(member.step, unique=False) is not member:
                    return None  # a later duplicate of its key takes effect
                steps.append(member.step)
            member = parent
        return tuple(reversed(steps))

    # Reading on

    def shift(self, token: Token, action: str) -> None:
        """Read a token that the grammar accepts."""
        self.report_token(token.errors, token.start)
        self.offset = token.end
        is_mark = action in {Action.COLON, Action.COMMA}
        if not is_mark and not any(error.is_doubtful for error in token.errors):
            self._is_after_error = False
        if action == Action.VALUE:
            self.add(token.start, token.end, token.value)
            self._mark_value_incomplete(token)
        elif action == Action.OPEN:
            self._read_container(token)
        elif action == Action.CLOSE:
            self.close(token.end)
        elif action == Action.KEY:
            self.container.key = token
            self.state = State.COLON
        elif action == Action.COLON:
            self.state = State.VALUE
        else:
            self.state = State.NEXT
            self.container.comma = token.start

    def _mark_value_incomplete(self, token: Token) -> None:
        """Note that the added value, a word or an open string, may differ from the intended one."""
        errors = [error for error in token.errors if error.start >= token.start]
        if self.container.members and any(token.kind == TokenKind.VALUE or error.is_doubtful for error in errors):
            member = self.container.members[-1]
            self._parents[member] = self.container.member
            self._incomplete.append((member, token.start))

    def add_run(self) -> None:
        """Read a run of valid members with the scanner, up to the first one that is not simple."""
        container = self.container
        if self.state not in {State.FIRST, State.NEXT} or container.kind == ROOT or self.lexer.has_lone_surrogates:
            return
        count = len(container.members)
        self._add_members(container, count + self._budget.steps)
        self._budget.steps -= len(container.members) - count

    def _add_members(self, container: OpenContainer, max_count: int) -> None:
        text = self.text
        members = container.members
        values = container.values
        is_object = container.kind == "{"
        comma_or_end = _COMMA_OR_END[container.kind].match
        valid_value = self.lexer.valid_value
        start = skip_space(text, self.offset).end()
        while len(members) < max_count:
            name = None
            if is_object:
                name = _NAME_AND_COLON.match(text, start)
                if name is None:
                    return
                start = name.end()
            result = valid_value(start, container.depth)
            if result is None:
                return
            value, end = result
            separator = comma_or_end(text, end)
            if separator is None:
                return
            if name is None:
                members.append(Member(text, len(members), None, start, end))
            else:
                members.append(Member(text, name[2], Span(*name.span(1)), start, end))
            values.append(value)
            self._is_after_error = False
            if separator.lastindex is None:
                self.offset = end
                self.state = State.AFTER
                return
            start = separator.end()
            self.offset = start
            self.state = State.NEXT
            container.comma = separator.start(1)

    def add(self, start: int, end: int, value: object) -> None:
        self.container.add(self.container.new_member(self.text, start, end), value)
        self.state = State.AFTER

    def add_missing(self) -> None:
        """Add the property that is being read without a value."""
        self.container.add(self.container.new_member(self.text, UNKNOWN), MISSING)
        self.state = State.AFTER

    def _read_container(self, token: Token) -> None:
        """Read an object or array as a whole if it is valid, else open it."""
        container = self.container
        valid = self.lexer.container(token.start, container.depth)
        if valid is not None and not (
            container.checks_indentation and self.indentation.is_inconsistent(valid.start, valid.end)
        ):
            self.offset = valid.end
            self.add(valid.start, valid.end, valid.value)
        elif container.depth >= MAX_DEPTH:
            self._skip_container(token)
        else:
            self.open(self.indentation.level(token.kind, container, token.start), token.start)

    def _skip_container(self, token: Token) -> None:
        words = (f"Nested deeper than {MAX_DEPTH} levels", "Move what is inside further up.")
        self.report(Span(token.start, token.end), words, token.start)
        self.offset = self.lexer.skip_container(token.start)
        member = self.container.new_member(self.text, token.start, self.offset)
        if member is not None:
            member.set_end(self.offset, Members(iter(())))
        self.container.add(member, {} if token.kind == "{" else [])
        self.state = State.AFTER

    def open(self, level: IndentLevel, start: int) -> None:
        """Open an object or array whose bracket is, or would be, at `start`."""
        parent = self.container
        member = parent.new_member(self.text, start) or Member(self.text, "", None, start)
        self.container = OpenContainer(level, member, parent)
        self.container.checks_indentation = parent.checks_indentation
        self.state = State.FIRST

    def close(self, end: int, *, is_open: bool = False) -> None:
        """Close the innermost object or array at `end`; `is_open` if it is not closed in the text."""
        container = self.container
        parent = container.parent
        if parent is None:
            return
        self.has_duplicate_keys = self.has_duplicate_keys or container.has_duplicate_keys()
        container.finish(end)
        container.member.is_open = is_open
        self.container = parent
        self.state = State.AFTER
        # The value of a property without a name is dropped.
        if parent.kind != "{" or parent.key is not None:
            self._parents[container.member] = parent.member
            parent.add(container.member, container.value())

    # Going back

    def reopen_member(self, container: OpenContainer, index: int, *, checks_indentation: bool) -> None:
        """Roll back to the opening bracket of a member of `container`, and open it again."""
        start = container.members[index].start
        container.truncate(index)
        self._errors = {error: offset for error, offset in self._errors.items() if offset < start}
        self._incomplete = [(member, offset) for member, offset in self._incomplete if offset < start]
        self._is_after_error = False
        self.container = container
        self.offset = start + 1
        self.open(self.indentation.level(self.text[start], container, start), start)
        self.container.checks_indentation = checks_indentation

    def wrap_last(self, level: IndentLevel) -> None:
        """Open an array around the last member that was read."""
        container = self.container
        state = self.state
        member = container.members[-1]
        value = container.values[-1]
        container.truncate(len(container.members) - 1)
        self.open(level, member.start)
        member.step = 0
        member.key_span = None
        self.container.add(member, value)
        self._parents[member] = self.container.member
        self.state = state

    def remove_container(self) -> None:
        """Replace the innermost object or array by its only member, if it has one.

        In an array, any number of elements replace the array that contains them.
        """
        container = self.container
        parent = container.parent
        if parent is None:
            return
        self.container = parent
        if container.kind == "{" and container.key is not None:
            self.add(container.key.start, container.key.end, container.key.value)
        elif container.members:
            self._adopt_members(container)
        else:
            self.state = parent.next_member_state

    def _adopt_members(self, container: OpenContainer) -> None:
        parent = self.container
        is_only = len(container.members) == 1
        for member, value in zip(container.members, container.values, strict=True):
            member.step = container.member.step if is_only else len(parent.members)
            member.key_span = container.member.key_span
            self._parents[member] = parent.member
            parent.add(member, value)
        self.state = State.AFTER

    def root(self) -> tuple[Member, object]:
        outermost = self._outermost()
        if outermost.members:
            return outermost.members[0], outermost.values[0]
        return outermost.member, None

    def _outermost(self) -> OpenContainer:
        container = self.container
        while container.parent is not None:
            container = container.parent
        return container
