"""Compare two documents: added, removed, changed and moved nodes, matched by id."""

from __future__ import annotations

import json
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from rui_common.syntax.paths import format_path
from rui_common.vocabulary.kinds import ObjectKind
from rui_common.vocabulary.schema import Prop
from rui_inspector.model.shape_layouts import item_kind, kind_of, object_shape
from rui_inspector.model.view import members_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rui_common.syntax.paths import Path
    from rui_common.vocabulary.schema import Kind
    from rui_inspector.model.view import Node, View

ABSENT = object()
"""The value of a property that an object does not have."""

_ELEMENT = " "
"""First character of a path step that names an element of a list; no declared property starts with it."""


class Change(NamedTuple):
    """A property with different values.

    Attributes:
        name: its path within the node, such as ``binding.path``.
        before: its value in the first document, or `ABSENT`.
        after: its value in the second document, or `ABSENT`.
        prop: its declaration, or None.
    """

    name: str
    before: object
    after: object
    prop: Prop | None


class Place(NamedTuple):
    """The position of a node in a document.

    Attributes:
        node: the node.
        parent: the place of its parent; None directly below the root.
        key: the id of the node, by which it is matched with the other document; its path without a unique id.
    """

    node: Node
    parent: Place | None
    key: str

    @property
    def parent_key(self) -> str:
        """The key of the parent; ``""`` directly below the root."""
        if self.parent is None:
            return ""
        return self.parent.key


class Move(NamedTuple):
    """A node with different places in the two documents."""

    before: Place
    after: Place

    @property
    def is_within(self) -> bool:
        """Whether it is still in the same parent, at another position."""
        return self.before.parent_key == self.after.parent_key


class NodeDifference(NamedTuple):
    """A node that only one document has, with the number of such nodes inside."""

    node: Node
    inner_count: int


@dataclass(slots=True)
class Comparison:
    """The differences.

    Attributes:
        root: changes outside of nodes: version, meta, navigation.
        added: nodes that only the second document has; nodes inside of added nodes are counted, not listed.
        removed: nodes that only the first document has, likewise.
        changed: nodes with changed properties.
        moved: nodes that have moved.
    """

    root: list[Change] = field(default_factory=list)
    added: list[NodeDifference] = field(default_factory=list)
    removed: list[NodeDifference] = field(default_factory=list)
    changed: list[tuple[Node, list[Change]]] = field(default_factory=list)
    moved: list[Move] = field(default_factory=list)


class _Value(NamedTuple):
    """A value that is compared, with its declaration."""

    value: object
    prop: Prop | None


_Values = dict[str, _Value]
_MISSING = _Value(ABSENT, None)


def compare(before: View, after: View) -> Comparison:
    """Return the differences between two documents."""
    old_places = _places(before)
    new_places = _places(after)
    result = Comparison(
        root=list(_changes(_own_values(before), _own_values(after))),
        added=_only_in(new_places, old_places),
        removed=_only_in(old_places, new_places),
        moved=_moves(old_places, new_places),
    )
    for key, place in new_places.items():
        if key in old_places:
            changes = list(_changes(_own_values(old_places[key].node), _own_values(place.node)))
            if changes:
                result.changed.append((place.node, changes))
    return result


def _places(view: View) -> dict[str, Place]:
    """Return key → place of every node, in document order."""
    places: dict[str, Place] = {}
    roots = [node for nodes in view.nested.values() for node in nodes]
    stack: list[tuple[Node, Place | None]] = [(node, None) for node in reversed(roots)]
    while stack:
        node, parent = stack.pop()
        key = node.id
        if not key or key in places:
            key = f" {node.path}"
        places[key] = Place(node, parent, key)
        stack += [(child, places[key]) for child in reversed(node.children)]
    return places


def _only_in(places: dict[str, Place], others: dict[str, Place]) -> list[NodeDifference]:
    """Return the topmost nodes that the other document does not have."""
    inner_counts: dict[str, int] = {}
    for key, place in places.items():
        if key in others:
            continue
        top = place
        while top.parent is not None and top.parent.key not in others:
            top = top.parent
        if top is place:
            inner_counts[key] = 0
        else:
            inner_counts[top.key] += 1
    return [NodeDifference(places[key].node, count) for key, count in inner_counts.items()]


