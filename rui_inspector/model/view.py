"""Build the view of a document: its nodes, requests and anchors as plain data, without HTML.

The vocabulary decides which values are nodes. Any value is accepted, valid or not; properties and types that the
vocabulary does not declare are kept as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import cycle

from rui_common.json_values import as_object
from rui_common.nodes.naming import name_of
from rui_common.nodes.requests import Request, requests_of
from rui_common.syntax.document import Document
from rui_common.syntax.paths import Path, format_path, text_at
from rui_common.vocabulary.kinds import NodeKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import NodeRole, Prop, Role, Shape, Symbol, Vocabulary
from rui_inspector.model.shapes import (
    kind_of,
    label_names,
    names_with_role,
    node_lists,
    object_shape,
)

PALETTE = ("blue", "violet", "green", "amber", "orange", "teal", "cyan", "rose", "lime")
"""The colours of types, in the order in which the vocabulary declares the types; the stylesheet defines them."""

ViewMember = tuple[str, object, Prop | None]
"""A property: its name, its value, and its declaration if the vocabulary has one."""


@dataclass(eq=False)
class ViewNode:
    """A node of the tree. Texts that it lacks are ``""``."""

    value: object  # any JSON value if the document is invalid
    path: Path
    parent: ViewNode | None  # the node that contains it; None directly below the root
    shape: Shape | None = None  # the shape that it is read by, or None
    type: str = ""
    id: str = ""
    label: str = ""
    label_name: str = ""
    anchor: str = ""  # the fragment of links to it: its id where possible
    nested: dict[str, list[ViewNode]] = field(default_factory=dict)  # its child nodes by the property that holds them
    requests: list[Request] = field(default_factory=list)
    start: int = 0  # the offset of its start in the text, in code points
    end: int = 0  # the offset of its end; 0 for a document that was not read from text

    @property
    def content(self) -> dict[str, object]:
        """Its properties by name; empty if it is not an object."""
        return as_object(self.value)

    @cached_property
    def members(self) -> list[ViewMember]:
        """Its properties, in canonical order."""
        if isinstance(self.value, dict):
            return members_of(self.value, self.shape)
        return [("value", self.value, None)]

    @property
    def name(self) -> str:
        """What people call it, or else its path."""
        return name_of(self.content, self.shape) or format_path(self.path)

    @property
    def known(self) -> bool:
        """Whether the vocabulary declares its type."""
        return self.shape is not None and self.shape.name == self.type

    @property
    def is_group(self) -> bool:
        """Whether it arranges other nodes: by its role, or, if its type is unknown, because it has some."""
        if self.shape is None:
            return bool(self.nested)
        return self.shape.role is NodeRole.LAYOUT

    @property
    def is_row(self) -> bool:
        """Whether its children are laid out side by side."""
        props = self.shape.props_with_role(Role.LAYOUT) if self.shape is not None else ()
        return any(prop.row and self.content.get(prop.name) == prop.row for prop in props)

    @property
    def children(self) -> list[ViewNode]:
        """Its child nodes, in the author's order."""
        return [node for nodes in self.nested.values() for node in nodes]

    def ancestors(self) -> Iterator[ViewNode]:
        """Yield the nodes that contain it, the nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def descendants(self) -> Iterator[ViewNode]:
        """Yield the nodes in it, in document order."""
        for child in self.children:
            yield child
            yield from child.descendants()


class View:
    """A document, valid or not, as the inspector shows it."""

    def __init__(self, value: object, vocabulary: Vocabulary = VOCABULARY) -> None:
        self.value = value  # the root of the document; `content` is empty if it is not an object
        self.vocabulary = vocabulary
        self.content = as_object(value)
        self.title_path: Path = ()  # the path of the title; empty without one
        self.title, self.description = self._title_and_description()
        self.members = members_of(self.content, vocabulary.root)  # the properties of the root, in canonical order
        self.nodes: list[ViewNode] = []  # all nodes in document order
        self.counts: Counter[str] = Counter()  # type → number of nodes, in order of appearance
        self.anchors: dict[tuple[Symbol, str], ViewNode] = {}  # (symbol, name) → the node that defines the name
        self._colors = dict(zip(vocabulary.nodes, cycle(PALETTE), strict=False))
        self._id_kinds = {shape.props["id"].kind for shape in vocabulary.nodes.values()}
        self._used_anchors: set[str] = set()
        # the nodes directly below the root, by the property that holds them, such as ``pages``
        self.nested = self._nested(vocabulary.root, self.content, None)

    @property
    def tops(self) -> list[ViewNode]:
        """The nodes directly below the root, such as pages."""
        return [node for nodes in self.nested.values() for node in nodes]

    @property
    def requests(self) -> list[tuple[ViewNode, Request]]:
        """Every request with the node whose data it fetches."""
        return [(node, request) for node in self.nodes for request in node.requests]

    @property
    def parts(self) -> list[ViewMember]:
        """The properties of the root that hold no nodes, such as ``meta`` and ``navigation``."""
        return [member for member in self.members if member[0] not in self.nested]

    def color(self, type_: str) -> str:
        """Return the colour of a type: the next one of the palette, which starts again at its end."""
        return self._colors.get(type_, "grey")

    def _nested(self, shape: Shape, content: dict[str, object], parent: ViewNode | None) -> dict[str, list[ViewNode]]:
        """Add the child nodes of the root or of a node; return them by the property that holds them."""
        nested: dict[str, list[ViewNode]] = {}
        for name, kind in node_lists(shape):
            elements = content.get(name)
            if isinstance(elements, list) and elements:
                path: Path = (name,)
                if parent is not None:
                    path = (*parent.path, name)
                nested[name] = [
                    self._node(element, kind, (*path, index), parent) for index, element in enumerate(elements)
                ]
        return nested

    def _node(self, value: object, kind: NodeKind, path: Path, parent: ViewNode | None) -> ViewNode:
        node = ViewNode(value, path, parent)
        self.nodes.append(node)
        node.id = text_at(value, "id")
        node.anchor = self._anchor(node)
        if not isinstance(value, dict):
            return node
        node.type = text_at(value, "type")
        node.shape = self.vocabulary.nodes.get(node.type) or kind.shape_of(value, self.vocabulary)
        node.label, node.label_name = self.label_and_name(value, node.shape)
        self.counts[node.type] += 1
        symbols = [kind.defines]
        if node.shape is not None:
            symbols.append(node.shape.props["id"].defines)
            node.requests = requests_of(value, node.shape)
        for symbol in symbols:
            if node.id and symbol is not None:
                self.anchors.setdefault((symbol, node.id), node)
        if node.shape is not None:
            node.nested = self._nested(node.shape, value, node)
        return node

    def label_and_name(self, value: object, shape: Shape | None) -> tuple[str, str]:
        """Return the label of an object and the property that holds it; two empty strings without a label."""
        return _first_text(value, label_names(self.vocabulary, shape))

    def description_and_name(self, value: object) -> tuple[str, str]:
        """Return the description of an object and the property that holds it; two empty strings without one."""
        return _first_text(value, names_with_role(self.vocabulary, Role.DESCRIPTION))

    def _title_and_description(self) -> tuple[str, str]:
        """Return those of the first object in the root that has a title, or ``""`` and the first description."""
        descriptions = []
        for name, value in self.content.items():
            title, title_name = self.label_and_name(value, object_shape(kind_of(self.vocabulary.root.prop(name))))
            description, _ = self.description_and_name(value)
            if title:
                self.title_path = (name, title_name)
                return title, description
            descriptions.append(description)
        return "", next(filter(None, descriptions), "")

    def _anchor(self, node: ViewNode) -> str:
        """Return the id if it is valid and unused; other anchors start with an underscore, as no valid id does."""
        anchor = node.id
        if anchor in self._used_anchors or not any(kind.accepts(anchor) for kind in self._id_kinds):
            anchor = "_" + "-".join(str(step) for step in node.path)
        self._used_anchors.add(anchor)
        return anchor


def view_of_text(document: Document) -> View:
    """Build the view of a text, valid or not, whose nodes have their offsets."""
    view = View(document.value)
    for node in view.nodes:
        span = document.span_of(node.path)
        if span is not None:
            node.start, node.end = span
    return view


def members_of(value: dict[str, object], shape: Shape | None) -> list[ViewMember]:
    """Return the properties of an object in canonical order, those that the vocabulary does not declare last."""
    props = shape.all_props if shape is not None else ()
    members: list[ViewMember] = [(prop.name, value[prop.name], prop) for prop in props if prop.name in value]
    declared = {prop.name for prop in props}
    return [*members, *((name, inner, None) for name, inner in value.items() if name not in declared)]


def _first_text(value: object, names: Iterable[str]) -> tuple[str, str]:
    for name in names:
        text = text_at(value, name)
        if text.strip():
            return text, name
    return "", ""
