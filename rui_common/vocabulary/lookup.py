"""Path → shape and property; value → shape."""

from __future__ import annotations

from typing import NamedTuple

from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Kind, Prop, Shape, Vocabulary

Path = tuple[str | int, ...]


class SchemaLocation(NamedTuple):
    """The declaration for a path.

    Attributes:
        value: the value at the path; None if there is none.
        kind: the kind of the value.
        shape: the shape of the object that has the property; None for the root and for elements.
        prop: the declaration of the property; None for the root and for elements.
    """

    value: object
    kind: Kind
    shape: Shape | None
    prop: Prop | None


def schema_location(value: object, path: Path, vocabulary: Vocabulary = VOCABULARY) -> SchemaLocation | None:
    """Find the declaration for a path.

    Args:
        value: the root of the document, valid or not. The types of its nodes select their shapes.
        path: the path. The property itself may be absent.
        vocabulary: the vocabulary.

    Returns:
        None below unregistered properties, open objects without a suggestion, and nodes of unknown type.
    """
    location = SchemaLocation(value, ObjectKind(vocabulary.root), None, None)
    for step in path:
        value = location.value
        if isinstance(step, int):
            kind = location.kind
            if not isinstance(kind, ListKind) or not isinstance(value, list) or not 0 <= step < len(value):
                return None
            location = SchemaLocation(value[step], kind.items, None, None)
            continue
        shape = shape_of(value, location.kind, vocabulary)
        prop = None if shape is None else shape.prop(step)
        if prop is None or not isinstance(value, dict):
            return None
        location = SchemaLocation(value.get(step), prop.kind, shape, prop)
    return location


def shape_at(value: object, path: Path, vocabulary: Vocabulary = VOCABULARY) -> Shape | None:
    """Return the shape by which the validator reads the object at a path below the root `value`."""
    location = schema_location(value, path, vocabulary)
    if location is None:
        return None
    return shape_of(location.value, location.kind, vocabulary)


def shape_of(value: object, kind: Kind | None, vocabulary: Vocabulary = VOCABULARY) -> Shape | None:
    """Return the shape by which the validator reads an object (docs/decisions.md, section 2).

    A node of a planned type has no shape, nor has one with an unusable type that no allowed shape fits.
    """
    if isinstance(kind, ObjectKind):
        return kind.shape
    if not isinstance(kind, NodeKind) or not isinstance(value, dict):
        return None
    node_type = value.get("type")
    if isinstance(node_type, str):
        if node_type in vocabulary.nodes:
            return vocabulary.nodes[node_type]
        if node_type in vocabulary.planned:
            return None
    return kind.shape_by_properties(value)
