"""Indentation as evidence of the intended end of an object or array."""

from __future__ import annotations

import re
from functools import lru_cache

from rui_common.syntax.line_index import LineIndex
from rui_common.syntax.reader import total_match
from rui_common.syntax.recovery.grammar import ROOT
from rui_common.syntax.recovery.lexer import TokenKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.syntax.recovery.lexer import Token

_skip_indent = total_match(r"[ \t]*")
_CLOSER_ON_OWN_LINE = re.compile(r"^[ \t]*[}\]]", re.MULTILINE)
_LINE_WITH_LATER_CLOSER = re.compile(r"^[ \t]*[^ \t\r\n}\]][^\r\n]*[}\]]", re.MULTILINE)
_BRACKET = re.compile(r"[{}\[\]]")
_SAMPLE_LENGTH = 40_000


class IndentLevel:
    """An open object or array.

    Attributes:
        kind: ``{``, ``[``, or `ROOT` for the level around the root value.
        parent: the level around it.
        depth: the number of open objects and arrays, this one included.
        line: the line of its opening bracket.
        indent: the indentation of that line; None if it is unknown.
        member_indent: the indentation of its members, if they are on lines of their own, else None.
    """

    __slots__ = ("depth", "indent", "kind", "line", "member_indent", "parent")

    def __init__(self, kind: str, parent: IndentLevel | None, line: int, indent: int | None) -> None:
        self.kind = kind
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.line = line
        self.indent = indent
        self.member_indent: int | None = None


class IndentationHints:
    """The lines of a text and their indentation, computed on demand."""

    def __init__(self, text: str, lines: LineIndex | None = None) -> None:
        """Args: the text, and its lines if they are known."""
        self._text = text
        self._lines = lines or LineIndex(text)
        self._indents: dict[int, int] = {}
        self._own_lines: bool | None = None
        # Line → (offset of its first visible character, column), for lines whose first bracket is excluded.
        self._excluded: dict[int, tuple[int, int]] = {}

    def line(self, offset: int) -> int:
        return self._lines.line_of(offset)

    def indent(self, line: int) -> int:
        """Return the number of spaces and tabs at the start of a line."""
        if line in self._excluded:
            return self._excluded[line][1]
        if line not in self._indents:
            start = self._lines.line_start(line)
            self._indents[line] = _skip_indent(self._text, start).end() - start
        return self._indents[line]

    def column_if_first(self, offset: int) -> int | None:
        """Return the indentation of the line of `offset`, if `offset` is its first visible character."""
        line = self.line(offset)
        if line in self._excluded:
            first, column = self._excluded[line]
        else:
            column = self.indent(line)
            first = self._lines.line_start(line) + column
        return column if first == offset else None

    def is_alone_on_line(self, offset: int) -> bool:
        """Return whether the character at `offset` is the only one on its line."""
        return self.column_if_first(offset) is not None and self._lines.line_end(self.line(offset)) == offset + 1

    def exclude(self, offset: int) -> int | None:
        """Ignore a mark that is the first on its line. Returns the line, for `restore`, or None for other marks."""
        column = self.column_without(offset)
        if column is None:
            return None
        line = self.line(offset)
        self._excluded[line] = (self._lines.line_start(line) + column + 1, column)
        return line

    def restore(self, line: int) -> None:
        del self._excluded[line]

    def column_without(self, offset: int) -> int | None:
        """Return the indentation of a line without the mark at `offset`; None if the mark is not the first on it."""
        line = self.line(offset)
        if line in self._excluded or self.column_if_first(offset) is None:
            return None
        return _skip_indent(self._text, offset + 1).end() - 1 - self._lines.line_start(line)

    def level(self, kind: str, parent: IndentLevel, offset: int) -> IndentLevel:
        """Return the level that a bracket at `offset` opens."""
        line = self.line(offset)
        return IndentLevel(kind, parent, line, self.indent(line))

    def is_inconsistent(self, start: int, end: int) -> bool:
        """Return whether the closing bracket of an object or array contradicts the indentation."""
        first_line = self.line(start)
        if first_line == self.line(end - 1):
            return False
        column = self.column_if_first(end - 1)
        if column is None:
            return self.closers_have_own_lines
        return column != self.indent(first_line)

    @property
    def closers_have_own_lines(self) -> bool:
        """Whether the brackets of containers over several lines are closed on lines of their own."""
        if self._own_lines is None:
            self._own_lines = _closers_have_own_lines(self._text[:_SAMPLE_LENGTH])
        return self._own_lines

    def allows(self, level: IndentLevel, token: Token, *, is_member: bool) -> bool:
        """Return whether the indentation allows a token in `level`, as the first one of a member if it `is_member`."""
        if token.kind == TokenKind.END or level.kind == ROOT:
            return True
        column = self.column_if_first(token.start)
        is_closer = token.kind in "}]"
        if column is None:
            may_be_inline = not is_closer or level.member_indent is None or self.line(token.start) == level.line
            return may_be_inline or not self.closers_have_own_lines
        if is_closer:
            if level.indent is None:
                return level.member_indent is None or column < level.member_indent
            return column == level.indent
        if level.indent is not None and column <= level.indent and self.line(token.start) != level.line:
            return False
        return not is_member or level.member_indent in {None, column}


@lru_cache(maxsize=1)  # Most edits of a long text are after the sample.
def _closers_have_own_lines(sample: str) -> bool:
    own = sum(1 for _ in _CLOSER_ON_OWN_LINE.finditer(sample))
    others = 0
    if own:
        others = sum(1 for line in _LINE_WITH_LATER_CLOSER.finditer(sample) if _closes_earlier_line(line[0]))
    return own * 50 > sample.count("\n") and own > 20 * others


def _closes_earlier_line(line: str) -> bool:
    """Return whether a line closes a bracket that it does not open."""
    depth = 0
    for bracket in _BRACKET.findall(line):
        depth += 1 if bracket in "{[" else -1
        if depth < 0:
            return True
    return False
