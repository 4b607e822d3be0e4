"""Path → shape and property; value → shape; names in a document."""

from __future__ import annotations

from collections import namedtuple
from functools import cache

from rui_common.vocabulary.aliases import read_as, shape_of_node, unwrap
from rui_common.vocabulary.held import flatten
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import reachable
from rui_common.vocabulary.structures import BARE_ELEMENT, BARE_LIST, BY_KEY, inner_kind, parts_of, structure_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol, Vocabulary
    from rui_common.vocabulary.structures import Structure

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
    return _descend(value, path, vocabulary)[0]


def path_as_read(value: object, path: Path, vocabulary: Vocabulary = VOCABULARY) -> Path:
    """Return a path with registered names only, without wrappers, and through lists where lists are expected."""
    return _descend(value, path, vocabulary)[1]


def _descend(value: object, path: Path, vocabulary: Vocabulary) -> tuple[SchemaLocation | None, Path]:
    """Return the declaration for a path, and the path as it is read. Steps after the last declaration are kept."""
    location = SchemaLocation((), ObjectKind(vocabulary.root), None, None)
    steps: list[str | int] = []
    index = 0
    while index < len(path):
        step = path[index]
        structure = structure_of(value, location.kind, vocabulary)
        if structure is not None:
            steps += _implied_steps(structure, value, step)
            kind = inner_kind(structure, location.kind)
            parts = dict(parts_of(value, structure))
            if () in parts:
                location = location._replace(kind=kind)
            elif (step,) in parts:
                index += 1
                location = SchemaLocation(path[:index], kind, None, None)
                value = parts[(step,)]
                continue
            else:
                return None, (*steps, *path[index:])
        if isinstance(step, int):
            if not isinstance(location.kind, ListKind) or not isinstance(value, list) or not 0 <= step < len(value):
                return None, (*steps, *path[index:])
            index += 1
            location = SchemaLocation(path[:index], location.kind.items, None, None)
            steps.append(step)
            value = value[step]
            continue
        found = _property_at(value, path, index, location.kind, vocabulary)
        if isinstance(found, int):
            return None, (*steps, *path[found:])
        index, shape, prop, value = found
        if shape is not None and prop is not None:
            location = SchemaLocation(path[:index], prop.kind, shape, prop)
            steps.append(prop.name)
    return location, (*steps,)


def _property_at(
    value: object, path: Path, index: int, kind: Kind, vocabulary: Vocabulary
) -> tuple[int, Shape | None, Prop | None, object] | int:
    """Return the property that a path leads to, from its step `index` on, at an object of a kind.

    Returns:
        The index of the step after it, its shape, its declaration and its value; a wrapper has only the value.
        The index of the first unregistered step if there is no such property.
    """
    shape = shape_of(value, kind, vocabulary)
    step = path[index]
    if shape is None or not isinstance(value, dict):
        return index
    if shape is vocabulary.root:
        if unwrap(value, shape)[1][:1] == (step,):
            return index + 1, None, None, value[str(step)]
    elif step in value and step not in shape.props:
        flat = flatten(value, shape, vocabulary)
        if flat is not None:
            size = 0
            while index + size < len(path) and path[index : index + size + 1] in flat.holders:
                size += 1
            value = flat.value
            index += size
            if index == len(path):
                return index
            step = path[index]
            if size and flat.path_of(str(step))[:-1] != path[index - size : index]:
                return index
    prop = prop_at(value, shape, str(step))
    if prop is None:
        return index
    return index + 1, shape, prop, value.get(str(step))


def _implied_steps(structure: Structure, value: object, step: str | int) -> list[str | int]:
    """Return the steps that a path has in addition when a value has the right structure."""
    if structure.sort == BARE_LIST:
        return [structure.name]
    if structure.sort == BARE_ELEMENT:
        return [0]
    if structure.sort == BY_KEY and isinstance(value, dict) and step in value:
        return [[*value].index(step)]
    return []


def prop_at(value: dict[str, object], shape: Shape, key: str) -> Prop | None:
    """Return the registered or suggested property that a key of an object is read as, or None."""
    prop = shape.prop(key)
    if prop is not None or key not in value:
        return prop
    return next((shape.props[name] for name, other in read_as(value, shape).items() if other == key), None)


