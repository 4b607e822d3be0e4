"""Snippets: text with tab stops, made from declarations and values, and adapted to the layout of a document.

They are independent of a protocol; the language server writes them in LSP's snippet syntax.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from rui_common.editing.completion_context import CompletionContext
from rui_common.editing.edits import indent_at
from rui_common.json_values import as_list, as_object
from rui_common.syntax.document import Document
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol

Json: TypeAlias = "dict[str, object]"
Part: TypeAlias = "str | TabStop"

INDENT = "  "

_MIN_MINIFIED = 100
"""A text with at least this many characters and no line end is regarded as minified."""

_FIRST_INDENT = re.compile(r"[{\[][ \t]*(?:\r\n|\r|\n)([ \t]+)[^ \t\r\n]")
_LINE = re.compile(r"\n((?:" + INDENT + ")*)")
_COLON = re.compile(r'(?<!\\)": ')


class TabStop(NamedTuple):
    """A part of a snippet that the author is to replace.

    Attributes:
        default: the initial text; of a choice, the first one.
        choices: the possible texts; empty for free text.
        is_final: whether the cursor is there after all other stops.
        symbol: the symbol that the text is a name of, or None. Equal stops of a symbol are one name.
    """

    default: str = ""
    choices: tuple[str, ...] = ()
    is_final: bool = False
    symbol: Symbol | None = None


class Snippet(NamedTuple):
    r"""Text with tab stops. Lines are separated by ``\n`` and indented by `INDENT`.

    Attributes:
        parts: text and tab stops in text order.
    """

    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The text with the default at every tab stop."""
        return "".join(part if isinstance(part, str) else part.default for part in self.parts)

    def map_text(self, function: Callable[[str], str]) -> Snippet:
        """Apply a function to the text between the tab stops."""
        return Snippet(tuple(function(part) if isinstance(part, str) else part for part in self.parts))


def property_snippet(prop: Prop, value: object) -> Snippet:
    """A property with its key, such as ``"direction": "stack"`` with the value as a choice."""
    return Snippet((f"{json.dumps(prop.name)}: ", *_value(prop.kind, value, "")))


def shape_snippet(shape: Shape, value: Json, *, is_on_one_line: bool = False) -> Snippet:
    """An object of a shape, with a tab stop at every value that is no literal, in the layout of the formatter.

    Args:
        value: its properties.
        is_on_one_line: whether it is an element that is no node, so that it is on one line if it has only scalars.
    """
    return Snippet(tuple(_object(shape, value, "", is_on_one_line=is_on_one_line and _is_flat(value))))


def without_stop(snippet: Snippet, name: str) -> Snippet:
    """A snippet in which the first tab stop of a name is text."""
    parts = list(snippet.parts)
    for index, part in enumerate(parts):
        if not isinstance(part, str) and part.default == name:
            parts[index] = name
            break
    return Snippet(tuple(parts))


def list_snippet(element: Snippet) -> Snippet:
    """A list with one element."""
    inner = element.map_text(lambda text: text.replace("\n", f"\n{INDENT}"))
    return Snippet((f"[\n{INDENT}", *inner.parts, "\n]"))


def _object(
    shape: Shape, value: Json, indent: str, defines: Symbol | None = None, *, is_on_one_line: bool = False
) -> list[Part]:
    """An object; `defines` is the symbol that the list of a node gives to its id."""
    if not value:
        return ["{", TabStop(), "}"]
    inner = indent + INDENT
    if is_on_one_line:
        opening = ""
        separator = ", "
    else:
        opening = f"\n{inner}"
        separator = f",\n{inner}"
    parts: list[Part] = []
    for name, inner_value in value.items():
        prop = shape.prop(name)
        if prop is None:
            continue
        parts.append(f"{separator if parts else '{' + opening}{json.dumps(name)}: ")
        parts += _with_symbol(_value(prop.kind, inner_value, inner), prop, defines)
    return [*parts, "}" if is_on_one_line else f"\n{indent}}}"]


def _is_flat(value: Json) -> bool:
    return not any(isinstance(inner, dict | list) for inner in value.values())


def _with_symbol(parts: list[Part], prop: Prop, defines: Symbol | None) -> list[Part]:
    symbol = prop.uses or (prop.defines and (defines or prop.defines))
    if symbol is None:
        return parts
    return [part if isinstance(part, str) else part._replace(symbol=symbol) for part in parts]


def _value(kind: Kind, value: object, indent: str, *, is_element: bool = False) -> list[Part]:
    """A value of a kind."""
    if isinstance(kind, NodeKind):
        node_type = as_object(value).get("type")
        shape = next((shape for shape in kind.shapes if shape.name == node_type), kind.shapes[0])
        return _object(shape, as_object(value), indent, kind.defines)
    if isinstance(kind, ObjectKind):
        is_on_one_line = is_element and _is_flat(as_object(value))
        return _object(kind.shape, as_object(value), indent, is_on_one_line=is_on_one_line)
    if isinstance(kind, ListKind):
        return _list(kind, as_list(value), indent)
    return _scalar(kind, value)


def _list(kind: ListKind, values: list[object], indent: str) -> list[Part]:
    """A list with the first of some values."""
    inner = indent + INDENT
    element = _value(kind.items, next(iter(values), None), inner, is_element=True)
    has_end = any(isinstance(part, TabStop) and part.is_final for part in element)
    if isinstance(kind.items, NodeKind) and not has_end:
        element.append(TabStop(is_final=True))  # The author goes on with another node of the innermost list.
    return [f"[\n{inner}", *element, f"\n{indent}]"]


def _scalar(kind: Kind, value: object) -> list[Part]:
    if len(kind.values) == 1:
        return [json.dumps(kind.values[0])]
    if kind.values:
        return ['"', TabStop(kind.values[0], kind.values), '"']
    text = json.dumps(value, ensure_ascii=False)
    if isinstance(value, str):
        return ['"', TabStop(text[1:-1]), '"']
    return [TabStop(text)]


class Layout:
    """The layout of a document at a completion: indentation, or none if the text is minified."""

    __slots__ = ("_indent", "_is_minified", "_unit")

    def __init__(self, document: Document, context: CompletionContext) -> None:
        text = document.text
        self._is_minified = len(text) >= _MIN_MINIFIED and "\n" not in text and "\r" not in text
        self._indent = ""
        self._unit = INDENT
        if not self._is_minified:
            self._indent = _line_indent(text, context.span.start)
            self._unit = indent_unit_of(text)

    def reindent(self, snippet: Snippet, *, relative: bool) -> Snippet:
        """A snippet in this layout.

        Args:
            relative: whether the client adds the indentation of the line.
        """
        if self._is_minified:
            return snippet.map_text(lambda text: _COLON.sub('":', _LINE.sub("", text)))
        indent = "" if relative else self._indent

        def with_indent(line: re.Match[str]) -> str:
            return "\n" + indent + self._unit * (len(line[1]) // len(INDENT))

        return snippet.map_text(lambda text: _LINE.sub(with_indent, text))


def indent_unit_of(text: str) -> str:
    """The indentation of one level: that of the first line in a bracket, relative to the line of the bracket."""
    first = _FIRST_INDENT.search(text)
    if first is None:
        return INDENT
    outer = indent_at(text, first.start())
    if first[1] == outer or not first[1].startswith(outer):
        return INDENT
    return first[1].removeprefix(outer)


def _line_indent(text: str, offset: int) -> str:
    """The indentation of the line at an offset, as far as it is before the offset."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    return indent_at(text, offset)[: offset - start]
