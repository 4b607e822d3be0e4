"""The app's navigation and the endpoints of its data, taken from a view."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from rui_common.vocabulary.kinds import ListKind, ObjectKind
from rui_common.vocabulary.schema import Prop, Shape
from rui_inspector.escape import shorten
from rui_inspector.model.view import Member, Node, View, label_of, text_of


@dataclass(slots=True)
class Entry:
    """An entry of the navigation, as the user of the app sees it.

    Attributes:
        label: its label; ``""`` if neither it nor its page has a title.
        name: the name that it refers to, or ``""``.
        node: the node with that name, or None.
        rest: its other properties.
    """

    label: str
    name: str
    node: Node | None
    rest: list[Member] = field(default_factory=list)


@dataclass(slots=True)
class Menu:
    """A navigation.

    Attributes:
        name: the property of the root that holds it.
        entries: its entries, in the author's order.
        rest: the other properties of the object that holds the entries.
    """

    name: str
    entries: list[Entry]
    rest: list[Member]


@dataclass(slots=True)
class Endpoint:
    """An endpoint that data comes from.

    Attributes:
        method: such as ``GET``.
        path: such as ``/api/orders``.
        uses: path in the response → the nodes that show it; ``""`` is the whole response.
    """

    method: str
    path: str
    uses: dict[str, list[Node]] = field(default_factory=dict)


class Needs(NamedTuple):
    """The endpoints that a node directly below the root, such as a page, takes its data from.

    Attributes:
        node: the node.
        endpoints: method and path of each, in the order of first use.
    """

    node: Node
    endpoints: list[tuple[str, str]]


class _LinkList(NamedTuple):
    """A property with a list of objects that refer to nodes, their shape, and their property with the reference."""

    name: str
    shape: Shape
    target: Prop


def menus_of(view: View) -> list[Menu]:
    """Return the properties of the root that are navigation: those with a list of objects that refer to nodes."""
    menus = []
    for name, value, prop in view.parts:
        links = _link_list(prop)
        if links is None or not isinstance(value, dict):
            continue
        items = value.get(links.name)
        if isinstance(items, list) and items and all(isinstance(item, dict) for item in items):
            rest: list[Member] = [(other, inner, None) for other, inner in value.items() if other != links.name]
            menus.append(Menu(name, [_entry(view, item, links) for item in items], rest))
    return menus


def endpoints_of(view: View) -> list[Endpoint]:
    """Return every endpoint, in the order of first use."""
    endpoints: dict[tuple[str, str], Endpoint] = {}
    for node, request in view.requests:
        key = request.method, request.path
        if key not in endpoints:
            endpoints[key] = Endpoint(*key)
        endpoints[key].uses.setdefault(request.select, []).append(node)
    return list(endpoints.values())


def needs_of(view: View, max_nodes: int) -> list[Needs]:
    """Return the endpoints of each of the first `max_nodes` nodes directly below the root."""
    tops = [node for nodes in view.nested.values() for node in nodes]
    return [Needs(node, list(dict.fromkeys(_requested(node)))) for node in tops[:max_nodes]]


def _requested(node: Node) -> Iterator[tuple[str, str]]:
    """Yield method and path of every request in a node."""
    for request in node.requests:
        yield request.method, request.path
    for child in node.children:
        yield from _requested(child)


def _link_list(prop: Prop | None) -> _LinkList | None:
    if prop is None or not isinstance(prop.kind, ObjectKind):
        return None
    for inner in prop.kind.shape.props.values():
        if isinstance(inner.kind, ListKind) and isinstance(inner.kind.items, ObjectKind):
            shape = inner.kind.items.shape
            for target in shape.props.values():
                if target.uses is not None:
                    return _LinkList(inner.name, shape, target)
    return None


def _entry(view: View, item: dict[str, object], links: _LinkList) -> Entry:
    name = text_of(item, links.target.name)
    node = None
    if links.target.uses is not None:
        node = view.anchors.get((links.target.uses, name))
    label, label_name = label_of(item, links.shape, view.vocabulary)
    if not label and node is not None:
        label = node.label
    visible = set()
    if name:
        visible.add(links.target.name)
    if label_name and shorten(label) == label:
        visible.add(label_name)
    return Entry(label, name, node, [(other, inner, None) for other, inner in item.items() if other not in visible])
