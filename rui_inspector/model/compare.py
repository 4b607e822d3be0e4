"""Two documents → what was added, removed, changed and moved, by the ids of the nodes."""

from __future__ import annotations

import json
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rui_common.syntax.paths import format_path
from rui_common.vocabulary.kinds import ListKind, ObjectKind
from rui_common.vocabulary.schema import Prop
from rui_inspector.model.view import members_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rui_common.syntax.paths import Path
    from rui_common.vocabulary.schema import Kind
    from rui_inspector.model.view import Node, View

ABSENT = object()
"""Stands for a property that is not there."""


@dataclass(slots=True)
class Change:
    """A property that is different.

    Attributes:
        name: its path within the node, such as ``binding.path``.
        before: its value in the one document; `ABSENT` if it is not there.
        after: its value in the other.
        prop: its declaration, if the vocabulary has one.
    """

    name: str
    before: object
    after: object
    prop: Prop | None


@dataclass(slots=True)
class Place:
    """Where a node stands.

    Attributes:
        node: the node.
        parent: the node around it; None right below the root.
        key: by what the same node is found in the other document.
    """

    node: Node
    parent: Place | None
    key: str


@dataclass(slots=True)
class Move:
    """A node that stands elsewhere.

    Attributes:
        before: where it stood.
        after: where it stands; in the same parent, its order has changed.
    """

    before: Place
    after: Place

    @property
    def is_within(self) -> bool:
        """Whether it is still in the same parent."""
        return _parent_key(self.before) == _parent_key(self.after)


@dataclass(slots=True)
class Comparison:
    """What is different.

    Attributes:
        root: changes of what is no node: version, meta, navigation.
        added: nodes that only the second document has, each with the number of added nodes in it; those in it are
            not listed themselves.
        removed: the same for the first document.
        changed: nodes of both with the properties that are different.
        moved: nodes that stand elsewhere.
    """

    root: list[Change] = field(default_factory=list)
    added: list[tuple[Node, int]] = field(default_factory=list)
    removed: list[tuple[Node, int]] = field(default_factory=list)
    changed: list[tuple[Node, list[Change]]] = field(default_factory=list)
    moved: list[Move] = field(default_factory=list)


def compare(one: View, other: View) -> Comparison:
    """What became of the first document in the second."""
    before, after = _places(one), _places(other)
    result = Comparison(
        root=list(_changes(_values_of(one), _values_of(other))),
        added=_without(after, before),
        removed=_without(before, after),
    )
    for key, place in after.items():
        if key in before:
            changes = list(_changes(_values_of(before[key].node), _values_of(place.node)))
            if changes:
                result.changed.append((place.node, changes))
    result.moved = _moves(before, after)
    return result


def _places(view: View) -> dict[str, Place]:
    """Every node with its place, by id; by path where the id does not tell nodes apart."""
    places: dict[str, Place] = {}
    waiting: list[tuple[Node, Place | None]] = [
        (node, None) for nodes in reversed([*view.nested.values()]) for node in reversed(nodes)
    ]
    while waiting:
        node, parent = waiting.pop()
        key = node.id if node.id and node.id not in places else f" {node.path}"
        places[key] = Place(node, parent, key)
        waiting += [(child, places[key]) for child in reversed(node.children)]
    return places


def _without(places: dict[str, Place], others: dict[str, Place]) -> list[tuple[Node, int]]:
    """The topmost nodes that the others do not have, each with how many such nodes are in it."""
    counts: dict[str, int] = {}
    for key, place in places.items():
        if key in others:
            continue
        top = place
        while top.parent is not None and top.parent.key not in others:
            top = top.parent
        counts[top.key] = counts.get(top.key, -1) + 1
    return [(places[key].node, count) for key, count in counts.items()]


