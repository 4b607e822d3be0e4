"""Fixes for elements of lists: nodes of a wrong type or in a wrong place, other values, empty lists."""

from __future__ import annotations

from collections.abc import Iterator

from rui_common.editing.edits import (
    append_elements,
    indent_at,
    insert_properties,
    insert_texts,
    reindent,
    remove_member,
)
from rui_common.fixes.context import FixContext, choices, has_content, quote
from rui_common.fixes.model import MAX_FIXES, Fix, fixes_from
from rui_common.fixes.name_fixes import references_to, remove_element
from rui_common.fixes.nesting import wrap
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
        is_safe = fitting is None or fitting.name == meant
        yield from choices(context, fault.path, [shape.name for shape in shapes], meant, is_safe=is_safe)


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
        yield from _move_out(context, path)
        yield from remove_element(context, path)


def _wrap(context: FixContext, path: Path, kind: NodeKind) -> Iterator[Fix]:
    """Wrap a node in an allowed one."""
    for shape in kind.shapes:
        wrapped = wrap(context, path, shape)
        if wrapped is not None:
            edit, node = wrapped
            yield from fixes_from(f"Wrap in a {shape.name}", [edit, *references_to(context, shape, kind, node)])


def _move_out(context: FixContext, path: Path) -> Iterator[Fix]:
    """Move a node after the nearest enclosing one whose list allows it."""
    document = context.document
    node = context.object_at(path)
    span = document.span_of(path)
    for length in range(len(path) - 2, 1, -2):
        outer_path = path[:length]
        outer = document.span_of(outer_path)
        kind = context.kind_at(outer_path)
        index = outer_path[-1]
        if not isinstance(kind, NodeKind) or not isinstance(index, int) or span is None or outer is None:
            return
        shape = kind.types.get(str(node.get("type")))
        if shape is None:
            continue
        text = document.text
        moved = reindent(text[span.start : span.end], indent_at(text, span.start), indent_at(text, outer.start))
        insertion = insert_texts(document, outer_path[:-1], index, [moved])
        edits = [remove_member(document, path), insertion, *references_to(context, shape, kind, node)]
        yield from fixes_from(f"Move after {context.description(outer_path)}", edits)
        return


def fix_empty_list(context: FixContext, path: Path, kind: ListKind) -> Iterator[Fix]:
    """Add an element to an empty list."""
    for shape in kind.inner_shapes[:MAX_FIXES]:
        element = context.generator_at(path).new_object(shape)
        references = references_to(context, shape, kind.items, element)
        yield from fixes_from(f"Add a {shape.name}", [append_elements(context.document, path, [element]), *references])
    if len(path) > 1 and isinstance(path[-2], int):
        yield from remove_element(context, path[:-1])
