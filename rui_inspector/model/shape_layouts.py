"""What objects of one shape with the same properties have in common: order, labels, child lists and requests."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from rui_common.syntax.paths import format_path
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.schema import ENDPOINT, LABEL, LAYOUT, METHOD, SELECT, Kind, Prop, Shape, Symbol, Vocabulary

Order = tuple[tuple[str, Prop | None], ...]
"""Names of properties in canonical order, each with its declaration if the vocabulary has one."""


class RequestProps(NamedTuple):
    """The names of the properties that form a request; ``""`` for one that the shape does not have."""

    method: str
    endpoint: str
    select: str


class NodeList(NamedTuple):
    """A property that holds nodes.

    Attributes:
        name: its name.
        kind: the kind of its elements.
        path_suffix: what a path to it appends to the path of the owner, such as ``.children``.
    """

    name: str
    kind: NodeKind
    path_suffix: str


@dataclass(slots=True, eq=False)
class ShapeLayout:
    """What nodes of one type with the same properties have in common.

    Attributes:
        type: their type, as written; ``""`` without one.
        is_known: whether the vocabulary declares the type.
        shape: the shape that they are read by, or None.
        order: their properties.
        labels: the properties that may label them, the best first.
        node_lists: the properties that hold nodes.
        requests: the properties that hold a request.
        layout: the property that sets the layout of their children, and its value for a row; else ``("", "")``.
        symbols: the symbols that their ids define.
    """

    type: str = ""
    is_known: bool = False
    shape: Shape | None = None
    order: Order = ()
    labels: tuple[str, ...] = ()
    node_lists: tuple[NodeList, ...] = ()
    requests: tuple[tuple[str, RequestProps], ...] = ()
    layout: tuple[str, str] = ("", "")
    symbols: tuple[Symbol, ...] = ()


def kind_of(prop: Prop | None) -> Kind | None:
    """Return the declared kind of a property; None without a declaration."""
    return None if prop is None else prop.kind


def object_shape(kind: Kind | None) -> Shape | None:
    """Return the shape of objects of a kind; None for other kinds."""
    return kind.shape if isinstance(kind, ObjectKind) else None


def item_kind(kind: Kind | None) -> Kind | None:
    """Return the kind of the elements of a list; None for other kinds."""
    return kind.items if isinstance(kind, ListKind) else None


def shape_layout(vocabulary: Vocabulary, shape: Shape | None, names: tuple[str, ...], type_: str = "") -> ShapeLayout:
    """Return the layout of objects of `shape` that have the properties `names`."""
    layout = ShapeLayout(type_, shape=shape, order=ordered_props(shape, names))
    layout.labels = tuple(name for name in label_names(vocabulary, shape) if name in names)
    if shape is None:
        return layout
    layout.is_known = shape.name == type_
    registered = [(name, prop) for name, prop in layout.order if prop is not None and name in shape.props]
    layout.node_lists = _node_lists(registered)
    layout.requests = _requests(registered)
    for prop in shape.props_with_role(LAYOUT):
        if prop.name in names:
            layout.layout = prop.name, prop.row
            break
    return layout


def ordered_props(shape: Shape | None, names: tuple[str, ...]) -> Order:
    """Return `names` in canonical order, each with its declaration if it has one."""
    if shape is None:
        return tuple((name, None) for name in names)
    declared = {**shape.props, **shape.suggested}
    present = set(names)
    known = [(name, prop) for name, prop in declared.items() if name in present]
    unknown = [(name, None) for name in names if name not in declared]
    return (*known, *unknown)


@lru_cache(64)
def names_with_role(vocabulary: Vocabulary, role: str) -> tuple[str, ...]:
    """Return the names of the properties with this role in any shape, those of the root's shapes first."""
    return tuple(
        dict.fromkeys(prop.name for shape in vocabulary.shapes.values() for prop in shape.props_with_role(role))
    )


def label_names(vocabulary: Vocabulary, shape: Shape | None) -> tuple[str, ...]:
    """Return the names of the properties that may label an object, the best first."""
    names = names_with_role(vocabulary, LABEL)
    if shape is None:
        return names
    own = [prop.name for prop in shape.labels]
    return tuple(dict.fromkeys((*own, *names)))


@lru_cache(256)
def request_props(shape: Shape) -> RequestProps | None:
    """Return the properties that form a request in objects of this shape; None if it has none."""
    names = []
    for role in (METHOD, ENDPOINT, SELECT):
        props = shape.props_with_role(role)
        names.append(props[0].name if props else "")
    props_of_request = RequestProps(*names)
    if props_of_request.method and props_of_request.endpoint:
        return props_of_request
    return None


def path_suffix(name: str) -> str:
    """Return what a path to a property appends to the path of its owner, such as ``.children``."""
    return format_path(("", name)).removeprefix(format_path(("",)))


def _node_lists(props: list[tuple[str, Prop]]) -> tuple[NodeList, ...]:
    lists = []
    for name, prop in props:
        if isinstance(prop.kind, ListKind) and isinstance(prop.kind.items, NodeKind):
            lists.append(NodeList(name, prop.kind.items, path_suffix(name)))
    return tuple(lists)


def _requests(props: list[tuple[str, Prop]]) -> tuple[tuple[str, RequestProps], ...]:
    requests = []
    for name, prop in props:
        if isinstance(prop.kind, ObjectKind):
            names = request_props(prop.kind.shape)
            if names is not None:
                requests.append((name, names))
    return tuple(requests)
