"""The members of a text with their declarations, in text order."""

from collections.abc import Iterator
from typing import NamedTuple

from rui_common.nodes.node import Node, NodeTree
from rui_common.syntax.tree import Member
from rui_common.vocabulary.schema import Kind, Prop


class DeclaredMember(NamedTuple):
    """A member of a text that the vocabulary declares."""

    member: Member  # its position in the text
    value: object  # its value
    kind: Kind  # the kind of value that is declared for it
    prop: Prop | None  # the declaration of the property; None for elements
    owner: Node  # the object or array that contains it
    node: Node | None  # its node; None for scalars, and for values that are not read


def declared_members(tree: NodeTree, node: Node, member: Member) -> Iterator[DeclaredMember]:
    """Yield the declared members of an object or array in text order.

    Members without a value are left out, and so are those that a later one of the same name overrides.
    """
    members = member.members()
    if members is None:
        return
    children = {child.step: child for child in tree.children(node)}
    is_array = isinstance(node.value, list)
    for inner in members if is_array else members.all():  # `get` walks all properties
        step = inner.step
        kind = node.kind_of(step)
        if kind is None or not node.has(step):
            continue
        if is_array or members.get(step, unique=False) is inner:
            yield DeclaredMember(inner, node.get(step), kind, node.prop_of(step), node, children.get(step))
