"""Wrap elements of a list in a new node; their text is kept."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rui_common.editing.edits import SeveralLines, format_json, indent_at, indent_unit, line_end_of, reindent
from rui_common.fixes.context import generator_at
from rui_common.json_values import as_object
from rui_common.syntax.paths import Path, value_at
from rui_common.syntax.spans import Edit
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.kinds import ListKind, NodeKind
from rui_common.vocabulary.schema import Shape


def wrap(analysis: Analysis, path: Path, shape: Shape) -> tuple[Edit, dict[str, object]] | None:
    """Wrap an element of a list in a new node, if necessary with further nodes in between.

    Returns:
        The edit, and the new node with an empty list in place of the element. None if no such node can contain it.
    """
    text = analysis.document.text
    span = analysis.document.span_of(path)
    chain = _container_chain(shape, value_at(analysis.document.value, path), ())
    if not chain or span is None:
        return None
    generator = generator_at(analysis, analysis.nearest(path[:-1]))
    indent = indent_at(text, span.start)
    new_text = text[span.start : span.end]
    node: dict[str, object] = {}
    for container, children_prop in reversed(chain):
        node = generator.new_object(container, None, {children_prop: []})
        new_text = node_text(text, new_text, indent, node, children_prop)
    return Edit(span, new_text), node


def _container_chain(shape: Shape, element: object, outer: tuple[Shape, ...]) -> list[tuple[Shape, str]]:
    """Return the shapes from `shape` down to one that can contain the element, each with its list; `[]` without one."""
    children_prop = children_prop_for(shape, [element])
    if children_prop is not None:
        return [(shape, children_prop)]
    if shape in outer:
        return []
    for name, prop in shape.props.items():
        if isinstance(prop.kind, ListKind) and isinstance(prop.kind.items, NodeKind):
            for inner in prop.kind.inner_shapes:
                chain = _container_chain(inner, element, (*outer, shape))
                if chain:
                    return [(shape, name), *chain]
    return []


def children_prop_for(shape: Shape, elements: Sequence[object]) -> str | None:
    """Return the list property of a shape that can contain all of these nodes, judging by their types."""
    types = [as_object(element).get("type") for element in elements]
    for name, prop in shape.props.items():
        names = [inner.name for inner in prop.kind.inner_shapes]
        if isinstance(prop.kind, ListKind) and all(one in names for one in types):
            return name
    return None


def node_text(text: str, elements: str, indent: str, node: dict[str, object], children_prop: str) -> str:
    """Return the text of a new node that contains existing elements.

    Args:
        text: the text of the document, for its layout.
        elements: the text of the elements, including the commas between them.
        indent: the indentation of the line on which they begin, and on which the node will.
        node: the node with an empty list.
    """
    line_end = line_end_of(text)
    texts: dict[str, object] = {json.dumps(name): json.dumps(value, ensure_ascii=False) for name, value in node.items()}
    if not line_end:
        texts[json.dumps(children_prop)] = f"[{elements}]"
        space = ""
        if ": " in text:
            space = " "
        return format_json(texts, unit="", line_end="", space=space, write=str)
    unit = indent_unit(text)
    inner = indent + 2 * unit
    children = f"[{line_end}{inner}{reindent(elements, indent, inner)}{line_end}{indent}{unit}]"
    texts[json.dumps(children_prop)] = children
    return format_json(SeveralLines(texts), indent, unit=unit, line_end=line_end, write=str)
