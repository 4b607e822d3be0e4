"""The screens that a document describes, as a wireframe draws them: structure and placeholders, never data.

With a `Grounding`, examples of the API description replace placeholders.

Everything is derived from the declarations of the vocabulary. A block of any type shows its label, its text, the
placeholder of its value, the elements of its lists, its controls and its requests, if it has them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from rui_common.grounding import UNGROUNDED, Grounding, StatedValue
from rui_common.nodes.naming import name_of
from rui_common.nodes.requests import request_props, requests_in
from rui_common.syntax.paths import Path, text_at
from rui_common.texts import count_of
from rui_common.vocabulary.kinds import ListKind, ObjectKind
from rui_common.vocabulary.schema import Prop, Role, Shape
from rui_inspector.model.overview import Entry, menus_of
from rui_inspector.model.shapes import (
    item_kind,
    kind_of,
    names_with_role,
    node_lists,
    object_shape,
)
from rui_inspector.model.view import (
    View,
    ViewMember,
    ViewNode,
    members_of,
)

MAX_ELEMENTS = 40  # maximum number of elements of a list that a block shows
MAX_ENTRIES = 12  # maximum number of entries of a navigation that a screen shows completely
MAX_WEIGHT = 6  # number of columns from which a block is not drawn wider
NEAR_ENTRIES = 5  # number of entries of a longer navigation that a screen shows


class DrawnValue(NamedTuple):
    """The placeholder of a value: its text, the name of its type, or ``""``, and the statement about it, or None."""

    text: str
    type: str
    stated: StatedValue | None = None


class Cell(NamedTuple):
    """An element of a list, such as a column: its label or name, or ``""``, and the placeholder of its value."""

    label: str
    value: DrawnValue | None


class CellList(NamedTuple):
    """A list of a block: its cells, the property that holds it, and its length, such as ``30 columns``."""

    cells: list[Cell]
    name: str
    title: str


class Control(NamedTuple):
    """An object that refers to an element of the block, such as a filter."""

    label: str
    options: list[str]  # the labels of its options
    option_paths: list[Path]  # the list and the index of each option in the object
    name: str  # the property that holds it


@dataclass(eq=False)
class Part:
    """A node as it is drawn: a block, or a group, which arranges its parts."""

    node: ViewNode
    missing: list[str]  # what it lacks, such as ``binding missing``
    parts: list[Part] = field(default_factory=list)
    omitted: int = 0  # the number of its nodes that are not drawn
    operation: str = ""  # the operation of the API description that returns its data, or ``""``
    text: str = ""
    text_name: str = ""
    value: DrawnValue | None = None
    lists: list[CellList] = field(default_factory=list)
    controls: list[Control] = field(default_factory=list)
    properties: list[tuple[str, str]] = field(default_factory=list)  # names and values of its other scalar properties

    @cached_property
    def weight(self) -> int:
        """Its width in a row, as a multiple of a small block."""
        weights = [part.weight for part in self.parts]
        if self.node.is_row and weights:
            return sum(weights)
        return max([1, *weights, *(min(MAX_WEIGHT, len(cells.cells)) for cells in self.lists)])


class Screen(NamedTuple):
    """A node directly below the root, such as a page."""

    part: Part
    description: str
    description_name: str
    # the entries of the navigation, or some around the one that leads to it, or else the first ones
    near_entries: Sequence[Entry]
    further: int  # number of other entries
    is_listed: bool  # whether an entry leads to it; True without any navigation


@dataclass(eq=False)
class Wireframe:
    """The screens that are drawn, the nodes of those that are not, and what the document itself lacks."""

    screens: list[Screen] = field(default_factory=list)
    omitted: list[ViewNode] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    grounded: str = ""  # how many bindings are in the API description, or ``""``


def wireframe_of(
    view: View, max_nodes: int, only: Collection[ViewNode] | None = None, *, grounding: Grounding = UNGROUNDED
) -> Wireframe:
    """Return the screens of a document.

    Args:
        max_nodes: the maximum number of nodes that are drawn; of the first screen at least one.
        only: the screens that are drawn; None for all.
    """
    wireframe = Wireframe(missing=["no object"], grounded=grounding.text())
    if isinstance(view.value, dict):
        wireframe.missing = _missing(view.content, view.vocabulary.root.props.values())
    builder = _Builder(view, max_nodes, grounding)
    entries = [entry for menu in menus_of(view) for entry in menu.entries]
    positions: dict[ViewNode, int] = {}
    for index, entry in enumerate(entries):
        if entry.node is not None:
            positions.setdefault(entry.node, index)
    for node in view.tops:
        if only is not None and node not in only:
            continue
        if builder.left <= 0:
            wireframe.omitted.append(node)
        else:
            near = entries
            if len(entries) > MAX_ENTRIES:
                middle = positions.get(node, 0)
                first = max(0, min(middle - NEAR_ENTRIES // 2, len(entries) - NEAR_ENTRIES))
                near = entries[first : first + NEAR_ENTRIES]
            description, name = view.description_and_name(node.content)
            is_listed = node in positions or not entries
            screen = Screen(builder.part(node), description, name, near, len(entries) - len(near), is_listed)
            wireframe.screens.append(screen)
    return wireframe


class _Builder:
    """Builds groups and blocks."""

    def __init__(self, view: View, max_nodes: int, grounding: Grounding) -> None:
        self._grounding = grounding
        self._vocabulary = view.vocabulary
        self._content_names = names_with_role(view.vocabulary, Role.CONTENT)
        self.left = max_nodes  # the number of nodes that may still be drawn

    def part(self, node: ViewNode) -> Part:
        self.left -= 1
        part = Part(node, _missing_in_node(node))
        part.operation = self._grounding.operations.get(node.path, "")
        shape = node.shape
        if not node.is_group:
            hidden = {"id", "type", node.label_name, *node.nested}
            if shape is not None:
                part.value = self._value(node.content, shape, node.path)
                hidden |= {name for name, _ in (*requests_in(shape), *node_lists(shape))}
                if shape.wireframe is not None:
                    hidden.add(shape.wireframe.prop)
            for member in members_of(node.content, shape):
                if member[0] not in hidden:
                    self._add(part, member)
        for child in node.children:
            if self.left <= 0:
                part.omitted += 1
            else:
                part.parts.append(self.part(child))
        return part

    def _add(self, block: Part, member: ViewMember) -> None:
        """Add a property to a block, by its kind."""
        name, value, prop = member
        if isinstance(value, str):
            if name in self._content_names and not block.text:
                block.text = value
                block.text_name = name
            else:
                block.properties.append((name, value))
        elif isinstance(value, list) and value:
            shape = object_shape(item_kind(kind_of(prop)))
            path = (*block.node.path, name)
            cells = [self._cell(element, shape, (*path, index)) for index, element in enumerate(value[:MAX_ELEMENTS])]
            if len(value) > MAX_ELEMENTS:
                cells.append(Cell(f"and {len(value) - MAX_ELEMENTS} more", None))
            block.lists.append(CellList(cells, name, count_of(len(value), name)))
        elif isinstance(value, dict):
            control = self._control(value, object_shape(kind_of(prop)), name)
            if control is None:
                block.properties.append((name, ""))
            else:
                block.controls.append(control)
        elif isinstance(value, int | float):
            block.properties.append((name, str(value).lower()))

    def _cell(self, element: object, shape: Shape | None, path: Path = ()) -> Cell:
        if not isinstance(element, dict):
            return Cell(element if isinstance(element, str) else "", None)
        value = self._value(element, shape, path) if shape is not None else None
        return Cell(name_of(element, shape), value)

    def _control(self, value: dict[str, object], shape: Shape | None, name: str) -> Control | None:
        if shape is None or not any(prop.uses for prop in shape.props.values()):
            return None
        options: list[str] = []
        option_paths: list[Path] = []
        for inner in shape.all_props:
            elements = value.get(inner.name)
            if isinstance(inner.kind, ListKind) and isinstance(elements, list):
                item_shape = object_shape(inner.kind.items)
                for index, element in enumerate(elements[:MAX_ELEMENTS]):
                    options.append(self._cell(element, item_shape).label)
                    option_paths.append((inner.name, index))
        return Control(name_of(value, shape), options, option_paths, name)

    def _value(self, value: dict[str, object], shape: Shape, path: Path) -> DrawnValue | None:
        """Return the placeholder of the value that an object shows, with the statement about the object's path."""
        placeholder = shape.wireframe
        if placeholder is None:
            return None
        stated = self._grounding.values.get(path)
        type_ = text_at(value, placeholder.prop)
        text = placeholder.texts.get(type_, type_) if type_ else placeholder.default
        return DrawnValue(text, type_, stated)