def shape_of(value: object, kind: Kind, vocabulary: Vocabulary = VOCABULARY) -> Shape | None:
    """Return the shape by which the validator reads an object (docs/decisions.md, section 2).

    A node of a planned type has no shape.
    """
    if isinstance(kind, ObjectKind):
        return kind.shape
    if not isinstance(kind, NodeKind) or not isinstance(value, dict):
        return None
    return shape_of_node(value, kind, vocabulary)


def occurrences(value: object, vocabulary: Vocabulary = VOCABULARY, *, below: Path = ()) -> Iterator[Occurrence]:
    """Yield every name that a document defines or uses, in no particular order.

    A name with two symbols is yielded twice: the id of a page is also the id of a node.

    Args:
        value: the root of the document.
        vocabulary: the vocabulary.
        below: only names at this path or below it are yielded.
    """
    pending: list[tuple[object, Kind, Path, dict[Symbol, Path]]] = [(*_root_of(value, vocabulary), {})]
    while pending:
        inner, kind, path, scopes = pending.pop()
        if path[: len(below)] != below[: len(path)]:
            continue
        parts = _parts(inner, kind, path, below, vocabulary)
        if parts is not None or not isinstance(inner, dict):
            pending += [(*part, scopes) for part in parts or ()]
            continue
        shape = shape_of(inner, kind, vocabulary)
        props, places = _names_in(inner, shape, vocabulary)
        if shape is not None and shape.scope:
            scopes = {**scopes, **dict.fromkeys(shape.scope, path)}
        for name, prop in props.names.items():
            place = places.get(name, (name,))
            text = _value_at(inner, place)
            if isinstance(text, str) and (not below or (*path, *place)[: len(below)] == below):
                yield from _text_occurrences(text, (*path, *place), kind, name, prop, scopes)
        for name, container in props.containers.items():
            place = places.get(name, (name,))
            pending.append((_value_at(inner, place), container, (*path, *place), scopes))


def _value_at(value: object, place: tuple[str, ...]) -> object:
    for key in place:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _root_of(value: object, vocabulary: Vocabulary) -> tuple[object, Kind, Path]:
    """Return the root that is read, its kind and its path: it may be within wrappers."""
    kind = ObjectKind(vocabulary.root)
    if not isinstance(value, dict):
        return value, kind, ()
    root, path = unwrap(value, vocabulary.root)
    return root, kind, path


def _parts(
    value: object, kind: Kind, path: Path, below: Path, vocabulary: Vocabulary
) -> list[tuple[object, Kind, Path]] | None:
    """Return the elements of a list on the way to `below`, or the parts of a value of another structure; else None."""
    structure = structure_of(value, kind, vocabulary)
    if structure is not None:
        parts_kind = inner_kind(structure, kind)
        return [(part, parts_kind, (*path, *steps)) for steps, part in parts_of(value, structure, are_named=False)]
    if isinstance(value, list) and isinstance(kind, ListKind):
        return [(value[index], kind.items, (*path, index)) for index in _indexes(value, path, below)]
    return None


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


def _names_in(
    value: dict[str, object], shape: Shape | None, vocabulary: Vocabulary
) -> tuple[_NameProps, dict[str, tuple[str, ...]]]:
    """Return the properties with names, and the other paths that properties of the object are read from."""
    if shape is None:
        return _ONLY_ID, {}
    flat = flatten(value, shape, vocabulary)
    if flat is None:
        return _name_props(shape), {name: (key,) for name, key in read_as(value, shape).items()}
    keys = {name: name for name in flat.places if name in shape.props} | read_as(flat.value, shape)
    return _name_props(shape), {name: flat.path_of(key) for name, key in keys.items()}


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
    name: str, path: Path, owner: Kind, prop_name: str, prop: Prop | None, scopes: dict[Symbol, Path]
) -> Iterator[Occurrence]:
    """Yield the occurrences of one text; `owner` is the kind of the object that has it as property `prop_name`."""
    defined = {None if prop is None else prop.defines}
    if isinstance(owner, NodeKind) and prop_name == "id":
        # Ids count regardless of the type of the node (docs/decisions.md, section 2).
        defined = {owner.defines, *(shape.props["id"].defines for shape in owner.shapes)}
    for symbol in defined:
        if symbol is not None:
            yield Occurrence(symbol, name, path, False, scopes.get(symbol, ()))
    if prop is not None and prop.uses is not None:
        yield Occurrence(prop.uses, name, path, True, scopes.get(prop.uses, ()))
