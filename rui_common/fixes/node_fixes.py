"""Fixes for elements of lists: nodes of a wrong type or in a wrong place, empty lists; wrapping in a new node."""

from collections.abc import Iterator, Sequence

from rui_common.editing.edits import (
    SeveralLines,
    append_elements,
    format_json,
    indent_at,
    indent_unit,
    insert_properties,
    insert_texts,
    line_end_of,
    reindent,
    remove_member,
    rename_key,
    space_after_colon,
)  # fmt: skip
from rui_common.editing.generate import ValueGenerator
from rui_common.editing.names import references_to
from rui_common.fixes.model import MAX_FIXES, Fix, choices, description, fixes_from, is_broken, quote
from rui_common.fixes.name_fixes import remove_element
from rui_common.json_values import as_json, as_object
from rui_common.syntax.paths import Path, value_at
from rui_common.syntax.spans import Edit
from rui_common.validation.analysis import Analysis
from rui_common.validation.findings import Finding
from rui_common.validation.meant import holds_content, meant_by
from rui_common.vocabulary.kinds import ListKind, NodeKind
from rui_common.vocabulary.problems import Problem
from rui_common.vocabulary.schema import Shape


def fix_type(analysis: Analysis, finding: Finding) -> Iterator[Fix]:
    """Fix the type of a node that is absent or unknown."""
    kind = finding.kind
    if not isinstance(kind, NodeKind):
        return
    node = finding.node.members
    shapes = sorted(kind.shapes[:MAX_FIXES], key=lambda shape: _differences(node, shape))
    fitting = kind.shape_by_properties(node)
    if finding.problem is Problem.UNTYPED:
        if finding.meant:
            edit = rename_key(analysis.document, (*finding.node.path, finding.meant), "type")
            yield from fixes_from(f'Rename {quote(finding.meant)} to "type"', [edit], is_safe=True)
        for shape in shapes:
            edits = insert_properties(analysis.document, finding.node.path, {"type": shape.name}, [*shape.props])
            yield from fixes_from(f'Add "type": {quote(shape.name)}', edits, is_safe=shape is fitting)
    elif isinstance(finding.got, str) or not holds_content(finding.got):
        meant = meant_by(finding)
        is_safe = fitting is None or (meant is not None and fitting.name == meant.text)
        names = [shape.name for shape in shapes]
        yield from choices(analysis, finding.path, names, meant, is_safe=is_safe)


def _differences(node: dict[str, object], shape: Shape) -> int:
    """Return the number of unknown and missing properties of a node, compared with a shape."""
    return len(node.keys() - shape.props.keys()) + len({*shape.required} - node.keys())


def fix_misplaced_node(analysis: Analysis, finding: Finding) -> Iterator[Fix]:
    """Wrap, move or remove a node whose type is not allowed here."""
    path = finding.node.path if finding.step == "type" else finding.path
    if isinstance(finding.kind, NodeKind) and isinstance(path[-1], int):
        yield from _wrap(analysis, path, finding.kind)
        yield from _move_out(analysis, path)
        yield from remove_element(analysis, path)


def _wrap(analysis: Analysis, path: Path, kind: NodeKind) -> Iterator[Fix]:
    """Wrap a node in a new one of each shape that can contain it, if necessary with further nodes in between."""
    text = analysis.document.text
    span = analysis.document.span_of(path)
    if span is None or is_broken(analysis, path):
        return
    indent = indent_at(text, span.start)
    for shape in kind.shapes:
        generator = ValueGenerator(analysis, analysis.nearest(path[:-1]))
        new_text = text[slice(*span)]
        node: dict[str, object] = {}
        for container, children_prop in reversed(_container_chain(shape, value_at(analysis.document.value, path), ())):
            node = generator.new_object(container, None, {children_prop: []})
            new_text = node_text(text, new_text, indent, node, children_prop)
        if node:
            edits = [Edit(span, new_text), *references_to(analysis, kind, [node.get("id")])]
            yield from fixes_from(f"Wrap in a {shape.name}", edits)


def _move_out(analysis: Analysis, path: Path) -> Iterator[Fix]:
    """Move a node after the nearest enclosing one whose list allows it."""
    document = analysis.document
    node = as_object(value_at(document.value, path))
    span = document.span_of(path)
    for length in range(len(path) - 2, 1, -2):
        outer_path = path[:length]
        outer = document.span_of(outer_path)
        kind = analysis.kind(outer_path)
        index = outer_path[-1]
        if not isinstance(kind, NodeKind) or not isinstance(index, int) or span is None or outer is None:
            return
        shape = kind.types.get(str(node.get("type")))
        if shape is None:
            continue
        if is_broken(analysis, outer_path):
            return
        text = document.text
        moved = reindent(text[span.start : span.end], indent_at(text, span.start), indent_at(text, outer.start))
        insertion = insert_texts(document, outer_path[:-1], index, [moved])
        edits = [remove_member(document, path), insertion, *references_to(analysis, kind, [node.get("id")])]
        yield from fixes_from(f"Move after {description(analysis, outer_path)}", edits)
        return


def fix_empty_list(analysis: Analysis, finding: Finding) -> Iterator[Fix]:
    """Add an element to an empty list, or one for each name that its elements must use."""
    path = finding.path
    if not isinstance(finding.kind, ListKind):
        return
    for shape in finding.kind.inner_shapes[:MAX_FIXES]:
        for prop in shape.props.values():
            if prop.uses is not None and prop.uses.unused is not None and [*shape.required] == [prop.name]:
                names = analysis.names.scope(prop.uses, finding.node).definitions
                if len(names) > 1:
                    edit = append_elements(analysis.document, path, [{prop.name: name} for name in names])
                    yield from fixes_from(f"Add a {shape.name} for each {prop.uses.name}", [edit], is_likely=True)
        element = ValueGenerator(analysis, finding.node).new_object(shape)
        references = references_to(analysis, finding.kind.items, [element.get("id")])
        edit = append_elements(analysis.document, path, [element])
        yield from fixes_from(f"Add a {shape.name}", [edit, *references])
    if isinstance(finding.node.step, int):
        yield from remove_element(analysis, finding.node.path)


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
