"""The part of a very large document that a preview shows: the nodes around a place in the text."""

from __future__ import annotations

from typing import NamedTuple

from rui_inspector.model.parts import descendants
from rui_inspector.model.view import Node, View

MAX_SHOWN = 1000
"""Number of nodes that a preview shows at most; of the first level at least one."""


class Excerpt(NamedTuple):
    """What is shown of a document.

    Attributes:
        start: the offset of the first shown node, in code points.
        end: the offset of the end of the last one.
        first: the number of the first shown node among those of the first level, from one.
        last: the number of the last one.
        total: the number of nodes of the first level.
    """

    start: int
    end: int
    first: int
    last: int
    total: int


def cut(view: View, focus: int, limit: int = MAX_SHOWN) -> Excerpt | None:
    """Remove the nodes of a large document that are far from an offset; None if nothing is removed.

    Args:
        view: the document; its nodes have offsets.
        focus: the offset.
        limit: the number of nodes that are kept at most.
    """
    if len(view.nodes) <= limit:
        return None
    nodes = [node for nodes in view.nested.values() for node in nodes]
    if len(nodes) < 2:
        return None
    first, last = _range(nodes, focus, limit)
    kept = set(map(id, nodes[first : last + 1]))
    nested = {name: [node for node in children if id(node) in kept] for name, children in view.nested.items()}
    view.nested = {name: children for name, children in nested.items() if children}
    view.nodes = [node for top in nodes[first : last + 1] for node in (top, *descendants(top))]
    shown = set(map(id, view.nodes))
    view.requests = [(node, request) for node, request in view.requests if id(node) in shown]
    return Excerpt(nodes[first].start, nodes[last].end, first + 1, last + 1, len(nodes))


def _range(nodes: list[Node], focus: int, limit: int) -> tuple[int, int]:
    """The indices of the first and the last kept node: the one at the offset, and its neighbours in turn."""
    sizes = [1 + sum(1 for _ in descendants(node)) for node in nodes]
    before = [index for index, node in enumerate(nodes) if node.start <= focus]
    first = last = max(before, default=0)
    left = limit - sizes[first]
    while True:
        start = (first, last)
        if first > 0 and sizes[first - 1] <= left:
            first -= 1
            left -= sizes[first]
        if last + 1 < len(nodes) and sizes[last + 1] <= left:
            last += 1
            left -= sizes[last]
        if (first, last) == start:
            return start
