"""Nodes → HTML: nested lists of disclosures that need no script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rui_inspector.escape import LONG, clipped, shown, writer_for
from rui_inspector.html.summary import SummaryWriter
from rui_inspector.html.values import row_writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rui_inspector.html.values import ValueWriter
    from rui_inspector.model.shape_layouts import Plan
    from rui_inspector.model.view import Node, View

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


class TreeWriter:
    """Writes nodes.

    Args:
        view: the document that they are in.
        values: writes their properties.
        is_open: whether a node is open.
        is_kept: whether a node is shown at all.
        faulty: the anchors of nodes in which something is wrong, with how much.
    """

    def __init__(
        self,
        view: View,
        values: ValueWriter,
        is_open: Callable[[Node], bool],
        is_kept: Callable[[Node], bool] | None = None,
        faulty: dict[str, int] | None = None,
    ) -> None:
        self._values = values
        self._path = values.path
        # What was searched for is shown open, so nothing is said twice.
        self._summary = SummaryWriter(view, values).summary if not values.words else _without_summary
        self._color = view.color
        self._badges: dict[tuple[str, Plan], tuple[str, str]] = {}
        self._attribute = writer_for(node.anchor for node in view.nodes)
        self._is_open = is_open
        self._is_kept = is_kept
        self._faulty = faulty or {}

    def nodes(self, nodes: Iterable[Node]) -> str:
        """Nodes, without a list around them."""
        return "".join(self.pieces(nodes))

    def pieces(self, nodes: Iterable[Node]) -> list[str]:
        """The same in pieces: to put together what is in nodes at every level costs as much as to write it."""
        pieces: list[str] = []
        self._write(nodes, pieces)
        return pieces

    def _write(self, nodes: Iterable[Node], pieces: list[str]) -> None:
        for node in nodes if self._is_kept is None else filter(self._is_kept, nodes):
            head, tail = self._around(node)
            if not node.nested:
                pieces.append(head + tail)
                continue
            pieces.append(head)
            layout = " row" if node.is_row else ""
            for name, below in node.nested.items():
                title = "" if len(node.nested) == 1 else f'<p class="name">{shown(name)}</p>'
                pieces.append(f'{title}<ol class="tree{layout}">')
                self._write(below, pieces)
                pieces.append("</ol>")
            pieces.append(tail)

    def _around(self, node: Node) -> tuple[str, str]:
        """What stands before and behind the nodes in a node."""
        written = self._values.written
        nested, line = node.nested, node.line
        anchor = self._attribute(node.anchor)
        color, badge = self._badges.get((node.type, node.plan)) or self._badge(node)
        try:
            label = f'<span class="label" dir="auto">{written[node.label]}</span> ' if node.label else ""
            name = f'<code class="id">{written[node.id]}</code>' if node.id else ""
        except TypeError:
            label, name = self._long(node)
        lines = f' data-lines="{line}-{node.last_line}"' if line else ""
        places = f' data-offset="{node.start}" data-end="{node.end}"' if node.end else ""
        mark = f'<a class="line" href="#L{line}" aria-label="JSON line {line}">{line}</a>' if line else ""
        faults = self._faults(node) if self._faulty else ""
        summary = self._summary(node)
        return (
            f'<li class="node {color}{"" if nested else " leaf"}" id="{anchor}"{lines}{places}>'
            f"<details{' open' if self._is_open(node) else ''}><summary>{badge}{label}{name}{faults}{summary}</summary>"
            f'<div class="inside"><code class="path">{self._path(node.path)}</code>{self._rows(node)}',
            f'</div></details><p class="marks">{mark}'
            f'<a class="anchor" href="#{anchor}" aria-label="Link to {anchor}">#</a></p></li>',
        )

    def _badge(self, node: Node) -> tuple[str, str]:
        """The colour of a node's type, and its name."""
        name = self._values.name(node.type) if node.type else "no type"
        found = self._color(node.type, node.known), f'<span class="badge">{name}</span> '
        self._badges[node.type, node.plan] = found
        return found

    def _long(self, node: Node) -> tuple[str, str]:
        """Label and id of a node, however long they are: a long label stands in full below."""
        name = self._values.name
        label = f'<span class="label" dir="auto">{name(clipped(node.label))}</span> ' if node.label else ""
        return label, f'<code class="id">{name(node.id)}</code>' if node.id else ""

    def _rows(self, node: Node) -> str:
        """What is in a node besides other nodes and what its summary says."""
        plan, value = node.plan, node.value
        if plan.is_usual and self._is_told(node) and len(node.nested) == len(plan.lists):
            if plan.rows is None:
                names = {"id", "type", *plan.labels[:1], *(name for name, *_ in plan.lists)}
                props = [prop for name, prop in plan.order if prop is not None and name not in names]
                plan.rows = row_writer(props)
            try:
                return plan.rows(self._values, self._values.written, value)
            except TypeError:  # something is not as it should be
                pass
        told = {"id": node.id, "type": node.type, node.label_name: clipped(node.label)}
        return self._values.rows(
            [
                member
                for member in node.members
                if member[0] not in node.nested and not (member[1] and told.get(member[0]) == member[1])
            ]
        )

    def _is_told(self, node: Node) -> bool:
        """Whether the summary says all that it can: id, type, and what is the best label for such nodes."""
        if not (node.id and node.type and node.label):
            return bool(node.id and node.type and not node.plan.labels)
        return (
            len(node.label) <= LONG and isinstance(node.value, dict) and node.value[node.plan.labels[0]] == node.label
        )

    def _faults(self, node: Node) -> str:
        count = self._faulty.get(node.anchor, 0)
        return f' <span class="faults">{count} {"error" if count == 1 else "errors"}</span>' if count else ""


def _without_summary(_: Node) -> str:
    return ""
