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
    rename_key,
)
from rui_common.editing.named_elements import references_to
from rui_common.fixes.context import choices, description, generator_at, object_at, quote
from rui_common.fixes.model import MAX_FIXES, Fix, fixes_from
from rui_common.fixes.name_fixes import remove_element
from rui_common.fixes.nesting import wrap
from rui_common.syntax.paths import Path
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
    path = finding.path
    if finding.step == "type":
        path = finding.node.path
    if isinstance(finding.kind, NodeKind) and isinstance(path[-1], int):
        yield from _wrap(analysis, path, finding.kind)
        yield from _move_out(analysis, path)
        yield from remove_element(analysis, path)


def _wrap(analysis: Analysis, path: Path, kind: NodeKind) -> Iterator[Fix]:
    """Wrap a node in an allowed one."""
    for shape in kind.shapes:
        wrapped = wrap(analysis, path, shape)
        if wrapped is not None:
            edit, node = wrapped
            yield from fixes_from(f"Wrap in a {shape.name}", [edit, *references_to(analysis, kind, [node])])


def _move_out(analysis: Analysis, path: Path) -> Iterator[Fix]:
    """Move a node after the nearest enclosing one whose list allows it."""
    document = analysis.document
    node = object_at(analysis, path)
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
        text = document.text
        moved = reindent(text[span.start : span.end], indent_at(text, span.start), indent_at(text, outer.start))
        insertion = insert_texts(document, outer_path[:-1], index, [moved])
        edits = [remove_member(document, path), insertion, *references_to(analysis, kind, [node])]
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
        element = generator_at(analysis, finding.node).new_object(shape)
        references = references_to(analysis, finding.kind.items, [element])
        edit = append_elements(analysis.document, path, [element])
        yield from fixes_from(f"Add a {shape.name}", [edit, *references])
    if isinstance(finding.node.step, int):
        yield from remove_element(analysis, finding.node.path)
