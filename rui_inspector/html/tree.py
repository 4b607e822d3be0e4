"""Write nodes as HTML: nested lists of disclosures that work without a script."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from rui_inspector.escape import LONG, escape, escape_attribute, shorten
from rui_inspector.html.summary import SummaryWriter
from rui_inspector.html.values import ValueWriter, count_of
from rui_inspector.html.wireframe import ANCHOR
from rui_inspector.model.parts import descendants
from rui_inspector.model.shape_layouts import ShapeLayout
from rui_inspector.model.view import Node, View

OPENINGS: dict[str, Callable[[Node], bool]] = {
    "all": lambda _: True,
    "outline": lambda node: bool(node.nested),
    "pages": lambda node: "." not in node.path,
    "none": lambda _: False,
}
"""The predicate for open nodes, by the value of ``?open=``."""


def opening(name: str) -> str:
    """Return `name` if it is a name in `OPENINGS`, else the default: every block in a line."""
    if name in OPENINGS:
        return name
    return "outline"


class TreeWriter:
    """Writes nodes.

    Args:
        view: the document.
        values: writes their properties.
        is_open: whether a node is open.
        is_shown: whether a node is shown at all; None shows all.
        error_counts: anchor → number of errors in the node.
        drawn: the anchors of the nodes in the wireframe.
        left_out: the nodes whose child nodes are fetched when a reader opens them.
        listing: the address of the JSON listing; ``""`` if it is on the same page.
        unmatched: the anchors of the nodes whose bindings do not match the API.
    """

    def __init__(
        self,
        view: View,
        values: ValueWriter,
        is_open: Callable[[Node], bool],
        is_shown: Callable[[Node], bool] | None = None,
        error_counts: dict[str, int] | None = None,
        drawn: Collection[str] = (),
        left_out: Iterable[Node] = (),
        listing: str = "",
        unmatched: Collection[str] = (),
    ) -> None:
        self._values = values
        self._summary: Callable[[Node], str] = SummaryWriter(view, values).summary
        if values.words:  # matches are open and their properties visible: a summary would repeat them
            self._summary = _no_summary
        self._color = view.color
        self._badges: dict[ShapeLayout, tuple[str, str]] = {}
        self._is_open = is_open
        self._is_shown = is_shown
        self._error_counts = error_counts or {}
        self._drawn = drawn
        self._left_out = frozenset(id(node) for node in left_out)
        self._listing = listing
        self._unmatched = unmatched

    def nodes(self, nodes: Iterable[Node]) -> str:
        """Return nodes as list items."""
        parts: list[str] = []
        self._write(nodes, parts)
        return "".join(parts)

    def _write(self, nodes: Iterable[Node], parts: list[str]) -> None:
        """Append to one list for all levels, so that no text is copied once a level."""
        for node in nodes:
            if self._is_shown is not None and not self._is_shown(node):
                continue
            anchor = escape_attribute(node.anchor)
            parts.append(self._start(node, anchor))
            if id(node) in self._left_out:
                parts.append(_part(node, anchor))
            else:
                self._write_nested(node, parts)
            parts.append('</div></details><p class="marks">')
            if node.anchor in self._drawn:
                parts.append(f'<a href="#{ANCHOR}{anchor}" aria-label="{anchor} in the wireframe">&#9645;</a>')
            if node.line:
                href = f"{self._listing}#L{node.line}"
                parts.append(f'<a class="line" href="{href}" aria-label="JSON line {node.line}">{node.line}</a>')
            parts.append(f'<a href="#{anchor}" aria-label="Link to {anchor}">#</a></p></li>')

    def _write_nested(self, node: Node, parts: list[str]) -> None:
        for name, children in node.nested.items():
            if len(node.nested) > 1:
                parts.append(f'<p class="name">{escape(name)}</p>')
            parts.append('<ol class="tree">')
            self._write(children, parts)
            parts.append("</ol>")

    def _start(self, node: Node, anchor: str) -> str:
        """Return the HTML of a node up to its children."""
        text = self._values.text
        color, badge = self._badge(node)
        label = ""
        node_id = ""
        lines = ""
        offsets = ""
        if node.label:
            label = f'<span class="label" dir="auto">{text(shorten(node.label))}</span> '
        if node.id:
            node_id = f'<code class="id">{text(node.id)}</code>'
        if node.line:
            lines = f' data-lines="{node.line}-{node.last_line}"'
        if node.end:
            offsets = f' data-offset="{node.start}" data-end="{node.end}"'
        state = ""
        if self._is_open(node) and id(node) not in self._left_out:
            state = " open"
        return (
            f'<li class="node {color}{"" if node.nested else " leaf"}" id="{anchor}"{lines}{offsets}>'
            f"<details{state}><summary>"
            f"{badge}{label}{node_id}{self._errors(node)}{self._summary(node)}</summary>"
            f'<div class="inside"><code class="path">{text(node.path)}</code>{self._rows(node)}'
        )

    def _badge(self, node: Node) -> tuple[str, str]:
        """Return the colour of a node's type, and the badge with its name."""
        badge = self._badges.get(node.layout)
        if badge is None:
            name = self._values.text(node.type) if node.type else "no type"
            badge = self._color(node.type, node.known), f'<span class="badge">{name}</span> '
            self._badges[node.layout] = badge
        return badge

    def _rows(self, node: Node) -> str:
        """Return the properties of a node that are neither child nodes nor complete in its first line."""
        hidden = {*node.nested}
        if node.id:
            hidden.add("id")
        if node.type:
            hidden.add("type")
        if node.label_name is not None and len(node.label) <= LONG:
            hidden.add(node.label_name)
        return self._values.rows([member for member in node.members if member[0] not in hidden])

    def _errors(self, node: Node) -> str:
        count = self._error_counts.get(node.anchor, 0)
        unmatched = ""
        if node.anchor in self._unmatched:
            unmatched = ' <span class="unmatched">not in the API</span>'
        if not count:
            return unmatched
        return f'{unmatched} <span class="error-count">{count} {"error" if count == 1 else "errors"}</span>'


def _part(node: Node, anchor: str) -> str:
    """Return a link to the page with the child nodes of `node`, and one for each of them, so that permalinks work."""
    inner = [escape_attribute(it.anchor) for it in descendants(node)]
    links = [f'<a id="{name}" href="?open={anchor}#{name}">{name}</a>' for name in inner]
    more = f'<a class="button" href="?open={anchor}#{anchor}">Show {count_of(len(inner), "nodes")}</a>'
    return f'<div class="part" data-part="{anchor}">{more}<p class="anchors">{" ".join(links)}</p></div>'


def _no_summary(_: Node) -> str:
    return ""
