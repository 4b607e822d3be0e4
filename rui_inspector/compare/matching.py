"""Find the nodes that are in both documents: by their ids, and for changed ids by content and place."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

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

    def add(self, before: Node, after: Node) -> None:
        """Add a pair."""
        self.after[before] = after
        self.before[after] = before

    @property
    def changed_ids(self) -> dict[str, str]:
        """Old id → new id."""
        return {old.id: new.id for old, new in self.after.items() if old.id and old.id != new.id}


def match(before: NodeTree, after: NodeTree) -> Pairs:
    """Return the pairs of nodes.

    Nodes with the same id are a pair; an id that is not unique counts for its first node. Of the others, nodes of the
    same type in the same parent are a pair if they have the same content, label, requests or most of their child nodes.
    The last resort of a node without an own id is its path.
    """
    pairs = Pairs()
    old_keys = _keys(before)
    new_keys = _keys(after)
    for key, old in old_keys.items():
        if isinstance(key, str) and key in new_keys:
            pairs.add(old, new_keys[key])
    _match_siblings(before.tops, after.tops, after.parents, pairs)
    for old in before.view.nodes:  # parents come before their children
        new = pairs.after.get(old)
        if new is not None:
            _match_siblings(old.children, new.children, after.parents, pairs)
    for key, old in old_keys.items():
        if old not in pairs.after and key in new_keys and new_keys[key] not in pairs.before:
            pairs.add(old, new_keys[key])
    return pairs


def _keys(tree: NodeTree) -> dict[Hashable, Node]:
    """Return id → node; the key of a node without an own id is a tuple with its path."""
    keys: dict[Hashable, Node] = {}
    for node in tree.view.nodes:
        key: Hashable = node.id
        if not node.id or node.id in keys:
            key = (node.path,)
        keys[key] = node
    return keys


def _match_siblings(
    before: Sequence[Node], after: Sequence[Node], parents: Mapping[Node, Node | None], pairs: Pairs
) -> None:
    """Add pairs of nodes with other ids, the strongest evidence first."""
    for evidence in (_content, _label, _requests):
        old_nodes = [node for node in before if node not in pairs.after]
        new_nodes = [node for node in after if node not in pairs.before]
        if not old_nodes or not new_nodes:
            return
        _match_by(evidence, old_nodes, new_nodes, pairs)
    siblings = set(after)
    for old in before:
        if old not in pairs.after:
            _match_by_children(old, siblings, parents, pairs)


def _match_by(
    evidence: Callable[[Node], Hashable], before: Iterable[Node], after: Iterable[Node], pairs: Pairs
) -> None:
    """Add pairs of nodes with the same evidence; of several with the same, the first ones are a pair."""
    found: dict[Hashable, list[Node]] = {}
    for new in after:
        found.setdefault(evidence(new), []).append(new)
    for old in before:
        key = evidence(old)
        if key is not None and found.get(key):
            pairs.add(old, found[key].pop(0))


def _content(node: Node) -> Hashable:
    """Return type and content without the id."""
    if not isinstance(node.value, dict):
        return None
    return node.type, canonical({name: value for name, value in node.value.items() if name != "id"})


def _label(node: Node) -> Hashable:
    return (node.type, node.label) if node.label else None


def _requests(node: Node) -> Hashable:
    return (node.type, tuple(node.requests)) if node.requests else None


def _match_by_children(old: Node, siblings: set[Node], parents: Mapping[Node, Node | None], pairs: Pairs) -> None:
    """Pair a node with the sibling that contains more than half of its child nodes."""
    new_parents = Counter(parents[pairs.after[child]] for child in old.children if child in pairs.after)
    for new, count in new_parents.most_common(1):
        if new is None or new not in siblings or new in pairs.before:
            return
        if new.type == old.type and 2 * count > max(len(old.children), len(new.children)):
            pairs.add(old, new)


def canonical(value: object) -> str:
    """Return a value as JSON; equal for equal values: true is not 1, and properties have no order."""
    return json.dumps(value, sort_keys=True)
