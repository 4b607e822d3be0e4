"""Document → view tree: what the inspector's page shows, as plain data, without a word of HTML.

The walk follows the vocabulary: what is a node there becomes a node here, whatever its type is called. Any value is
taken, valid or not, and nothing of it is left out; what the vocabulary does not know is kept as the value that it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from rui_common.syntax.paths import format_path, parse_path
from rui_common.vocabulary.kinds import NodeKind, ObjectKind, TextKind
from rui_common.vocabulary.lookup import shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_inspector.model.colors import UNKNOWN_COLOR, colors_of
from rui_inspector.model.shape_layouts import Plan, callings, order_of, plans_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rui_common.vocabulary.schema import Prop, Shape, Symbol, Vocabulary
    from rui_inspector.model.shape_layouts import RequestNames

    Named = tuple[str, object, Prop | None]
    """A property: its name, its value, and its declaration if the vocabulary has one."""

NOTHING: Mapping[str, list[Node]] = MappingProxyType({})
"""What most nodes hold: no nodes."""


NO_OBJECT = Plan(None, (), ())
"""The plan for what is no object."""


class Request(NamedTuple):
    """Where data comes from.

    Attributes:
        method: such as ``GET``.
        path: the endpoint.
        select: the place in its response; "" for all of it.
    """

    method: str
    path: str
    select: str


class Node:
    """A node of the tree.

    Attributes:
        value: what stands in the document; anything at all in a broken one.
        type: its type, as written; "" if it has none.
        plan: what is the same for all nodes of its shape with the same properties.
        label: what it is called, or "".
        id: its id, or "".
        anchor: what a link to it ends with: its id where that is possible.
        path: where it is in the document, such as ``pages[0].children[1]``.
        nested: the nodes in it, by the name of the property that holds them.
        requests: where its data comes from.
        line: the number of its first line in the listing, from one; 0 before it is listed.
        last_line: that of its last line.
        start: where it begins in the text that it was read from, in code points.
        end: where it ends there; 0 if it was not read from a text.
    """

    __slots__ = (
        "anchor", "end", "id", "label", "last_line", "line", "nested", "path", "plan", "requests", "start", "type",
        "value",
    )  # fmt: skip

    def __init__(self, value: object, type_: str, plan: Plan, label: str, name: str, anchor: str, path: str) -> None:
        self.value = value
        self.type = type_
        self.plan = plan
        self.label = label
        self.id = name
        self.anchor = anchor
        self.path = path
        self.nested = NOTHING
        self.requests: Sequence[Request] = ()
        self.line = self.last_line = self.start = self.end = 0

    @property
    def known(self) -> bool:
        """Whether the vocabulary has its type."""
        shape = self.plan.shape
        return shape is not None and shape.name == self.type

    @property
    def label_name(self) -> str:
        """The property that says what it is called, or ""."""
        if not self.label or not isinstance(self.value, dict):
            return ""
        value: dict[str, object] = self.value
        return next(name for name in self.plan.labels if value[name] == self.label)

    @property
    def is_row(self) -> bool:
        """Whether the nodes in it stand side by side."""
        name, row = self.plan.layout
        return bool(name) and isinstance(self.value, dict) and self.value.get(name) == row

    @property
    def members(self) -> list[Named]:
        """Its properties, in canonical order."""
        value = self.value
        if not isinstance(value, dict):
            return [("value", value, None)]
        return [(name, value[name], prop) for name, prop in self.plan.order]

    @property
    def children(self) -> list[Node]:
        """The nodes in it, in the author's order."""
        return [node for nodes in self.nested.values() for node in nodes]


@dataclass(slots=True)
class View:
    """A whole document.

    Attributes:
        value: the root of the document.
        vocabulary: what it is read by.
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
    vocabulary: Vocabulary = VOCABULARY
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

    def color(self, type_: str, known: bool) -> str:
        """The colour of a type."""
        return colors_of(self.vocabulary)[type_] if known else UNKNOWN_COLOR


def view_of(document: object, vocabulary: Vocabulary = VOCABULARY) -> View:
    """The view tree of a document.

    Args:
        document: the root of a RUI, valid or not.
        vocabulary: what the document is read by.
    """
    view = View(document, vocabulary)
    if isinstance(document, dict):
        view.title, view.description = _names(document, vocabulary)
        view.members = members_of(document, vocabulary.root)
        _Builder(view).root(document)
    return view


def text_of(value: object, name: str) -> str:
    """The property `name` of an object if it is a string, else ""."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def request_of(value: object, names: RequestNames | None) -> Request | None:
    """The request that an object says by properties of these names, if it says one."""
    if names is None or not isinstance(value, dict):
        return None
    method, endpoint, select = value.get(names.method), value.get(names.endpoint), value.get(names.select)
    if not (isinstance(method, str) and isinstance(endpoint, str) and method and endpoint):
        return None
    return Request(method, endpoint, select if isinstance(select, str) else "")


