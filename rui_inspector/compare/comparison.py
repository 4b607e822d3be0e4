"""Compare two documents: added, removed, changed and moved nodes, by id, and what they mean for data and screens."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from enum import Enum
from typing import NamedTuple

from rui_inspector.compare.fields import FieldChange, field_changes
from rui_inspector.model.view import View, ViewNode


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
    """A node in both documents; `before` or `after` is None if the document lacks it.

    A node has moved if it has another parent, or another position among its siblings. Nodes inside of added and removed
    nodes have no change of their own.

    Attributes:
        inner: of a node directly below the root, such as a page: the changes of nodes in it.
    """

    before: ViewNode | None
    after: ViewNode | None
    fields: list[FieldChange] = field(default_factory=list)
    is_moved: bool = False
    inner: list[NodeChange] = field(default_factory=list)

    @property
    def sides(self) -> list[ViewNode]:
        """The node in the documents that have it, the second one first."""
        return [node for node in (self.after, self.before) if node is not None]

    @property
    def node(self) -> ViewNode:
        """The node in the second document, else in the first."""
        return self.sides[0]

    @property
    def kinds(self) -> list[ChangeKind]:
        """What happened to it; a node may have moved and changed. Empty if it is the same in both documents."""
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

    @property
    def screen_kinds(self) -> list[ChangeKind]:
        """What happened to it or to nodes in it."""
        if self.inner and len(self.sides) == 2:
            return list(dict.fromkeys((ChangeKind.CHANGED, *self.kinds)))
        return self.kinds


class UseChange(NamedTuple):
    """A node that reads an endpoint in another way.

    Attributes:
        node: the node in the second document, else in the first.
        before: the paths to its data in the response that it no longer reads; ``""`` for the whole response.
        after: those that it reads now.
    """

    node: ViewNode
    before: list[str]
    after: list[str]


class EndpointChange(NamedTuple):
    """An endpoint that is not used in the same way: added, removed (no longer read) or changed."""

    kind: ChangeKind
    method: str
    path: str
    uses: list[UseChange]


class Comparison(NamedTuple):
    """The differences between two documents.

    Attributes:
        before: the first document.
        after: the second document.
        matches: node → the same node in the other document.
        root: changed properties outside of nodes: version, meta, navigation.
        nodes: nodes that differ, in the order of the second document; removed ones last.
        endpoints: endpoints that are not used in the same way.
        screens: the nodes directly below the root of both documents, also without a difference; removed ones last.
    """

    before: View
    after: View
    matches: Mapping[ViewNode, ViewNode]
    root: list[FieldChange]
    nodes: list[NodeChange]
    endpoints: list[EndpointChange]
    screens: list[NodeChange]

    @property
    def is_same(self) -> bool:
        """Whether both documents have the same content."""
        return not self.root and not self.nodes


def compare(before: View, after: View) -> Comparison:
    """Return the differences between two documents. A node without a unique id is identified by its path."""
    matches: dict[ViewNode, ViewNode] = {}
    new_nodes = _by_key(after)
    for key, node in _by_key(before).items():
        if key in new_nodes:
            matches[new_nodes[key]] = node
            matches[node] = new_nodes[key]
    parents = {None: None} | matches
    moved = _moved(before, after, parents)
    changes = []
    for new in after.nodes:
        old = matches.get(new)
        fields = field_changes(old, new, after.vocabulary) if old is not None else []
        changes.append(NodeChange(old, new, fields, new in moved))
    changes += [NodeChange(old, None) for old in before.nodes if old not in matches]
    nodes = [one for one in changes if one.kinds and (len(one.sides) == 2 or one.node.parent in parents)]
    screens = {node: one for one in changes if one.node.parent is None for node in one.sides}
    for change in nodes:
        for screen in dict.fromkeys(screens.get(top_of(node)) for node in change.sides):
            if screen is not None and screen is not change:
                screen.inner.append(change)
    return Comparison(
        before, after, matches, field_changes(before, after, after.vocabulary), nodes,
        _endpoint_changes(before, after, matches), list(dict.fromkeys(screens.values())),
    )  # fmt: skip


def top_of(node: ViewNode) -> ViewNode:
    """Return the node directly below the root that contains a node, such as its page."""
    return [node, *node.ancestors()][-1]


def _by_key(view: View) -> dict[Hashable, ViewNode]:
    """Return id → node; the key of a node without an own id is a tuple with its path."""
    nodes: dict[Hashable, ViewNode] = {}
    for node in view.nodes:
        key: Hashable = node.id
        if not node.id or node.id in nodes:
            key = (node.path,)
        nodes[key] = node
    return nodes


def _moved(before: View, after: View, parents: Mapping[ViewNode | None, ViewNode | None]) -> set[ViewNode]:
    """Return the nodes with another parent, and those that explain a different order in the same parent.

    `parents` are the matches; None, the parent of pages, is the same in both documents.
    """
    moved: set[ViewNode] = set()
    siblings: dict[ViewNode | None, list[ViewNode]] = defaultdict(list)
    for old in before.nodes:
        new = parents.get(old)
        if new is None:
            continue
        if parents.get(old.parent, old) is new.parent:
            siblings[new.parent].append(new)
        else:
            moved.add(new)
    positions = {node: index for index, node in enumerate(after.nodes)}
    for old_order in siblings.values():
        new_order = sorted(old_order, key=positions.__getitem__)
        for tag, start, end, _, _ in SequenceMatcher(None, old_order, new_order, autojunk=False).get_opcodes():
            if tag in ("delete", "replace"):
                moved.update(old_order[start:end])
    return moved


def _endpoint_changes(before: View, after: View, matches: Mapping[ViewNode, ViewNode]) -> list[EndpointChange]:
    """Return the changed endpoints in the order of their first use in the second document, removed ones last."""
    endpoints: dict[tuple[str, str], dict[ViewNode, UseChange]] = defaultdict(dict)
    for node, request in after.requests:
        nodes = endpoints[request.method, request.path]
        nodes.setdefault(node, UseChange(node, [], [])).after.append(request.select)
    for old, request in before.requests:
        node = matches.get(old, old)
        nodes = endpoints[request.method, request.path]
        nodes.setdefault(node, UseChange(node, [], [])).before.append(request.select)
    changes = []
    for endpoint, nodes in endpoints.items():
        uses = []
        for node, before_paths, after_paths in nodes.values():
            dropped = [path for path in before_paths if path not in after_paths]
            added = [path for path in after_paths if path not in before_paths]
            if dropped or added:
                uses.append(UseChange(node, dropped, added))
        kind = ChangeKind.CHANGED
        if not any(use.before for use in nodes.values()):
            kind = ChangeKind.ADDED
        elif not any(use.after for use in nodes.values()):
            kind = ChangeKind.REMOVED
        if uses:
            changes.append(EndpointChange(kind, *endpoint, uses))
    return changes
