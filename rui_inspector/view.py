"""Document → view tree: what the inspector's page shows, as plain data, without a word of HTML.

The walk follows the vocabulary: what is a node there becomes a node here, whatever its type is called. Any value is
taken, valid or not, and nothing of it is left out; what the vocabulary does not know is kept as the value that it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from rui_common.declarations import ListOf, NodeOf, ObjectOf, Text
from rui_common.paths import format_path, parse_path
from rui_common.places import shape_of
from rui_common.vocabulary import VOCABULARY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rui_common.declarations import Prop, Shape, Symbol, Vocabulary

    Named = tuple[str, object, Prop | None]
    """A property: its name, its value, and its declaration if the vocabulary has one."""

LABELS = ("title", "label")
"""Properties that an object is called by, the first that it has."""

DESCRIPTION = "description"
"""The property that says in a sentence what an object is for."""

REQUEST = ("method", "path", "valuePath")
"""Properties of a binding that are shown as one request, ``GET /path → valuePath``; the first two make it one."""

LAYOUT = ("direction", "row")
"""The property that says how the children of a node are laid out, and the value that puts them side by side."""

NOTHING: Mapping[str, list[Node]] = MappingProxyType({})
"""What most nodes hold: no nodes."""


@dataclass(slots=True)
class Request:
    """Where data comes from.

    Attributes:
        method: such as ``GET``.
        path: the endpoint.
        select: the place in its response; "" for all of it.
    """

    method: str
    path: str
    select: str


@dataclass(slots=True, eq=False)
class Node:
    """A node of the tree.

    Attributes:
        value: what stands in the document; anything at all in a broken one.
        type: its type, as written; "" if it has none.
        known: whether the vocabulary has this type.
        label: what it is called, or "".
        label_name: the property that says so, or "".
        id: its id, or "".
        anchor: what a link to it ends with: its id where that is possible.
        path: where it is in the document, such as ``pages[0].children[1]``.
        members: its properties, in canonical order.
        nested: the nodes in it, by the name of the property that holds them.
        is_row: whether the nodes in it stand side by side.
        line: the number of its first line in the listing, from one; 0 before it is listed.
        last_line: that of its last line.
        start: where it begins in the text that it was read from, in code points.
        end: where it ends there; 0 if it was not read from a text.
    """

    value: object
    type: str
    known: bool
    label: str
    label_name: str
    id: str
    anchor: str
    path: str
    members: list[Named] = field(default_factory=list)
    nested: Mapping[str, list[Node]] = field(default_factory=lambda: NOTHING)
    is_row: bool = False
    line: int = 0
    last_line: int = 0
    start: int = 0
    end: int = 0

    @property
    def children(self) -> list[Node]:
        """The nodes in it, in the author's order."""
        return [node for nodes in self.nested.values() for node in nodes]


@dataclass(slots=True)
class View:
    """A whole document.

    Attributes:
        value: the root of the document.
        title: what the app is called, or "".
        description: what it is for, or "".
        members: the properties of the root, in canonical order.
        nested: the nodes right below the root, by the name of the property that holds them, such as ``pages``.
        nodes: all nodes, a node before those in it.
        requests: every request with the node whose data it gets.
        counts: how many nodes there are by type and whether the vocabulary has it, in order of appearance.
        anchors: where a name leads to, by its sort.
    """

    value: object
    title: str = ""
    description: str = ""
    members: list[Named] = field(default_factory=list)
    nested: Mapping[str, list[Node]] = field(default_factory=lambda: NOTHING)
    nodes: list[Node] = field(default_factory=list)
    requests: list[tuple[Node, Request]] = field(default_factory=list)
    counts: dict[tuple[str, bool], int] = field(default_factory=dict)
    anchors: dict[tuple[Symbol, str], Node] = field(default_factory=dict)

    @property
    def parts(self) -> list[Named]:
        """The properties of the root that hold no nodes, such as ``meta`` and ``navigation``."""
        return [member for member in self.members if member[0] not in self.nested]


def view_of(document: object, vocabulary: Vocabulary = VOCABULARY) -> View:
    """The view tree of a document.

    Args:
        document: the root of a RUI, valid or not.
        vocabulary: what the document is read by.
    """
    view = View(document)
    if isinstance(document, dict):
        view.title, view.description = _names(document)
        view.members = members_of(document, vocabulary.root)
        _Builder(view, vocabulary).nest(view, vocabulary.root, "", document)
    return view


