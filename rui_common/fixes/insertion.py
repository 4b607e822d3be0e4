"""Insert elements into an array at a caret: with the commas and the layout of the elements around them."""

from __future__ import annotations

import re

from rui_common.editing.edits import Edit, indent_at, line_end_of, space_after_colon
from rui_common.editing.snippets import INDENT, indent_unit_of
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path

_SEPARATOR = re.compile(r"[ \t\r\n]*,?[ \t\r\n]*")
_LINE = re.compile(rf"\n((?:{INDENT})*)")
_TOKEN = re.compile(r'("(?:[^"\\]|\\.)*")|([:,])[ \n]*|\n *')


def insert_elements(
    document: Document, path: Path, index: int, texts: Sequence[str], caret: int = UNKNOWN
) -> Edit | None:
    """Insert elements before the element at `index` of an array, or at its end; None if there is no such array.

    A comma that is missing there is added, and one that would be superfluous is used.

    Args:
        document: the document.
        path: the path of the array.
        index: the number of elements before the new ones.
        texts: the elements in the layout of the formatter.
        caret: an offset; of empty lines between the elements, those around it are not kept.
    """
    container = document.find(path)
    if container is None or container.start == UNKNOWN or document.text[container.start] != "[":
        return None
    return _Gap(document, path, index).fill(texts, caret)


class _Gap:
    """The text between two elements of an array, or between one of them and a bracket."""

    __slots__ = (
        "_follows_comma", "_has_end", "_is_empty", "_is_first", "_is_last", "_neighbours", "_outer", "_space", "_text",
        "span",
    )  # fmt: skip

    def __init__(self, document: Document, path: Path, index: int) -> None:
        container = document.find(path)
        assert container is not None  # noqa: S101  see above
        members = [member for member in document.members(path) if member.start != UNKNOWN]
        self._text = document.text
        self._outer = indent_at(document.text, container.start)
        self._space = space_after_colon(document, path)
        self._is_first = index == 0
        self._is_empty = not members
        self._neighbours = [member.start for member in members[max(0, index - 1) : index + 1]]
        start = container.start + 1
        if index:
            start = members[index - 1].end
        separator = _SEPARATOR.match(document.text, start)
        end = start if separator is None else separator.end()
        self.span = Span(start, end)
        self._is_last = index == len(members)
        self._follows_comma = False
        self._has_end = document.text[end : end + 1] == "]"
        if not self._is_last and members[index].start != end:  # Other text is between the elements.
            self.span = Span(members[index].start, members[index].start)
            self._follows_comma = True

    def fill(self, texts: Sequence[str], caret: int) -> Edit:
        """The edit that puts elements into the gap."""
        indent, line_end = self._layout(texts)
        separator = line_end + indent
        if not line_end:
            separator = self._space
        elements = f",{separator}".join(self._fit(text, indent) for text in texts)
        start = self._start(separator, line_end)
        old = self._text[self.span.start : self.span.end]
        is_at_caret = self.span.start <= caret <= self.span.end
        end = self._end(old, separator, line_end, is_at_caret=is_at_caret)
        return _trimmed(self.span, old, f"{start}{elements}{end}")

    def _start(self, separator: str, line_end: str) -> str:
        """The text before the new elements."""
        if self._follows_comma:
            return ""
        if not self._is_first:
            return f",{separator}"
        return separator if line_end else ""

    def _end(self, old: str, separator: str, line_end: str, *, is_at_caret: bool) -> str:
        """The text after the new elements."""
        rest = old.partition(",")[2] if "," in old else old
        if not self._is_last:
            return f",{separator}" if is_at_caret or not rest else f",{rest}"
        if self._has_end and line_end and (self._is_empty or is_at_caret):
            return line_end + self._outer
        return rest

    def _layout(self, texts: Sequence[str]) -> tuple[str, str]:
        """The indentation of the elements, and the line ending between them; ``""`` if they are on one line."""
        line_end = line_end_of(self._text)
        for start in self._neighbours:
            indent = indent_at(self._text, start)
            if start > len(indent) and self._text[start - len(indent) - 1] in "\r\n":
                return indent, line_end
        is_short = not any("\n" in text for text in texts)
        if not line_end or (is_short and not self._is_empty):
            return self._outer, ""
        return self._outer + indent_unit_of(self._text), line_end

    def _fit(self, text: str, indent: str) -> str:
        """The text of an element with the indentation and the line ending of the document."""
        line_end = line_end_of(self._text)
        if not line_end:
            return _TOKEN.sub(self._on_one_line, text)
        unit = indent_unit_of(self._text)

        def with_indent(line: re.Match[str]) -> str:
            return line_end + indent + unit * (len(line[1]) // len(INDENT))

        return _LINE.sub(with_indent, text)

    def _on_one_line(self, token: re.Match[str]) -> str:
        if token[2]:
            return token[2] + self._space
        return token[1] or ""


def _trimmed(span: Span, old: str, new: str) -> Edit:
    """The edit that replaces `old` by `new`, without the text that both have in common at their ends."""
    shorter = min(len(old), len(new))
    size = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    rest = shorter - size
    tail = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
    return Edit(Span(span.start + size, span.end - tail), new[size : len(new) - tail])
