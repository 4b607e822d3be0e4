"""Nodes → HTML: nested lists of disclosures that need no script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rui_inspector.escaping import attribute, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rui_inspector.values import ValueWriter
    from rui_inspector.view import Node

HUES = {"Page": "blue", "Section": "violet", "Metric": "green", "Text": "orange", "Table": "amber"}
OTHER_HUE, UNKNOWN_HUE = "teal", "grey"
"""The colour of a type; of those that have none here; and of those that the vocabulary does not know."""

SMALL = 150
"""Nodes of a document up to which all of it is open at first."""

OPENINGS: dict[str, Callable[[Node], bool]] = {
    "all": lambda _: True,
    "outline": lambda node: bool(node.nested),
    "pages": lambda node: "." not in node.path,
    "none": lambda _: False,
}
"""Which nodes are open, by the value of ``?open=``."""


def opening(wanted: str, count: int) -> str:
    """The name of the opening that is used: what is wanted, if there is such a one, else what suits so many nodes."""
    return wanted if wanted in OPENINGS else "all" if count <= SMALL else "outline"


def hue(type_: str, known: bool) -> str:
    """The colour of a type."""
    return HUES.get(type_, OTHER_HUE) if known else UNKNOWN_HUE


class TreeWriter:
    """Writes nodes.

    Args:
        values: writes their properties.
        is_open: whether a node is open.
        is_kept: whether a node is shown at all.
        faulty: the anchors of nodes in which something is wrong, with how much.
    """

    def __init__(
        self,
        values: ValueWriter,
        is_open: Callable[[Node], bool],
        is_kept: Callable[[Node], bool] | None = None,
        faulty: dict[str, int] | None = None,
    ) -> None:
        self._values = values
        self._is_open = is_open
        self._is_kept = is_kept
        self._faulty = faulty or {}

    def nodes(self, nodes: Iterable[Node]) -> str:
        """Nodes, without a list around them."""
        if self._is_kept is not None:
            nodes = filter(self._is_kept, nodes)
        return "".join([self._node(node) for node in nodes])

    def links(self, nodes: Iterable[Node]) -> str:
        """Links to nodes, as elements of a list."""
        link = self._values.link
        return "".join(
            [
                f'<li class="{hue(node.type, node.known)}"><span class="badge">{shown(node.type or "no type")}</span> '
                f"{link(node, node.label or node.id or node.path)}</li>"
                for node in nodes
            ]
        )

    def _node(self, node: Node) -> str:
        color = hue(node.type, node.known)
        anchor = attribute(node.anchor)
        name = self._values.name
        nested = node.nested
        told = {"id": node.id, "type": node.type, node.label_name: node.label}
        rows = self._values.rows(
            [
                member
                for member in node.members
                if member[0] not in nested and not (member[1] and told.get(member[0]) == member[1])
            ]
        )
        lines = f' data-lines="{node.line}-{node.last_line}"' if node.line else ""
        places = f' data-offset="{node.start}" data-end="{node.end}"' if node.end else ""
        line = f'<a class="line" href="#L{node.line}" aria-label="JSON line {node.line}">{node.line}</a>'
        return (
            f'<li class="node {color}{"" if nested else " leaf"}" id="{anchor}"{lines}{places}>'
            f"<details{' open' if self._is_open(node) else ''}><summary>"
            f'<span class="badge">{name(node.type) if node.type else "no type"}</span> '
            f"""{f'<span class="label" dir="auto">{name(node.label)}</span> ' if node.label else ""}"""
            f"""{f'<code class="id">{name(node.id)}</code>' if node.id else ""}{self._faults(node)}</summary>"""
            f'<div class="inside"><code class="path">{name(node.path)}</code>{rows}'
            f'{self._inside(node) if nested else ""}</div></details><p class="marks">{line if node.line else ""}'
            f'<a class="anchor" href="#{anchor}" aria-label="Link to {anchor}">#</a></p></li>'
        )

    def _faults(self, node: Node) -> str:
        count = self._faulty.get(node.anchor) if self._faulty else 0
        return f' <span class="faults">{count} {"error" if count == 1 else "errors"}</span>' if count else ""

    def _inside(self, node: Node) -> str:
        """The nodes in a node, side by side if they stand so."""
        layout = " row" if node.is_row else ""
        parts = []
        for name, below in node.nested.items():
            title = "" if len(node.nested) == 1 else f'<p class="name">{shown(name)}</p>'
            parts.append(f'{title}<ol class="tree{layout}">{self.nodes(below)}</ol>')
        return "".join(parts)
