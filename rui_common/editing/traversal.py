"""Traversal of a document from top to bottom, with the declaration of each member."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rui_common.syntax.document import Document
from rui_common.syntax.tree import Member
from rui_common.vocabulary.kinds import ListKind, ObjectKind
from rui_common.vocabulary.schema import Kind, Prop, Shape, Vocabulary


class TypedMember(NamedTuple):
    """A member of a document, its value, and its declaration.

    Attributes:
        member: its position in the text.
        step: its key or index.
        value: its value.
        kind: the kind of the value.
        owner: the shape of the object that it is a property of; None for the root and for elements.
        prop: the declaration of that property; None for the root and for elements.
    """

    member: Member
    step: str | int
    value: object
    kind: Kind
    owner: Shape | None
    prop: Prop | None

    @property
    def start(self) -> int:
        """The offset of the value in the text."""
        return self.member.start

    @property
    def end(self) -> int:
        """The offset after the value."""
        return self.member.end


def typed_root(document: Document, vocabulary: Vocabulary) -> TypedMember | None:
    """The root of a document; None if the text is empty."""
    root = document.find(())
    if root is None or root.is_missing:
        return None
    return TypedMember(root, "", document.value, ObjectKind(vocabulary.root), None, None)


def typed_children(parent: TypedMember, shape: Shape | None) -> Iterator[TypedMember]:
    """The declared members of an object or array in text order.

    Members without a value are left out, and so are those that a later one of the same name overrides.

    Args:
        parent: the object or array; other values have no members.
        shape: the shape of the object, as from `rui_common.vocabulary.lookup.shape_of`.
    """
    members = parent.member.members()
    value = parent.value
    if members is None:
        return
    for inner in members if isinstance(value, list) else tuple(members):  # `get` walks all properties
        step = inner.step
        if inner.is_missing:
            continue
        if isinstance(step, int):
            if isinstance(parent.kind, ListKind) and isinstance(value, list) and step < len(value):
                yield TypedMember(inner, step, value[step], parent.kind.items, None, None)
        elif shape is not None and isinstance(value, dict) and step in value:
            prop = shape.prop(step)
            if prop is not None and members.get(step, unique=False) is inner:
                yield TypedMember(inner, step, value[step], prop.kind, shape, prop)


def label_of(value: object, shape: Shape | None) -> str:
    """The display name of an object on one line: its label or another free text; ``""`` if it has none."""
    if not isinstance(value, dict) or shape is None:
        return ""
    for prop in shape.words:
        label = value.get(prop.name)
        if isinstance(label, str) and label.strip():
            return " ".join(label.split())
    return ""
