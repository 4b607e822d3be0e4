"""Paste elements of a list, or properties: with commas, indentation, and new ids where there would be duplicates."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from rui_common.editing.completion_context import CompletionContext, Expects, completion_context_at
from rui_common.editing.edits import Style, apply, end_before, indent_at, indent_unit, line_end_of, reindent, with_unit
from rui_common.editing.names import NewNames, new_names, references_to, text_with
from rui_common.syntax.document import read
from rui_common.syntax.paths import Path, value_at
from rui_common.syntax.reader import skip_blanks
from rui_common.syntax.spans import Edit, Span, line_start
from rui_common.syntax.tree import UNKNOWN
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.kinds import ListKind, NodeKind

MAX_PASTED = 262_144  # Maximum length of a text that is changed when it is pasted
_AROUND = ", \t\r\n"
_LINE_END = re.compile(r"\r\n?")
_LINE_ENDS = ("\r", "\n")
_INDENTATION = re.compile(r"(?<=\n)[ \t]*(?=[^ \t\n])")


class Paste(NamedTuple):
    """A paste."""

    edits: list[Edit]  # the first one replaces the range that the author pastes into; the others do not overlap it
    has_new_names: bool  # whether there are new names in the pasted text


def prepare_paste(analysis: Analysis, span: Span, text: str) -> Paste | None:
    """Return the edits that paste elements or properties; None if a text is to be pasted as it is.

    That is so if it consists of neither, if the place takes neither, or if no character is to be added.

    Args:
        span: the range that is replaced; empty for a cursor.
        text: the elements of a list, or properties, with or without commas around them.
    """
    content = text.strip(_AROUND)
    if not content or len(text) > MAX_PASTED:
        return None
    before = analysis
    if span.start != span.end:  # The names in it are not defined any more.
        before = analysis.of(read(apply(analysis.document.text, [Edit(span, "")])))
    context = completion_context_at(before.document, span.start)
    if context is None or context.in_string or context.colon or context.span.start != context.span.end:
        return None
    values = _values(context.expects, content)
    if not values:
        return None
    place = _Place(before, context)
    pasted = place.pasted(content)
    content = pasted.content
    after = before.of(read(apply(before.document.text, pasted.edits)))
    paths = _paths_of(after, context, pasted.start, values)
    names: NewNames = {}
    references: list[Edit] = []
    if paths:
        names = new_names(after, paths, all_of_them=False)
        content = text_with(after, Span(pasted.start, pasted.start + len(content)), names)
        references = _references(analysis, after, paths, names)
    removed = span.end - span.start
    edits = [Edit(span, pasted.prefix + content + pasted.suffix)]
    for (start, end), new in pasted.others:
        shift = 0
        if start >= span.start:
            shift = removed
        edits.append(Edit(Span(start + shift, end + shift), new))
    edits += references
    if [edit.text for edit in edits] == [text]:
        return None
    return Paste(edits, bool(names))


def _values(expects: Expects, content: str) -> list[object] | dict[str, object] | None:
    """Return the elements or properties that a text consists of; None if it is something else."""
    brackets = {Expects.ELEMENT: "[]", Expects.KEY: "{}"}.get(expects)
    if brackets is None:
        return None
    document = read(f"{brackets[0]}{content}{brackets[1]}")
    if document.valid and isinstance(document.value, list | dict):
        return document.value
    return None


class _Pasted(NamedTuple):
    """A text in its place."""

    at: int  # the offset at which it is inserted
    prefix: str  # the text that is inserted before it
    content: str  # the text
    suffix: str  # the text that is inserted after it
    others: list[Edit]  # further edits: a comma further in front, and white space that is removed

    @property
    def edits(self) -> list[Edit]:
        return [Edit(Span(self.at, self.at), self.prefix + self.content + self.suffix), *self.others]

    @property
    def start(self) -> int:
        """The offset of the text after the edits."""
        shift = sum(len(new) - (at.end - at.start) for at, new in self.others if at.start < self.at)
        return self.at + shift + len(self.prefix)


class _Place:
    """The place of a paste, with the commas and the white space that the text needs there."""

    def __init__(self, before: Analysis, context: CompletionContext) -> None:
        document = before.document
        container = document.find(context.path)
        assert container is not None  # noqa: S101  the context is in it
        self._text = document.text
        self._kind = before.kind(context.path)
        self._at = context.span.start
        self._style = Style(document, context.path, container)
        self._start = max(line_start(self._text, self._at), end_before(self._text, self._at))
        self._end = skip_blanks(self._text, self._at).end()
        self._next_mark = self._text[self._end : self._end + 1]
        self._comma_at = context.comma_at
        self._comma_after = "," if context.comma_after else ""
        self._line_end = self._style.line_end or line_end_of(self._text)

    def pasted(self, content: str) -> _Pasted:
        """Return a text in its place."""
        content = _LINE_END.sub("\n", content)
        has_lines = bool(self._style.line_end)
        if self._line_end and not self._style.members:
            is_node = isinstance(self._kind, ListKind) and isinstance(self._kind.items, NodeKind)
            has_lines = has_lines or is_node or "\n" in content
        if has_lines:
            return self._with_comma(self._on_lines(self._indented(content, self._style.member_indent)))
        return self._with_comma(self._in_line(self._indented(content, indent_at(self._text, self._at))))

    def _indented(self, content: str, indent: str) -> str:
        outer = min(_INDENTATION.findall(content), key=len, default="")
        lines = reindent(content, outer, "")
        lines = with_unit(lines, indent_unit(lines), indent_unit(self._text))
        return reindent(lines, "", indent).replace("\n", self._line_end or "\n")

    def _on_lines(self, content: str) -> _Pasted:
        """Return a text on lines of its own."""
        indent = self._style.member_indent
        blanks = self._text[self._start : self._at]
        prefix = indent if self._start == line_start(self._text, self._at) else f"{self._line_end}{indent}"
        suffix = self._comma_after
        if self._next_mark in ("]", "}"):
            suffix += f"{self._line_end}{self._style.indent}"
        elif self._next_mark not in ("", ",", *_LINE_ENDS):
            suffix += f"{self._line_end}{indent}"
        others: list[Edit] = []
        if blanks and prefix.startswith(blanks):
            prefix = prefix.removeprefix(blanks)
        elif blanks:
            others.append(Edit(Span(self._start, self._at), ""))
        if self._next_mark != "," and self._at < self._end:
            others.append(Edit(Span(self._at, self._end), ""))
        return _Pasted(self._at, prefix, content, suffix, others)

    def _in_line(self, content: str) -> _Pasted:
        """Return a text in the line of its neighbours."""
        prefix = ""
        if self._start == self._at and self._text[self._at - 1] not in ("[", "{", *_LINE_ENDS):
            prefix = self._style.space
        suffix = self._comma_after
        if suffix and self._at == self._end and self._next_mark not in _LINE_ENDS:
            suffix += self._style.space
        return _Pasted(self._at, prefix, content, suffix, [])

    def _with_comma(self, pasted: _Pasted) -> _Pasted:
        """Return a paste with the comma that is missing before it."""
        if self._comma_at == UNKNOWN:
            return pasted
        if self._comma_at == self._at:
            return pasted._replace(prefix=f",{pasted.prefix}")
        comma = Edit(Span(self._comma_at, self._comma_at), ",")
        return pasted._replace(others=[comma, *pasted.others])


def _paths_of(
    after: Analysis, context: CompletionContext, start: int, values: list[object] | dict[str, object]
) -> list[Path]:
    """Return the paths of the pasted values; none if errors in the text hide where they are."""
    path = after.document.path_at(start)
    if path[:-1] != context.path:
        return []
    first = path[-1]
    if isinstance(first, int):
        return [(*context.path, first + index) for index in range(len(values))]
    if any(repeated[:-1] == context.path for repeated in after.overridden):
        return []
    return [(*context.path, str(key)) for key in values]


def _references(analysis: Analysis, after: Analysis, paths: Sequence[Path], names: dict[Path, str]) -> list[Edit]:
    """Return the edits that add references to pasted nodes, if their names must be used and are not."""
    kind = after.kind(paths[0])
    if kind is None:
        return []
    ids = [names.get((*path, "id"), value_at(after.document.value, (*path, "id"))) for path in paths]
    return [edit for edit in references_to(analysis, kind, ids) if edit is not None]
