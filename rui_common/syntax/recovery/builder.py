"""The result of the recovering parser so far: values, members, errors and incomplete values."""

from collections.abc import Iterable, Sequence

from rui_common.syntax.errors import OMISSIONS, FaultKind, SyntaxFault
from rui_common.syntax.line_index import LineIndex
from rui_common.syntax.reader import Source
from rui_common.syntax.recovery.budget import Budget
from rui_common.syntax.recovery.containers import MISSING, OpenContainer
from rui_common.syntax.recovery.grammar import CLOSERS, NO_VALUE, QUOTES, ROOT, Action, State
from rui_common.syntax.recovery.lexer import Lexer
from rui_common.syntax.recovery.repairs import state_of_value
from rui_common.syntax.recovery.string_contents import encodable
from rui_common.syntax.recovery.tokens import Token, TokenKind
from rui_common.syntax.spans import Edit, Span
from rui_common.syntax.tree import UNKNOWN, Member, Members
from rui_common.vocabulary.rules import MAX_DEPTH

_FAULTS_OF_COMMAS = {FaultKind.TRAILING_COMMA, FaultKind.EXTRA_COMMA, FaultKind.MISSING_COMMA}


class Builder:
    """Turns tokens into values and members."""

    def __init__(self, source: Source, budget: Budget, lines: LineIndex) -> None:
        self.text = source.text
        self.lexer = Lexer(source, budget)
        self.lines = lines  # the lines of the text
        self._outermost = OpenContainer(ROOT, Member(source.text, "", None, UNKNOWN), None)
        self.container = self._outermost  # the innermost open object or array, or the level around the root
        self.state = State.FIRST  # the `State` of that container
        self.offset = source.start  # the end of the text that is read
        self.report_count = 0  # the number of reports, including repeated and suppressed ones
        self.is_done = False  # whether no token is left to read
        self.has_duplicate_keys = False  # whether a closed object has a key more than once
        self.has_text_after = False  # whether words or another value follow the root
        self.has_second_rui = False  # whether what follows the root contains a RUI
        self.budget = budget
        # Whether the last token had an error. A guess right after it is a consequence and is not reported.
        self.is_after_error = False
        # Whether something is left out since the last value. A comma too many or too few there is no error of its own.
        self._is_after_omission = False
        # Each error with those that follow from it, by its span and message, and the last reported one.
        self._faults: dict[tuple[Span, str], list[SyntaxFault]] = {}
        self._last = (Span(0, 0), "")
        self._edits: list[Edit] = []

    # Errors

    @property
    def error_count(self) -> int:
        return len(self._faults)

    def errors(self) -> list[SyntaxFault]:
        """Return the errors in text order, with their consequences.

        Those whose text a later repair changes again are left out.
        """
        kept = _without_conflicts(self._edits)
        faults: list[SyntaxFault] = []
        for parts in sorted(self._faults.values(), key=lambda parts: parts[0].span.start):
            fault = parts[0]
            if not all(part.edits for part in parts):  # Only the author can repair it.
                faults.append(fault._replace(edits=(), title="", is_safe=False))
                continue
            edits = _take_edits(parts, kept)
            if edits or not fault.edits:
                faults.append(fault._replace(edits=edits, is_safe=all(part.is_safe for part in parts)))
        return faults

    def report(self, fault: SyntaxFault, *, is_guess: bool = True) -> None:
        """Report an error. A guess right after another error follows from it, and only adds its edits to it."""
        self.report_count += 1
        self._edits += fault.edits
        self.mark_incomplete()
        key = (fault.span, fault.message)
        is_consequence = is_guess and self.is_after_error and bool(self._faults)
        if not is_consequence and not (self._is_after_omission and fault.kind in _FAULTS_OF_COMMAS):
            self._last = key
        self._is_after_omission = self._is_after_omission or fault.kind in OMISSIONS
        if self._last in self._faults:
            self._faults[self._last].append(fault)
        elif self._last == key:
            self._faults[key] = [fault]
        self.is_after_error = True

    def report_token(self, errors: Iterable[SyntaxFault]) -> None:
        for error in errors:
            was_after_error = self.is_after_error
            self.report(error, is_guess=error.is_doubtful)
            self.is_after_error = was_after_error or error.is_doubtful

    def withdraw(self, kind: FaultKind) -> SyntaxFault | None:
        """Remove the error of a kind at the end of the text, and return it; None if there is none."""
        for key, (fault, *_) in self._faults.items():
            if fault.kind == kind and fault.span.start == len(self.text):
                del self._faults[key]
                self.is_after_error = False
                return fault
        return None

    def last_error_start(self) -> int:
        """Return the start of the value with an error that extends to the end of the text, or `UNKNOWN`."""
        end = len(self.text)
        faults = (fault for fault, *_ in self._faults.values() if fault.kind != FaultKind.FOREIGN_MARK)
        return max((fault.span.start for fault in faults if fault.span.end == end), default=UNKNOWN)

    def withdraw_at(self, start: int) -> tuple[Edit, ...]:
        """Remove the errors that begin at an offset, and return their edits before it."""
        keys = [key for key in self._faults if key[0].start == start]
        withdrawn = [self._faults.pop(key)[0] for key in keys]
        return tuple(edit for fault in withdrawn for edit in fault.edits if edit.span.end <= start)

    def mark_incomplete(self) -> None:
        """Note that members of the open container may be missing."""
        self.container.member.is_incomplete = True

    # Reading on

    def shift(self, token: Token, action: str) -> None:
        """Read a token that the grammar accepts."""
        self.report_token(token.errors)
        self.offset = token.end
        is_mark = action in {Action.COLON, Action.COMMA}
        if not is_mark:
            self._is_after_omission = False
        if not is_mark and not any(error.is_doubtful for error in token.errors):
            self.is_after_error = False
        if action == Action.VALUE and token.value is MISSING:
            self._add_omitted(token)
        elif action == Action.VALUE:
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
            self.container.comma = token

    def _mark_value_incomplete(self, token: Token) -> None:
        """Note that the added value, a word or an open string, may differ from the intended one."""
        errors = [error for error in token.errors if error.span.start >= token.start]
        if self.container.members and any(token.kind == TokenKind.VALUE or error.is_doubtful for error in errors):
            self.container.members[-1].is_incomplete = True

    def add(self, start: int, end: int, value: object) -> None:
        self.container.add(self.container.new_member(self.text, start, end), value)
        self.state = State.AFTER

    def _add_omitted(self, token: Token) -> None:
        """Add the value that is left out in the text; outside of objects, the null that its repair writes."""
        if self.container.kind == "{":
            self.add_missing()
        else:
            self.add(token.start, token.end, None)

    def add_missing(self) -> None:
        """Add the property that is being read without a value."""
        self.add(UNKNOWN, UNKNOWN, MISSING)

    def _read_container(self, token: Token) -> None:
        """Read an object or array as a whole if it is valid, else open it."""
        container = self.container
        valid: Token | None = None
        if not self.lexer.is_read_by_element(token.start, container.depth):
            valid = self.lexer.container(token.start, container.depth)
        if valid is not None:
            self.offset = valid.end
            self.add(valid.start, valid.end, valid.value)
        elif container.depth >= MAX_DEPTH:
            self._skip_container(token)
        else:
            self.open(token.kind, token.start)

    def _skip_container(self, token: Token) -> None:
        self.report(FaultKind.TOO_DEEP.at(token.span), is_guess=False)
        self.offset = self.lexer.skip_container(token.start)
        member = self.container.new_member(self.text, token.start, self.offset)
        if member is not None:
            member.set_end(self.offset, Members(iter(())))
        self.container.add(member, {} if token.kind == "{" else [])
        self.state = State.AFTER

    def open(self, kind: str, start: int) -> None:
        """Open an object or array whose bracket is, or would be, at `start`."""
        parent = self.container
        member = parent.new_member(self.text, start) or Member(self.text, "", None, start)
        self.container = OpenContainer(kind, member, parent)
        self.state = State.FIRST

    def close(self, end: int, *, is_open: bool = False) -> None:
        """Close the innermost object or array at `end`; `is_open` if it is not closed in the text."""
        container = self.container
        parent = container.parent
        if parent is None:
            return
        self.has_duplicate_keys = self.has_duplicate_keys or container.has_duplicate_keys()
        container.member.set_end(end, Members(iter(container.members)))
        container.member.is_open = is_open
        self.container = parent
        self.state = State.AFTER
        # The value of a property without a name is dropped.
        if parent.kind != "{" or parent.key is not None:
            parent.add(container.member, container.value())

    # Repairing

    def insert(self, mark: str, start: int, end: int) -> None:
        """Continue as if a mark or `NO_VALUE` were in the text. What it opens begins at `start`, or ends at `end`."""
        if mark in CLOSERS:
            self.open(mark, start)
        elif mark == ",":
            self.container.comma = Token(",", end, end)
        self.mark_incomplete()
        if mark == NO_VALUE:
            self.add_missing()
        elif mark in CLOSERS.values():
            self.close(end)
        else:
            self.state = {",": State.NEXT, ":": State.VALUE}.get(mark, self.state)

    def read_name(self, token: Token) -> None:
        """Read a value that stands in the place of a property as its name."""
        name = encodable(self.text[slice(*token.span)])
        self.container.key = Token(TokenKind.NAME, token.start, token.end, name)
        self.state = State.COLON
        self.offset = token.end

    def joined(self, token: Token) -> str:
        """Return the text of the last value and of a token after it, as one text.

        A text that begins without a quote is the text as it is written, with its quotes.
        """
        last = self.container.members[-1]
        value = self.container.values[-1]
        written = self.text[slice(*token.span)]
        gap = self.text[last.end : token.start]
        if isinstance(value, str) and last.text_at(last.start) in QUOTES:
            new = str(token.value) if token.kind in {TokenKind.STRING, TokenKind.NAME} else written
            if gap.strip() or not gap:
                return encodable(value + " ".join(gap.split("\n")) + new)
            return encodable(value + ("" if value[-1:].isspace() or new[:1].isspace() else " ") + new)
        before = self.text[last.start : last.end]
        if not gap and token.kind == TokenKind.STRING and before[-1].isalnum() and written[0] in QUOTES:
            return encodable(before + str(token.value))  # a quote beside its place
        if token.kind == TokenKind.STRING and written[0] not in QUOTES:
            written = str(token.value)  # without the quote at its end, which has no counterpart
        return encodable(f"{before}{gap if gap.strip() else gap and ' '}{written}")

    def join_last(self, token: Token, value: str) -> None:
        """Continue the last value, which is a scalar, up to the end of a token."""
        member, _ = self.container.remove_last()
        joined = Member(self.text, member.step, member.key_span, member.start, token.end)
        joined.is_incomplete = True
        self.container.add(joined, value)
        self.mark_incomplete()
        self.state = State.AFTER
        self.offset = token.end

    def wrap_last(self) -> None:
        """Put the value of the last member into an array that is open, and a name without a colon after it."""
        state = self._unread_key(self.state)
        member, value = self.container.remove_last()
        comma = self.container.comma
        self.open("[", member.start)
        self.container.comma = comma
        self.mark_incomplete()
        inner = Member(self.text, 0, None, member.start, member.end)
        inner.is_incomplete = member.is_incomplete
        members = member.members()
        if members is not None:
            inner.set_end(member.end, members)
        self.container.add(inner, value)
        self.state = state

    def drop_level(self) -> None:
        """Read on as if the opening bracket of the innermost level, which has no members, were not there."""
        self._unread_key(self.state)
        if self.container.parent is not None:
            self.container = self.container.parent
            self.state = state_of_value(self.container)

    def _unread_key(self, state: str) -> str:
        key = self.container.key
        if key is None:
            return state
        self.offset = key.start
        self.container.key = None
        return State.NEXT

    def reopen_last(self) -> None:
        """Open the last member of the container again, an object or array that was closed."""
        parent = self.container
        member, value = parent.remove_last()
        self.container = OpenContainer(self.text[member.start], member, parent)
        self.container.comma = parent.comma
        self.container.members += member.members() or ()
        self.budget.steps -= len(self.container.members)
        if isinstance(value, dict):
            self.container.values += [value.get(inner.step, MISSING) for inner in self.container.members]
        elif isinstance(value, list):
            self.container.values += value
        if not self.container.members and self.state == State.AFTER:
            self.state = State.FIRST

    def root(self) -> tuple[Member, object]:
        outermost = self._outermost
        if outermost.members:
            outermost.members[0].is_incomplete |= outermost.member.is_incomplete
            return outermost.members[0], outermost.values[0]
        return outermost.member, None


def _without_conflicts(edits: Sequence[Edit]) -> set[Edit]:
    """Return the edits without those that overlap one which is made after them."""
    kept: list[tuple[Edit, int]] = []
    replacements = [(edit, number) for number, edit in enumerate(edits) if edit.span.start < edit.span.end]
    for edit, number in sorted(replacements):
        while kept and edit.span.start < kept[-1][0].span.end and kept[-1][1] <= number:
            kept.pop()
        if not kept or edit.span.start >= kept[-1][0].span.end:
            kept.append((edit, number))
    return {edit for edit, _ in kept} | {edit for edit in edits if edit.span.start == edit.span.end}


def _take_edits(faults: Iterable[SyntaxFault], kept: set[Edit]) -> tuple[Edit, ...]:
    """Return those edits of errors that are in `kept`, in text order, and remove the replacements from it."""
    edits: list[Edit] = []
    for edit in (edit for fault in faults for edit in fault.edits):
        if edit in kept:
            edits.append(edit)
            if edit.span.start < edit.span.end:
                kept.remove(edit)  # it belongs to a token that was read again
    return tuple(sorted(edits, key=lambda edit: edit.span))
