"""Path → what the vocabulary says there: the shape that a property belongs to, its declaration, who uses its name."""

from __future__ import annotations

from collections import namedtuple

from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import reachable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.syntax.paths import Path
    from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol, Vocabulary

    _Names = tuple[tuple[tuple[str, Prop | None], ...], tuple[tuple[str, Kind], ...]]


class SchemaLocation(namedtuple("SchemaLocation", ("path", "kind", "shape", "prop"))):
    """One place of a document.

    Attributes:
        path: where it is.
        kind: what its value may be.
        shape: the shape of the object that it is a property of; None for the root and for elements.
        prop: the declaration of that property; None likewise.
    """

    __slots__ = ()
    path: Path
    kind: Kind
    shape: Shape | None
    prop: Prop | None


class Occurrence(namedtuple("Occurrence", ("symbol", "name", "path", "is_use", "scope"))):
    """A name in a document.

    Attributes:
        symbol: the sort of name.
        name: the name.
        path: where it stands.
        is_use: whether it is used there rather than defined.
        scope: the path of the object within which it is told apart; ``()`` is the document.
    """

    __slots__ = ()
    symbol: Symbol
    name: str
    path: Path
    is_use: bool
    scope: Path


def schema_location(value: object, path: Path, vocabulary: Vocabulary = VOCABULARY) -> SchemaLocation | None:
    """What the vocabulary says about a path.

    Args:
        value: the root of the document, valid or not. The types of its nodes say which shapes they have.
        path: where to look; the property itself may be absent.
        vocabulary: what to look it up in.

    Returns:
        The place, or None where the vocabulary says nothing: below unregistered and open properties, and below
        nodes that no type fits.
    """
    place = SchemaLocation((), ObjectKind(vocabulary.root), None, None)
    for index, step in enumerate(path):
        here = path[: index + 1]
        if isinstance(step, int):
            if not isinstance(place.kind, ListKind) or not isinstance(value, list) or not 0 <= step < len(value):
                return None
            place, value = SchemaLocation(here, place.kind.items, None, None), value[step]
            continue
        shape = shape_of(value, place.kind, vocabulary)
        prop = None if shape is None else shape.prop(step)
        if prop is None or not isinstance(value, dict):
            return None
        place, value = SchemaLocation(here, prop.kind, shape, prop), value.get(step)
    return place


def shape_of(value: object, kind: Kind, vocabulary: Vocabulary = VOCABULARY) -> Shape | None:
    """The shape by which the validator reads an object in a place of this kind (docs/decisions.md, section 2).

    A node without a registered type is read by its shape; one of a planned type is not read at all.
    """
    if isinstance(kind, ObjectKind):
        return kind.shape
    if not isinstance(kind, NodeKind) or not isinstance(value, dict):
        return None
    given = value.get("type")
    for shape in (*kind.shapes, *vocabulary.nodes.values()):
        if shape.name == given:
            return shape
    is_planned = isinstance(given, str) and given in vocabulary.planned
    return None if is_planned else by_shape(value, kind)


def by_shape(value: dict[str, object], kind: NodeKind) -> Shape | None:
    """The only allowed type that requires nothing that `value` lacks and registers everything that it has."""
    has = value.keys() - {"type"}
    fitting = [shape for shape in kind.shapes if {*shape.required} - {"type"} <= has <= shape.props.keys()]
    return fitting[0] if len(fitting) == 1 else None


def occurrences(value: object, vocabulary: Vocabulary = VOCABULARY, *, below: Path = ()) -> Iterator[Occurrence]:
    """Every name that a document defines or uses, in no particular order.

    A name stands twice when it is of two sorts: the id of a page is that of a node, too.

    Args:
        value: the root of the document.
        vocabulary: what says where names are.
        below: only what is at this path or below it is gone through.
    """
    pending: list[tuple[object, Kind, Path, dict[Symbol, Path]]] = [(value, ObjectKind(vocabulary.root), (), {})]
    while pending:
        here, kind, path, scopes = pending.pop()
        if below and path[: len(below)] != below[: len(path)]:
            continue
        if isinstance(here, list) and isinstance(kind, ListKind):
            only = below[len(path)] if len(path) < len(below) else None
            steps = range(len(here)) if only is None else [only] if isinstance(only, int) and only < len(here) else []
            pending += [(here[index], kind.items, (*path, index), scopes) for index in steps]
        if not isinstance(here, dict):
            continue
        shape = shape_of(here, kind, vocabulary)
        if shape is not None and shape.scope:
            scopes = {**scopes, **dict.fromkeys(shape.scope, path)}
        named, holding = _NOTHING_KNOWN if shape is None else _where_names_are(shape)
        for name, prop in named:
            inner = here.get(name)
            if isinstance(inner, str) and (not below or (*path, name)[: len(below)] == below):
                yield from _of_text(inner, (*path, name), kind, prop, scopes)
        pending += [(here[name], inner_kind, (*path, name), scopes) for name, inner_kind in holding if name in here]


_NOTHING_KNOWN: _Names = ((("id", None),), ())
"""Where names are in a node of an unknown type: ids count, whatever the type of the node."""

_names_in: dict[Shape, _Names] = {}


def _where_names_are(shape: Shape) -> _Names:
    """The properties of a shape that are names, and those that have names inside."""
    known = _names_in.get(shape)
    if known is None:
        props = (shape.props | shape.suggested).keys()
        found = [(name, shape.prop(name)) for name in dict.fromkeys((*props, "id"))]
        known = _names_in[shape] = (
            tuple((name, prop) for name, prop in found if name == "id" or (prop and (prop.defines or prop.uses))),
            tuple((name, prop.kind) for name, prop in found if prop is not None and _has_names(prop.kind)),
        )
    return known


_named: dict[Kind, bool] = {}


def _has_names(kind: Kind) -> bool:
    """Whether there can be names in a value of this kind. In many there are none: bindings, say."""
    if kind not in _named:
        shapes = [shape for inner in kind.inner_shapes for shape in reachable(inner)]
        props = [prop for shape in shapes for prop in shape.props.values()]
        _named[kind] = any(prop.defines is not None or prop.uses is not None for prop in props)
    return _named[kind]


def _of_text(name: str, path: Path, owner: Kind, prop: Prop | None, scopes: dict[Symbol, Path]) -> Iterator[Occurrence]:
    if isinstance(owner, NodeKind) and path[-1] == "id":
        # Ids count, whatever the type of the node (docs/decisions.md, section 2).
        defined = {owner.defines, *(shape.props["id"].defines for shape in owner.shapes)}
    else:
        defined = {None if prop is None else prop.defines}
    for symbol in defined - {None}:
        assert symbol is not None  # noqa: S101  for the type checker
        yield Occurrence(symbol, name, path, False, scopes.get(symbol, ()))
    if prop is not None and prop.uses is not None:
        yield Occurrence(prop.uses, name, path, True, scopes.get(prop.uses, ()))
