"""Compare two documents: added, removed, changed and moved nodes, and what they mean for data and screens."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

from rui_inspector.compare.endpoints import EndpointChange, endpoint_changes
from rui_inspector.compare.kinds import ChangeKind
from rui_inspector.compare.matching import Pairs, match
from rui_inspector.compare.nodes import NodeTree, name_of
from rui_inspector.compare.properties import Change, PropertyComparer
from rui_inspector.model.view import Node, View


@dataclass(slots=True, eq=False)
class NodeChange:
    """A node that differs; nodes inside of added and removed nodes are counted, not listed.

    Attributes:
        before: the node in the first document, or None.
        after: the node in the second document, or None.
        properties: its changed properties.
        is_moved: whether it has another parent, or another position among its siblings.
        is_within: whether it is still in the same parent.
        inner_count: the number of nodes inside that are added or removed with it.
    """

    before: Node | None
    after: Node | None
    properties: list[Change] = field(default_factory=list)
    is_moved: bool = False
    is_within: bool = True
    inner_count: int = 0

    @property
    def node(self) -> Node:
        """The node in the second document, else in the first."""
        node = self.after or self.before
        assert node is not None  # noqa: S101  a change has one of them
        return node

    @property
    def kinds(self) -> list[ChangeKind]:
        """What happened to it; a node may have moved and changed."""
        if self.before is None:
            return [ChangeKind.ADDED]
        if self.after is None:
            return [ChangeKind.REMOVED]
        kinds = []
        if self.properties:
            kinds.append(ChangeKind.CHANGED)
        if self.is_moved:
            kinds.append(ChangeKind.MOVED)
        return kinds


@dataclass(slots=True)
class ScreenChange:
    """A node directly below the root, such as a page, with the changes in it.

    Attributes:
        before: the node in the first document, or None.
        after: the node in the second document, or None.
        own: the change of the node itself, or None.
        changes: the changes of nodes in it, in document order.
        departed: nodes that are in another screen of the second document.
    """

    before: Node | None
    after: Node | None
    own: NodeChange | None = None
    changes: list[NodeChange] = field(default_factory=list)
    departed: list[NodeChange] = field(default_factory=list)

    @property
    def node(self) -> Node:
        """The node in the second document, else in the first."""
        node = self.after or self.before
        assert node is not None  # noqa: S101  a screen is in one of them
        return node

    @property
    def kinds(self) -> list[ChangeKind]:
        """What happened to it; empty if it is the same in both documents."""
        kinds = [] if self.own is None else self.own.kinds
        if (self.changes or self.departed) and self.before is not None and self.after is not None:
            kinds = list(dict.fromkeys((ChangeKind.CHANGED, *kinds)))
        return kinds


@dataclass(slots=True)
class Comparison:
    """The differences between two documents.

    Attributes:
        before: the nodes of the first document.
        after: the nodes of the second document.
        pairs: the nodes that are in both.
        root: changes outside of nodes: version, meta, navigation.
        nodes: nodes that differ, in the order of the second document; removed ones follow the node before them.
        endpoints: endpoints that are not used in the same way.
        screens: all screens of both documents.
    """

    before: NodeTree
    after: NodeTree
    pairs: Pairs
    root: list[Change] = field(default_factory=list)
    nodes: list[NodeChange] = field(default_factory=list)
    endpoints: list[EndpointChange] = field(default_factory=list)
    screens: list[ScreenChange] = field(default_factory=list)

    @property
    def is_same(self) -> bool:
        """Whether both documents have the same content."""
        return not self.root and not self.nodes

    def of_kind(self, kind: ChangeKind) -> list[NodeChange]:
        """Return the nodes to which this happened."""
        return [change for change in self.nodes if kind in change.kinds]

    def place(self, node: Node) -> str:
        """Return the place of a node of either document in words."""
        return self.tree_of(node).place(node)

    def tree_of(self, node: Node) -> NodeTree:
        """Return the document that contains a node."""
        return self.after if node in self.after.parents else self.before

    def move_text(self, change: NodeChange) -> str:
        """Return where a moved node was and is, such as ``moved from Today › Figures to Stock``."""
        assert change.before is not None  # noqa: S101
        assert change.after is not None  # noqa: S101
        if not change.is_within:
            origin = self.before.parent_place(change.before) or "the top"
            target = self.after.parent_place(change.after) or "the top"
            if origin == target:
                return f"moved to another group of {target}"
            return f"moved from {origin} to {target}"
        previous = self.after.previous(change.after)
        if previous is None:
            return "moved to the first position"
        return f"moved to the position after {name_of(previous)}"


def compare(before: View, after: View) -> Comparison:
    """Return the differences between two documents."""
    old = NodeTree(before)
    new = NodeTree(after)
    pairs = match(old, new)
    comparer = PropertyComparer(after)
    moved = _moved(old, new, pairs)
    changes: list[NodeChange] = []
    for old_node, new_node in pairs.after.items():
        properties = comparer.changes(old_node, new_node)
        if properties or new_node in moved:
            is_within = _is_within(old_node, new_node, old, new, pairs)
            changes.append(NodeChange(old_node, new_node, properties, new_node in moved, is_within))
    changes += [NodeChange(None, node, inner_count=count) for node, count in _only_in(new, pairs.before).items()]
    changes += [NodeChange(node, None, inner_count=count) for node, count in _only_in(old, pairs.after).items()]
    changes.sort(key=_Positions(old, new, pairs).of)
    comparison = Comparison(old, new, pairs, comparer.changes(before, after), changes)
    comparison.endpoints = endpoint_changes(before, after, pairs)
    comparison.screens = _screens(comparison)
    return comparison


def _is_within(old_node: Node, new_node: Node, before: NodeTree, after: NodeTree, pairs: Pairs) -> bool:
    """Return whether a node has the same parent in both documents."""
    old_parent = before.parents[old_node]
    new_parent = after.parents[new_node]
    if old_parent is None or new_parent is None:
        return old_parent is new_parent
    return pairs.after.get(old_parent) is new_parent


def _only_in(tree: NodeTree, counterparts: dict[Node, Node]) -> dict[Node, int]:
    """Return the topmost nodes without a counterpart, each with the number of such nodes in it."""
    inner_counts: dict[Node, int] = {}
    tops: dict[Node, Node] = {}
    for node in tree.view.nodes:  # parents come before their children
        if node in counterparts:
            continue
        parent = tree.parents[node]
        if parent is None or parent not in tops:
            tops[node] = node
            inner_counts[node] = 0
        else:
            tops[node] = tops[parent]
            inner_counts[tops[parent]] += 1
    return inner_counts


def _moved(before: NodeTree, after: NodeTree, pairs: Pairs) -> set[Node]:
    """Return nodes with another parent, and the fewest nodes that explain a different order in the same parent."""
    moved: set[Node] = set()
    siblings: dict[Node | None, list[Node]] = {}
    for node in after.view.nodes:
        old = pairs.before.get(node)
        if old is None:
            continue
        if _is_within(old, node, before, after, pairs):
            siblings.setdefault(after.parents[node], []).append(node)
        else:
            moved.add(node)
    for nodes in siblings.values():
        positions = {node: before.order[pairs.before[node]] for node in nodes}
        in_order = _longest_increasing_subsequence(list(positions.values()))
        moved.update(node for node, position in positions.items() if position not in in_order)
    return moved


def _longest_increasing_subsequence(numbers: Sequence[int]) -> set[int]:
    """Return the members of a longest increasing subsequence of distinct numbers."""
    smallest_ends: list[int] = []  # by length of the subsequence
    previous: dict[int, int | None] = {}
    for number in numbers:
        length = bisect_left(smallest_ends, number)
        previous[number] = smallest_ends[length - 1] if length else None
        smallest_ends[length : length + 1] = [number]
    members: set[int] = set()
    member = smallest_ends[-1] if smallest_ends else None
    while member is not None:
        members.add(member)
        member = previous[member]
    return members


class _Positions:
    """The positions of changes in the second document; a removed node follows the node before it."""

    def __init__(self, before: NodeTree, after: NodeTree, pairs: Pairs) -> None:
        self._after = after.order
        self._removed: dict[Node, int] = {}
        last = -1
        for node in before.view.nodes:
            if node in pairs.after:
                last = after.order[pairs.after[node]]
            self._removed[node] = last

    def of(self, change: NodeChange | ScreenChange) -> tuple[int, int]:
        """Return a sort key."""
        if change.after is not None:
            return self._after[change.after], 0
        assert change.before is not None  # noqa: S101  a change has one of them
        return self._removed[change.before], 1


def _screens(comparison: Comparison) -> list[ScreenChange]:
    """Return all screens in the order of the second document; removed ones follow the screen before them."""
    before = comparison.before
    after = comparison.after
    pairs = comparison.pairs
    screens: dict[Node, ScreenChange] = {}
    tops = set(after.tops)
    for top in after.tops:
        screens[top] = ScreenChange(pairs.before.get(top), top)
    for change in comparison.nodes:
        if change.before is not None and before.parents[change.before] is None and change.after not in tops:
            screens[change.before] = ScreenChange(change.before, None)
    for change in comparison.nodes:
        _add_to_screen(comparison, screens, change)
    return sorted(screens.values(), key=_Positions(before, after, pairs).of)


def _add_to_screen(comparison: Comparison, screens: dict[Node, ScreenChange], change: NodeChange) -> None:
    """Add a change to the screen of the second document, and of the first if the node left it."""
    if change.node in screens:
        screens[change.node].own = change
        return
    origin = None
    if change.before is not None:
        top = comparison.before.top(change.before)
        origin = screens.get(comparison.pairs.after.get(top, top))
    if change.after is None:
        target = origin
    else:
        target = screens.get(comparison.after.top(change.after))
        if origin is not None and origin is not target:
            origin.departed.append(change)
    if target is not None:
        target.changes.append(change)
