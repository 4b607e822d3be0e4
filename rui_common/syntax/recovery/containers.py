"""Objects and arrays in the making: what the recovery has read of those that are still open."""

from __future__ import annotations

from rui_common.syntax.recovery.indentation import ROOT, Level
from rui_common.syntax.recovery.lexer import NAME, STRING
from rui_common.syntax.recovery.repairs import AFTER, NEXT
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import UNKNOWN, Member, Members

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.syntax.recovery.indentation import Layout
    from rui_common.syntax.recovery.lexer import Token

MISSING = object()
"""Stands for the value of a property that has none."""


class OpenContainer(Level):
    """An object or array that is open, with the members read so far; or what is around the root.

    Attributes:
        member: itself, as the member of what is around it.
        guarded: whether the indentation counts in it like a rule of the grammar.
        key: the name of the property that is being read.
        comma: the offset of the last comma.
        members, values: what was read, in text order; `MISSING` for the value of a property that has none.
    """

    __slots__ = ("around", "checked", "comma", "guarded", "key", "member", "members", "values")

    def __init__(self, level: Level, member: Member, around: OpenContainer | None) -> None:
        super().__init__(level.kind, around, level.line, level.indent)
        self.around = around
        self.member = member
        self.guarded = False
        self.key: Token | None = None
        self.comma = UNKNOWN
        self.checked = 0
        self.members: list[Member] = []
        self.values: list[object] = []

    def new_member(self, text: str, start: int, end: int = UNKNOWN) -> Member | None:
        """The member that begins at `start`; None for the value of a property without a name."""
        if self.kind == "[":
            return Member(text, len(self.members), None, start, end)
        if self.kind == ROOT:
            return Member(text, "", None, start, end)
        if self.key is None:
            return None
        return Member(text, str(self.key.value), Span(self.key.start, self.key.end), start, end)

    def add(self, member: Member | None, value: object) -> None:
        """Put down a member that was read."""
        if member is not None:
            self.members.append(member)
            self.values.append(value)
        self.key = None

    def cut(self, count: int) -> None:
        """Forget the members from number `count` on."""
        del self.members[count:], self.values[count:]
        self.checked = min(self.checked, count)

    def value(self) -> tuple[object, bool]:
        """The object or array, and whether it has a key more than once."""
        if self.kind == "[":
            return self.values, False
        pairs = zip(self.members, self.values, strict=True)
        result = {str(member.step): value for member, value in pairs if value is not MISSING}
        names = len(self.members)
        return result, len(result) != names and len({member.step for member in self.members}) != names

    def finish(self, end: int) -> None:
        """Tell the member that this is where it ends and what is in it."""
        self.member.settle(end, Members(iter(self.members)))

    def measure(self, layout: Layout) -> None:
        """Find out how far the members are indented."""
        if self.member_indent is None:
            starts = [member.key_span.start if member.key_span else member.start for member in self.members[:3]]
            if self.key is not None:
                starts.append(self.key.start)
            columns = (layout.column_if_first(start, layout.line(start)) for start in starts if start != UNKNOWN)
            self.member_indent = next((column for column in columns if column is not None), None)

    def convert(self, text: str, state: str) -> str:
        """Make an array of an object that has no member yet, or the reverse; gives the state to go on with."""
        key, self.key = self.key, None
        self.kind = "[" if self.kind == "{" else "{"
        if key is None:
            return state
        self.add(Member(text, 0, None, key.start, key.end), key.value)
        return AFTER

    @property
    def lone_value(self) -> bool:
        """Whether all that was read is one value, so that the bracket before it may be one too many."""
        if self.kind == "[":
            return len(self.members) == 1
        return self.kind == "{" and not self.members and self.key is not None and self.key.kind in {STRING, NAME}


def state_outside(state: str) -> str:
    """The state of the level around when one is taken away: a comma that was read belongs to that one then."""
    return NEXT if state == NEXT else AFTER
