"""Navigation and endpoints → HTML: what goes across the tree, and grows with the document as the tree does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rui_inspector.escape import clipped, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rui_inspector.html.values import ValueWriter
    from rui_inspector.model.overview import Endpoint, Entry, Menu
    from rui_inspector.model.view import Node, View


class AcrossWriter:
    """Writes them.

    Args:
        view: the document.
        values: writes the texts in it.
    """

    def __init__(self, view: View, values: ValueWriter) -> None:
        self._color = view.color
        self._values = values

    def menu(self, menu: Menu) -> str:
        """The entries of a navigation, as elements of a list."""
        return "".join([self._entry(entry) for entry in menu.entries])

    def endpoints(self, endpoints: Iterable[Endpoint]) -> str:
        """Endpoints as bodies of a table: where, what is taken from there, and who shows it."""
        return "".join([self._endpoint(endpoint) for endpoint in endpoints])

    def _entry(self, entry: Entry) -> str:
        name = self._values.name
        label = f'<span class="label" dir="auto">{name(clipped(entry.label or entry.name or "no name"))}</span>'
        if entry.name:
            label += f' <code class="id">{name(entry.name)}</code>'
        if entry.node is not None:
            label = f'<a href="{self._values.href(entry.node)}">{label}</a>'
        else:
            label += ' <span class="astray">leads nowhere</span>'
        return f"<li>{label}{self._values.rows(entry.rest)}</li>\n"

    def _endpoint(self, endpoint: Endpoint) -> str:
        head = (
            f'<th scope="rowgroup" rowspan="{len(endpoint.uses)}"><code class="request">'
            f"<b>{shown(endpoint.method)}</b> <bdi>{shown(endpoint.path)}</bdi></code></th>"
        )
        rows = []
        for select, nodes in endpoint.uses.items():
            taken = f"<code>{shown(select)}</code>" if select else '<span class="quiet">the whole response</span>'
            rows.append(f'<tr>{head}<td>{taken}</td>\n<td><ul class="users">{self._links(nodes)}</ul></td></tr>\n')
            head = ""
        return f"<tbody>\n{''.join(rows)}</tbody>\n"

    def _links(self, nodes: Iterable[Node]) -> str:
        """Links to nodes, as elements of a list."""
        link, color = self._values.link, self._color
        return "".join(
            [
                f'<li class="{color(node.type, node.known)}">'
                f'<span class="badge">{shown(node.type or "no type")}</span> '
                f"{link(node, node.label or node.id or node.path)}</li>"
                for node in nodes
            ]
        )
