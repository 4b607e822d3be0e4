"""View tree → what goes across the tree: the app's navigation, and the endpoints that its data comes from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rui_common.vocabulary.kinds import ListKind, ObjectKind
from rui_inspector.escape import clipped
from rui_inspector.model.view import called, text_of

if TYPE_CHECKING:
    from rui_common.vocabulary.schema import Prop, Shape
    from rui_inspector.model.view import Named, Node, View


@dataclass(slots=True)
class Entry:
    """An entry of the navigation, as the user of the app sees it.

    Attributes:
        label: what it says; "" if neither it nor its page has a title.
        name: the name that it leads to, or "".
        node: the node that it leads to, or None.
        rest: what else is in it.
    """

    label: str
    name: str
    node: Node | None
    rest: list[Named] = field(default_factory=list)


@dataclass(slots=True)
class Menu:
    """The navigation.

    Attributes:
        name: the property of the root that it stands in.
        entries: its entries, in the author's order.
        rest: what else is in that property.
    """

    name: str
    entries: list[Entry]
    rest: list[Named]


@dataclass(slots=True)
class Endpoint:
    """An endpoint that data comes from.

    Attributes:
        method: such as ``GET``.
        path: such as ``/api/orders``.
        uses: the nodes that use it, by what they select of its response; "" is all of it.
    """

    method: str
    path: str
    uses: dict[str, list[Node]] = field(default_factory=dict)


def menus_of(view: View) -> list[Menu]:
    """The properties of the root that are navigation: those with a list of objects that name nodes."""
    menus = []
    for name, value, prop in view.parts:
        found = _leading_list(prop)
        if found is None or not isinstance(value, dict):
            continue
        list_name, shape, leading = found
        values = value.get(list_name)
        if isinstance(values, list) and values and all(isinstance(item, dict) for item in values):
            rest: list[Named] = [(other, inner, None) for other, inner in value.items() if other != list_name]
            menus.append(Menu(name, [_entry(view, item, shape, leading) for item in values], rest))
    return menus


def endpoints_of(view: View) -> list[Endpoint]:
    """Every endpoint, in the order in which the tree names them first."""
    endpoints: dict[tuple[str, str], Endpoint] = {}
    for node, request in view.requests:
        key = request.method, request.path
        if key not in endpoints:
            endpoints[key] = Endpoint(*key)
        endpoints[key].uses.setdefault(request.select, []).append(node)
    return list(endpoints.values())


def _leading_list(prop: Prop | None) -> tuple[str, Shape, Prop] | None:
    """The list in an object whose elements lead to nodes, their shape, and the property of theirs that does."""
    if prop is None or not isinstance(prop.kind, ObjectKind):
        return None
    for inner in prop.kind.shape.props.values():
        if isinstance(inner.kind, ListKind) and isinstance(inner.kind.items, ObjectKind):
            for leading in inner.kind.items.shape.props.values():
                if leading.uses is not None:
                    return inner.name, inner.kind.items.shape, leading
    return None


def _entry(view: View, item: dict[str, object], shape: Shape, leading: Prop) -> Entry:
    name = text_of(item, leading.name)
    node = view.anchors.get((leading.uses, name)) if leading.uses is not None else None
    label, label_name = called(item, shape, view.vocabulary)
    label = label or (node.label if node else "")
    told = {label_name if clipped(label) == label else "", leading.name if name else ""}
    return Entry(label, name, node, [(other, inner, None) for other, inner in item.items() if other not in told])
