"""The stack of the recovering parser: objects and arrays that are open, with the members read so far."""

from __future__ import annotations

from rui_common.syntax.recovery.grammar import OTHER_KIND, ROOT, State
from rui_common.syntax.recovery.indentation import IndentLevel
from rui_common.syntax.recovery.lexer import Token, TokenKind
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import UNKNOWN, Member, Members

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.syntax.recovery.indentation import IndentationHints

MISSING = object()
"""The value of a property that has none."""


class OpenContainer(IndentLevel):
    """An open object or array, or the level around the root.

    Attributes:
        member: the container as a member of its parent.
        checks_indentation: whether the indentation counts in it like a rule of the grammar.
        key: the name of the property that is being read.
        comma: the offset of the last comma.
        members, values: the members in text order, and their values; `MISSING` for a property without a value.
        checked: the number of members whose ends are known to agree with their indentation.
    """

    __slots__ = ("checked", "checks_indentation", "comma", "key", "member", "members", "values")
    parent: OpenContainer | None

    def __init__(self, level: IndentLevel, member: Member, parent: OpenContainer | None) -> None:
        super().__init__(level.kind, parent, level.line, level.indent)
        self.member = member
        self.checks_indentation = False
        self.key: Token | None = None
        self.comma = UNKNOWN
        self.checked = 0
        self.members: list[Member] = []
        self.values: list[object] = []

    def new_member(self, text: str, start: int, end: int = UNKNOWN) -> Member | None:
        """Return a member for the value at `start`; None for the value of a property without a name."""
        if self.kind == "[":
            return Member(text, len(self.members), None, start, end)
        if self.kind == ROOT:
            return Member(text, "", None, start, end)
        if self.key is None:
            return None
        return Member(text, str(self.key.value), Span(self.key.start, self.key.end), start, end)

    def add(self, member: Member | None, value: object) -> None:
        if member is not None:
            self.members.append(member)
            self.values.append(value)
        self.key = None

    def truncate(self, count: int) -> None:
        """Remove the members from index `count` on. The key of the first of them is read again."""
        key_span = self.members[count].key_span
        if key_span is not None:
            self.key = Token(TokenKind.NAME, key_span.start, key_span.end, self.members[count].step)
        del self.members[count:], self.values[count:]
        self.checked = min(self.checked, count)

    def value(self) -> object:
        if self.kind == "[":
            return self.values
        pairs = zip(self.members, self.values, strict=True)
        return {str(member.step): value for member, value in pairs if value is not MISSING}

    def has_duplicate_keys(self) -> bool:
        return self.kind == "{" and len({member.step for member in self.members}) != len(self.members)

    def finish(self, end: int) -> None:
        self.member.set_end(end, Members(iter(self.members)))

    def measure(self, indentation: IndentationHints) -> None:
        """Determine the indentation of the members."""
        if self.member_indent is not None:
            return
        starts = [member.first_offset for member in self.members[:3]]
        if self.key is not None:
            starts.append(self.key.start)
        for start in starts:
            if start != UNKNOWN:
                self.member_indent = indentation.column_if_first(start)
            if self.member_indent is not None:
                return

    def convert(self, text: str, state: str) -> str:
        """Turn an object without members into an array, or the reverse. Returns the state to continue in."""
        key = self.key
        self.key = None
        self.kind = OTHER_KIND[self.kind]
        if key is None:
            return state
        self.add(Member(text, 0, None, key.start, key.end), key.value)
        return State.AFTER

    @property
    def next_member_state(self) -> str:
        """The state in which the container expects the value of its next member."""
        if self.kind == "{":
            return State.VALUE
        return State.NEXT if self.members else State.FIRST

    @property
    def has_one_value(self) -> bool:
        """Whether it contains exactly one value and no name, so that its opening bracket may be superfluous."""
        if self.kind == "[":
            return len(self.members) == 1
        if self.kind != "{" or self.members or self.key is None:
            return False
        return self.key.kind in {TokenKind.NAME, TokenKind.STRING}
