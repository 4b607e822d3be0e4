"""The nodes of a document with their parents, and their places in words."""

from __future__ import annotations

from collections.abc import Iterator

from rui_common.vocabulary.schema import CONTENT
from rui_inspector.escape import shorten
from rui_inspector.model.shape_layouts import item_kind, kind_of, object_shape
from rui_inspector.model.view import Node, View, text_of

SEPARATOR = " › "
MAX_QUOTED = 48
"""Maximum number of characters of a text that names a node."""


class NodeTree:
    """The nodes of a document.

    Attributes:
        view: the document.
        parents: node → its parent; None directly below the root.
        order: node → its position in document order.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.parents: dict[Node, Node | None] = dict.fromkeys(self.tops)
        for node in view.nodes:
            for child in node.children:
                self.parents[child] = node
        self._indexes = {child: index for node in view.nodes for index, child in enumerate(node.children)}
        self._indexes.update({node: index for index, node in enumerate(self.tops)})
        self.order = {node: index for index, node in enumerate(view.nodes)}

    @property
    def tops(self) -> list[Node]:
        """The nodes directly below the root, such as pages."""
        return [node for nodes in self.view.nested.values() for node in nodes]

    def previous(self, node: Node) -> Node | None:
        """Return the sibling before a node; None for the first node."""
        index = self._indexes[node]
        if index == 0:
            return None
        parent = self.parents[node]
        siblings = self.tops if parent is None else parent.children
        return siblings[index - 1]

    def top(self, node: Node) -> Node:
        """Return the node directly below the root that contains a node, such as its page."""
        for top in self._upwards(node):
            node = top
        return node

    def place(self, node: Node) -> str:
        """Return the place of a node in words, such as ``Staff › Training``; ancestors without a label are left out."""
        nodes = [one for one in self._upwards(node) if one is node or one.label or self.parents[one] is None]
        return SEPARATOR.join([name_of(one) for one in reversed(nodes)])

    def parent_place(self, node: Node) -> str:
        """Return the place of the parent in words; ``""`` directly below the root."""
        parent = self.parents[node]
        return "" if parent is None else self.place(parent)

    def _upwards(self, node: Node | None) -> Iterator[Node]:
        """Yield a node and its ancestors."""
        while node is not None:
            yield node
            node = self.parents[node]


def name_of(node: Node) -> str:
    """Return the name of a node for people: its label, else its text, else type and id, else its path."""
    if node.label.strip():
        return " ".join(shorten(node.label).split())
    text = " ".join(content_of(node).split())
    if len(text) > MAX_QUOTED:
        return f"“{text[:MAX_QUOTED].rstrip()}…”"
    if text:
        return f"“{text}”"
    if node.id:
        return shorten(f"{node.type} {node.id}".strip())
    return f"{shorten(node.type)} {node.path}".strip()


def content_of(node: Node) -> str:
    """Return the text that a node shows, or ``""``."""
    for _, value, prop in node.members:
        if prop is not None and prop.role == CONTENT and isinstance(value, str):
            return value
    return ""


def defined_names(node: Node) -> list[str]:
    """Return the names that the elements of a node's lists define, such as the keys of columns."""
    names: list[str] = []
    for _, value, prop in node.members:
        shape = object_shape(item_kind(kind_of(prop)))
        if shape is None or not isinstance(value, list):
            continue
        defining = [inner.name for inner in shape.props.values() if inner.defines is not None]
        names += [text_of(element, name) for element in value for name in defining]
    return list(dict.fromkeys(name for name in names if name))
