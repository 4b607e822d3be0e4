"""Find the nodes that are in both documents, by their ids."""

from __future__ import annotations

import json
from collections.abc import Hashable

from rui_inspector.compare.nodes import NodeTree
from rui_inspector.model.view import Node


class Pairs:
    """The nodes that are in both documents.

    Attributes:
        after: node of the first document → the same node in the second document.
        before: node of the second document → the same node in the first document.
    """

    def __init__(self) -> None:
        self.after: dict[Node, Node] = {}
        self.before: dict[Node, Node] = {}


def match(before: NodeTree, after: NodeTree) -> Pairs:
    """Return the nodes with the same id; a node without a unique id is identified by its path."""
    pairs = Pairs()
    new_nodes = _by_key(after)
    for key, old in _by_key(before).items():
        new = new_nodes.get(key)
        if new is not None:
            pairs.after[old] = new
            pairs.before[new] = old
    return pairs


def _by_key(tree: NodeTree) -> dict[Hashable, Node]:
    """Return id → node; the key of a node without an own id is a tuple with its path."""
    nodes: dict[Hashable, Node] = {}
    for node in tree.view.nodes:
        key: Hashable = node.id
        if not node.id or node.id in nodes:
            key = (node.path,)
        nodes[key] = node
    return nodes


def canonical(value: object) -> str:
    """Return a value as JSON; equal for equal values: true is not 1, and properties have no order."""
    return json.dumps(value, sort_keys=True)
