"""Build the view of a document: its nodes, requests and anchors as plain data, without HTML.

The vocabulary decides what is a node. Any value is accepted, valid or not; properties and types that the vocabulary
does not declare are kept as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from rui_common.syntax.paths import format_path, parse_path
from rui_common.vocabulary.kinds import ListKind, NodeKind
from rui_common.vocabulary.lookup import shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import DESCRIPTION, Prop, Shape, Symbol, Vocabulary
from rui_inspector.model.colors import UNKNOWN_COLOR, colors_of
from rui_inspector.model.shape_layouts import (
    NodeList,
    RequestProps,
    ShapeLayout,
    kind_of,
    label_names,
    names_with_role,
    object_shape,
    ordered_props,
    shape_layout,
)

Member = tuple[str, object, Prop | None]
"""A property: its name, its value, and its declaration if the vocabulary has one."""


NO_NODES: Mapping[str, list[Node]] = MappingProxyType({})
"""The value of `Node.nested` for nodes without children."""

NO_LAYOUT = ShapeLayout()
"""The layout of a value that is in the place of a node but is not an object."""


class Request(NamedTuple):
    """The request that fetches the data of a node.

    Attributes:
        method: such as ``GET``.
        path: the endpoint.
        select: the path to the data in the response; ``""`` for the whole response.
    """

    method: str
    path: str
    select: str


class Node:
    """A node of the tree.

    Attributes:
        value: its value in the document; any JSON value if the document is invalid.
        content: its properties by name; empty if it is not an object.
        layout: what it shares with nodes of the same type and properties.
        members: its properties, in canonical order.
        label: its label, or ``""``.
        label_name: the property that holds its label; None without one.
        id: its id, or ``""``.
        anchor: the fragment of links to it: its id where possible.
        path: its path, such as ``pages[0].children[1]``.
        nested: its child nodes by the property that holds them.
        requests: the requests that fetch its data.
        start: the offset of its start in the text of the document, in code points.
        end: the offset of its end; 0 for a document that was not read from text.
    """

    __slots__ = (
        "anchor", "content", "end", "id", "label", "label_name", "layout", "members", "nested", "path", "requests",
        "start", "value",
    )  # fmt: skip

    def __init__(self, value: object, layout: ShapeLayout, node_id: str, anchor: str, path: str) -> None:
        self.value = value
        self.content: dict[str, object] = {}
        self.layout = layout
        self.members: list[Member] = [("value", value, None)]
        if isinstance(value, dict):
            self.content = value
            self.members = [(name, value[name], prop) for name, prop in layout.order]
        self.label = ""
        self.label_name: str | None = None
        self.id = node_id
        self.anchor = anchor
        self.path = path
        self.nested = NO_NODES
        self.requests: Sequence[Request] = ()
        self.start = 0
        self.end = 0

    @property
    def type(self) -> str:
        """Its type, as written; ``""`` without one."""
        return self.layout.type

    @property
    def known(self) -> bool:
        """Whether the vocabulary declares its type."""
        return self.layout.is_known

    @property
    def is_row(self) -> bool:
        """Whether its children are laid out side by side."""
        name, row = self.layout.layout
        return bool(name) and self.content.get(name) == row

    @property
    def children(self) -> list[Node]:
        """Its child nodes, in the author's order."""
        return [node for nodes in self.nested.values() for node in nodes]


@dataclass(slots=True)
class View:
    """A document as the inspector shows it.

    Attributes:
        value: the root of the document.
        content: the properties of the root by name; empty if it is not an object.
        vocabulary: the vocabulary that the document is read by.
        title: the title of the app, or ``""``.
        description: the description of the app, or ``""``.
        members: the properties of the root, in canonical order.
        nested: the nodes directly below the root, by the property that holds them, such as ``pages``.
        nodes: all nodes in document order.
        requests: every request with the node whose data it fetches.
        counts: (type, whether the vocabulary declares it) → number of nodes, in order of appearance.
        anchors: (symbol, name) → the node that defines the name.
    """

    value: object
    vocabulary: Vocabulary = VOCABULARY
    title: str = ""
    description: str = ""
    content: dict[str, object] = field(default_factory=dict)
    members: list[Member] = field(default_factory=list)
    nested: Mapping[str, list[Node]] = field(default_factory=lambda: NO_NODES)
    nodes: list[Node] = field(default_factory=list)
    requests: list[tuple[Node, Request]] = field(default_factory=list)
    counts: dict[tuple[str, bool], int] = field(default_factory=dict)
    anchors: dict[tuple[Symbol, str], Node] = field(default_factory=dict)

    @property
    def page_count(self) -> int:
        """The number of nodes directly below the root."""
        return sum(map(len, self.nested.values()))

    @property
    def parts(self) -> list[Member]:
        """The properties of the root that hold no nodes, such as ``meta`` and ``navigation``."""
        return [member for member in self.members if member[0] not in self.nested]

    def color(self, type_: str, known: bool) -> str:
        """Return the colour of a type."""
        if known:
            return colors_of(self.vocabulary)[type_]
        return UNKNOWN_COLOR


def view_of(document: object, vocabulary: Vocabulary = VOCABULARY) -> View:
    """Build the view of a document.

    Args:
        document: the root of a RUI, valid or not.
        vocabulary: the vocabulary that the document is read by.
    """
    view = View(document, vocabulary)
    if isinstance(document, dict):
        view.content = document
        view.title, view.description = _title_and_description(document, vocabulary)
        view.members = members_of(document, vocabulary.root)
        _Builder(view).add_root()
    return view


