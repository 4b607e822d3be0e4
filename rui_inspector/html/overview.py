"""Write the app's navigation and the endpoints of its data as HTML."""

from __future__ import annotations

from collections.abc import Iterable

from rui_inspector.escape import escape, shorten
from rui_inspector.html.values import ValueWriter
from rui_inspector.model.overview import Endpoint, Entry, Menu
from rui_inspector.model.view import Node, View


class OverviewWriter:
    """Writes navigation and endpoints."""

    def __init__(self, view: View, values: ValueWriter) -> None:
        self._color = view.color
        self._values = values

    def menu(self, menu: Menu) -> str:
        """Return the entries of a navigation as list items."""
        return "".join([self._entry(entry) for entry in menu.entries])

    def endpoints(self, endpoints: Iterable[Endpoint]) -> str:
        """Return endpoints as table bodies: the endpoint, the path in its response, the nodes that show it."""
        return "".join([self._endpoint(endpoint) for endpoint in endpoints])

    def _entry(self, entry: Entry) -> str:
        text = self._values.text
        label = f'<span class="label" dir="auto">{text(shorten(entry.label or entry.name or "no name"))}</span>'
        if entry.name:
            label += f' <code class="id">{text(entry.name)}</code>'
        if entry.node is not None:
            label = f'<a href="{self._values.href(entry.node)}">{label}</a>'
        else:
            label += ' <span class="unresolved">target not found</span>'
        return f"<li>{label}{self._values.rows(entry.rest)}</li>\n"

    def _endpoint(self, endpoint: Endpoint) -> str:
        heading = (
            f'<th scope="rowgroup" rowspan="{len(endpoint.uses)}"><code class="request">'
            f'<b>{escape(endpoint.method)}</b> <bdi data-copy="the path">{escape(endpoint.path)}</bdi></code></th>'
        )
        rows = []
        for select, nodes in endpoint.uses.items():
            source = '<span class="quiet">the whole response</span>'
            if select:
                source = f"<code>{escape(select)}</code>"
            links = "".join([self._link(node) for node in nodes])
            rows.append(f'<tr>{heading}<td>{source}</td>\n<td><ul class="users">{links}</ul></td></tr>\n')
            heading = ""
        return f"<tbody>\n{''.join(rows)}</tbody>\n"

    def _link(self, node: Node) -> str:
        """Return a link to a node as a list item."""
        link = self._values.link(node, node.label or node.id or node.path)
        badge = f'<span class="badge">{escape(node.type or "no type")}</span>'
        return f'<li class="{self._color(node.type, node.known)}">{badge} {link}</li>'
