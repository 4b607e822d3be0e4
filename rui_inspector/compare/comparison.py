"""Compare two documents: added, removed, changed and moved nodes, by id, and what they mean for data and screens."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from enum import Enum
from typing import NamedTuple

from rui_inspector.compare.fields import FieldChange, field_changes
from rui_inspector.model.view import Node, View


class ChangeKind(Enum):
    """What happened to a node, a page or an endpoint."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"

    @property
    def sign(self) -> str:
        """The character that marks it."""
        return {"added": "+", "removed": "−", "changed": "~", "moved": "↕"}[self.value]


@dataclass(eq=False)
class NodeChange:
    """A node that differs; `before` or `after` is None if the document lacks it.

    A node has moved if it has another parent, or another position among its siblings. Nodes inside of added and removed
    nodes have no change of their own.
    """

    before: Node | None
    after: Node | None
    fields: list[FieldChange] = field(default_factory=list)
    is_moved: bool = False

    @property
    def sides(self) -> list[Node]:
        """The node in the documents that have it, the second one first."""
        return [node for node in (self.after, self.before) if node is not None]

    @property
    def node(self) -> Node:
        """The node in the second document, else in the first."""
        return self.sides[0]

    @property
    def kinds(self) -> list[ChangeKind]:
        """What happened to it; a node may have moved and changed."""
        if self.before is None:
            return [ChangeKind.ADDED]
        if self.after is None:
            return [ChangeKind.REMOVED]
        kinds = []
        if self.fields:
            kinds.append(ChangeKind.CHANGED)
        if self.is_moved:
            kinds.append(ChangeKind.MOVED)
        return kinds


@dataclass(eq=False)
class ScreenChange:
    """A node directly below the root, such as a page, with its own change and the changes of nodes in it.

    `before` or `after` is None if the document lacks it. Of the changes, those in the second document come first.
    """

    before: Node | None
    after: Node | None
    own: NodeChange | None = None
    changes: list[NodeChange] = field(default_factory=list)

    @property
    def node(self) -> Node:
        """The node in the second document, else in the first."""
        node = self.after or self.before
        assert node is not None  # noqa: S101  a screen is in one of them
        return node

    @property
    def kinds(self) -> list[ChangeKind]:
        """What happened to it; empty if it is the same in both documents."""
        kinds = []
        if self.own is not None:
            kinds = self.own.kinds
        if self.changes and self.before is not None and self.after is not None:
            return list(dict.fromkeys((ChangeKind.CHANGED, *kinds)))
        return kinds


class UseChange(NamedTuple):
    """A node that reads an endpoint in another way.

    Attributes:
        node: the node in the second document, else in the first.
        before: the paths to its data in the response that it no longer reads; ``""`` for the whole response.
        after: those that it reads now.
    """

    node: Node
    before: list[str]
    after: list[str]


class EndpointChange(NamedTuple):
    """An endpoint that is not used in the same way: added, removed (no longer read) or changed."""

    kind: ChangeKind
    method: str
    path: str
    uses: list[UseChange]


@dataclass(eq=False)
class Comparison:
    """The differences between two documents.

    Attributes:
        before: the first document.
        after: the second document.
        pairs: node of the first document → the same node in the second.
        origins: node of the second document → the same node in the first.
        root: changed properties outside of nodes: version, meta, navigation.
        nodes: nodes that differ, in the order of the second document; removed ones last.
        endpoints: endpoints that are not used in the same way.
        screens: all screens of both documents, removed ones last.
    """

    before: View
    after: View
    pairs: dict[Node, Node]
    origins: dict[Node, Node]
    root: list[FieldChange] = field(default_factory=list)
    nodes: list[NodeChange] = field(default_factory=list)
    endpoints: list[EndpointChange] = field(default_factory=list)
    screens: list[ScreenChange] = field(default_factory=list)

    @property
    def is_same(self) -> bool:
        """Whether both documents have the same content."""
        return not self.root and not self.nodes


def compare(before: View, after: View) -> Comparison:
    """Return the differences between two documents. A node without a unique id is identified by its path."""
    new_nodes = _by_key(after)
    pairs = {node: new_nodes[key] for key, node in _by_key(before).items() if key in new_nodes}
    comparison = Comparison(before, after, pairs, {new: old for old, new in pairs.items()})
    comparison.root = field_changes(before, after, after.vocabulary)
    comparison.nodes = _node_changes(comparison)
    comparison.endpoints = _endpoint_changes(comparison)
    comparison.screens = _screens(comparison)
    return comparison


