"""The properties that differ between two objects, down to elements of lists."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from rui_common.syntax.paths import format_path
from rui_common.validation.findings import ABSENT
from rui_common.vocabulary.kinds import ObjectKind
from rui_common.vocabulary.schema import Kind, Prop, Shape, Vocabulary
from rui_inspector.escape import excerpt
from rui_inspector.model.shapes import item_kind, kind_of, object_shape
from rui_inspector.model.view import View, ViewMember, ViewNode, label_and_name, members_of

SEPARATOR = " › "

MAX_DEPTH = 12
"""Maximum length of a path to a property; deeper values are compared as a whole."""


class FieldChange(NamedTuple):
    """A property with different values.

    Attributes:
        name: its path within the node, such as ``columns[status].label``.
        words: its path in words, such as ``columns › Status › label``.
        before: its value in the first document, or `ABSENT`.
        after: its value in the second document, or `ABSENT`.
        prop: its declaration, or None.
    """

    name: str
    words: str
    before: object
    after: object
    prop: Prop | None


_MISSING: ViewMember = ("", ABSENT, None)


def field_changes(before: View | ViewNode, after: View | ViewNode, vocabulary: Vocabulary) -> list[FieldChange]:
    """Return the changed properties of a document or a node, without those that hold nodes."""
    sides = [_by_name(_own_members(one, other)) for one, other in ((before, after), (after, before))]
    return list(_changes(sides[0], sides[1], FieldChange("", "", None, None, None), vocabulary, 1))


def _is_same(one: object, other: object) -> bool:
    """Return whether two values are the same JSON: true is not 1, and properties have no order."""
    if one is ABSENT or other is ABSENT:
        return one is other
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _own_members(owner: View | ViewNode, other: View | ViewNode) -> list[ViewMember]:
    """Return the properties of the root or a node that hold no nodes, here or, if the list is empty, in the other."""
    return [
        member
        for member in owner.members
        if member[0] not in owner.nested and (member[1] != [] or member[0] not in other.nested)
    ]


def _changes(
    before: dict[str, ViewMember], after: dict[str, ViewMember], owner: FieldChange, vocabulary: Vocabulary, depth: int
) -> Iterator[FieldChange]:
    """Yield the differences between the properties of two objects, or between the elements of two lists.

    The keys are what the path of a part ends with; the name of a part in words is the name of its member.
    """
    for name in dict.fromkeys((*before, *after)):
        old_label, old, old_prop = before.get(name, _MISSING)
        new_label, new, new_prop = after.get(name, _MISSING)
        if _is_same(old, new):
            continue
        prop = new_prop or old_prop
        label = excerpt(new_label or old_label)
        words = f"{owner.words}{SEPARATOR}{label}" if owner.words else label
        change = FieldChange((owner.name + name).removeprefix("."), words, old, new, prop)
        old_parts = _parts(old, kind_of(prop), vocabulary)
        new_parts = _parts(new, kind_of(prop), vocabulary)
        if old_parts is None or new_parts is None or type(old) is not type(new) or depth >= MAX_DEPTH:
            yield change
            continue
        if isinstance(new, list):
            yield from _order_change(change, old_parts, new_parts)
        yield from _changes(old_parts, new_parts, change, vocabulary, depth + 1)


def _order_change(
    change: FieldChange, before: dict[str, ViewMember], after: dict[str, ViewMember]
) -> Iterator[FieldChange]:
    """Yield a change if the common elements of two lists have another order."""
    old = [name for name in before if name in after]
    new = [name for name in after if name in before]
    if old != new:
        orders = [before[name][0] for name in old], [after[name][0] for name in new]
        yield FieldChange(f"order of {change.name}", f"order of {change.words}", *orders, None)


def _parts(value: object, kind: Kind | None, vocabulary: Vocabulary) -> dict[str, ViewMember] | None:
    """Return the properties of an object, or the elements of a list by their names; None for anything else."""
    if isinstance(value, dict):
        return _by_name(members_of(value, object_shape(kind)))
    items = item_kind(kind)
    if not isinstance(value, list) or not isinstance(items, ObjectKind):
        return None
    naming = _naming_prop(items.shape)
    parts: dict[str, ViewMember] = {}
    for element in value:
        name = element.get(naming.name) if naming is not None and isinstance(element, dict) else None
        if not isinstance(name, str) or f"[{name}]" in parts:
            return None
        label, _ = label_and_name(element, items.shape, vocabulary)
        parts[f"[{name}]"] = (label or name, element, Prop("", items, ""))
    return parts


def _by_name(members: list[ViewMember]) -> dict[str, ViewMember]:
    """Return properties by what they append to a path, such as ``.label``."""
    start = format_path(("",))
    return {format_path(("", member[0])).removeprefix(start): member for member in members}


def _naming_prop(shape: Shape) -> Prop | None:
    """Return the property that names the objects of a shape in a list: a definition, a reference, or its first text."""
    named = [prop for prop in shape.all_props if prop.defines is not None or prop.uses is not None]
    texts = [prop for prop in shape.all_props if prop.kind.json_type == "string"]
    return next(iter((*named, *texts)), None)
