"""Lists and objects of another structure than expected, and how they are read (docs/decisions.md, section 2)."""

from __future__ import annotations

from collections import namedtuple
from functools import cache

from rui_common.vocabulary.aliases import fits, read_as, shape_of_node
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.vocabulary.schema import Kind, Prop, Shape, Vocabulary

MAX_KEYED = 200
"""Objects in an object that is read as a list. It bounds the time for hostile documents."""

BARE_LIST = "bare list"
"""A list where an object is expected that requires nothing but a list."""

LISTED_OBJECT = "listed object"
"""A list with one element where that element is expected."""

BARE_ELEMENT = "bare element"
"""An element where a list is expected."""

BOXED_LIST = "boxed list"
"""An object with nothing but the list that is expected."""

BY_KEY = "by key"
"""An object of objects where a list of objects is expected; the keys are names in them."""


class Structure(namedtuple("Structure", ("sort", "name"))):
    """How a value is read that has another structure.

    Attributes:
        sort: one of the constants of this module.
        name: the property that the list, or each key, is read as; of a boxed list, the key of the list; else ``""``.
    """

    __slots__ = ()
    sort: str
    name: str


def structure_of(value: object, kind: Kind, vocabulary: Vocabulary) -> Structure | None:
    """Return how a value of the wrong type is read; None if it is not read, or if its type is right."""
    if isinstance(value, list):
        return _structure_of_list(value, kind) if isinstance(kind, ObjectKind) and value else None
    if isinstance(value, dict) and isinstance(kind, ListKind) and kind.items.inner_shapes and value:
        return _structure_of_object(value, kind.items, vocabulary)
    return None


def inner_kind(structure: Structure, kind: Kind) -> Kind:
    """Return the kind that the whole value is read as, or that its parts are read as."""
    if structure.sort == BARE_LIST:
        return kind.inner_shapes[0].props[structure.name].kind
    if isinstance(kind, ListKind) and structure.sort != BOXED_LIST:
        return kind.items
    return kind


def parts_of(
    value: object, structure: Structure, *, are_named: bool = True
) -> Iterator[tuple[tuple[str | int, ...], object]]:
    """Yield the parts of a value that are read, with their paths in it; those with keys by code point.

    Args:
        value: the value.
        structure: its structure.
        are_named: whether each object has its key as a property.
    """
    if structure.sort == LISTED_OBJECT and isinstance(value, list):
        yield (0,), value[0]
    elif structure.sort == BOXED_LIST and isinstance(value, dict):
        yield (structure.name,), value[structure.name]
    elif structure.sort == BY_KEY and isinstance(value, dict):
        for key, element in sorted(value.items()):
            yield (key,), {structure.name: key, **element} if are_named else element
    else:
        yield (), value


def _structure_of_list(value: list[object], kind: ObjectKind) -> Structure | None:
    list_prop = _only_list(kind.shape)
    first = value[0]
    if len(value) == 1 and isinstance(first, dict) and _has_required(first, kind.shape):
        return Structure(LISTED_OBJECT, "")
    if list_prop is None:
        return None
    return Structure(BARE_LIST, list_prop.name)


def _structure_of_object(value: dict[str, object], items: Kind, vocabulary: Vocabulary) -> Structure | None:
    if len(value) == 1:
        ((key, inner),) = value.items()
        if isinstance(inner, list) and inner and _is_element(inner[0], items, vocabulary, key):
            return Structure(BOXED_LIST, key)
    name = _key_prop(items)
    if name is not None and len(value) <= MAX_KEYED and _is_by_key(value, items):
        return Structure(BY_KEY, name)
    if _is_element(value, items, vocabulary):
        return Structure(BARE_ELEMENT, "")
    for key, inner in value.items():
        if len(value) == 1 and isinstance(inner, list) and inner and _is_element(inner[0], items, vocabulary):
            return Structure(BOXED_LIST, key)
    return None


def _is_by_key(value: dict[str, object], items: Kind) -> bool:
    """Return whether a value is an object of objects, and no key is a property of an element."""
    if not all(isinstance(element, dict) and element for element in value.values()):
        return False
    return all(shape.props.keys().isdisjoint(value) for shape in items.inner_shapes)


def _is_element(value: object, items: Kind, vocabulary: Vocabulary, key: str = "") -> bool:
    """Return whether a value is read as an element of a list; under `key`, as one that is allowed in it."""
    if not isinstance(value, dict):
        return False
    if not isinstance(items, NodeKind):
        return _has_required(value, items.inner_shapes[0])
    shape = shape_of_node(value, items, vocabulary)
    if key:
        return shape is not None and shape.name in items.types
    return shape is not None or value.get("type") in [*vocabulary.planned]


def _has_required(value: dict[str, object], shape: Shape) -> bool:
    """Return whether an object has a required property of a shape, or one of its JSON type under another name."""
    if any(name in value for name in shape.required):
        return True
    keys = read_as(value, shape)
    return any(name in keys and fits(value[keys[name]], shape.props[name].kind) for name in shape.required)


@cache
def _only_list(shape: Shape) -> Prop | None:
    """Return the only property that a shape requires, if that is a list of objects."""
    required = [shape.props[name] for name in shape.required]
    if len(required) != 1 or not isinstance(required[0].kind, ListKind) or not required[0].kind.inner_shapes:
        return None
    return required[0]


@cache
def _key_prop(items: Kind) -> str | None:
    """Return the property of elements that is their name, or that is the name of what they refer to; or None."""
    for prop in items.inner_shapes[0].props.values():
        if prop.required and (prop.defines is not None or prop.uses is not None):
            return prop.name
    return None
