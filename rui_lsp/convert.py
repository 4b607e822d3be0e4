"""The core's spans, edits, snippets and Markdown as LSP has them, and spans back."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lsprotocol import types

from rui_common.editing.snippets import Snippet, TabStop
from rui_common.json_values import JsonObject
from rui_common.syntax.line_index import Encoding, LineIndex
from rui_common.syntax.spans import Edit, Span

_IN_TEXT = "\\$"
_IN_DEFAULT = "\\$}"
_IN_CHOICE = "\\,|"
"""The characters that a backslash escapes. VS Code shows the backslash before any other character."""

_LINK = re.compile(r"\[([^\]\n]*)\]\(([^)\n]*)\)")
_RULE = re.compile(r"^---$", re.MULTILINE)


class Positions(NamedTuple):
    """The positions of one text in the client's encoding."""

    lines: LineIndex
    encoding: Encoding

    def position(self, offset: int) -> tuple[int, int]:
        """Return the (line, character) of an offset, which is clamped to the text."""
        return self.lines.position(offset, self.encoding)


def to_range(span: Span, positions: Positions) -> types.Range:
    return types.Range(to_position(span.start, positions), to_position(span.end, positions))


def to_position(offset: int, positions: Positions) -> types.Position:
    return types.Position(*positions.position(offset))


def to_offset(position: types.Position, positions: Positions) -> int:
    """Return the offset of a position, which is clamped to the text."""
    return positions.lines.offset(position.line, position.character, positions.encoding)


def to_span(lsp_range: types.Range, positions: Positions) -> Span:
    """Return the span of a range, whose ends may be in either order."""
    start, end = sorted((to_offset(lsp_range.start, positions), to_offset(lsp_range.end, positions)))
    return Span(start, end)


def to_text_edits(edits: Iterable[Edit], positions: Positions) -> list[types.TextEdit]:
    return [types.TextEdit(to_range(edit.span, positions), edit.text) for edit in edits]


def range_data(span: Span, positions: Positions) -> JsonObject:
    """Return a range as plain data, for results with thousands: lsprotocol's types take ten times as long."""
    start_line, start_character = positions.position(span.start)
    end_line, end_character = positions.position(span.end)
    return {
        "start": {"line": start_line, "character": start_character},
        "end": {"line": end_line, "character": end_character},
    }


def to_lsp(snippet: Snippet, *, with_choices: bool = True) -> str:
    """Write a snippet in LSP's syntax: ``${1:text}`` is a tab stop with a default, ``${2|a,b|}`` one with choices.

    Tab stops are numbered in text order; those of the same name have the same number, so that the client changes them
    together. They have braces, so that a digit may follow them.

    Args:
        with_choices: whether the client shows the first of several choices until the author picks one. For another
            client, that text is the default of an ordinary tab stop.
    """
    parts: list[str] = []
    numbers: dict[object, int] = {}
    for part in snippet.parts:
        if isinstance(part, str):
            parts.append(_escape(part, _IN_TEXT))
        elif part.is_final:
            parts.append("${0}")
        else:
            key = len(parts) if part.symbol is None else (part.symbol, part.default)
            is_mirror = key in numbers
            number = numbers.setdefault(key, len(numbers) + 1)
            parts.append(f"${{{number}}}" if is_mirror else _tab_stop(part, number, with_choices=with_choices))
    return "".join(parts)


def _tab_stop(stop: TabStop, number: int, *, with_choices: bool) -> str:
    # The syntax has no empty choice, and one choice is none.
    choices = [_escape(choice, _IN_CHOICE) for choice in stop.choices if choice]
    if with_choices and stop.default and len(choices) > 1:
        return f"${{{number}|{','.join(choices)}|}}"
    if stop.default:
        return f"${{{number}:{_escape(stop.default, _IN_DEFAULT)}}}"
    return f"${{{number}}}"


def _escape(text: str, special: str) -> str:
    return "".join("\\" + character if character in special else character for character in text)


def markup(text: str, kinds: Sequence[object]) -> types.MarkupContent:
    """Return Markdown in the first known kind of the client's list; plain text for a client without a list."""
    for kind in kinds:
        if kind == types.MarkupKind.Markdown:
            return types.MarkupContent(types.MarkupKind.Markdown, text)
        if kind == types.MarkupKind.PlainText:
            break
    return types.MarkupContent(types.MarkupKind.PlainText, strip_markdown(text))


def strip_markdown(markdown: str) -> str:
    """Return the Markdown of `rui_common.editing.hover` without its marks; of a link, the words are kept."""
    return _RULE.sub("", _LINK.sub(r"\1", markdown)).replace("**", "").replace("`", "").replace("\n\n\n\n", "\n\n")