def _moves(before: dict[str, Place], after: dict[str, Place]) -> list[Move]:
    """Return nodes with another parent, and the fewest nodes that explain a different order in the same parent."""
    moves: list[Move] = []
    old_index = {key: index for index, key in enumerate(before)}
    siblings: dict[str, list[str]] = {}
    for key, place in after.items():
        if key not in before:
            continue
        if before[key].parent_key == place.parent_key:
            siblings.setdefault(place.parent_key, []).append(key)
        else:
            moves.append(Move(before[key], place))
    for keys in siblings.values():
        in_order = _longest_increasing_subsequence([old_index[key] for key in keys])
        moves += [Move(before[key], after[key]) for key in keys if old_index[key] not in in_order]
    return moves


def _longest_increasing_subsequence(numbers: Sequence[int]) -> set[int]:
    """Return the members of a longest increasing subsequence of distinct numbers."""
    smallest_ends: list[int] = []  # by length of the subsequence
    previous: dict[int, int | None] = {}
    for number in numbers:
        length = bisect_left(smallest_ends, number)
        previous[number] = smallest_ends[length - 1] if length else None
        smallest_ends[length : length + 1] = [number]
    members: set[int] = set()
    member = smallest_ends[-1] if smallest_ends else None
    while member is not None:
        members.add(member)
        member = previous[member]
    return members


def _own_values(owner: View | Node) -> _Values:
    """Return the properties of the root or a node that hold no nodes."""
    return {name: _Value(value, prop) for name, value, prop in owner.members if name not in owner.nested}


def _changes(before: _Values, after: _Values, path: Path = ()) -> Iterator[Change]:
    for name in dict.fromkeys((*before, *after)):
        old = before.get(name, _MISSING)
        new = after.get(name, _MISSING)
        if _is_same(old.value, new.value):
            continue
        prop = new.prop or old.prop
        old_parts = _parts(old.value, kind_of(prop))
        new_parts = _parts(new.value, kind_of(prop))
        if old_parts is not None and new_parts is not None and type(old.value) is type(new.value):
            if isinstance(old.value, list):
                yield from _order_change((*path, name), old_parts, new_parts)
            yield from _changes(old_parts, new_parts, (*path, name))
        else:
            yield Change(_display_path((*path, name)), old.value, new.value, prop)


def _order_change(path: Path, before: _Values, after: _Values) -> Iterator[Change]:
    """Yield a change if the common elements of two lists have another order."""
    old_order = [name.removeprefix(_ELEMENT) for name in before if name in after]
    new_order = [name.removeprefix(_ELEMENT) for name in after if name in before]
    if old_order != new_order:
        yield Change(f"order of {_display_path(path)}", old_order, new_order, None)


def _display_path(path: Path) -> str:
    """Return a path with the names of elements, such as ``columns[status].label``."""
    text = ""
    for step in path:
        if isinstance(step, str) and step.startswith(_ELEMENT):
            text += f"[{step.removeprefix(_ELEMENT)}]"
        elif text:
            text += format_path(("", step)).removeprefix(format_path(("",)))
        else:
            text = format_path((step,))
    return text


def _parts(value: object, kind: Kind | None) -> _Values | None:
    """Return the properties of an object, or the elements of a list by name; None for anything else."""
    if isinstance(value, dict):
        return {name: _Value(inner, prop) for name, inner, prop in members_of(value, object_shape(kind))}
    items = item_kind(kind)
    if isinstance(value, list) and isinstance(items, ObjectKind):
        return _named_elements(value, items)
    return None


def _named_elements(elements: list[object], kind: ObjectKind) -> _Values | None:
    """Return the elements by the property that names them; None unless all have distinct names."""
    names = [prop.name for prop in kind.shape.props.values() if prop.defines or prop.uses]
    if not names:
        return None
    prop = Prop("", kind, "")
    parts: _Values = {}
    for element in elements:
        name = element.get(names[0]) if isinstance(element, dict) else None
        if not isinstance(name, str) or f"{_ELEMENT}{name}" in parts:
            return None
        parts[f"{_ELEMENT}{name}"] = _Value(element, prop)
    return parts


def _is_same(one: object, other: object) -> bool:
    """Return whether two values are the same JSON: true is not 1, and properties have no order."""
    if one is ABSENT or other is ABSENT:
        return one is other
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