def top_of(node: Node) -> Node:
    """Return the node directly below the root that contains a node, such as its page."""
    return [node, *node.ancestors()][-1]


def _by_key(view: View) -> dict[Hashable, Node]:
    """Return id → node; the key of a node without an own id is a tuple with its path."""
    nodes: dict[Hashable, Node] = {}
    for node in view.nodes:
        key: Hashable = node.id
        if not node.id or node.id in nodes:
            key = (node.path,)
        nodes[key] = node
    return nodes


def _node_changes(comparison: Comparison) -> list[NodeChange]:
    before = comparison.before
    after = comparison.after
    moved = _moved(comparison)
    changes = []
    for new in after.nodes:
        old = comparison.origins.get(new)
        if old is not None:
            fields = field_changes(old, new, after.vocabulary)
            if fields or new in moved:
                changes.append(NodeChange(old, new, fields, new in moved))
        elif new.parent is None or new.parent in comparison.origins:
            changes.append(NodeChange(None, new))
    removed = [node for node in before.nodes if node not in comparison.pairs]
    tops = [node for node in removed if node.parent is None or node.parent in comparison.pairs]
    return [*changes, *(NodeChange(node, None) for node in tops)]


def _moved(comparison: Comparison) -> set[Node]:
    """Return the nodes with another parent, and those that explain a different order in the same parent."""
    moved: set[Node] = set()
    siblings: dict[Node | None, list[Node]] = defaultdict(list)
    for new, old in comparison.origins.items():
        if _has_same_parent(comparison, old, new):
            siblings[new.parent].append(new)
        else:
            moved.add(new)
    positions = {node: index for index, node in enumerate(comparison.after.nodes)}
    for old_order in siblings.values():  # in the order of the first document, as the pairs are
        new_order = sorted(old_order, key=positions.__getitem__)
        for tag, start, end, _, _ in SequenceMatcher(None, old_order, new_order, autojunk=False).get_opcodes():
            if tag in ("delete", "replace"):
                moved.update(old_order[start:end])
    return moved


def _has_same_parent(comparison: Comparison, old: Node, new: Node) -> bool:
    if old.parent is None or new.parent is None:
        return old.parent is new.parent
    return comparison.pairs.get(old.parent) is new.parent


def _endpoint_changes(comparison: Comparison) -> list[EndpointChange]:
    """Return the changed endpoints in the order of their first use in the second document, removed ones last."""
    old_uses = _uses(comparison.before, comparison.pairs)
    new_uses = _uses(comparison.after, {})
    changes = []
    for key in dict.fromkeys((*new_uses, *old_uses)):
        old = old_uses.get(key, {})
        new = new_uses.get(key, {})
        uses = []
        for node in dict.fromkeys((*new, *old)):
            dropped = [select for select in old.get(node, ()) if select not in new.get(node, ())]
            added = [select for select in new.get(node, ()) if select not in old.get(node, ())]
            if dropped or added:
                uses.append(UseChange(node, dropped, added))
        kind = ChangeKind.CHANGED
        if not old:
            kind = ChangeKind.ADDED
        elif not new:
            kind = ChangeKind.REMOVED
        if uses:
            changes.append(EndpointChange(kind, *key, uses))
    return changes


def _uses(view: View, pairs: dict[Node, Node]) -> dict[tuple[str, str], dict[Node, list[str]]]:
    """Return endpoint → node, in the second document if it is there, → the paths that it reads."""
    uses: dict[tuple[str, str], dict[Node, list[str]]] = defaultdict(lambda: defaultdict(list))
    for node, request in view.requests:
        uses[request.method, request.path][pairs.get(node, node)].append(request.select)
    return uses


def _screens(comparison: Comparison) -> list[ScreenChange]:
    """Return all screens. A node that left its screen is a change of both screens."""
    screens: dict[Node, ScreenChange] = {}
    for top in comparison.after.tops:
        screens[top] = ScreenChange(None, top)
    for top in comparison.before.tops:
        new = comparison.pairs.get(top)
        if new in screens:
            screens[new].before = top
            screens[top] = screens[new]
        else:
            screens[top] = ScreenChange(top, None)
    for change in comparison.nodes:
        for screen in dict.fromkeys(screens[top_of(node)] for node in change.sides):
            if screen.before in change.sides or screen.after in change.sides:
                screen.own = change
            else:
                screen.changes.append(change)
    return list(dict.fromkeys(screens.values()))
