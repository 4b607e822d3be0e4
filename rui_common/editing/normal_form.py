"""The normal form of a document: its properties in canonical order (docs/decisions.md, section 5)."""

from __future__ import annotations

from collections.abc import Iterable

from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
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
    return _object(value, vocabulary.root, vocabulary)


def _object(value: dict[str, object], shape: Shape, vocabulary: Vocabulary) -> dict[str, object]:
    ordered: dict[str, object] = {}
    for name, prop in shape.props.items():
        if name in value:
            ordered[name] = _value(value[name], prop.kind, vocabulary)
    if len(ordered) < len(value):
        for name in shape.suggested:
            if name in value:
                ordered[name] = by_code_point(value[name])
        for name in sorted(value.keys() - ordered.keys()):
            ordered[name] = by_code_point(value[name])
    return ordered


def _value(value: object, kind: Kind, vocabulary: Vocabulary) -> object:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        shape = None
        if isinstance(kind, ObjectKind):
            shape = kind.shape
        elif isinstance(kind, NodeKind):
            node_type = value.get("type")
            shape = None
            if isinstance(node_type, str):
                shape = vocabulary.nodes.get(node_type)
        if shape is not None:
            return _object(value, shape, vocabulary)
    elif isinstance(value, list) and isinstance(kind, ListKind):
        return [_value(element, kind.items, vocabulary) for element in value]
    return by_code_point(value)


def by_code_point(value: object) -> object:
    """A JSON value with the properties of all objects in it sorted by code point; itself if they are sorted."""
    # Most values are sorted, and looking takes less time than copying.
    if _is_sorted(value):
        return value
    return _sorted_copy(value)


def _is_sorted(value: object) -> bool:
    pending = [value]
    for container in pending:  # which grows
        elements: Iterable[object] = ()
        if type(container) is list:
            elements = container
        elif type(container) is dict:
            names = list(container)
            if names != sorted(names):
                return False
            elements = container.values()
        for element in elements:
            if type(element) is list or type(element) is dict:
                pending.append(element)  # noqa: PERF401  a comprehension per container takes longer
    return True


def _sorted_copy(value: object) -> object:
    if isinstance(value, dict):
        return {name: _sorted_copy(value[name]) for name in sorted(value)}
    if isinstance(value, list):
        return [_sorted_copy(element) for element in value]
    return value