def text_of(value: object, name: str) -> str:
    """The property `name` of an object if it is a string, else ""."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def request_of(value: object, shape: Shape | None) -> Request | None:
    """The request that an object of this shape says, if it says one."""
    if shape is None or not isinstance(value, dict) or REQUEST[0] not in shape.props:
        return None
    method, path, select = map(value.get, REQUEST)
    if not (isinstance(method, str) and isinstance(path, str) and method and path):
        return None
    return Request(method, path, select if isinstance(select, str) else "")


def members_of(value: dict[str, object], shape: Shape | None) -> list[Named]:
    """The properties of an object in canonical order, each with its declaration if it has one."""
    return [(name, value[name], prop) for name, prop in _order(shape, tuple(value))]


@lru_cache(1024)
def _order(shape: Shape | None, names: tuple[str, ...]) -> tuple[tuple[str, Prop | None], ...]:
    """Names of properties in canonical order; objects of one shape mostly have the same ones."""
    declared = {**shape.props, **shape.suggested} if shape is not None else {}
    found = {*names}
    known = [(name, prop) for name, prop in declared.items() if name in found]
    return (*known, *((name, None) for name in names if name not in declared))


def _names(document: dict[str, object]) -> tuple[str, str]:
    """What the app is called and what it is for, as the first object below the root with such properties says."""
    for value in document.values():
        title = next((text_of(value, name) for name in LABELS if text_of(value, name).strip()), "")
        if title:
            return title, text_of(value, DESCRIPTION)
    return "", next((text_of(value, DESCRIPTION) for value in document.values() if text_of(value, DESCRIPTION)), "")


class _Builder:
    """Makes nodes, and remembers which names lead where."""

    def __init__(self, view: View, vocabulary: Vocabulary) -> None:
        self._view = view
        self._vocabulary = vocabulary
        kinds = [shape.props["id"].kind for shape in vocabulary.nodes.values()]
        texts = {(kind.pattern, kind.max_length): kind for kind in kinds if isinstance(kind, Text)}
        self._fits = [kind.fits for kind in texts.values()]
        self._taken: set[str] = set()
        self._lists: dict[Shape, list[tuple[str, NodeOf]]] = {}
        self._objects: dict[Shape, list[tuple[str, Shape]]] = {}

    def nest(self, owner: View | Node, shape: Shape, path: str, value: dict[str, object]) -> None:
        """Make the nodes in the root or in a node, and find its requests."""
        if shape not in self._lists:
            kinds = [(name, prop.kind) for name, prop in shape.props.items()]
            self._lists[shape] = [
                (name, kind.items)
                for name, kind in kinds
                if isinstance(kind, ListOf) and isinstance(kind.items, NodeOf)
            ]
            self._objects[shape] = [(name, kind.shape) for name, kind in kinds if isinstance(kind, ObjectOf)]
        nested = {}
        for name, kind in self._lists[shape]:
            values = value.get(name)
            if isinstance(values, list) and values:
                below = _below(path, name)
                nested[name] = [self._node(inner, kind, f"{below}[{at}]") for at, inner in enumerate(values)]
        if nested:
            owner.nested = nested
        if isinstance(owner, Node):
            for name, inner_shape in self._objects[shape]:
                request = request_of(value.get(name), inner_shape)
                if request is not None:
                    self._view.requests.append((owner, request))

    def _node(self, value: object, kind: NodeOf, path: str) -> Node:
        view = self._view
        if not isinstance(value, dict):
            node = Node(value, "", False, "", "", "", self._anchor("", path), path, [("value", value, None)])
            view.nodes.append(node)
            return node
        get = value.get
        given = kept if isinstance(kept := get("type"), str) else ""
        name = kept if isinstance(kept := get("id"), str) else ""
        shape = self._vocabulary.nodes.get(given) or shape_of(value, kind, self._vocabulary)
        known = shape is not None and shape.name == given
        label = label_name = ""
        for label_name in LABELS:
            if isinstance(kept := get(label_name), str) and kept:
                label = kept
                break
        else:
            label_name = ""
        node = Node(
            value, given, known, label, label_name, name, self._anchor(name, path), path,
            members_of(value, shape), is_row=get(LAYOUT[0]) == LAYOUT[1],
        )  # fmt: skip
        view.nodes.append(node)
        view.counts[given, known] = view.counts.get((given, known), 0) + 1
        if name:
            for symbol in (kind.defines, shape.props["id"].defines if shape else None):
                if symbol is not None:
                    view.anchors.setdefault((symbol, name), node)
        if shape is not None:
            self.nest(node, shape, path, value)
        return node

    def _anchor(self, name: str, path: str) -> str:
        """The id itself where it is one; other anchors begin with an underscore, as no id of a node does."""
        anchor = name
        if name in self._taken or not any(fits(name) for fits in self._fits):
            anchor = "_" + "-".join(str(step) for step in parse_path(path))
        self._taken.add(anchor)
        return anchor


def _below(path: str, name: str) -> str:
    """The path of a property."""
    if path and name.isalpha() and name.isascii():
        return f"{path}.{name}"
    return format_path((*parse_path(path), name))
