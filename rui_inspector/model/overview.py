"""The app's navigation and the endpoints of its data, taken from a view."""

from dataclasses import dataclass, field
from typing import NamedTuple

from rui_common.syntax.paths import Path, text_at
from rui_common.vocabulary.schema import Prop, Shape
from rui_inspector.escape import excerpt
from rui_inspector.model.shapes import item_kind, kind_of, object_shape
from rui_inspector.model.view import View, ViewMember, ViewNode


class Entry(NamedTuple):
    """An entry of the navigation: its label or that of its page, the name that it refers to, and its other properties.

    `node` is the node with that name, or None; `path` is its own. Texts that are absent are ``""``.
    """

    label: str
    name: str
    node: ViewNode | None
    rest: list[ViewMember]
    path: Path


class Menu(NamedTuple):
    """The property of the root that holds a navigation, its entries, and the other properties of the same object."""

    name: str
    entries: list[Entry]
    rest: list[ViewMember]


@dataclass
class RequestPath:
    """An endpoint, with the nodes that show its data by the path in the response; ``""`` is the whole response."""

    method: str
    path: str
    uses: dict[str, list[ViewNode]] = field(default_factory=dict)


def menus_of(view: View) -> list[Menu]:
    """Return the properties of the root that are navigation: those with a list of objects that refer to nodes."""
    menus = []
    for name, value, prop in view.parts:
        shape = object_shape(kind_of(prop))
        if shape is None or not isinstance(value, dict):
            continue
        for list_name, item_shape, target in _link_lists(shape):
            items = value.get(list_name)
            if isinstance(items, list) and items and all(isinstance(item, dict) for item in items):
                rest: list[ViewMember] = [(key, inner, None) for key, inner in value.items() if key != list_name]
                entries = [
                    _entry(view, item, item_shape, target, (name, list_name, index)) for index, item in enumerate(items)
                ]
                menus.append(Menu(name, entries, rest))
    return menus


def endpoints_of(view: View) -> list[RequestPath]:
    """Return every endpoint, by first use."""
    endpoints: dict[tuple[str, str], RequestPath] = {}
    for node, (method, path, select) in view.requests:
        endpoint = endpoints.setdefault((method, path), RequestPath(method, path))
        endpoint.uses.setdefault(select, []).append(node)
    return list(endpoints.values())


def needs_of(view: View, max_nodes: int) -> dict[ViewNode, list[tuple[str, str]]]:
    """Return method and path of the endpoints of each of the first `max_nodes` nodes directly below the root."""
    needs = {}
    for top in view.tops[:max_nodes]:
        requests = [request for node in (top, *top.descendants()) for request in node.requests]
        needs[top] = list(dict.fromkeys((request.method, request.path) for request in requests))
    return needs


def _link_lists(shape: Shape) -> list[tuple[str, Shape, Prop]]:
    """Return the properties with a list of objects that refer to nodes, each with their shape and their reference."""
    lists = []
    for prop in shape.props.values():
        item_shape = object_shape(item_kind(prop.kind))
        if item_shape is not None:
            targets = [target for target in item_shape.props.values() if target.uses is not None]
            lists += [(prop.name, item_shape, target) for target in targets[:1]]
    return lists


def _entry(view: View, item: dict[str, object], shape: Shape, target: Prop, path: Path) -> Entry:
    name = text_at(item, target.name)
    node = view.anchors.get((target.uses, name)) if target.uses is not None else None
    label, label_name = view.label_and_name(item, shape)
    if not label and node is not None:
        label = node.label
    visible = {target.name} if name else set()
    if label_name and excerpt(label) == label:
        visible.add(label_name)
    rest: list[ViewMember] = [(key, inner, None) for key, inner in item.items() if key not in visible]
    return Entry(label, name, node, rest, path)
