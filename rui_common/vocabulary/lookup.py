"""Path → shape and property; value → shape; names in a document."""

from __future__ import annotations

from collections import namedtuple
from functools import cache

from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import reachable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol, Vocabulary

    Path = tuple[str | int, ...]


class SchemaLocation(namedtuple("SchemaLocation", ("path", "kind", "shape", "prop"))):
    """The declaration for a path.

    Attributes:
        path: the path.
        kind: the kind of the value.
        shape: the shape of the object that has the property; None for the root and for elements.
        prop: the declaration of the property; None for the root and for elements.
    """

    __slots__ = ()
    path: Path
    kind: Kind
    shape: Shape | None
    prop: Prop | None


class Occurrence(namedtuple("Occurrence", ("symbol", "name", "path", "is_use", "scope"))):
    """A name in a document.

    Attributes:
        symbol: its symbol.
        name: the name.
        path: its path.
        is_use: whether it is a use rather than a definition.
        scope: the path of the object that is its scope; ``()`` is the document.
    """

    __slots__ = ()
    symbol: Symbol
    name: str
    path: Path
    is_use: bool
    scope: Path


class _NameProps(namedtuple("_NameProps", ("names", "containers"))):
    """The properties of a shape that are names, and those whose values contain names.

    Attributes:
        names: property name → declaration; None for an undeclared ``id``.
        containers: property name → kind.
    """

    __slots__ = ()
    names: dict[str, Prop | None]
    containers: dict[str, Kind]


def schema_location(value: object, path: Path, vocabulary: Vocabulary = VOCABULARY) -> SchemaLocation | None:
    """Find the declaration for a path.

    Args:
        value: the root of the document, valid or not. The types of its nodes select their shapes.
        path: the path. The property itself may be absent.
        vocabulary: the vocabulary.

    Returns:
        None below unregistered properties, open objects without a suggestion, and nodes of unknown type.
    """
    location = SchemaLocation((), ObjectKind(vocabulary.root), None, None)
    for index, step in enumerate(path):
        inner_path = path[: index + 1]
        if isinstance(step, int):
            if not isinstance(location.kind, ListKind) or not isinstance(value, list) or not 0 <= step < len(value):
                return None
            location = SchemaLocation(inner_path, location.kind.items, None, None)
            value = value[step]
            continue
        shape = shape_of(value, location.kind, vocabulary)
        prop = None if shape is None else shape.prop(step)
        if prop is None or not isinstance(value, dict):
            return None
        location = SchemaLocation(inner_path, prop.kind, shape, prop)
        value = value.get(step)
    return location


def shape_of(value: object, kind: Kind, vocabulary: Vocabulary = VOCABULARY) -> Shape | None:
    """Return the shape by which the validator reads an object (docs/decisions.md, section 2).

    A node without a registered type is read by its properties. A node of a planned type has no shape.
    """
    if isinstance(kind, ObjectKind):
        return kind.shape
    if not isinstance(kind, NodeKind) or not isinstance(value, dict):
        return None
    node_type = value.get("type")
    for shape in (*kind.shapes, *vocabulary.nodes.values()):
        if shape.name == node_type:
            return shape
    if isinstance(node_type, str) and node_type in vocabulary.planned:
        return None
    return kind.shape_by_properties(value)


def occurrences(value: object, vocabulary: Vocabulary = VOCABULARY, *, below: Path = ()) -> Iterator[Occurrence]:
    """Yield every name that a document defines or uses, in no particular order.

    A name with two symbols is yielded twice: the id of a page is also the id of a node.

    Args:
        value: the root of the document.
        vocabulary: the vocabulary.
        below: only names at this path or below it are yielded.
    """
    pending: list[tuple[object, Kind, Path, dict[Symbol, Path]]] = [(value, ObjectKind(vocabulary.root), (), {})]
    while pending:
        inner, kind, path, scopes = pending.pop()
        if below and path[: len(below)] != below[: len(path)]:
            continue
        if isinstance(inner, list) and isinstance(kind, ListKind):
            indexes = _indexes(inner, path, below)
            pending += [(inner[index], kind.items, (*path, index), scopes) for index in indexes]
        if not isinstance(inner, dict):
            continue
        shape = shape_of(inner, kind, vocabulary)
        if shape is not None and shape.scope:
            scopes = {**scopes, **dict.fromkeys(shape.scope, path)}
        props = _ONLY_ID if shape is None else _name_props(shape)
        for name, prop in props.names.items():
            text = inner.get(name)
            if isinstance(text, str) and (not below or (*path, name)[: len(below)] == below):
                yield from _text_occurrences(text, (*path, name), kind, prop, scopes)
        for name, inner_kind in props.containers.items():
            if name in inner:
                pending.append((inner[name], inner_kind, (*path, name), scopes))


def _indexes(values: list[object], path: Path, below: Path) -> range:
    """Return the indexes of the elements that are on the way to `below`, or below it."""
    if len(path) >= len(below):
        return range(len(values))
    index = below[len(path)]
    if not isinstance(index, int) or index >= len(values):
        return range(0)
    return range(index, index + 1)


_ONLY_ID = _NameProps({"id": None}, {})
"""The names in a node of an unknown type: its id counts regardless of the type."""


@cache
def _name_props(shape: Shape) -> _NameProps:
    names: dict[str, Prop | None] = {}
    containers: dict[str, Kind] = {}
    for prop in (*shape.props.values(), *shape.suggested.values()):
        if prop.name == "id" or prop.defines is not None or prop.uses is not None:
            names[prop.name] = prop
        if _contains_names(prop.kind):
            containers[prop.name] = prop.kind
    names.setdefault("id", None)
    return _NameProps(names, containers)


def _contains_names(kind: Kind) -> bool:
    shapes = [shape for inner in kind.inner_shapes for shape in reachable(inner)]
    props = [prop for shape in shapes for prop in shape.props.values()]
    return any(prop.defines is not None or prop.uses is not None for prop in props)


def _text_occurrences(
    name: str, path: Path, owner: Kind, prop: Prop | None, scopes: dict[Symbol, Path]
) -> Iterator[Occurrence]:
    """Yield the occurrences of one text; `owner` is the kind of the object that has it."""
    defined = {None if prop is None else prop.defines}
    if isinstance(owner, NodeKind) and path[-1] == "id":
        # Ids count regardless of the type of the node (docs/decisions.md, section 2).
        defined = {owner.defines, *(shape.props["id"].defines for shape in owner.shapes)}
    for symbol in defined:
        if symbol is not None:
            yield Occurrence(symbol, name, path, False, scopes.get(symbol, ()))
    if prop is not None and prop.uses is not None:
        yield Occurrence(prop.uses, name, path, True, scopes.get(prop.uses, ()))
