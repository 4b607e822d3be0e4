"""The normal form of a document: its properties in canonical order (docs/decisions.md, section 5)."""

from __future__ import annotations

from rui_common.vocabulary.kinds import ListKind, ObjectKind
from rui_common.vocabulary.lookup import shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Kind, Shape, Vocabulary


def normalize(value: dict[str, object], vocabulary: Vocabulary = VOCABULARY) -> dict[str, object]:
    """The normal form of a document.

    Registered properties come in the order of the vocabulary, then suggested ones, then all others by code point.
    Values without a declaration are sorted by code point at every depth. Arrays keep their order. No value is added,
    removed or changed, in invalid documents either.

    Args:
        value: the root object of a document, valid or not; it is not modified.

    Returns:
        A new object. The function is idempotent.
    """
    return _object(value, ObjectKind(vocabulary.root), vocabulary)


def canonical_kinds(value: dict[str, object], shape: Shape | None) -> dict[str, Kind | None]:
    """The names of an object in canonical order, each with the kind of its value; None without a declaration."""
    kinds: dict[str, Kind | None] = {}
    if shape is not None:
        kinds = {name: prop.kind for name, prop in shape.props.items() if name in value}
        kinds |= dict.fromkeys(name for name in shape.suggested if name in value)
    if len(kinds) < len(value):
        kinds |= dict.fromkeys(sorted(value.keys() - kinds.keys()))
    return kinds


def kind_of_items(kind: Kind | None) -> Kind | None:
    """The kind of the elements of an array that has this kind; None without a declaration."""
    if isinstance(kind, ListKind):
        return kind.items
    return None


def _object(value: dict[str, object], kind: Kind, vocabulary: Vocabulary) -> dict[str, object]:
    kinds = canonical_kinds(value, shape_of(value, kind, vocabulary))
    return {name: _value(value[name], inner, vocabulary) for name, inner in kinds.items()}


def _value(value: object, kind: Kind | None, vocabulary: Vocabulary) -> object:
    if kind is None:
        return by_code_point(value)
    if isinstance(value, dict):
        return _object(value, kind, vocabulary)
    if isinstance(value, list):
        items = kind_of_items(kind)
        return [_value(element, items, vocabulary) for element in value]
    return value


def by_code_point(value: object) -> object:
    """A JSON value with the properties of all objects in it sorted by code point; itself if they are sorted."""
    # Most values are sorted, and a hostile one has 100,000 containers: looking takes a third of the time of copying.
    if _is_sorted(value):
        return value
    return _sorted_copy(value)


def _is_sorted(value: object) -> bool:
    if isinstance(value, dict):
        names = list(value)
        return names == sorted(names) and all(map(_is_sorted, value.values()))
    return not isinstance(value, list) or all(map(_is_sorted, value))


def _sorted_copy(value: object) -> object:
    if isinstance(value, dict):
        return {name: _sorted_copy(value[name]) for name in sorted(value)}
    if isinstance(value, list):
        return [_sorted_copy(element) for element in value]
    return value
