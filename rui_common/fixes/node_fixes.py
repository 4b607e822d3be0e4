"""Fixes for elements of lists: nodes of a wrong type or in a wrong place, other values, empty lists."""

from __future__ import annotations

from collections.abc import Iterator

from rui_common.editing.edits import (
    Edit,
    append_elements,
    indent_at,
    insert_properties,
    insert_texts,
    reindent,
    remove_member,
)
from rui_common.fixes.context import FixContext, has_content, quote
from rui_common.fixes.model import MAX_FIXES, Fix, complete, fixes_from
from rui_common.fixes.name_fixes import references_to, remove_element
from rui_common.fixes.nesting import wrap_elements
from rui_common.fixes.value_fixes import choose, use_value
from rui_common.json_values import as_object
from rui_common.suggest import probably_meant
from rui_common.syntax.paths import Path
from rui_common.validation.findings import Finding
from rui_common.vocabulary.kinds import ListKind, NodeKind
from rui_common.vocabulary.schema import Kind, Shape


def fix_type(context: FixContext, fault: Finding, kind: NodeKind) -> Iterator[Fix]:
    """Fix the type of a node: it is absent, unknown, or not allowed here."""
    path = fault.path[:-1]
    node = context.object_at(path)
    given = node.get("type")
    shapes = sorted(kind.shapes[:MAX_FIXES], key=lambda shape: _differences(node, shape))
    fitting = kind.shape_by_properties(node)
    if isinstance(given, str) and given in context.vocabulary.nodes:
        yield from fix_misplaced_node(context, path, kind)
    elif "type" not in node:
        for shape in shapes:
            edits = insert_properties(context.document, path, {"type": shape.name}, [*shape.props])
            yield from fixes_from(f'Add "type": {quote(shape.name)}', edits, is_safe=shape is fitting)
    elif isinstance(given, str) or not has_content(given):
        meant = probably_meant(given, list(kind.types)) if isinstance(given, str) else None
        for shape in shapes:
            if shape.name == meant:
                is_safe = fitting is None or fitting is shape
                yield from use_value(context, fault.path, meant, is_safe=is_safe)
            else:
                yield from choose(context, fault.path, shape.name)


def _differences(node: dict[str, object], shape: Shape) -> int:
    """The number of unknown and missing properties of a node, compared with a shape."""
    return len(node.keys() - shape.props.keys()) + len({*shape.required} - node.keys())


def fix_element(context: FixContext, path: Path, kind: Kind) -> Iterator[Fix]:
    """Fix an element that is not an object, or a node that is not allowed here."""
    value = context.value(path)
    if isinstance(value, dict):
        if isinstance(kind, NodeKind) and value.get("type") in [*context.vocabulary.nodes]:
            yield from fix_misplaced_node(context, path, kind)
        return
    yield from remove_element(context, path)


def fix_misplaced_node(context: FixContext, path: Path, kind: NodeKind) -> Iterator[Fix]:
    """Wrap, move or remove a node whose type is not allowed here."""
    if isinstance(path[-1], int):
        yield from _wrap(context, path, kind)
        yield from _hoist(context, path)
        yield from remove_element(context, path)


def _wrap(context: FixContext, path: Path, kind: NodeKind) -> Iterator[Fix]:
    """Wrap a node, or it and its misplaced neighbours, in an allowed one."""
    index = int(path[-1])
    for shape in kind.shapes:
        for first, last in dict.fromkeys([(index, index), _misplaced_run(context, path, kind)]):
            wrapped = wrap_elements(context.document, path[:-1], first, last, shape, context.names)
            if wrapped is None:
                continue
            edit, node = wrapped
            title = f"Wrap in a {shape.name}"
            if last > first:
                title = f"Wrap {last - first + 1} blocks in a {shape.name}"
            yield from fixes_from(title, [edit, *references_to(context, shape, kind, node)])


def _misplaced_run(context: FixContext, path: Path, kind: NodeKind) -> tuple[int, int]:
    """The first and last index of the misplaced nodes around an element."""
    siblings = context.value(path[:-1])
    assert isinstance(siblings, list)  # noqa: S101  a node that is an element
    misplaced_types = [*(context.vocabulary.nodes.keys() - kind.types.keys())]  # `in` a list: a type may be a list
    is_misplaced = [isinstance(node, dict) and node.get("type") in misplaced_types for node in siblings]
    first = last = int(path[-1])
    while first > 0 and is_misplaced[first - 1]:
        first -= 1
    while last + 1 < len(is_misplaced) and is_misplaced[last + 1]:
        last += 1
    return first, last


def _hoist(context: FixContext, path: Path) -> Iterator[Fix]:
    """Move a node after the nearest enclosing one beside which it is allowed, or replace that by it."""
    node = context.value(path)
    node_type = as_object(node).get("type")
    for length in range(len(path) - 2, 1, -2):
        outer_path = path[:length]
        kind = context.kind_at(outer_path)
        if not isinstance(kind, NodeKind) or not isinstance(outer_path[-1], int):
            return
        shape = next((shape for shape in kind.shapes if shape.name == node_type), None)
        if shape is None:
            continue
        edits = _hoisting(context, path, outer_path, kind)
        if edits:
            title = f"Move after {context.description(outer_path)}"
            if len(edits) == 1:
                title = f"Replace {context.description(outer_path)} by it"
            references = complete(references_to(context, shape, kind, node))
            yield Fix(title, (*edits, *references), False)
        return


def _hoisting(context: FixContext, path: Path, outer_path: Path, kind: NodeKind) -> tuple[Edit, ...]:
    """The edits that move a node after the one at `outer_path`; none if a text would be lost.

    Nodes that would become empty are removed.
    """
    document = context.document
    removed = path
    while len(document.members(removed[:-1])) == 1 and len(removed) > len(outer_path):
        removed = removed[:-2]
        if _has_text(context, removed):
            return ()
    member = document.find(path)
    outer = document.find(outer_path)
    if member is None or member.span is None or outer is None or outer.span is None:
        return ()
    text = document.text
    moved = reindent(text[member.start : member.end], indent_at(text, member.start), indent_at(text, outer.start))
    if removed == outer_path:
        # References to a node with a name would dangle.
        if kind.defines is not None:
            return ()
        return (Edit(outer.span, moved),)
    insertion = insert_texts(document, outer_path[:-1], int(outer_path[-1]), [moved])
    return complete([remove_member(document, removed), insertion])


def _has_text(context: FixContext, path: Path) -> bool:
    """Whether a node has text of its own, such as a title."""
    shape = context.shape_at(path)
    node = context.object_at(path)
    return shape is None or any(prop.name in node for prop in shape.words)


def fix_empty_list(context: FixContext, path: Path, kind: ListKind) -> Iterator[Fix]:
    """Add an element to an empty list."""
    for shape in kind.inner_shapes[:MAX_FIXES]:
        element = context.generator_at(path).new_object(shape)
        references = references_to(context, shape, kind.items, element)
        yield from fixes_from(f"Add a {shape.name}", [append_elements(context.document, path, [element]), *references])
    if len(path) > 1 and isinstance(path[-2], int):
        yield from remove_element(context, path[:-1])
