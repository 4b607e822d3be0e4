"""Mends of the structure: nodes of a wrong type or in a wrong place, lists without elements, names that lead nowhere.

None of them is safe: somebody has to say which of them was meant.
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
    set_value,
)  # fmt: skip
from rui_common.editing.generate import value_at
from rui_common.fixes.model import MAX_FIXES, Fix
from rui_common.fixes.nesting import wrapped
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
    from rui_common.validation.findings import Finding
    from rui_common.vocabulary.lookup import SchemaLocation
    from rui_common.vocabulary.schema import Kind, Shape, Symbol, Vocabulary


class StructureFixer:
    """Finds mends of the structure of one document.

    Args:
        document: the document.
        names: its names.
        vocabulary: what it was checked against.
    """

    def __init__(self, document: Document, names: NamesInUse, vocabulary: Vocabulary = VOCABULARY) -> None:
        self._document = document
        self._names = names
        self._vocabulary = vocabulary

    def fixes(self, finding: Finding, place: SchemaLocation) -> Iterator[Fix]:
        """The mends of what is wrong with an element that should be a node, with an empty list, or with an object that
        is of a later version."""  # noqa: D205, D209  one sentence
        if isinstance(place.kind, ListKind):
            yield from self.empty(finding, place.kind)
        elif isinstance(place.kind, ObjectKind):
            yield from self.turn_into(finding.path, [place.kind.shape])
        else:
            yield from self.child(finding, place)

    # Nodes of a wrong type or in a wrong place ------------------------------------------------------------------------

    def child(self, finding: Finding, place: SchemaLocation) -> Iterator[Fix]:
        """A value in a list of nodes that may not be there (docs/decisions.md, section 2, cases 1 to 5)."""
        kind, path = place.kind, finding.path
        value = value_at(self._document.value, path)
        if not isinstance(kind, NodeKind):
            return
        if not isinstance(value, dict):
            yield from self.element(path, kind)
        elif value.get("type") in self._vocabulary.nodes:
            yield from self.misplaced(path, kind)
        else:
            yield from self.turn_into(path, kind.shapes)
            yield from self.remove_element(path)

    def misplaced(self, path: Path, kind: NodeKind) -> Iterator[Fix]:
        """A node of a type that may not be here; made another one only if it can neither stay nor go."""
        found = [*self._wrap(path, kind), *self._lift(path), *self._dissolve(path, kind), *self.remove_element(path)]
        yield from found or self.turn_into(path, kind.shapes)

    def element(self, path: Path, kind: Kind) -> Iterator[Fix]:
        """An element of a list that should be an object and is none."""
        from rui_common.fixes.conversions import element_conversions  # noqa: PLC0415  hardly ever needed

        shapes = kind.inner_shapes
        for title, edit, made, shape in element_conversions(self._document, path, shapes[:MAX_FIXES], self._names):
            edits = _made([edit, *(() if made is None else self.entries(shape, kind, [made]))])
            if edits:
                yield Fix(title, edits, False)
        yield from self.remove_element(path)

    def turn_into(self, path: Path, shapes: Sequence[Shape]) -> Iterator[Fix]:
        """The object at `path` made one of these shapes; the one that takes the fewest changes first."""
        plans = [(self._plan(path, shape), shape) for shape in shapes[:MAX_FIXES]]
        for (unknown, missing, wrong), shape in sorted(plans, key=lambda plan: [len(part) for part in plan[0]]):
            if unknown or (missing and wrong):
                title = f"Turn into a {shape.name}"
            elif wrong:
                title = f'Use "{shape.name}"' if wrong == ["type"] else "Use the allowed values"
            else:
                title = f'Add "type": "{shape.name}"'
            edits = self.conform(path, shape)
            if edits:
                yield Fix(title, edits, False)

    def _plan(self, path: Path, shape: Shape) -> tuple[list[str], list[str], list[str]]:
        """What has to be taken away, added and set in an object to be of a shape."""
        value = value_at(self._document.value, path)
        given = value if isinstance(value, dict) else {}
        unknown = [] if shape.open else [name for name in given if name not in shape.props]
        wrong = [
            name for name, prop in shape.props.items()
            if name in given and prop.kind.values and given[name] not in prop.kind.values
        ]  # fmt: skip
        return unknown, [name for name in shape.required if name not in given], wrong

    def conform(self, path: Path, shape: Shape) -> tuple[Edit, ...]:
        """The changes that make the object at `path` one of a shape, as far as its own properties go."""
        unknown, missing, wrong = self._plan(path, shape)
        maker = self._names.maker_at(path)
        edits: list[Edit | None] = [
            set_value(self._document, (*path, name), shape.props[name].kind.values[0]) for name in wrong
        ]
        made = {name: maker.value(shape.props[name]) for name in missing}
        if unknown and len(unknown) == len(self._document.members(path)):
            return _made([set_value(self._document, path, made)])
        if made:
            edits += insert_properties(self._document, path, made, [*shape.props])
        edits += self.removals(path, unknown)
        return _made(edits)

    def removals(self, path: Path, names: list[str]) -> Iterator[Edit | None]:
        """One removal for every run of properties side by side."""
        run = []
        for member in self._document.members(path):
            if member.step in names:
                run.append(member)
            elif run:
                yield remove_members(self._document, path, run)
                run = []
        if run:
            yield remove_members(self._document, path, run)

    def _wrap(self, path: Path, kind: NodeKind) -> Iterator[Fix]:
        """A node put into one that may stand here and hold it, however deep; and all beside it that need the same."""
        run = self._run_around(path, kind)
        for shape in kind.shapes:
            for first, last in dict.fromkeys([(int(path[-1]), int(path[-1])), run]):
                made = wrapped(self._document, path[:-1], first, last, shape, self._names)
                edits = () if made is None else _made([made[0], *self.entries(shape, kind, [made[1]])])
                if edits:
                    what = f"{last - first + 1} blocks " if last > first else ""
                    yield Fix(f"Wrap {what}into a {shape.name}", edits, False)

    def _run_around(self, path: Path, kind: NodeKind) -> tuple[int, int]:
        siblings = value_at(self._document.value, path[:-1])
        assert isinstance(siblings, list)  # noqa: S101  a node that is an element
        unfit = (*(self._vocabulary.nodes.keys() - kind.types.keys()),)  # what a type is given as may be a list
        misplaced = [isinstance(one, dict) and one.get("type") in unfit for one in siblings]
        first = last = int(path[-1])
        while first > 0 and misplaced[first - 1]:
            first -= 1
        while last + 1 < len(misplaced) and misplaced[last + 1]:
            last += 1
        return first, last

    def _lift(self, path: Path) -> Iterator[Fix]:
        """A node that may not be in another one put behind the nearest around it that it may stand beside.

        If it is all that is in there, what would be left empty goes.
        """
        node = value_at(self._document.value, path)
        name = node.get("type") if isinstance(node, dict) else None
        for size in range(len(path) - 2, 1, -2):
            owner = path[:size]
            place = schema_location(self._document.value, owner, self._vocabulary)
            if place is None or not isinstance(place.kind, NodeKind) or not isinstance(owner[-1], int):
                return
            shape = next((shape for shape in place.kind.shapes if shape.name == name), None)
            if shape is not None:
                edits = self._lifted(path, owner, place.kind)
                new = _made([*self.entries(shape, place.kind, [node])])
                if edits:
                    around = value_at(self._document.value, owner)
                    what = around.get("type", name) if isinstance(around, dict) else name
                    where = "behind" if len(edits) > 1 else "to the place of"
                    yield Fix(f"Move {where} the {what} around it", (*edits, *new), False)
                return

    def _lifted(self, path: Path, owner: Path, kind: NodeKind) -> tuple[Edit, ...]:
        """The changes that put the node at `path` behind the one at `owner`, or, if it is all that is in it, there."""
        top = path
        while len(self._document.members(top[:-1])) == 1 and len(top) > len(owner):
            top = top[:-2]
        member, outer = self._document.find(path), self._document.find(owner)
        if member is None or member.span is None or outer is None or outer.span is None:
            return ()
        text = self._document.text
        moved = reindent(text[member.start : member.end], indent_at(text, member.start), indent_at(text, outer.start))
        if top == owner:
            # Other names lead to what has names of its own here.
            return () if kind.defines is not None else (Edit(outer.span, moved),)
        added = insert_texts(self._document, owner[:-1], int(owner[-1]), [moved])
        return _made([remove_member(self._document, top), added])

    def _dissolve(self, path: Path, kind: NodeKind) -> Iterator[Fix]:
        """A node that may not be here replaced by the nodes in it, which may."""
        node = value_at(self._document.value, path)
        allowed = kind.types.keys()
        for name, value in node.items() if isinstance(node, dict) else ():
            is_list = isinstance(value, list) and value and all(isinstance(one, dict) for one in value)
            if not is_list or not {str(one.get("type")) for one in value} <= allowed:
                continue
            edit = self._replaced_by_elements(path, (*path, name))
            if edit is not None and isinstance(node, dict):
                yield Fix(f"Replace the {node['type']} by what is in it", (edit,), False)

    def _replaced_by_elements(self, path: Path, inner: Path) -> Edit | None:
        member, elements = self._document.find(path), self._document.members(inner)
        if member is None or member.span is None or not elements:
            return None
        text = self._document.text
        start, end = elements[0].start, elements[-1].end
        there = indent_at(text, start)
        return Edit(member.span, reindent(text[start:end], there, indent_at(text, member.start)))

    # Lists without elements, names that lead nowhere ------------------------------------------------------------------

    def empty(self, finding: Finding, kind: ListKind) -> Iterator[Fix]:
        """A list that needs an element."""
        path = finding.path
        shapes = kind.inner_shapes
        for shape in shapes[:MAX_FIXES]:
            maker = self._names.maker_at(path)
            if len(shapes) == 1:
                prop = schema_location(self._document.value, path, self._vocabulary)
                elements = maker.elements(kind, None if prop is None or prop.prop is None else prop.prop.example)
            else:
                elements = [maker.make(shape)]
            made = _made([append_elements(self._document, path, elements), *self.entries(shape, kind.items, elements)])
            many = f"{len(elements)} elements" if len(elements) > 1 else f"a {shape.name}"
            if made:
                yield Fix(f"Add {many}", made, False)
        if len(path) > 1 and isinstance(path[-2], int):
            yield from self.remove_element(path[:-1])

    def entries(self, shape: Shape, kind: Kind, elements: Sequence[object]) -> Iterator[Edit | None]:
        """What has to be added so that nodes that are new are used, where names must be."""
        symbol = kind.defines if isinstance(kind, NodeKind) else None
        if symbol is None or symbol.unused is None or "id" not in shape.props:
            return
        used = set(self._names.names(symbol, (), used=True))
        new = [str(one["id"]) for one in elements if isinstance(one, dict) and one.get("id") not in used]
        if new and used:
            yield self.uses(symbol, new)

    def uses(self, symbol: Symbol, names: Sequence[str]) -> Edit | None:
        """Elements that use these names, added to where the others are; None if there is no such list."""
        for site in sites(self._vocabulary.root, symbol, defining=False):
            path: Path = site[:-2]
            place = schema_location(self._document.value, path, self._vocabulary)
            for shape in () if place is None else place.kind.inner_shapes:
                if not set(shape.required) - {site[-1]}:
                    return append_elements(self._document, path, [{str(site[-1]): name} for name in names])
        return None

    def define(self, finding: Finding, symbol: Symbol, scope: Path) -> Iterator[Fix]:
        """What a name that leads nowhere would name, added to where such things are."""
        name = str(finding.got)
        owner = schema_location(self._document.value, scope, self._vocabulary)
        for shape in () if owner is None else owner.kind.inner_shapes:
            for site in sites(shape, symbol, defining=True):
                path = (*scope, *site[:-2])
                place = schema_location(self._document.value, path, self._vocabulary)
                for element in () if place is None or len(site) < 2 else place.kind.inner_shapes:
                    prop = element.props[str(site[-1])]
                    maker = self._names.maker_at(path)
                    if prop.kind.accepts(name) and maker.is_free(prop.defines, name):
                        made = maker.make(element, None, {prop.name: name})
                        edits = _made([append_elements(self._document, path, [made])])
                        yield from [Fix(f'Add a {element.name} "{name}"', edits, False)] if edits else ()
        yield from self._remove_use(finding.path)

    def _remove_use(self, path: Path) -> Iterator[Fix]:
        """What uses a name that leads nowhere taken away: the entry of a list, or a property that may be absent."""
        if isinstance(path[-2:-1][0] if len(path) > 1 else "", int):
            yield from self.remove_element(path[:-1])
            return
        place = schema_location(self._document.value, path[:-1], self._vocabulary)
        if place is not None and place.prop is not None and not place.prop.required:
            edits = _made([remove_member(self._document, path[:-1])])
            if edits:
                yield Fix(f'Remove "{place.prop.name}"', edits, False)

    def remove_element(self, path: Path) -> Iterator[Fix]:
        """An element taken away, if others remain, nothing of it is used elsewhere, and it is nothing's only use."""
        siblings = value_at(self._document.value, path[:-1])
        if not isinstance(siblings, list) or len(siblings) < 2:
            return
        for seen in self._names.below(path):
            # Names of which there are no uses tell nothing.
            if seen.symbol.dangling is None or seen.scope[: len(path)] == path:
                continue
            same = self._names.within(seen.symbol, seen.scope)
            uses = [one.is_use for one in same if one.name == seen.name and one.path[: len(path)] != path]
            if seen.is_use and seen.symbol.unused is not None and False in uses and True not in uses:
                return
            if not seen.is_use and True in uses and False not in uses:
                return
        edits = _made([remove_member(self._document, path)])
        value = siblings[int(path[-1])]
        name = value.get("type") if isinstance(value, dict) else None
        if edits:
            is_known = isinstance(name, str) and name in self._vocabulary.nodes
            yield Fix(f"Remove the {name}" if is_known else "Remove it", edits, False)


def _made(edits: Sequence[Edit | None]) -> tuple[Edit, ...]:
    """The edits, or none at all if one of them could not be made."""
    made = tuple(edit for edit in edits if edit is not None)
    return made if len(made) == len(edits) else ()
