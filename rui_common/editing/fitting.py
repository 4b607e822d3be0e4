"""Snippet → the same in the layout of the text around a cursor: its indentation, and on one line where all else is."""

from __future__ import annotations

import re

from rui_common.editing.edits import indent_at
from rui_common.editing.snippets import INDENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.editing.completion_context import CompletionContext
    from rui_common.syntax.document import Document

_MINIFIED = 100
"""A text of so many characters without a line end was written by a machine, and stays on its line."""

_STEP = re.compile(r"[{\[][ \t]*(?:\r\n|\r|\n)([ \t]+)[^ \t\r\n]")
_LINE = re.compile(r"\n((?:" + INDENT + ")*)")
_COLON = re.compile(r'(?<!\\)": ')


class Layout:
    """How what is written at a cursor is to be laid out.

    Args:
        document: the document.
        cursor: where, as `rui_common.editing.completion_context.completion_context_at` gave it.

    Attributes:
        is_minified: whether it is to stay on one line.
        indent: the indentation of the line that it begins on.
        unit: what a level is indented by.
    """

    __slots__ = ("indent", "is_minified", "unit")

    def __init__(self, document: Document, cursor: CompletionContext) -> None:
        text = document.text
        self.is_minified = len(text) >= _MINIFIED and "\n" not in text and "\r" not in text
        self.indent = "" if self.is_minified else _indent(document, cursor)
        step = None if self.is_minified else _STEP.search(text)
        self.unit = INDENT if step is None else _unit(text, step)

    def fit(self, snippet: str, *, relative: bool) -> str:
        r"""A snippet, laid out; its lines are joined by ``\n``.

        Args:
            snippet: one of `rui_common.editing.snippets`.
            relative: whether the client adds the indentation of the line by itself.
        """
        if "\n" not in snippet:
            return snippet
        if self.is_minified:
            return _COLON.sub('":', _LINE.sub("", snippet))
        first = "\n" if relative else "\n" + self.indent
        return _LINE.sub(lambda line: first + self.unit * (len(line[1]) // len(INDENT)), snippet)


def _unit(text: str, step: re.Match[str]) -> str:
    """How much deeper the first line in a bracket is than the line of the bracket."""
    outer = indent_at(text, step.start())
    return step[1].removeprefix(outer) if step[1].startswith(outer) and step[1] != outer else INDENT


def _indent(document: Document, cursor: CompletionContext) -> str:
    """The blanks that the line of the cursor begins with, as far as they stand before it."""
    text, start = document.text, cursor.span.start
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    return indent_at(text, start)[: start - line]
