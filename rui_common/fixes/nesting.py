"""Wrap elements of a list in a new node; their text is kept."""

from __future__ import annotations

from collections.abc import Sequence

from rui_common.editing.edits import Edit, format_json, indent_at, indent_unit, line_end_of, reindent
from rui_common.editing.generate import NamesInUse
from rui_common.json_values import as_object
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path, value_at
from rui_common.syntax.spans import Span
from rui_common.vocabulary.kinds import ListKind, NodeKind
from rui_common.vocabulary.schema import Shape

_MAX_LINE = 60
"""Maximum number of characters of elements in a new node on one line."""


def wrap_elements(
    document: Document, path: Path, first: int, last: int, shape: Shape, names: NamesInUse
) -> tuple[Edit, dict[str, object]] | None:
    """Wrap elements of a list in a new node, if necessary with further nodes in between.

    Returns:
        The edit, and the new node with an empty list in place of the elements. None if no such node can contain them.
    """
    text = document.text
    members = document.members(path)
    siblings = value_at(document.value, path)
    if not isinstance(siblings, list) or last >= len(members):
        return None
    chain = _container_chain(shape, siblings[first : last + 1], ())
    if not chain:
        return None
    span = Span(members[first].start, members[last].end)
    generator = names.generator_at(path)
    indent = indent_at(text, span.start)
    new_text = text[span.start : span.end]
    node: dict[str, object] = {}
    for container, children_prop in reversed(chain):
        node = generator.new_object(container, None, {children_prop: []})
        new_text = node_text(text, new_text, indent, node, children_prop)
    return Edit(span, new_text), node


def _container_chain(shape: Shape, elements: Sequence[object], outer: tuple[Shape, ...]) -> list[tuple[Shape, str]]:
    """Nested shapes from `shape` down to one that can contain the elements, each with its list; empty if none can."""
    children_prop = children_prop_for(shape, elements)
    if children_prop is not None:
        return [(shape, children_prop)]
    if shape in outer:
        return []
    for name, prop in shape.props.items():
        if isinstance(prop.kind, ListKind) and isinstance(prop.kind.items, NodeKind):
            for inner in prop.kind.inner_shapes:
                chain = _container_chain(inner, elements, (*outer, shape))
                if chain:
                    return [(shape, name), *chain]
    return []


def children_prop_for(shape: Shape, elements: Sequence[object]) -> str | None:
    """The list property of a shape that can contain all of these nodes, judging by their types."""
    types = {as_object(element).get("type") for element in elements}
    for name, prop in shape.props.items():
        if isinstance(prop.kind, ListKind) and types <= {inner.name for inner in prop.kind.inner_shapes}:
            return name
    return None


def node_text(text: str, elements: str, indent: str, node: dict[str, object], children_prop: str) -> str:
    """The text of a new node that contains existing elements.

    Args:
        text: the text of the document, for its line ending.
        elements: the text of the elements, including the commas between them.
        indent: the indentation of the line on which they begin, and on which the node will.
        node: the node with an empty list.
    """
    line_end = line_end_of(text)
    if not line_end or (line_end not in elements and len(elements) + len(indent) <= _MAX_LINE):
        space = " " if line_end or ": " in text else ""
        texts = {name: format_json(value, space=space) for name, value in node.items()}
        texts[children_prop] = f"[{elements}]"
        return "{" + f",{space}".join(f'"{name}":{space}{value}' for name, value in texts.items()) + "}"
    unit = indent_unit(indent)
    deeper = indent + unit
    texts = {name: format_json(value, deeper, unit=unit, line_end=line_end) for name, value in node.items()}
    inner = reindent(elements, indent, deeper + unit)
    texts[children_prop] = f"[{line_end}{deeper}{unit}{inner}{line_end}{deeper}]"
    lines = f",{line_end}".join(f'{deeper}"{name}": {value}' for name, value in texts.items())
    return f"{{{line_end}{lines}{line_end}{indent}}}"
