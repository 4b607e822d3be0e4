"""Read objects as the validator reads them: properties under other names, values in other words, other structures.

See docs/decisions.md, section 2: content is read where it is.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from rui_common.vocabulary.aliases import read_as, value_named
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.structures import BARE_LIST, BY_KEY, parts_of, structure_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rui_common.vocabulary.schema import Kind, Prop, Shape, Vocabulary

    Steps = tuple[str | int, ...]


class Reading(NamedTuple):
    """An object as it is read.

    Attributes:
        content: its properties by their registered names; the object itself if it is written like that.
        keys: registered name → the name that the object has it under, for properties under other names.
        notes: the differences, such as ``label is called name``.
    """

    content: dict[str, object]
    keys: Mapping[str, str]
    notes: list[str]


def read_object(value: dict[str, object], shape: Shape | None, vocabulary: Vocabulary) -> Reading:
    """Return an object as it is read by a shape. Child nodes are left as they are."""
    if shape is None:
        return Reading(value, {}, [])
    reader = _Reader(vocabulary)
    keys = read_as(value, shape)
    return Reading(reader.read(value, shape, keys), keys, reader.notes)


def elements_of(value: object, kind: Kind, vocabulary: Vocabulary) -> list[tuple[Steps, object]]:
    """Return the elements of a list of nodes, with their paths in it; also those of a value of another structure."""
    if isinstance(value, list):
        return [((index,), element) for index, element in enumerate(value)]
    structure = structure_of(value, kind, vocabulary)
    if structure is None:
        return []
    elements: list[tuple[Steps, object]] = []
    for steps, part in parts_of(value, structure):
        if isinstance(part, list):
            elements += [((*steps, index), element) for index, element in enumerate(part)]
        else:
            elements.append((steps, part))
    return elements


class _Reader:
    """Reads an object and the objects in it.

    Attributes:
        notes: how they are written otherwise.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self.notes: list[str] = []

    def read(
        self, value: dict[str, object], shape: Shape, keys: Mapping[str, str], prefix: str = ""
    ) -> dict[str, object]:
        """Return the properties of an object by their registered names; the object itself if it is plain."""
        content = value
        if keys:
            self.notes += [f"{prefix}{name} is called {key}" for name, key in keys.items()]
            names = {key: name for name, key in keys.items()}
            content = {names.get(key, key): inner for key, inner in value.items()}
        changed = {}
        for prop in _readable_props(shape):
            if prop.name in content:
                inner = content[prop.name]
                read = self._value(inner, prop.kind, f"{prefix}{prop.name}")
                if read is not inner:
                    changed[prop.name] = read
        if changed:
            content = {**content, **changed}
        return content

    def _value(self, value: object, kind: Kind, path: str) -> object:
        if kind.values:
            return self._word(value, kind, path)
        structure = structure_of(value, kind, self._vocabulary)
        if structure is not None:
            parts = [part for _, part in parts_of(value, structure)]
            if structure.sort == BARE_LIST:
                value = {structure.name: value}
            elif structure.sort == BY_KEY or not isinstance(parts[0], dict | list):
                value = parts
            else:
                value = parts[0]
            if isinstance(kind, ListKind) and not isinstance(value, list):
                value = [value]
        if isinstance(value, dict) and isinstance(kind, ObjectKind):
            return self.read(value, kind.shape, read_as(value, kind.shape), f"{path}.")
        if isinstance(value, list) and isinstance(kind, ListKind):
            return self._list(value, kind.items, path)
        return value

    def _list(self, values: list[object], items: Kind, path: str) -> list[object]:
        read: list[object] = []
        is_changed = False
        for index, value in enumerate(values):
            element = value
            if isinstance(value, dict):
                element = self._value(value, items, f"{path}[{index}]")
            is_changed = is_changed or element is not value
            read.append(element)
        return read if is_changed else values

    def _word(self, value: object, kind: Kind, path: str) -> object:
        if isinstance(value, str) and value in kind.values:
            return value
        word = value_named(value, kind)
        if word is None:
            return value
        self.notes.append(f"{path} is written otherwise")
        return word


@cache
def _readable_props(shape: Shape) -> tuple[Prop, ...]:
    """Return the properties whose values may be written otherwise: fixed values, objects, lists of objects."""
    return tuple(prop for prop in shape.props.values() if prop.name != "type" and _is_readable(prop.kind))


def _is_readable(kind: Kind) -> bool:
    if isinstance(kind, ListKind):
        return isinstance(kind.items, ObjectKind)
    return isinstance(kind, ObjectKind) or (bool(kind.values) and not isinstance(kind, NodeKind))
