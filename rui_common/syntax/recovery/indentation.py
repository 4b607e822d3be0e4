"""Indentation as evidence of where an object or array was meant to end."""

from __future__ import annotations

import re

from rui_common.syntax.line_index import LineIndex
from rui_common.syntax.recovery.lexer import END

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.syntax.recovery.lexer import Token

_INDENT = re.compile(r"[ \t]*")
_CLOSER_ON_OWN_LINE = re.compile(r"^[ \t]*[}\]]", re.MULTILINE)
_CLOSER_BEHIND = re.compile(r"^[ \t]*[^ \t\r\n}\]][^\r\n]*[}\]]", re.MULTILINE)
_BRACKET = re.compile(r"[{}\[\]]")
_SAMPLE = 40_000


class Level:
    """An object or array that is open, as far as it matters for what may come next.

    Attributes:
        kind: ``{`` or ``[``, or `ROOT` for what is around the root.
        parent: the level around it.
        depth: the number of objects and arrays that are open, this one included.
        line: the line of its opening bracket.
        indent: the indentation of that line; None if that is not known.
        member_indent: the indentation of its members, if they stand on lines of their own, else None.
    """

    __slots__ = ("depth", "indent", "kind", "line", "member_indent", "parent")

    def __init__(self, kind: str, parent: Level | None, line: int, indent: int | None) -> None:
        self.kind = kind
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.line = line
        self.indent = indent
        self.member_indent: int | None = None


ROOT = ""


class Layout:
    """The lines of a text and their indentation.

    Args:
        text: the text; nothing of it is looked at before it is asked for.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = LineIndex(text)
        self._indents: dict[int, int] = {}
        self._own_lines: bool | None = None
        # Line → what is the first on it, and its column, when a bracket before that is not counted.
        self._without: dict[int, tuple[int, int]] = {}

    def line(self, offset: int) -> int:
        """The line of an offset, from zero."""
        return self._lines.line_of(offset)

    def indent(self, line: int) -> int:
        """The number of spaces and tabs that a line begins with."""
        if line in self._without:
            return self._without[line][1]
        if line not in self._indents:
            start = self._lines.line_start(line)
            match = _INDENT.match(self._text, start)
            self._indents[line] = 0 if match is None else match.end() - start
        return self._indents[line]

    def column_if_first(self, offset: int, line: int) -> int | None:
        """The indentation of `line` if what stands at `offset` is the first on it."""
        if line in self._without:
            first, column = self._without[line]
            return column if first == offset else None
        indent = self.indent(line)
        return indent if offset == self._lines.line_start(line) + indent else None

    def is_alone(self, offset: int) -> bool:
        """Whether the character at `offset` is all that is on its line."""
        line = self.line(offset)
        return self.column_if_first(offset, line) is not None and self._lines.line_end(line) == offset + 1

    def leave_out(self, offset: int) -> int | None:
        """Take a mark for one too many: what follows on its line was meant to be the first on it.

        Returns:
            The line, if that changes anything; `put_back` undoes it.
        """
        line = self.line(offset)
        column = self.column_without(offset)
        if column is None:
            return None
        self._without[line] = self._lines.line_start(line) + column + 1, column
        return line

    def column_without(self, offset: int) -> int | None:
        """The column of what follows a mark on its line if the mark is taken away; None if it is not the first."""
        line = self.line(offset)
        if line in self._without or self.column_if_first(offset, line) is None:
            return None
        match = _INDENT.match(self._text, offset + 1)
        first = offset + 1 if match is None else match.end()
        return first - 1 - self._lines.line_start(line)

    def put_back(self, line: int) -> None:
        """Undo `leave_out`."""
        del self._without[line]

    def level(self, kind: str, parent: Level, offset: int) -> Level:
        """The level that a bracket at `offset` opens."""
        line = self.line(offset)
        return Level(kind, parent, line, self.indent(line))

    def is_odd(self, start: int, end: int) -> bool:
        """Whether an object or array does not end where its indentation says that it should."""
        first, last = self.line(start), self.line(end - 1)
        if first == last:
            return False
        column = self.column_if_first(end - 1, last)
        return self.closers_have_own_lines if column is None else column != self.indent(first)

    @property
    def closers_have_own_lines(self) -> bool:
        """Whether brackets over several lines end on lines of their own, as nearly everybody writes them."""
        if self._own_lines is None:
            sample = self._text[:_SAMPLE]
            own = sum(1 for _ in _CLOSER_ON_OWN_LINE.finditer(sample))
            others = sum(_closes_more(line[0]) for line in _CLOSER_BEHIND.finditer(sample)) if own else 0
            self._own_lines = own * 50 > sample.count("\n") and own > 20 * others
        return self._own_lines

    def fits(self, level: Level, token: Token, *, is_member: bool) -> bool:
        """Whether the place of a token agrees with it belonging to `level`.

        Args:
            level: the innermost object or array that is open.
            token: the token.
            is_member: whether a member begins with it.
        """
        if token.kind == END or level.kind == ROOT:
            return True
        line = self.line(token.start)
        column = self.column_if_first(token.start, line)
        closes = token.kind in "}]"
        if column is None:
            return not closes or line == level.line or level.member_indent is None or not self.closers_have_own_lines
        if closes:
            if level.indent is None:
                return level.member_indent is None or column < level.member_indent
            return column == level.indent
        if level.indent is not None and column <= level.indent and line != level.line:
            return False
        return not is_member or level.member_indent in {None, column}


def _closes_more(line: str) -> bool:
    """Whether something is closed on a line that was opened before it."""
    depth = 0
    for bracket in _BRACKET.findall(line):
        depth += 1 if bracket in "{[" else -1
        if depth < 0:
            return True
    return False