def _moves(before: dict[str, Place], after: dict[str, Place]) -> list[Move]:
    """Nodes that have another parent, and as few as possible that explain another order in the same one."""
    moves: list[Move] = []
    rank = {key: at for at, key in enumerate(before)}
    families: dict[str, list[str]] = {}
    for key, place in after.items():
        if key not in before:
            continue
        if _parent_key(before[key]) == _parent_key(place):
            families.setdefault(_parent_key(place), []).append(key)
        else:
            moves.append(Move(before[key], place))
    for keys in families.values():
        stay = _longest_rising([rank[key] for key in keys])
        moves += [Move(before[key], after[key]) for key in keys if rank[key] not in stay]
    return moves


def _parent_key(place: Place) -> str:
    return place.parent.key if place.parent is not None else ""


def _longest_rising(numbers: Sequence[int]) -> set[int]:
    """The members of a longest rising subsequence of different numbers."""
    ends: list[int] = []
    previous: dict[int, int | None] = {}
    for number in numbers:
        at = bisect_left(ends, number)
        previous[number] = ends[at - 1] if at else None
        ends[at : at + 1] = [number]
    stay: set[int] = set()
    number_or_none = ends[-1] if ends else None
    while number_or_none is not None:
        stay.add(number_or_none)
        number_or_none = previous[number_or_none]
    return stay


Values = dict[str, tuple[object, Prop | None]]


def _values_of(owner: View | Node) -> Values:
    """What is in the root or a node besides nodes."""
    return {name: (value, prop) for name, value, prop in owner.members if name not in owner.nested}


def _changes(before: Values, after: Values, path: Path = ()) -> Iterator[Change]:
    for name in dict.fromkeys((*before, *after)):
        old, old_prop = before.get(name, (ABSENT, None))
        new, new_prop = after.get(name, (ABSENT, None))
        prop = new_prop or old_prop
        if _same(old, new):
            continue
        inside = _inside(old, prop.kind if prop else None), _inside(new, prop.kind if prop else None)
        if inside[0] is not None and inside[1] is not None and type(old) is type(new):
            yield from _order((*path, name), inside[0], inside[1])
            yield from _changes(inside[0], inside[1], (*path, name))
        else:
            yield Change(_written((*path, name)), old, new, prop)


def _order(path: Path, before: Values, after: Values) -> Iterator[Change]:
    """A change of order among what both lists have; of an object, order says nothing."""
    if not any(isinstance(name, str) and name.startswith(" ") for name in (*before, *after)):
        return
    old, new = [name for name in before if name in after], [name for name in after if name in before]
    if old != new:
        yield Change(f"order of {_written(path)}", [name[1:] for name in old], [name[1:] for name in new], None)


def _written(path: Path) -> str:
    """A path for people: elements of a list stand there by their names, ``columns[status].label``."""
    text = ""
    for step in path:
        if isinstance(step, str) and step.startswith(" "):
            text += f"[{step[1:]}]"
        else:
            text += format_path(("", step)).removeprefix(format_path(("",))) if text else format_path((step,))
    return text


def _inside(value: object, kind: Kind | None) -> Values | None:
    """The parts of a value that can be compared one by one: properties, and elements that have names.

    Names of elements begin with a blank here, to be told from properties.
    """
    if isinstance(value, dict):
        shape = kind.shape if isinstance(kind, ObjectKind) else None
        return {name: (inner, prop) for name, inner, prop in members_of(value, shape)}
    items = kind.items if isinstance(kind, ListKind) else None
    if not isinstance(value, list) or not isinstance(items, ObjectKind):
        return None
    naming = next((prop.name for prop in items.shape.props.values() if prop.defines or prop.uses), None)
    names = [element.get(naming) if isinstance(element, dict) else None for element in value]
    if naming is None or not all(isinstance(name, str) for name in names) or len({*names}) < len(names):
        return None
    element_prop = Prop("", items, "")
    return {f" {name}": (element, element_prop) for name, element in zip(names, value, strict=True)}


def _same(one: object, other: object) -> bool:
    """Whether two values are the same JSON: true is not 1, and the order of properties says nothing."""
    if one is ABSENT or other is ABSENT:
        return one is other
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
