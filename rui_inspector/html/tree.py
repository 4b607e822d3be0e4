"""Write nodes as HTML: nested lists of disclosures that work without a script."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from rui_inspector.escape import LONG, escape, escape_attribute, shorten
from rui_inspector.html import json_listing, wireframe
from rui_inspector.html.summary import SummaryWriter
from rui_inspector.html.values import ValueWriter
from rui_inspector.model.search import Search
from rui_inspector.model.shape_layouts import ShapeLayout
from rui_inspector.model.view import Node, View

NO_ERRORS: Mapping[str, int] = {}


class TreeWriter:
    """Writes nodes. A search leaves out what does not match.

    Args:
        view: the document.
        values: writes their properties.
        search: the search of the reader.
        opens_all: whether all nodes are open; else those with child nodes.
        error_counts: anchor → number of errors in the node.
        unmatched: the anchors of the nodes whose bindings do not match the API.
        has_json: whether the page lists the JSON.
    """

    def __init__(
        self, view: View, values: ValueWriter, search: Search, *, opens_all: bool = False,
        error_counts: Mapping[str, int] = NO_ERRORS, unmatched: Collection[str] = (), has_json: bool = True,
    ) -> None:  # fmt: skip
        self._values = values
        self._search = search
        self._summaries = SummaryWriter(view, values)
        self._color = view.color
        self._badges: dict[ShapeLayout, tuple[str, str]] = {}
        self._opens_all = opens_all or bool(search.words)
        self._error_counts = error_counts
        self._unmatched = unmatched
        self._has_json = has_json

    def nodes(self, nodes: Iterable[Node]) -> str:
        """Return nodes as list items."""
        parts: list[str] = []
        self._write(nodes, parts)
        return "".join(parts)

    def _write(self, nodes: Iterable[Node], parts: list[str]) -> None:
        """Append to one list for all levels, so that no text is copied once a level."""
        for node in nodes:
            if not self._search.is_shown(node):
                continue
            anchor = escape_attribute(node.anchor)
            parts.append(self._start(node, anchor))
            for name, children in node.nested.items():
                if len(node.nested) > 1:
                    parts.append(f'<p class="name">{escape(name)}</p>')
                parts.append('<ol class="tree">')
                self._write(children, parts)
                parts.append("</ol>")
            parts.append(f"</div></details>{self._marks(anchor)}</li>")

    def _marks(self, anchor: str) -> str:
        """Return links to the other forms of a node."""
        if self._search.words:  # the page has no wireframe
            return ""
        json_link = ""
        if self._has_json:
            json_link = f'<a href="#{json_listing.ANCHOR}{anchor}" aria-label="JSON of {anchor}">{{}}</a>'
        return (
            f'<p class="marks"><a href="#{wireframe.ANCHOR}{anchor}" aria-label="{anchor} in the wireframe">&#9645;</a>'
            f'{json_link}<a href="#{anchor}" aria-label="Link to {anchor}">#</a></p>'
        )

    def _start(self, node: Node, anchor: str) -> str:
        """Return the HTML of a node up to its children."""
        text = self._values.text
        color, badge = self._badge(node)
        label = ""
        node_id = ""
        offsets = ""
        if node.label:
            label = f'<span class="label" dir="auto">{text(shorten(node.label))}</span> '
        if node.id:
            node_id = f'<code class="id">{text(node.id)}</code>'
        if node.end:
            offsets = f' data-offset="{node.start}" data-end="{node.end}"'
        state = ""
        if self._opens_all or node.nested:
            state = " open"
        summary = ""
        if not self._search.words:  # matches are open and their properties visible: a summary would repeat them
            summary = self._summaries.summary(node)
        return (
            f'<li class="node {color}{"" if node.nested else " leaf"}" id="{anchor}"{offsets}>'
            f"<details{state}><summary>"
            f"{badge}{label}{node_id}{self._errors(node)}{summary}</summary>"
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
