"""The screens that a document describes, as a wireframe draws them: structure and placeholders, never data.

Everything is derived from the declarations of the vocabulary. A block of any type shows its label, its text, the
placeholder of its value, the elements of its lists, its controls and its requests, if it has them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rui_common.vocabulary.kinds import ListKind, ObjectKind
from rui_common.vocabulary.schema import CONTENT, LABEL, Prop, Shape
from rui_inspector.model.overview import Entry, menus_of
from rui_inspector.model.shapes import (
    item_kind,
    kind_of,
    names_with_role,
    node_lists,
    object_shape,
    request_props,
    requests_in,
)
from rui_inspector.model.view import Member, Node, Request, View, description_of, label_of, members_of, text_of

MAX_ELEMENTS = 40
"""Maximum number of elements of a list that a block shows."""

MAX_ENTRIES = 12
"""Maximum number of entries of a navigation that a screen shows completely."""

NEAR_ENTRIES = 5
"""Number of entries of a longer navigation that a screen shows."""


class Value(NamedTuple):
    """The placeholder of a value: its text, and the name of its type; ``""`` without one."""

    text: str
    type: str


class Cell(NamedTuple):
    """An element of a list, such as a column.

    Attributes:
        label: its label, or its name; ``""`` without both.
        value: the placeholder of its value, or None.
    """

    label: str
    value: Value | None


class Control(NamedTuple):
    """An object that refers to an element of the block, such as a filter: its label and the labels of its options."""

    label: str
    options: list[str]


@dataclass(slots=True)
class Block:
    """A node of a block type, or of an unknown type without child nodes.

    Attributes:
        node: the node.
        text: its text, or ``""``.
        value: the placeholder of its value, or None.
        cells: the elements of its lists, a list each.
        controls: its controls.
        others: its other properties that are scalars: name and value.
        parts: its blocks and groups, for a block type that has child nodes.
        missing: what it lacks, such as ``binding missing``.
    """

    node: Node
    text: str = ""
    value: Value | None = None
    cells: list[list[Cell]] = field(default_factory=list)
    controls: list[Control] = field(default_factory=list)
    others: list[tuple[str, str]] = field(default_factory=list)
    parts: list[Group | Block] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def requests(self) -> Sequence[Request]:
        """The requests that fetch its data."""
        return self.node.requests

    @property
    def weight(self) -> int:
        """Its width in a row, as a multiple of a small block."""
        widest = max((len(cells) for cells in self.cells), default=0)
        return max(1, min(6, widest))


@dataclass(slots=True)
class Group:
    """A node of a layout type, or of an unknown type with child nodes.

    Attributes:
        node: the node.
        parts: its blocks and groups, in the author's order.
        missing: what it lacks.
        omitted: the number of its nodes that are not drawn.
    """

    node: Node
    parts: list[Group | Block] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    omitted: int = 0

    @property
    def weight(self) -> int:
        """Its width, as a multiple of a small block."""
        weights = [part.weight for part in self.parts]
        if not weights:
            return 1
        if self.node.is_row:
            return sum(weights)
        return max(weights)


@dataclass(slots=True)
class Screen:
    """A node directly below the root, such as a page.

    Attributes:
        group: the node with its parts.
        description: its description, or ``""``.
        entries: the entries of the navigation. All screens share them, so do not search them for each screen.
        position: the index of the first entry that leads to it, or None.
    """

    group: Group
    description: str
    entries: Sequence[Entry]
    position: int | None

    @property
    def is_listed(self) -> bool:
        """Whether an entry leads to it; True without any navigation."""
        return self.position is not None or not self.entries

    @property
    def near_entries(self) -> Sequence[Entry]:
        """The entries, or some around the one that leads to it; the first ones if none does."""
        if len(self.entries) <= MAX_ENTRIES:
            return self.entries
        middle = self.position or 0
        first = max(0, min(middle - NEAR_ENTRIES // 2, len(self.entries) - NEAR_ENTRIES))
        return self.entries[first : first + NEAR_ENTRIES]


@dataclass(slots=True)
class Wireframe:
    """The screens of a document.

    Attributes:
        screens: those that are drawn.
        omitted: the nodes of the screens that are not drawn.
        missing: what the document itself lacks.
    """

    screens: list[Screen] = field(default_factory=list)
    omitted: list[Node] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def wireframe_of(view: View, max_nodes: int, only: Collection[Node] | None = None) -> Wireframe:
    """Return the screens of a document.

    Args:
        view: the document.
        max_nodes: the maximum number of nodes that are drawn; of the first screen at least one.
        only: the screens that are drawn; None for all.
    """
    wireframe = Wireframe()
    if isinstance(view.value, dict):
        wireframe.missing = _missing(view.content, view.vocabulary.root)
    else:
        wireframe.missing = ["no object"]
    builder = _Builder(view, max_nodes)
    entries = [entry for menu in menus_of(view) for entry in menu.entries]
    positions: dict[Node, int] = {}
    for index, entry in enumerate(entries):
        if entry.node is not None:
            positions.setdefault(entry.node, index)
    for nodes in view.nested.values():
        for node in nodes:
            if only is not None and node not in only:
                continue
            if builder.left <= 0:
                wireframe.omitted.append(node)
                continue
            description = description_of(node.content, view.vocabulary)
            wireframe.screens.append(Screen(builder.group(node), description, entries, positions.get(node)))
    return wireframe


class _Builder:
    """Builds groups and blocks.

    Attributes:
        left: the number of nodes that may still be drawn.
    """

    def __init__(self, view: View, max_nodes: int) -> None:
        self._vocabulary = view.vocabulary
        self._content_names = names_with_role(view.vocabulary, CONTENT)
        self.left = max_nodes

    def group(self, node: Node) -> Group:
        self.left -= 1
        group = Group(node, missing=_missing_in_node(node))
        for child in node.children:
            if self.left <= 0:
                group.omitted += 1
            else:
                group.parts.append(self._part(child))
        return group

    def _part(self, node: Node) -> Group | Block:
        if node.is_group:
            return self.group(node)
        return self.block(node)

    def block(self, node: Node) -> Block:
        self.left -= 1
        block = Block(node, missing=_missing_in_node(node))
        if not isinstance(node.value, dict):
            return block
        shape = node.shape
        hidden = {"id", "type", node.label_name}
        if shape is not None:
            block.value = _value_of(node.content, shape)
            hidden |= {name for name, _ in (*requests_in(shape), *node_lists(shape))}
            if shape.wireframe is not None:
                hidden.add(shape.wireframe.prop)
        for member in members_of(node.content, shape):
            if member[0] not in hidden:
                self._add(block, member)
        block.parts = [self._part(child) for child in node.children]
        return block

    def _add(self, block: Block, member: Member) -> None:
        """Add a property to a block, by its kind."""
        name, value, prop = member
        if isinstance(value, str):
            if name in self._content_names and not block.text:
                block.text = value
            else:
                block.others.append((name, value))
        elif isinstance(value, list) and value:
            shape = object_shape(item_kind(kind_of(prop)))
            cells = [self._cell(element, shape) for element in value[:MAX_ELEMENTS]]
            if len(value) > MAX_ELEMENTS:
                cells.append(Cell(f"and {len(value) - MAX_ELEMENTS} more", None))
            block.cells.append(cells)
        elif isinstance(value, dict):
            control = self._control(value, object_shape(kind_of(prop)))
            if control is None:
                block.others.append((name, ""))
            else:
                block.controls.append(control)
        elif isinstance(value, int | float):
            block.others.append((name, str(value).lower()))

    def _cell(self, element: object, shape: Shape | None) -> Cell:
        if not isinstance(element, dict):
            return Cell(_as_text(element), None)
        value = None
        if shape is not None:
            value = _value_of(element, shape)
        return Cell(self._name_of(element, shape), value)

    def _control(self, value: dict[str, object], shape: Shape | None) -> Control | None:
        if shape is None or not any(prop.uses for prop in shape.props.values()):
            return None
        options: list[str] = []
        for inner in (*shape.props.values(), *shape.suggested.values()):
            elements = value.get(inner.name)
            if isinstance(inner.kind, ListKind) and isinstance(elements, list):
                item_shape = object_shape(inner.kind.items)
                options += [self._cell(element, item_shape).label for element in elements[:MAX_ELEMENTS]]
        return Control(self._name_of(value, shape), options)

    def _name_of(self, value: dict[str, object], shape: Shape | None) -> str:
        """Return the label of an object, else its first text."""
        label, _ = label_of(value, shape, self._vocabulary)
        return label or next((inner for inner in value.values() if isinstance(inner, str)), "")


def _value_of(value: dict[str, object], shape: Shape) -> Value | None:
    placeholder = shape.wireframe
    if placeholder is None:
        return None
    type_ = text_of(value, placeholder.prop)
    if not type_:
        return Value(placeholder.default, "")
    return Value(placeholder.texts.get(type_, type_), type_)


def _missing_in_node(node: Node) -> list[str]:
    if not isinstance(node.value, dict):
        return ["no object"]
    missing = []
    if not node.type and "type" not in node.content:
        missing.append("type missing")
    elif not node.known:
        missing.append("unknown type")
    if node.shape is not None:
        missing += [text for text in _missing(node.content, node.shape) if not text.startswith("type ")]
    return missing


def _missing(value: dict[str, object], shape: Shape, prefix: str = "") -> list[str]:
    """Return what an object lacks: required properties that are absent, and values to set or to correct."""
    return [f"{prefix}{text}" for prop in shape.props.values() for text in _lacks(value, prop)]


def _lacks(value: dict[str, object], prop: Prop) -> Iterator[str]:
    if prop.name not in value:
        if prop.required:
            yield f"{prop.name} missing"
        return
    inner = value[prop.name]
    kind = prop.kind
    if isinstance(kind, ObjectKind) and isinstance(inner, dict):
        if request_props(kind.shape) is not None:
            yield from _missing(inner, kind.shape, f"{prop.name}.")
    elif not kind.accepts(inner):
        yield f"{prop.name} {'empty' if not inner else 'unusable'}"
    elif prop.role == LABEL and isinstance(inner, str) and not inner.strip():
        yield f"{prop.name} empty"
    elif prop.placeholder and inner == prop.placeholder:
        yield f"{prop.name} not set"


def _as_text(value: object) -> str:
    if isinstance(value, str):
        return value
    return ""
