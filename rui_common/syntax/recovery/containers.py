"""The stack of the recovering parser: objects and arrays that are open, with the members read so far."""

from rui_common.syntax.recovery.grammar import ROOT
from rui_common.syntax.recovery.tokens import Token, TokenKind
from rui_common.syntax.tree import UNKNOWN, Member

MISSING = object()  # The value of a property that has none
NO_COMMA = Token(",", UNKNOWN, UNKNOWN)


class Level:
    """An open object or array, or the level around the root value."""

    __slots__ = ("depth", "kind", "parent", "start")

    def __init__(self, kind: str, parent: "Level | None", start: int) -> None:
        self.kind = kind  # `{`, `[`, or `ROOT`
        self.parent = parent  # the level around it
        self.depth: int = 0 if parent is None else parent.depth + 1  # number of open levels, this one included
        # the offset of its opening bracket, or of the token that follows a missing one; or `UNKNOWN`
        self.start = start


class OpenContainer(Level):
    """An open object or array, or the level around the root."""

    __slots__ = ("comma", "key", "member", "members", "values")
    parent: "OpenContainer | None"

    def __init__(self, kind: str, member: Member, parent: "OpenContainer | None") -> None:
        super().__init__(kind, parent, member.start)
        self.member = member  # the container as a member of its parent
        self.key: Token | None = None  # the name of the property that is being read
        self.comma = NO_COMMA  # the last comma; its range is empty if a repair inserts it
        self.members: list[Member] = []  # in text order
        self.values: list[object] = []  # the values of the members; `MISSING` for a property without one

    def new_member(self, text: str, start: int, end: int = UNKNOWN) -> Member | None:
        """Return a member for the value at `start`; None for the value of a property without a name."""
        if self.kind == "[":
            return Member(text, len(self.members), None, start, end)
        if self.kind == ROOT:
            return Member(text, "", None, start, end)
        if self.key is None:
            return None
        return Member(text, str(self.key.value), self.key.span, start, end)

    def add(self, member: Member | None, value: object) -> None:
        if member is not None:
            self.members.append(member)
            self.values.append(value)
        self.key = None

    def is_last_scalar(self) -> bool:
        """Return whether the last member has a value that is neither an object nor an array."""
        return self.values[-1] is not MISSING and not isinstance(self.values[-1], dict | list)

    def remove_last(self) -> tuple[Member, object]:
        """Remove the last member and its value, and return them. Its key is read again."""
        member = self.members.pop()
        if member.key_span is not None:
            self.key = Token(TokenKind.NAME, member.key_span.start, member.key_span.end, member.step)
        return member, self.values.pop()

    def value(self) -> object:
        if self.kind == "[":
            return self.values
        pairs = zip(self.members, self.values, strict=True)
        return {str(member.step): value for member, value in pairs if value is not MISSING}

    def has_duplicate_keys(self) -> bool:
        return self.kind == "{" and len({member.step for member in self.members}) != len(self.members)
