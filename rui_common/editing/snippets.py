"""Snippets: text with tab stops, made from declarations and values, and adapted to the layout of a document.

They are independent of a protocol; the language server writes them in LSP's snippet syntax.
"""

import json
import re
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from rui_common.editing.completion_context import CompletionContext
from rui_common.editing.edits import INDENT, SeveralLines, format_json, indent_at, indent_unit, reindent, with_unit
from rui_common.json_values import JsonObject, as_json, as_list, as_object
from rui_common.syntax.document import Document
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol, Vocabulary

SnippetPart: TypeAlias = "str | TabStop"

_MIN_MINIFIED = 100  # A text with at least this many characters and no line end is regarded as minified
_MARK = re.compile(r"\0\$?([0-9]+)\0")
_COMMA_BEFORE_END = re.compile(r",\s*(?=\0\$)")
_LINE = re.compile(rf"\n(?:{INDENT})*")
_COLON = re.compile(r'(?<!\\)": ')


class TabStop(NamedTuple):
    """A part of a snippet that the author is to replace."""

    default: str = ""  # the initial text; of a choice, the first one
    choices: tuple[str, ...] = ()  # the possible texts; empty for free text
    is_final: bool = False  # whether the cursor is there after all other stops
    symbol: Symbol | None = None  # the symbol that it names, or None. Equal stops of a symbol are one name.


class Snippet(NamedTuple):
    r"""Text with tab stops. Lines are separated by ``\n`` and indented by `INDENT`."""

    parts: tuple[SnippetPart, ...]  # text and tab stops in text order

    @property
    def text(self) -> str:
        """The text with the default at every tab stop."""
        return "".join(part if isinstance(part, str) else part.default for part in self.parts)

    def map_text(self, function: Callable[[str], str]) -> "Snippet":
        """Apply a function to the text between the tab stops."""
        return Snippet(tuple(function(part) if isinstance(part, str) else part for part in self.parts))


def property_snippet(prop: Prop, value: object) -> Snippet:
    """Return a property with its key, such as ``"direction": "stack"`` with the value as a choice."""
    inner = _Writer().snippet(prop.kind, value, is_element=False)
    return Snippet((f"{as_json(prop.name)}: ", *inner.parts))


def shape_snippet(shape: Shape, value: JsonObject, *, is_element: bool) -> Snippet:
    """Return an object of a shape in the layout of the formatter, with a tab stop at every value that is no literal."""
    return _Writer().snippet(ObjectKind(shape), value, is_element=is_element)


def list_snippet(*elements: Snippet) -> Snippet:
    parts: list[SnippetPart] = []
    for element in elements:
        inner = element.map_text(lambda text: text.replace("\n", f"\n{INDENT}"))
        parts += [f"{',' if parts else '['}\n{INDENT}", *inner.parts]
    return Snippet((*parts, "\n]"))


class _Writer:
    """Writes a value with tab stops. Each stop is a mark in the text until all are known."""

    def __init__(self) -> None:
        self._stops: list[TabStop] = []

    def snippet(self, kind: Kind, value: object, *, is_element: bool) -> Snippet:
        text = format_json(self._tree(kind, value), is_element=is_element, write=str)
        parts: list[SnippetPart] = []
        for index, part in enumerate(_MARK.split(_COMMA_BEFORE_END.sub("", text))):
            parts.append(self._stops[int(part)] if index % 2 else part)
        return Snippet(tuple(parts))

    def _mark(self, stop: TabStop) -> str:
        self._stops.append(stop)
        kind = ""
        if stop.is_final:
            kind = "$"
        return f"\0{kind}{len(self._stops) - 1}\0"

    def _tree(self, kind: Kind, value: object, symbol: Symbol | None = None) -> object:
        """Return a value with text in place of scalars; `symbol` is that of a name."""
        if isinstance(kind, ListKind):
            elements = [self._tree(kind.items, element) for element in as_list(value) or [None]]
            if isinstance(kind.items, NodeKind) and not any(stop.is_final for stop in self._stops):
                # The author goes on with another node of the innermost list.
                elements.append(self._mark(TabStop(is_final=True)))
            return elements
        if kind.inner_shapes:
            node_type = as_object(value).get("type")
            shape = next((shape for shape in kind.inner_shapes if shape.name == node_type), kind.inner_shapes[0])
            return self._object(shape, as_object(value), kind.defines)
        if len(kind.values) == 1:
            return as_json(kind.values[0])
        if kind.values:
            choices = tuple(sorted(kind.values, key=lambda choice: choice != value))
            return f'"{self._mark(TabStop(choices[0], choices))}"'
        text = as_json(value)
        if isinstance(value, str):
            return f'"{self._mark(TabStop(text[1:-1], symbol=symbol))}"'
        return self._mark(TabStop(text))

    def _object(self, shape: Shape, value: JsonObject, defines: Symbol | None) -> object:
        """Return an object; `defines` is the symbol that the list of a node gives to its id."""
        if not value:
            return f"{{{self._mark(TabStop())}}}"
        tree: JsonObject = SeveralLines() if shape.is_node else {}
        for name, inner in value.items():
            prop = shape.prop(name)
            if prop is not None:
                symbol = prop.uses
                if symbol is None and prop.defines is not None:
                    symbol = defines or prop.defines
                tree[as_json(name)] = self._tree(prop.kind, inner, symbol)
        return tree


_PAIR = re.compile(r'("(?:[^"\\]|\\.)*"\s*:\s*")((?:[^"\\]|\\.)*)"')


def placeholder_snippet(text: str, vocabulary: Vocabulary) -> Snippet | None:
    """Return inserted JSON with a tab stop at every placeholder; None if it has none."""
    by_name: dict[str, list[Prop]] = {}
    for _, prop in vocabulary.props:
        by_name.setdefault(prop.name, []).append(prop)
    parts: list[SnippetPart] = []
    end = 0
    for pair in _PAIR.finditer(text):
        name = json.loads(pair[1][: pair[1].index('"', 1) + 1])
        if any(prop.is_placeholder(pair[2]) for prop in by_name.get(name, ())):
            parts += [text[end : pair.end(1)], TabStop(pair[2])]
            end = pair.end(2)
    if not parts:
        return None
    return Snippet((*parts, text[end:]))


class Layout:
    """Adapts snippets to the place of a completion: indentation, unless the text is minified, and missing commas."""

    def __init__(self, document: Document, context: CompletionContext) -> None:
        text = document.text
        start = context.span.start
        self._context = context
        self._is_minified = len(text) >= _MIN_MINIFIED and "\n" not in text and "\r" not in text
        self._indent = indent_at(text[:start], start)
        self._unit = indent_unit(text)

    def adapt(self, snippet: Snippet, *, relative: bool) -> Snippet:
        """Return a snippet in this layout, with the commas that it needs next to it, but none further in front.

        It is `relative` if the client adds the indentation of the line.
        """
        parts = self._reindent(snippet, "" if relative else self._indent).parts
        if self._context.comma_at == self._context.span.start:
            parts = (", ", *parts)
        if self._context.comma_after:
            parts = (*parts, ",")
        return Snippet(parts)

    def _reindent(self, snippet: Snippet, indent: str) -> Snippet:
        if self._is_minified:
            return snippet.map_text(lambda text: _COLON.sub('":', _LINE.sub("", text)))

        return snippet.map_text(lambda text: reindent(with_unit(text, INDENT, self._unit), "", indent))
