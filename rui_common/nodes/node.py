"""The objects and arrays of a document, each with its declaration and its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from rui_common.json_values import as_json
from rui_common.nodes import naming
from rui_common.syntax.paths import Path
from rui_common.texts import shorten
from rui_common.vocabulary.kinds import ListKind
from rui_common.vocabulary.schema import Kind, Prop, Shape, Symbol, Vocabulary


@dataclass(eq=False, repr=False, slots=True)
class Node:
    """An object or array that the vocabulary declares. The validator creates the nodes in its walk."""

    value: dict[str, object] | list[object]
    kind: Kind  # the kind of value that is declared for it
    shape: Shape | None  # the shape by which an object is read; None for arrays, and for objects that are not read
    prop: Prop | None = None  # the declaration of the property that has this value; None for the root and for elements
    parent: Node | None = None  # the node around it; None for the root
    step: str | int = ""  # its key or index in `parent`; ``""`` for the root

    def __repr__(self) -> str:
        return f"Node({self.path})"

    @property
    def path(self) -> Path:
        steps: list[str | int] = []
        node = self
        while node.parent is not None:
            steps.append(node.step)
            node = node.parent
        return tuple(reversed(steps))

    @property
    def root(self) -> Node:
        node = self
        while node.parent is not None:
            node = node.parent
        return node

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary by which the document is read."""
        root = self.root
        assert isinstance(root, Root)  # noqa: S101  the node of a document
        return root.vocabulary

    @property
    def root_shape(self) -> Shape:
        """The shape of the document."""
        shape = self.root.shape
        assert shape is not None  # noqa: S101  that of the vocabulary
        return shape

    @property
    def members(self) -> dict[str, object]:
        if isinstance(self.value, dict):
            return self.value
        return {}

    @property
    def label(self) -> str:
        """The text by which people know an object; ``""`` if it has none."""
        return naming.text_of(self.members, self.shape)

    @property
    def name(self) -> str:
        """What people call it: its text, or that of the node it refers to, or its own name; ``""`` without one."""
        label = self.label
        if not label and self.target is not None:
            label = self.target.label
        return label or naming.own_name_of(self.members, self.shape)

    @property
    def target(self) -> Node | None:
        """The node that it refers to by a name of the whole document; None without one."""
        root = self.root
        if self.shape is None or not isinstance(root, Root):
            return None
        for prop in self.shape.props.values():
            text = self.members.get(prop.name)
            if prop.uses is not None and isinstance(text, str):
                for definition in root.definitions.get(prop.uses, {}).get(text, ()):
                    return definition.node
        return None

    @property
    def noun(self) -> str:
        """What it is, in titles: the type of a node, else words: ``navigation item``."""
        if self.shape is not None and self.shape.is_node:
            return self.shape.name
        return naming.noun_of(self.shape)

    @property
    def description(self) -> str:
        """The node in titles, by its name or number: ``Section "Today"``, ``navigation item "orders"``, ``Page 2``."""
        if self.name:
            return f"{self.noun} {shorten(as_json(self.name))}"
        if isinstance(self.step, int):
            return f"{self.noun} {self.step + 1}"
        return self.noun

    def has(self, step: str | int) -> bool:
        if isinstance(self.value, dict):
            return step in self.value
        return isinstance(step, int) and 0 <= step < len(self.value)

    def get(self, step: str | int) -> object:
        """Return the value at a key or index; None if there is none."""
        if not self.has(step):
            return None
        return self.value[step]  # type: ignore[index]  # it has the step

    def prop_of(self, step: str | int) -> Prop | None:
        """Return the declaration of a property, registered or suggested."""
        if self.shape is None or not isinstance(step, str):
            return None
        return self.shape.prop(step)

    def kind_of(self, step: str | int) -> Kind | None:
        """Return the kind of value that is declared for a key or index; None without a declaration."""
        if isinstance(self.kind, ListKind):
            return self.kind.items
        prop = self.prop_of(step)
        if prop is None:
            return None
        return prop.kind


class Definition(Protocol):
    """The definition of a name: a `rui_common.nodes.names.Name`."""

    @property
    def node(self) -> Node: ...


@dataclass(eq=False, repr=False, slots=True)
class Root(Node):
    """The root of a document, which knows the vocabulary and the names of the whole document."""

    vocabulary: Vocabulary = field(kw_only=True)
    # symbol → name → its definitions in canonical order, after the walk
    definitions: Mapping[Symbol, Mapping[str, Sequence[Definition]]] = field(default_factory=dict, kw_only=True)


class NodeTree:
    """The nodes of a document, in canonical order: parents before their children, the root first."""

    def __init__(self, nodes: list[Node]) -> None:
        self._nodes = nodes

    def __iter__(self) -> Iterator[Node]:
        return iter(self._nodes)

    @property
    def root(self) -> Node:
        return self._nodes[0]

    @cached_property
    def _children(self) -> dict[Node, list[Node]]:
        # Most documents are only validated: a list in each node would take a tenth of the time of that.
        children: dict[Node, list[Node]] = {}
        for node in self._nodes[1:]:
            if node.parent is not None:
                children.setdefault(node.parent, []).append(node)
        return children

    def children(self, node: Node) -> Sequence[Node]:
        """Return the nodes in a node, in canonical order."""
        return self._children.get(node, ())

    def child(self, node: Node, step: str | int) -> Node | None:
        """Return the node at a key or index of a node; None if there is no declared object or array."""
        children = self.children(node)
        if isinstance(step, int) and 0 <= step < len(children) and children[step].step == step:
            return children[step]  # all elements before it are nodes, too
        return next((child for child in children if child.step == step), None)

    def at(self, path: Path) -> Node | None:
        """Return the node at a path; None if there is no declared object or array."""
        node: Node | None = self.root
        for step in path:
            if node is None:
                return None
            node = self.child(node, step)
        return node
