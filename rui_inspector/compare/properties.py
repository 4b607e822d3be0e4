"""The properties that differ between two objects, down to elements of lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rui_common.syntax.paths import format_path
from rui_common.vocabulary.kinds import ObjectKind
from rui_common.vocabulary.schema import Kind, Prop, Shape
from rui_inspector.compare.matching import canonical
from rui_inspector.compare.nodes import SEPARATOR
from rui_inspector.compare.words import Segment, word_segments
from rui_inspector.escape import shorten
from rui_inspector.model.shape_layouts import item_kind, kind_of, object_shape
from rui_inspector.model.view import Node, View, label_of, members_of

Steps = tuple["Step", ...]

ABSENT = object()
"""The value of a property that an object does not have."""

MAX_STEPS = 12
"""Maximum length of a path to a property; deeper values are compared as a whole."""


class Step(NamedTuple):
    """A step of the path to a property.

    Attributes:
        name: the name of a property, or the name that an element of a list has.
        is_element: whether it is an element of a list.
        label: its name for people.
    """

    name: str
    is_element: bool
    label: str


class Change(NamedTuple):
    """A property with different values.

    Attributes:
        steps: its path within the node.
        before: its value in the first document, or `ABSENT`.
        after: its value in the second document, or `ABSENT`.
        prop: its declaration, or None.
        is_order: whether the values are the names of a list's elements, whose order changes.
    """

    steps: Steps
    before: object
    after: object
    prop: Prop | None
    is_order: bool = False

    @property
    def name(self) -> str:
        """Its path, such as ``columns[status].label``."""
        text = ""
        for name, is_element, _ in self.steps:
            if is_element:
                text += f"[{name}]"
            else:
                text += format_path(("", name)).removeprefix(format_path(("",)))
        text = text.removeprefix(".")
        return f"order of {text}" if self.is_order else text

    @property
    def words(self) -> str:
        """Its path in words, such as ``columns › Status › label``."""
        text = SEPARATOR.join([shorten(step.label) for step in self.steps])
        return f"order of {text}" if self.is_order else text

    @property
    def segments(self) -> list[Segment]:
        """The words that differ, if both values are texts that people wrote; else an empty list."""
        if not isinstance(self.before, str) or not isinstance(self.after, str):
            return []
        if self.prop is not None and not self.prop.kind.is_free_text:
            return []
        return word_segments(self.before, self.after)


class _Value(NamedTuple):
    """A value that is compared, with its declaration and its name for people."""

    value: object
    prop: Prop | None
    label: str


_Values = dict[str, _Value]
_MISSING = _Value(ABSENT, None, "")


class PropertyComparer:
    """Compares the properties of objects.

    Args:
        view: one of the documents, for its vocabulary.
    """

    def __init__(self, view: View) -> None:
        self._vocabulary = view.vocabulary

    def changes(self, before: View | Node, after: View | Node) -> list[Change]:
        """Return the changed properties of a document or a node, without those that hold nodes."""
        return list(self._changes(_own_values(before, after), _own_values(after, before), ()))

    def _changes(self, before: _Values, after: _Values, steps: Steps, *, is_list: bool = False) -> Iterator[Change]:
        for name in dict.fromkeys((*before, *after)):
            old = before.get(name, _MISSING)
            new = after.get(name, _MISSING)
            if is_same(old.value, new.value):
                continue
            prop = new.prop or old.prop
            path = (*steps, Step(name, is_list, new.label or old.label))
            old_parts = self._parts(old.value, kind_of(prop))
            new_parts = self._parts(new.value, kind_of(prop))
            is_deep = len(path) >= MAX_STEPS
            if old_parts is None or new_parts is None or type(old.value) is not type(new.value) or is_deep:
                yield Change(path, old.value, new.value, prop)
                continue
            is_inner_list = isinstance(old.value, list)
            if is_inner_list:
                yield from _order_change(path, old_parts, new_parts)
            yield from self._changes(old_parts, new_parts, path, is_list=is_inner_list)

    def _parts(self, value: object, kind: Kind | None) -> _Values | None:
        """Return the properties of an object, or the elements of a list by name; None for anything else."""
        if isinstance(value, dict):
            return _values(members_of(value, object_shape(kind)))
        items = item_kind(kind)
        if isinstance(value, list) and isinstance(items, ObjectKind):
            return self._elements(value, items)
        return None

    def _elements(self, elements: list[object], kind: ObjectKind) -> _Values | None:
        """Return the elements by the property that names them; None if one of them has no name.

        Of several elements with the same name, all but the first have a number.
        """
        naming = _naming_prop(kind.shape)
        if naming is None:
            return None
        parts: _Values = {}
        numbers: dict[str, int] = {}
        for element in elements:
            name = element.get(naming.name) if isinstance(element, dict) else None
            if not isinstance(name, str):
                return None
            label, _ = label_of(element, kind.shape, self._vocabulary)
            key = name
            number = numbers.get(name, 1)
            while key in parts:
                number += 1
                key = f"{name} {number}"
            numbers[name] = number
            parts[key] = _Value(element, Prop("", kind, ""), label or name)
        return parts


def is_same(one: object, other: object) -> bool:
    """Return whether two values are the same JSON: true is not 1, and properties have no order."""
    if one is ABSENT or other is ABSENT:
        return one is other
    if type(one) is not type(other):
        return False
    if not isinstance(one, dict | list):
        return one == other
    return canonical(one) == canonical(other)


def _own_values(owner: View | Node, other: View | Node) -> _Values:
    """Return the properties of the root or a node that hold no nodes, here or, if the list is empty, in the other."""
    values = _values(owner.members)
    return {
        name: value
        for name, value in values.items()
        if name not in owner.nested and (value.value != [] or name not in other.nested)
    }


def _values(members: list[tuple[str, object, Prop | None]]) -> _Values:
    return {name: _Value(value, prop, name) for name, value, prop in members}


def _naming_prop(shape: Shape) -> Prop | None:
    """Return the property that names the objects of a shape in a list: a definition, a reference, or its first text."""
    for prop in shape.props.values():
        if prop.defines is not None or prop.uses is not None:
            return prop
    for prop in (*shape.props.values(), *shape.suggested.values()):
        if prop.kind.json_type == "string":
            return prop
    return None


def _order_change(steps: Steps, before: _Values, after: _Values) -> Iterator[Change]:
    """Yield a change if the common elements of two lists have another order."""
    old_order = [name for name in before if name in after]
    new_order = [name for name in after if name in before]
    if old_order != new_order:
        yield Change(
            steps, [before[name].label for name in old_order], [after[name].label for name in new_order], None, True
        )
