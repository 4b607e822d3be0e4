"""Fixes for the structure: nodes of a wrong type or in a wrong place, empty lists, dangling names.

All of them are unsafe, as the author's intention is unknown.
"""

from __future__ import annotations

from rui_common.editing.edits import (
    Edit,
    append_elements,
    indent_at,
    insert_properties,
    insert_texts,
    reindent,
    remove_member,
    remove_members,
    replace_by_property,
    set_value,
)  # fmt: skip
from rui_common.fixes.conversions import element_conversions
from rui_common.fixes.model import MAX_FIXES, Fix, complete, fixes_from
from rui_common.fixes.nesting import wrap_elements, wrap_node
from rui_common.json_values import as_object
from rui_common.syntax.paths import value_at
from rui_common.validation.scopes import sites
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.lookup import schema_location
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rui_common.editing.generate import NamesInUse
    from rui_common.syntax.document import Document
    from rui_common.syntax.paths import Path
    from rui_common.syntax.tree import Member
    from rui_common.validation.findings import Finding
    from rui_common.vocabulary.lookup import SchemaLocation
    from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol, Vocabulary


class StructureFixer:
    """Finds fixes for the structure of one document."""

    def __init__(self, document: Document, names: NamesInUse, vocabulary: Vocabulary = VOCABULARY) -> None:
        self._document = document
        self._names = names
        self._vocabulary = vocabulary

    def fix_structure(self, finding: Finding, location: SchemaLocation) -> Iterator[Fix]:
        """Fix an element that is not an allowed node, an empty list, or an object of a planned type."""
        kind = location.kind
        if isinstance(kind, ListKind) and value_at(self._document.value, finding.path) == []:
            yield from self._fix_empty_list(finding.path, location.prop, kind)
        elif isinstance(kind, ListKind) and isinstance(kind.items, NodeKind):
            yield from self._fix_node_without_list(finding.path, kind.items)
        elif isinstance(kind, ObjectKind):
            yield from self.change_type(finding.path, [kind.shape])
        elif isinstance(kind, NodeKind):
            yield from self._fix_child(finding.path, kind)

    # Nodes of a wrong type or in a wrong place ------------------------------------------------------------------------

    def _fix_child(self, path: Path, kind: NodeKind) -> Iterator[Fix]:
        """Fix a value that is not allowed in a list of nodes (docs/decisions.md, section 2, cases 1 to 5)."""
        value = value_at(self._document.value, path)
        if not isinstance(value, dict):
            yield from self.fix_element(path, kind)
        elif value.get("type") in self._vocabulary.nodes:
            yield from self.fix_misplaced_node(path, kind)
        else:
            yield from self.change_type(path, kind.shapes)
            yield from self.remove_element(path)

    def _fix_node_without_list(self, path: Path, kind: NodeKind) -> Iterator[Fix]:
        """Wrap a misplaced node in place of a list, replace it by its list of allowed nodes, or change its type."""
        node = as_object(value_at(self._document.value, path))
        for shape in kind.shapes:
            wrapped = wrap_node(self._document, path, shape, self._names)
            if wrapped is not None:
                yield from fixes_from(f"Wrap in a {shape.name}", [wrapped[0]])
        for name, children in node.items():
            types = {str(as_object(child).get("type")) for child in children} if isinstance(children, list) else set()
            if types and types <= kind.types.keys():
                edits, _ = replace_by_property(self._document, (*path, name))
                yield from fixes_from(f"Replace the {node.get('type')} by its content", edits)
        yield from self.change_type(path, kind.shapes)

    def fix_misplaced_node(self, path: Path, kind: NodeKind) -> Iterator[Fix]:
        """Wrap, move, inline or remove a node whose type is not allowed here; else change its type."""
        fixes = [
            *self._wrap(path, kind),
            *self._hoist(path),
            *self._inline_children(path, kind),
            *self.remove_element(path),
        ]
        yield from fixes or self.change_type(path, kind.shapes)

    def fix_element(self, path: Path, kind: Kind) -> Iterator[Fix]:
        """Convert or remove an element that should be an object and is not."""
        shapes = kind.inner_shapes[:MAX_FIXES]
        for title, edit, new_object, shape in element_conversions(self._document, path, shapes, self._names):
            yield from fixes_from(title, [edit, *self.references_to(shape, kind, [new_object])])
        yield from self.remove_element(path)

    def change_type(self, path: Path, shapes: Sequence[Shape]) -> Iterator[Fix]:
        """Convert the object at `path` to one of these shapes. The conversion with the fewest changes comes first."""
        differences = [(self._difference(path, shape), shape) for shape in shapes[:MAX_FIXES]]
        differences.sort(key=lambda pair: [len(names) for names in pair[0]])
        for (unknown, missing, wrong), shape in differences:
            if unknown or (missing and wrong):
                title = f"Convert to a {shape.name}"
            elif wrong == ["type"]:
                title = f'Use "{shape.name}"'
            elif wrong:
                title = "Use the allowed values"
            else:
                title = f'Add "type": "{shape.name}"'
            yield from fixes_from(title, self._conversion(path, shape))

    def _difference(self, path: Path, shape: Shape) -> tuple[list[str], list[str], list[str]]:
        """The unknown, missing and wrong properties of an object, compared with a shape."""
        props = as_object(value_at(self._document.value, path))
        unknown = [name for name in props if name not in shape.props and not shape.open]
        missing = [name for name in shape.required if name not in props]
        wrong = [
            name
            for name, prop in shape.props.items()
            if name in props and prop.kind.values and props[name] not in prop.kind.values
        ]
        return unknown, missing, wrong

    def _conversion(self, path: Path, shape: Shape) -> list[Edit | None]:
        """The edits that give the object at `path` the properties of a shape."""
        unknown, missing, wrong = self._difference(path, shape)
        generator = self._names.generator_at(path)
        edits: list[Edit | None] = [
            set_value(self._document, (*path, name), shape.props[name].kind.values[0]) for name in wrong
        ]
        new_props = {name: generator.new_value(shape.props[name]) for name in missing}
        if unknown and len(unknown) == len(self._document.members(path)):
            return [set_value(self._document, path, new_props)]
        if new_props:
            edits += insert_properties(self._document, path, new_props, [*shape.props])
        return edits + self.drop_props(path, unknown)

    def drop_props(self, path: Path, names: list[str]) -> list[Edit | None]:
        """Remove properties of the object at `path`, with one edit for adjacent ones."""
        runs: list[list[Member]] = [[]]
        for member in self._document.members(path):
            if member.step in names:
                runs[-1].append(member)
            elif runs[-1]:
                runs.append([])
        return [remove_members(self._document, path, run) for run in runs if run]

    def _wrap(self, path: Path, kind: NodeKind) -> Iterator[Fix]:
        """Wrap a node, or it and its misplaced neighbours, in an allowed one."""
        index = int(path[-1])
        for shape in kind.shapes:
            for first, last in dict.fromkeys([(index, index), self._sibling_run(path, kind)]):
                wrapped = wrap_elements(self._document, path[:-1], first, last, shape, self._names)
                if wrapped is None:
                    continue
                edit, node = wrapped
                title = f"Wrap in a {shape.name}"
                if last > first:
                    title = f"Wrap {last - first + 1} blocks in a {shape.name}"
                yield from fixes_from(title, [edit, *self.references_to(shape, kind, [node])])

    def _sibling_run(self, path: Path, kind: NodeKind) -> tuple[int, int]:
        """The first and last index of the misplaced nodes around an element."""
        siblings = value_at(self._document.value, path[:-1])
        assert isinstance(siblings, list)  # noqa: S101  a node that is an element
        misplaced_types = [*(self._vocabulary.nodes.keys() - kind.types.keys())]  # `in` a list: a type may be a list
        is_misplaced = [isinstance(node, dict) and node.get("type") in misplaced_types for node in siblings]
        first = last = int(path[-1])
        while first > 0 and is_misplaced[first - 1]:
            first -= 1
        while last + 1 < len(is_misplaced) and is_misplaced[last + 1]:
            last += 1
        return first, last

    def _hoist(self, path: Path) -> Iterator[Fix]:
        """Move a node after the nearest enclosing one beside which it is allowed, or replace that by it."""
        node = value_at(self._document.value, path)
        node_type = as_object(node).get("type")
        for length in range(len(path) - 2, 1, -2):
            outer_path = path[:length]
            location = schema_location(self._document.value, outer_path, self._vocabulary)
            if location is None or not isinstance(location.kind, NodeKind) or not isinstance(outer_path[-1], int):
                return
            shape = next((shape for shape in location.kind.shapes if shape.name == node_type), None)
            if shape is None:
                continue
            edits = self._hoisting(path, outer_path, location.kind)
            if edits:
                outer_type = as_object(value_at(self._document.value, outer_path)).get("type", node_type)
                title = f"Move after the enclosing {outer_type}"
                if len(edits) == 1:
                    title = f"Replace the enclosing {outer_type} by it"
                references = complete(self.references_to(shape, location.kind, [node]))
                yield Fix(title, (*edits, *references), False)
            return

    def _hoisting(self, path: Path, outer_path: Path, kind: NodeKind) -> tuple[Edit, ...]:
        """The edits that move a node after the one at `outer_path`. Nodes that would become empty are removed."""
        removed = path
        while len(self._document.members(removed[:-1])) == 1 and len(removed) > len(outer_path):
            removed = removed[:-2]
        member = self._document.find(path)
        outer = self._document.find(outer_path)
        if member is None or member.span is None or outer is None or outer.span is None:
            return ()
        text = self._document.text
        moved = reindent(text[member.start : member.end], indent_at(text, member.start), indent_at(text, outer.start))
        if removed == outer_path:
            # References to a node with a name would dangle.
            return () if kind.defines is not None else (Edit(outer.span, moved),)
        insertion = insert_texts(self._document, outer_path[:-1], int(outer_path[-1]), [moved])
        return complete([remove_member(self._document, removed), insertion])

    def _inline_children(self, path: Path, kind: NodeKind) -> Iterator[Fix]:
        """Replace a misplaced node by its children if they are allowed."""
        node = value_at(self._document.value, path)
        if not isinstance(node, dict):
            return
        for name, children in node.items():
            if not isinstance(children, list) or not all(isinstance(child, dict) for child in children):
                continue
            if children and {str(child.get("type")) for child in children} <= kind.types.keys():
                edit = self._replacement_by_elements(path, (*path, name))
                yield from fixes_from(f"Replace the {node['type']} by its content", [edit])

    def _replacement_by_elements(self, path: Path, list_path: Path) -> Edit | None:
        member = self._document.find(path)
        elements = self._document.members(list_path)
        if member is None or member.span is None or not elements:
            return None
        text = self._document.text
        start = elements[0].start
        inner = text[start : elements[-1].end]
        return Edit(member.span, reindent(inner, indent_at(text, start), indent_at(text, member.start)))

    # Empty lists and names --------------------------------------------------------------------------------------------

    def _fix_empty_list(self, path: Path, prop: Prop | None, kind: ListKind) -> Iterator[Fix]:
        shapes = kind.inner_shapes
        for shape in shapes[:MAX_FIXES]:
            generator = self._names.generator_at(path)
            if len(shapes) == 1:
                elements = generator.new_elements(kind, prop.example if prop else None)
            else:
                elements = [generator.new_object(shape)]
            edits = [append_elements(self._document, path, elements), *self.references_to(shape, kind.items, elements)]
            title = f"Add {len(elements)} elements" if len(elements) > 1 else f"Add a {shape.name}"
            yield from fixes_from(title, edits)
        if len(path) > 1 and isinstance(path[-2], int):
            yield from self.remove_element(path[:-1])

    def references_to(self, shape: Shape, kind: Kind, elements: Sequence[object]) -> list[Edit | None]:
        """The edits that add references to new nodes, if their names must be used."""
        symbol = kind.defines
        if symbol is None or symbol.unused is None or "id" not in shape.props:
            return []
        used = set(self._names.names(symbol, (), used=True))
        new = [
            str(element["id"]) for element in elements if isinstance(element, dict) and element.get("id") not in used
        ]
        if not new or not used:
            return []
        return [self.add_uses(symbol, new)]

    def add_uses(self, symbol: Symbol, names: Sequence[str]) -> Edit | None:
        """Add elements that use these names to the list of references; None if there is none."""
        for site in sites(self._vocabulary.root, symbol, defining=False):
            path: Path = site[:-2]
            location = schema_location(self._document.value, path, self._vocabulary)
            if location is None:
                continue
            for shape in location.kind.inner_shapes:
                if not set(shape.required) - {site[-1]}:
                    return append_elements(self._document, path, [{str(site[-1]): name} for name in names])
        return None

    def fix_dangling(self, finding: Finding, symbol: Symbol, scope: Path) -> Iterator[Fix]:
        """Add a definition for a dangling name, or remove its use."""
        name = str(finding.got)
        owner = schema_location(self._document.value, scope, self._vocabulary)
        if owner is not None:
            for shape in owner.kind.inner_shapes:
                for site in sites(shape, symbol, defining=True):
                    yield from self._add_definition(name, scope, site)
        yield from self._remove_use(finding.path)

    def _add_definition(self, name: str, scope: Path, site: Path) -> Iterator[Fix]:
        path = (*scope, *site[:-2])
        location = schema_location(self._document.value, path, self._vocabulary)
        if location is None or len(site) < 2:
            return
        for shape in location.kind.inner_shapes:
            prop = shape.props[str(site[-1])]
            generator = self._names.generator_at(path)
            if prop.kind.accepts(name) and generator.is_free(prop.defines, name):
                element = generator.new_object(shape, None, {prop.name: name})
                edit = append_elements(self._document, path, [element])
                yield from fixes_from(f'Add a {shape.name} "{name}"', [edit])

    def _remove_use(self, path: Path) -> Iterator[Fix]:
        """Remove the element, or the optional property, that contains a dangling name."""
        if len(path) > 1 and isinstance(path[-2], int):
            yield from self.remove_element(path[:-1])
            return
        location = schema_location(self._document.value, path[:-1], self._vocabulary)
        if location is not None and location.prop is not None and not location.prop.required:
            edit = remove_member(self._document, path[:-1])
            yield from fixes_from(f'Remove "{location.prop.name}"', [edit])

    def remove_element(self, path: Path) -> Iterator[Fix]:
        """Remove an element, if the list has others and no name becomes dangling or unused."""
        siblings = value_at(self._document.value, path[:-1])
        if not isinstance(siblings, list) or len(siblings) < 2 or self._breaks_names(path):
            return
        node_type = as_object(siblings[int(path[-1])]).get("type")
        title = "Remove it"
        if isinstance(node_type, str) and node_type in self._vocabulary.nodes:
            title = f"Remove the {node_type}"
        yield from fixes_from(title, [remove_member(self._document, path)])

    def _breaks_names(self, path: Path) -> bool:
        """Whether removing the value at `path` makes a name dangling or unused."""
        for occurrence in self._names.occurrences_below(path):
            symbol = occurrence.symbol
            if symbol.dangling is None or occurrence.scope[: len(path)] == path:
                continue  # The symbol has no uses, or its whole scope is removed.
            remaining = {
                one.is_use
                for one in self._names.occurrences_in(symbol, occurrence.scope)
                if one.name == occurrence.name and one.path[: len(path)] != path
            }
            if occurrence.is_use:
                if symbol.unused is not None and remaining == {False}:
                    return True
            elif remaining == {True}:
                return True
        return False