def _missing_in_node(node: ViewNode) -> list[str]:
    if not isinstance(node.value, dict):
        return ["no object"]
    missing = []
    if not node.type and "type" not in node.content:
        missing.append("type missing")
    elif not node.known:
        missing.append("unknown type")
    if node.shape is not None:
        missing += _missing(node.content, [prop for prop in node.shape.props.values() if prop.name != "type"])
    return missing


def _missing(value: dict[str, object], props: Iterable[Prop], prefix: str = "") -> list[str]:
    """Return what an object lacks: required properties that are absent, and values to set or to correct."""
    return [f"{prefix}{text}" for prop in props for text in _lacks(value, prop)]


def _lacks(value: dict[str, object], prop: Prop) -> Iterator[str]:
    if prop.name not in value:
        if prop.required:
            yield f"{prop.name} missing"
        return
    inner = value[prop.name]
    kind = prop.kind
    if isinstance(kind, ObjectKind) and isinstance(inner, dict):
        if request_props(kind.shape) is not None:
            yield from _missing(inner, kind.shape.props.values(), f"{prop.name}.")
    elif isinstance(inner, list) and isinstance(kind, ListKind) and not kind.allows(len(inner)):
        yield f"{prop.name}: {len(inner)} instead of {kind.length}" if inner else f"{prop.name} empty"
    elif not kind.accepts(inner):
        is_empty = inner in (None, "", [], {})
        yield f"{prop.name} {'empty' if is_empty else 'unusable'}"
    elif prop.role is Role.LABEL and isinstance(inner, str) and not inner.strip():
        yield f"{prop.name} empty"
    elif isinstance(inner, str) and prop.is_placeholder(inner):
        yield f"{prop.name} not set"