def members_of(value: dict[str, object], shape: Shape | None) -> list[Named]:
    """The properties of an object in canonical order, each with its declaration if it has one."""
    return [(name, value[name], prop) for name, prop in order_of(shape, tuple(value))]


def called(value: object, shape: Shape | None, vocabulary: Vocabulary) -> tuple[str, str]:
    """What an object is called, and the property that says so; two empty strings if nothing does."""
    labels, _ = callings(vocabulary, shape)
    return next(((text, name) for name in labels if (text := text_of(value, name)).strip()), ("", ""))


def described(value: object, vocabulary: Vocabulary) -> str:
    """What an object is for, or ""."""
    _, descriptions = callings(vocabulary, None)
    return next((text for name in descriptions if (text := text_of(value, name))), "")


def _names(document: dict[str, object], vocabulary: Vocabulary) -> tuple[str, str]:
    """What the app is called and what it is for, as the first object below the root with such properties says."""
    for name, value in document.items():
        prop = vocabulary.root.prop(name)
        title, _ = called(value, prop.kind.shape if prop and isinstance(prop.kind, ObjectKind) else None, vocabulary)
        if title:
            return title, described(value, vocabulary)
    return "", next((text for value in document.values() if (text := described(value, vocabulary))), "")


@dataclass(slots=True)
class _Sort:
    """Nodes in places of one kind that have the same type and the same properties.

    Attributes:
        type: their type, as written.
        known: whether the vocabulary has it.
        plan: their plan.
        symbols: what their ids are names of.
        count: how many there are.
    """

    type: str
    known: bool
    plan: Plan
    symbols: tuple[Symbol, ...]
    count: int = 0


class _Builder:
    """Makes nodes, and remembers which names lead where."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._vocabulary = vocabulary = view.vocabulary
        self._plans = plans_of(vocabulary)
        kinds = [shape.props["id"].kind for shape in vocabulary.nodes.values()]
        texts = {(kind.pattern, kind.max_length): kind for kind in kinds if isinstance(kind, TextKind)}
        self._fits = [kind.fits for kind in texts.values()]
        self._taken: set[str] = set()
        self._known: dict[tuple[NodeKind, str, tuple[str, ...]], _Sort] = {}

    def root(self, value: dict[str, object]) -> None:
        """Make the nodes below the root."""
        plan = self._plans.plan(self._vocabulary.root, tuple(value))
        self._view.nested = self._nested(plan, value, "")
        counts = self._view.counts
        for sort in self._known.values():
            counts[sort.type, sort.known] = counts.get((sort.type, sort.known), 0) + sort.count

    def _nested(self, plan: Plan, value: dict[str, object], path: str) -> Mapping[str, list[Node]]:
        """The nodes in the root or in a node."""
        nested: dict[str, list[Node]] = {}
        for name, kind, tail in plan.lists:
            values = value[name]
            if isinstance(values, list) and values:
                below = f"{path}{tail}[" if path else f"{format_path((name,))}["
                nested[name] = [self._node(inner, kind, f"{below}{at}]") for at, inner in enumerate(values)]
        return nested or NOTHING

    def _node(self, value: object, kind: NodeKind, path: str) -> Node:
        view = self._view
        if not isinstance(value, dict):
            node = Node(value, "", NO_OBJECT, "", "", self._anchor("", path), path)
            view.nodes.append(node)
            return node
        get = value.get
        given = kept if isinstance(kept := get("type"), str) else ""
        name = kept if isinstance(kept := get("id"), str) else ""
        key = kind, given, tuple(value)
        sort = self._known.get(key)
        if sort is None:
            sort = self._known[key] = self._sort(value, kind, given)
        sort.count += 1
        plan = sort.plan
        label = ""
        for label_name in plan.labels:
            if isinstance(kept := value[label_name], str) and kept:
                label = kept
                break
        node = Node(value, given, plan, label, name, self._anchor(name, path), path)
        view.nodes.append(node)
        if name:
            for symbol in sort.symbols:
                view.anchors.setdefault((symbol, name), node)
        if plan.requests:
            found = [request_of(value[name], names) for name, names in plan.requests]
            node.requests = [request for request in found if request is not None]
            view.requests += [(node, request) for request in node.requests]
        if plan.lists:
            node.nested = self._nested(plan, value, path)
        return node

    def _sort(self, value: dict[str, object], kind: NodeKind, given: str) -> _Sort:
        shape = self._vocabulary.nodes.get(given) or shape_of(value, kind, self._vocabulary)
        defined = kind.defines, shape.props["id"].defines if shape is not None else None
        return _Sort(
            given, shape is not None and shape.name == given, self._plans.plan(shape, tuple(value)),
            tuple(symbol for symbol in defined if symbol is not None),
        )  # fmt: skip

    def _anchor(self, name: str, path: str) -> str:
        """The id itself where it is one; other anchors begin with an underscore, as no id of a node does."""
        anchor = name
        for fits in self._fits if name not in self._taken else ():
            if fits(name):
                break
        else:
            anchor = "_" + "-".join(str(step) for step in parse_path(path))
        self._taken.add(anchor)
        return anchor
