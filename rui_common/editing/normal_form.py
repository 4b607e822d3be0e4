"""Value → normal form: the same document with its properties in canonical order (docs/decisions.md, section 5)."""

from __future__ import annotations

from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.vocabulary.schema import Kind, Shape, Vocabulary


def normalize(value: dict[str, object], vocabulary: Vocabulary = VOCABULARY) -> dict[str, object]:
    """The normal form of a document.

    Registered properties stand in the order of the vocabulary, then suggested ones, then the rest by code
    point; values that the vocabulary says nothing about are sorted by code point at every depth. Arrays keep
    their order. Nothing is added, dropped or rewritten, in faulty documents neither.

    Args:
        value: the root object of a document, valid or not; it is left as it is.
        vocabulary: what gives the order.

    Returns:
        A new object. Normalizing it again gives the same.
    """
    return _object(value, vocabulary.root, vocabulary)


def _object(value: dict[str, object], shape: Shape, vocabulary: Vocabulary) -> dict[str, object]:
    ordered: dict[str, object] = {}
    for name, prop in shape.props.items():
        if name in value:
            ordered[name] = _of_kind(value[name], prop.kind, vocabulary)
    if len(ordered) < len(value):
        for name in shape.suggested:
            if name in value:
                ordered[name] = by_code_point(value[name])
        for name in sorted(value.keys() - ordered.keys()):
            ordered[name] = by_code_point(value[name])
    return ordered


def _of_kind(value: object, kind: Kind, vocabulary: Vocabulary) -> object:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        if isinstance(kind, ObjectKind):
            return _object(value, kind.shape, vocabulary)
        if isinstance(kind, NodeKind):
            given = value.get("type")
            shape = vocabulary.nodes.get(given) if isinstance(given, str) else None
            return by_code_point(value) if shape is None else _object(value, shape, vocabulary)
    if isinstance(value, list) and isinstance(kind, ListKind):
        return [_of_kind(element, kind.items, vocabulary) for element in value]
    return by_code_point(value)


def by_code_point(value: object) -> object:
    """The same JSON value with the properties of every object in it sorted by code point."""
    if isinstance(value, dict):
        return {name: by_code_point(value[name]) for name in sorted(value)}
    if isinstance(value, list):
        return [by_code_point(element) for element in value]
    return value
