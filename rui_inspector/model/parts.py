"""The parts of a large document: subtrees that a page leaves out and that are fetched when a reader opens them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rui_inspector.model.view import Node, View

MAX_COMPLETE = 60
"""Number of nodes in the first parts of a large document, which its page contains."""


def parts_left_out(view: View, opened: str = "") -> list[Node]:
    """Return the nodes whose child nodes the page of a large document leaves out.

    Args:
        view: the document.
        opened: the anchor of a part that the page contains.
    """
    left = MAX_COMPLETE
    parts = []
    for node in _parts(view):
        left -= 1 + sum(1 for _ in descendants(node))
        if left < 0 and node.nested and node.anchor != opened:
            parts.append(node)
    return parts


def find_part(view: View, anchor: str) -> Node | None:
    """Return the part with this anchor, or None."""
    return next((node for node in _parts(view) if node.anchor == anchor), None)


def descendants(node: Node) -> Iterator[Node]:
    """Yield the nodes below a node, in document order."""
    for child in node.children:
        yield child
        yield from descendants(child)


def _parts(view: View) -> Sequence[Node]:
    """Return the nodes of the first level that has several."""
    nodes = [node for nodes in view.nested.values() for node in nodes]
    while len(nodes) == 1 and nodes[0].nested:
        nodes = nodes[0].children
    return nodes
