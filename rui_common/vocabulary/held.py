"""Properties that an object has one level too deep, in an object of its own such as ``props`` or ``options``."""

from __future__ import annotations

from collections import namedtuple
from functools import cache

from rui_common.vocabulary.aliases import fits, read_as, shape_of_node
from rui_common.vocabulary.kinds import NodeKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.vocabulary.schema import Kind, Shape, Vocabulary

    KeyPath = tuple[str, ...]

MAX_HOLDERS = 8
"""Objects in unregistered properties of one object; among more, none is a holder."""

MAX_DEPTH = 3
"""Levels of holders in holders."""


class Flat(namedtuple("Flat", ("value", "places", "holders"))):
    """An object with the properties of its holders as its own.

    Attributes:
        value: its properties.
        places: key → path of the holder that has the property; own properties are left out.
        holders: the paths of the holders.
    """

    __slots__ = ()
    value: dict[str, object]
    places: dict[str, KeyPath]
    holders: frozenset[KeyPath]

    def path_of(self, key: str) -> KeyPath:
        """Return the path of a property in the object as sent."""
        return (*self.places.get(key, ()), key)


def flatten(value: dict[str, object], shape: Shape, vocabulary: Vocabulary, depth: int = MAX_DEPTH) -> Flat | None:
    """Return an object with the properties of its holders, or None if it has no holder.

    A holder is a property that no shape has, with an object that has a required property which the object around it
    lacks, and at least half of whose properties are of the same shape. Those of other names have the right JSON type.
    """
    if shape.open or depth == 0:
        return None
    unregistered = value.keys() - _registered_names(vocabulary)
    objects = sorted(key for key in unregistered if isinstance(value[key], dict) and value[key])
    if not 0 < len(objects) <= MAX_HOLDERS:
        return None
    flat = dict(value)
    places: dict[str, KeyPath] = {}
    holders: set[KeyPath] = set()
    for key in objects:
        inner = value[key]
        assert isinstance(inner, dict)  # noqa: S101  see above
        deeper = flatten(inner, shape, vocabulary, depth - 1) or Flat(inner, {}, frozenset())
        if not _is_holder(deeper.value, key, flat, shape):
            continue
        del flat[key]
        new = [name for name in deeper.value if name not in flat]
        flat.update((name, deeper.value[name]) for name in new)
        places.update((name, (key, *deeper.places.get(name, ()))) for name in new)
        holders |= {(key,), *((key, *path) for path in deeper.holders)}
    if not holders:
        return None
    return Flat(flat, places, frozenset(holders))


@cache
def _registered_names(vocabulary: Vocabulary) -> frozenset[str]:
    return frozenset(name for shape in vocabulary.shapes.values() for name in shape.props)


def _is_holder(inner: dict[str, object], key: str, outer: dict[str, object], shape: Shape) -> bool:
    """Return whether `inner` contains properties of `outer`, which has it under `key`."""
    if shape.is_node and "type" in inner:
        return False  # It is a node itself.
    if any(name in outer for name in inner.keys() & shape.props.keys()):
        return False
    keys = read_as(outer, shape)
    meaning = next((name for name, other in keys.items() if other == key), None)
    given = {*outer, *keys} - {meaning}
    known = _known(inner, shape) - given
    if 2 * len(known) < len(inner) or known.isdisjoint(shape.required):
        return False
    return meaning is None or len(known) > _count_as(inner, shape.props[meaning].kind)


def _known(value: dict[str, object], shape: Shape) -> set[str]:
    """Return the properties of a shape that an object has, or has under other names with the right JSON type."""
    others = {name for name, key in read_as(value, shape).items() if fits(value[key], shape.props[name].kind)}
    return others | (value.keys() & shape.props.keys())


def _count_as(value: dict[str, object], kind: Kind) -> int:
    """Return the number of properties that an object has as a value of a kind."""
    if kind.json_type != "object" or not kind.inner_shapes:
        return 0
    return max(len(_known(value, shape)) for shape in kind.inner_shapes)


def id_place(value: dict[str, object], kind: NodeKind, vocabulary: Vocabulary) -> KeyPath | None:
    """Return the path that the id of a node is read from, or None if it has no id."""
    if "id" in value:
        return ("id",)
    shape = shape_of_node(value, kind, vocabulary)
    if shape is None:
        return None
    place = place_of("id", value, shape, vocabulary)
    return None if place == ("id",) else place


def place_in(name: str, value: dict[str, object], kind: Kind, vocabulary: Vocabulary) -> KeyPath:
    """Return the path that a property of an object of a kind is read from; of a node, only that of its id is known."""
    if name in value:
        return (name,)
    if isinstance(kind, NodeKind):
        return id_place(value, kind, vocabulary) or (name,)
    if kind.inner_shapes:
        return place_of(name, value, kind.inner_shapes[0], vocabulary)
    return (name,)


def place_of(name: str, value: dict[str, object], shape: Shape, vocabulary: Vocabulary) -> KeyPath:
    """Return the path that a property of an object is read from; its own name if the object has none."""
    if name in value:
        return (name,)
    flat = flatten(value, shape, vocabulary)
    if flat is None:
        return (read_as(value, shape).get(name, name),)
    if name not in flat.value:
        name = read_as(flat.value, shape).get(name, name)
    return flat.path_of(name)
