"""Edits that wrap nodes in a new one, or move them out of one."""

from collections.abc import Sequence

from rui_common.editing.edits import (
    SeveralLines,
    apply,
    format_json,
    indent_at,
    indent_unit,
    insert_texts,
    line_end_of,
    reindent,
    remove_member,
    space_after_colon,
)  # fmt: skip
from rui_common.editing.generate import ValueGenerator
from rui_common.editing.names import references_to
from rui_common.json_values import JsonObject, as_json, as_object
from rui_common.nodes.node import Node
from rui_common.syntax.document import read
from rui_common.syntax.paths import Path, value_at
from rui_common.syntax.spans import Edit
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.kinds import ListKind, NodeKind
from rui_common.vocabulary.queries import containers
from rui_common.vocabulary.schema import Kind, Shape


def is_broken(analysis: Analysis, path: Path) -> bool:
    """Return whether there is a syntax error in the value at a path, which may end elsewhere than it is read."""
    member = analysis.document.find(path)
    return member is not None and next(member.incomplete(), None) is not None


def wrap(analysis: Analysis, path: Path, kind: Kind, shape: Shape, as_type: str) -> list[Edit | None]:
    """Return the edits that put a node into a new one of a shape, if necessary with further nodes in between.

    With `as_type`, the node gets this type.
    """
    text = analysis.document.text
    span = analysis.document.span_of(path)
    if span is None or is_broken(analysis, path):
        return []
    indent = indent_at(text, span.start)
    generator = ValueGenerator(analysis, analysis.nearest(path[:-1]))
    element, new_text = _with_type(analysis, path, as_type)
    node: dict[str, object] = {}
    for container, children_prop in reversed(containers(shape, [str(element.get("type"))])):
        node = generator.new_object(container, None, {children_prop: []})
        new_text = node_text(text, new_text, indent, node, children_prop)
    if not node:
        return []
    return [Edit(span, new_text), *references_to(analysis, kind, [node.get("id")])]


def _with_type(analysis: Analysis, path: Path, as_type: str) -> tuple[JsonObject, str]:
    """Return a node and its text; with another type, if `as_type` names one."""
    document = analysis.document
    node = as_object(value_at(document.value, path))
    span = document.span_of(path)
    type_span = document.span_of((*path, "type"))
    if span is None:
        return node, ""
    text = document.text[slice(*span)]
    if as_type and type_span is not None:
        start, end = (offset - span.start for offset in type_span)
        return {**node, "type": as_type}, text[:start] + as_json(as_type) + text[end:]
    return node, text


def move_out(analysis: Analysis, path: Path, as_type: str) -> tuple[Node | None, list[Edit | None]]:
    """Return the edits that move a node after the nearest enclosing one whose list allows it, and that one.

    With `as_type`, the node gets this type.
    """
    document = analysis.document
    node, node_source = _with_type(analysis, path, as_type)
    span = document.span_of(path)
    for length in range(len(path) - 2, 1, -2):
        outer_path = path[:length]
        outer = document.span_of(outer_path)
        kind = analysis.kind(outer_path)
        index = outer_path[-1]
        if not isinstance(kind, NodeKind) or not isinstance(index, int) or span is None or outer is None:
            break
        shape = kind.types.get(str(node.get("type")))
        if shape is None:
            continue
        if is_broken(analysis, outer_path):
            break
        text = document.text
        moved = reindent(node_source, indent_at(text, span.start), indent_at(text, outer.start))
        insertion = insert_texts(document, outer_path[:-1], index, [moved])
        edits = [remove_member(document, path), insertion, *references_to(analysis, kind, [node.get("id")])]
        return analysis.tree.at(outer_path), edits
    return None, []


def enclose(analysis: Analysis, path: Path, enclosing: Sequence[tuple[Shape, str]]) -> str:
    """Return the text of a new document around a node, or the elements of an array, without what is around these.

    `enclosing` are the shapes around them, the root first, each with its list. The result is empty if the text is
    broken.
    """
    document = analysis.document
    root = document.find(path)
    if root is None or root.span is None or not document.valid:
        return ""
    source = document.text
    value = value_at(document.value, path)
    elements = value if isinstance(value, list) else [value]
    text = reindent(source[root.start : root.end], indent_at(source, root.start), "")
    if isinstance(value, list):
        text = source[root.start + 1 : root.end - 1].strip()
        first = root.start + 1 + len(source[root.start + 1 :]) - len(source[root.start + 1 :].lstrip())
        text = reindent(text, indent_at(source, first), "")
    inner: list[object] = elements
    for shape, name in reversed(enclosing[1:]):
        inner = [{"type": shape.name, name: inner}]
    root_shape, root_list = enclosing[0]
    named = analysis.of(read(as_json({root_list: inner})))
    generator = ValueGenerator(named, named.tree.root)
    for shape, name in reversed(enclosing):
        text = node_text(source, text, "", generator.new_object(shape, None, {name: []}), name)
    new = analysis.of(read(text))
    kind = root_shape.props[root_list].kind
    nodes = as_object(new.document.value).get(root_list)
    if isinstance(kind, ListKind) and isinstance(nodes, list):
        references = references_to(new, kind.items, [as_object(node).get("id") for node in nodes])
        text = apply(text, [edit for edit in references if edit is not None])
    return text


def children_prop_for(shape: Shape, elements: Sequence[object]) -> str | None:
    """Return the list property of a shape that can contain these nodes alone, judging by their types and number."""
    types = [as_object(element).get("type") for element in elements]
    for name, prop in shape.props.items():
        names = [inner.name for inner in prop.kind.inner_shapes]
        if (
            isinstance(prop.kind, ListKind)
            and prop.kind.allows(len(elements))
            and all(node_type in names for node_type in types)
        ):
            return name
    return None


def node_text(text: str, elements: str, indent: str, node: dict[str, object], children_prop: str) -> str:
    """Return the text of a new node, whose list is empty, with the text of existing elements in it.

    The layout is that of the document's `text`; `indent` is that of the line on which they begin, and the node will.
    """
    line_end = line_end_of(text)
    texts: dict[str, object] = {as_json(name): as_json(value) for name, value in node.items()}
    if not line_end:
        texts[as_json(children_prop)] = f"[{elements}]"
        space = space_after_colon(text)
        return "{" + f",{space}".join([f"{name}:{space}{value}" for name, value in texts.items()]) + "}"
    unit = indent_unit(text)
    inner = indent + 2 * unit
    children = f"[{line_end}{inner}{reindent(elements, indent, inner)}{line_end}{indent}{unit}]"
    texts[as_json(children_prop)] = children
    return format_json(SeveralLines(texts), indent, unit=unit, line_end=line_end, write=str)
