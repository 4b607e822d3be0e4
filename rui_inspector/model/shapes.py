"""What the vocabulary declares about objects of a shape: order, labels and child lists."""

from functools import lru_cache

from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.schema import Kind, Prop, Role, Shape, Vocabulary


def kind_of(prop: Prop | None) -> Kind | None:
    if prop is None:
        return None
    return prop.kind


def object_shape(kind: Kind | None) -> Shape | None:
    if isinstance(kind, ObjectKind):
        return kind.shape
    return None


def item_kind(kind: Kind | None) -> Kind | None:
    if isinstance(kind, ListKind):
        return kind.items
    return None


@lru_cache(64)
def names_with_role(vocabulary: Vocabulary, role: Role) -> tuple[str, ...]:
    """Return the names of the properties with this role in any shape, those of the root's shapes first."""
    return tuple(
        dict.fromkeys(prop.name for shape in vocabulary.shapes.values() for prop in shape.props_with_role(role))
    )


@lru_cache(256)
def label_names(vocabulary: Vocabulary, shape: Shape | None) -> tuple[str, ...]:
    """Return the names of the properties that may label an object, the best first."""
    names = [prop.name for prop in shape.labels] if shape is not None else []
    return tuple(dict.fromkeys((*names, *names_with_role(vocabulary, Role.LABEL))))


@lru_cache(256)
def node_lists(shape: Shape) -> tuple[tuple[str, NodeKind], ...]:
    """Return the properties of a shape that hold nodes, each with the kind of its elements."""
    return tuple(
        (prop.name, prop.kind.items)
        for prop in shape.props.values()
        if isinstance(prop.kind, ListKind) and isinstance(prop.kind.items, NodeKind)
    )