def is_node_list(prop: Prop | None) -> bool:
    """Return whether a property holds nodes."""
    kind = kind_of(prop)
    return isinstance(kind, ListKind) and isinstance(kind.items, NodeKind)


def text_of(value: object, name: str) -> str:
    """Return the property `name` of an object if it is a string, else ``""``."""
    if isinstance(value, dict):
        text = value.get(name)
        if isinstance(text, str):
            return text
    return ""


def request_of(value: object, names: RequestProps) -> Request | None:
    """Return the request in an object whose properties have these names; None if method or path is missing."""
    method = text_of(value, names.method)
    path = text_of(value, names.endpoint)
    if method and path:
        return Request(method, path, text_of(value, names.select))
    return None


def members_of(value: dict[str, object], shape: Shape | None) -> list[Member]:
    """Return the properties of an object in canonical order."""
    return [(name, value[name], prop) for name, prop in ordered_props(shape, tuple(value))]


def label_of(value: object, shape: Shape | None, vocabulary: Vocabulary) -> tuple[str, str]:
    """Return the label of an object and the property that holds it; two empty strings without a label."""
    for name in label_names(vocabulary, shape):
        text = text_of(value, name)
        if text.strip():
            return text, name
    return "", ""


def description_of(value: object, vocabulary: Vocabulary) -> str:
    """Return the description of an object, or ``""``."""
    for name in names_with_role(vocabulary, DESCRIPTION):
        text = text_of(value, name)
        if text:
            return text
    return ""


def _title_and_description(document: dict[str, object], vocabulary: Vocabulary) -> tuple[str, str]:
    """Return those of the first object in the root that has a title, or ``""`` and the first description."""
    for name, value in document.items():
        prop = vocabulary.root.prop(name)
        title, _ = label_of(value, object_shape(kind_of(prop)), vocabulary)
        if title:
            return title, description_of(value, vocabulary)
    for value in document.values():
        description = description_of(value, vocabulary)
        if description:
            return "", description
    return "", ""


class _Builder:
    """Adds the nodes of a document to its view."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._vocabulary = view.vocabulary
        kinds = (shape.props["id"].kind for shape in view.vocabulary.nodes.values())
        self._id_kinds = tuple(dict.fromkeys(kinds))
        self._used_anchors: set[str] = set()
        self._layouts: dict[tuple[NodeKind, str, tuple[str, ...]], ShapeLayout] = {}

    def add_root(self) -> None:
        """Add all nodes."""
        layout = shape_layout(self._vocabulary, self._vocabulary.root, tuple(self._view.content))
        self._view.nested = self._nested(layout.node_lists, self._view.content, "")

    def _nested(self, lists: tuple[NodeList, ...], content: dict[str, object], path: str) -> Mapping[str, list[Node]]:
        """Add the child nodes of the root or of a node; return them by the property that holds them."""
        nested: dict[str, list[Node]] = {}
        for name, kind, suffix in lists:
            elements = content[name]
            list_path = f"{path}{suffix}" if path else format_path((name,))
            if isinstance(elements, list) and elements:
                nested[name] = [
                    self._node(element, kind, f"{list_path}[{index}]") for index, element in enumerate(elements)
                ]
        return nested or NO_NODES

    def _node(self, value: object, kind: NodeKind, path: str) -> Node:
        view = self._view
        if not isinstance(value, dict):
            node = Node(value, NO_LAYOUT, "", self._anchor("", path), path)
            view.nodes.append(node)
            return node
        layout = self._layout(value, kind)
        view.counts[layout.type, layout.is_known] = view.counts.get((layout.type, layout.is_known), 0) + 1
        node_id = text_of(value, "id")
        node = Node(value, layout, node_id, self._anchor(node_id, path), path)
        view.nodes.append(node)
        for name in layout.labels:
            label = text_of(value, name)
            if label:
                node.label = label
                node.label_name = name
                break
        if node_id:
            for symbol in layout.symbols:
                view.anchors.setdefault((symbol, node_id), node)
        if layout.requests:
            requests = [request_of(value[name], names) for name, names in layout.requests]
            node.requests = [request for request in requests if request is not None]
            view.requests += [(node, request) for request in node.requests]
        if layout.node_lists:
            node.nested = self._nested(layout.node_lists, value, path)
        return node

    def _layout(self, value: dict[str, object], kind: NodeKind) -> ShapeLayout:
        type_ = text_of(value, "type")
        names = tuple(value)
        layout = self._layouts.get((kind, type_, names))
        if layout is None:
            shape = self._vocabulary.nodes.get(type_) or shape_of(value, kind, self._vocabulary)
            layout = shape_layout(self._vocabulary, shape, names, type_)
            symbols = [kind.defines]
            if shape is not None:
                symbols.append(shape.props["id"].defines)
            layout.symbols = tuple(symbol for symbol in symbols if symbol is not None)
            self._layouts[kind, type_, names] = layout
        return layout

    def _anchor(self, node_id: str, path: str) -> str:
        """Return the id if it is valid and unused; other anchors start with an underscore, as no valid id does."""
        anchor = node_id
        if node_id in self._used_anchors or not self._is_valid_id(node_id):
            anchor = "_" + "-".join(str(step) for step in parse_path(path))
        self._used_anchors.add(anchor)
        return anchor

    def _is_valid_id(self, node_id: str) -> bool:
        return any(kind.accepts(node_id) for kind in self._id_kinds)
