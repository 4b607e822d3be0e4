"""Document → view tree: what the inspector's page shows, as plain data, without a word of HTML.

The walk follows the vocabulary: what is a node there becomes a node here, whatever its type is called. Any value is
taken, valid or not, and nothing of it is left out; what the vocabulary does not know is shown as the JSON that it is.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rui_common.declarations import ListOf, NodeOf, ObjectOf, OneOf, Text
from rui_common.paths import format_path
from rui_common.vocabulary import VOCABULARY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rui_common.declarations import Kind, Prop, Shape, Symbol, Vocabulary
    from rui_common.paths import Path

    Named = tuple[str, object, Prop | None]

MAX_NESTING = 3
"""Levels of open values that are laid out; what is deeper is shown as JSON text."""

LABELS = ("title", "label")
"""Properties that a node is called by, the first that it has."""

REQUEST = ("method", "path", "valuePath")
"""Properties of a binding that are shown as one request, ``GET /path → valuePath``; the first two make it one."""


@dataclass(slots=True)
class Value:
    """A value, ready to be shown.

    Attributes:
        form: ``text``, ``word`` (one of a few), ``number``, ``literal`` (true, false, null), ``json`` (any value as
            JSON text), ``fields`` (an object), ``list``, ``chips`` (small objects) or ``request`` (a binding).
        text: the text of the first five; of a request, its method and path.
        select: of a request, its `valuePath`, or "".
        href: the anchor of the node that a name leads to, or "".
        fields: of an object; of a request all that is in it besides.
        values: of a list; of chips, each one in the form ``fields``.
    """

    form: str
    text: str = ""
    select: str = ""
    href: str = ""
    fields: list[Field] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)


@dataclass(slots=True)
class Field:
    """A property with its name."""

    name: str
    value: Value


@dataclass(slots=True)
class Node:
    """A node of the tree.

    Attributes:
        type: its type, as written; "" if it has none.
        known: whether the vocabulary has this type.
        label: what it is called, or "".
        label_name: the property that says so, or "".
        id: its id, or "".
        anchor: what a link to it ends with: its id where that is possible.
        path: where it is in the document, such as ``pages[0].children[1]``.
        fields: its properties without those above, in canonical order.
        children: the nodes in it, in the author's order.
    """

    type: str
    known: bool
    label: str
    label_name: str
    id: str
    anchor: str
    path: str
    fields: list[Field] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class View:
    """A whole document.

    Attributes:
        title: what the app is called, or "".
        parts: its properties that hold no nodes, such as ``meta`` and ``navigation``.
        trees: its properties that hold nodes, such as ``pages``, each with the nodes.
        counts: how many nodes there are by type and whether the vocabulary has it, in order of appearance.
    """

    title: str
    parts: list[Field]
    trees: list[tuple[str, list[Node]]]
    counts: dict[tuple[str, bool], int]


def view_of(document: dict[str, object], vocabulary: Vocabulary = VOCABULARY) -> View:
    """The view tree of a document.

    Args:
        document: the root object of a RUI, valid or not.
        vocabulary: what the document is read by.
    """
    builder = _Builder(vocabulary)
    parts: list[Field] = []
    trees: list[tuple[str, list[Node]]] = []
    for name, value, prop in _properties(document, vocabulary.root):
        nodes = _node_list(value, prop)
        if nodes is not None:
            trees.append((name, builder.nodes(*nodes, (name,))))
        else:
            parts.append(Field(name, builder.value(value, prop)))
    builder.link()
    return View(_title(document), parts, trees, builder.counts)


class _Builder:
    """Makes nodes and values, and remembers which names lead where."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.counts: dict[tuple[str, bool], int] = {}
        self._vocabulary = vocabulary
        kinds = {shape.props["id"].kind for shape in vocabulary.nodes.values()}
        self._ids = [kind for kind in kinds if isinstance(kind, Text)]
        self._anchors: dict[tuple[Symbol, str], str] = {}
        self._taken: set[str] = set()
        self._links: list[tuple[Value, Symbol]] = []

    def link(self) -> None:
        """Give every name the anchor of what it names; only now all nodes are known."""
        for value, symbol in self._links:
            anchor = self._anchors.get((symbol, value.text))
            value.href = f"#{anchor}" if anchor else ""

    def nodes(self, values: list[object], kind: NodeOf, path: Path) -> list[Node]:
        """The nodes of a list, in its order."""
        return [self._node(value, kind, (*path, index)) for index, value in enumerate(values)]

    def _node(self, value: object, kind: NodeOf, path: Path) -> Node:
        if not isinstance(value, dict):
            return Node("", False, "", "", "", self._anchor("", path), format_path(path),
                        [Field("value", self.value(value, None))])  # fmt: skip
        given = value.get("type")
        shape = self._vocabulary.nodes.get(given) if isinstance(given, str) else None
        name = _text(value, "id")
        label_name = next((label for label in LABELS if _text(value, label)), "")
        node = Node(
            type=_text(value, "type"), known=shape is not None, label=_text(value, label_name), label_name=label_name,
            id=name, anchor=self._anchor(name, path), path=format_path(path),
        )  # fmt: skip
        self.counts[node.type, node.known] = self.counts.get((node.type, node.known), 0) + 1
        self._define(shape, kind, node)
        shown = {"id": node.id, "type": node.type, label_name: node.label}
        for key, inner, prop in _properties(value, shape):
            below = _node_list(inner, prop)
            if below is not None:
                node.children += self.nodes(*below, (*path, key))
            elif not (shown.get(key) and shown[key] == inner):
                node.fields.append(Field(key, self.value(inner, prop)))
        return node

    def _define(self, shape: Shape | None, kind: NodeOf, node: Node) -> None:
        """The names that this node is found by."""
        prop = shape.props.get("id") if shape else None
        for symbol in (kind.defines, prop.defines if prop else None):
            if symbol is not None and node.id:
                self._anchors.setdefault((symbol, node.id), node.anchor)

    def _anchor(self, name: str, path: Path) -> str:
        """The id itself where it is one; ids of the page begin with an underscore, as no id of a node does."""
        usable = name not in self._taken and any(kind.fits(name) for kind in self._ids)
        anchor = name if usable else "_" + "-".join(str(step) for step in path)
        self._taken.add(anchor)
        return anchor

    def value(self, value: object, prop: Prop | None, nesting: int = 0) -> Value:
        """A value, laid out by its kind where it is of that kind, else as what it is."""
        kind = prop.kind if prop else None
        if isinstance(value, str):
            shown = Value("word" if isinstance(kind, OneOf) else "text", value)
            if prop is not None and prop.uses is not None:
                self._links.append((shown, prop.uses))
            return shown
        if isinstance(value, dict | list):
            return self._container(value, kind, nesting)
        literal = value is None or isinstance(value, bool)
        return Value("literal" if literal else "number", _json(value))

    def _container(self, value: dict[str, object] | list[object], kind: Kind | None, nesting: int) -> Value:
        if not value or nesting >= MAX_NESTING:
            return Value("json", _json(value))
        if isinstance(value, dict):
            shape = kind.shape if isinstance(kind, ObjectOf) else None
            properties = list(_properties(value, shape))
            if shape is not None and all(name in shape.props and _text(value, name) for name in REQUEST[:2]):
                return self._request(value, properties)
            return Value("fields", fields=self._fields(properties, nesting))
        items = kind.items if isinstance(kind, ListOf) else None
        if isinstance(items, ObjectOf) and all(isinstance(element, dict) and element for element in value):
            chips = [self._container(element, items, MAX_NESTING - 1) for element in value]  # type: ignore[arg-type]
            return Value("chips", values=chips)
        return Value("list", values=[self.value(element, None, nesting + 1) for element in value])

    def _request(self, value: dict[str, object], properties: list[Named]) -> Value:
        shown = [name for name in REQUEST if _text(value, name)]
        rest = [named for named in properties if named[0] not in shown]
        return Value(
            "request", text=" ".join(_text(value, name) for name in REQUEST[:2]), select=_text(value, REQUEST[2]),
            fields=self._fields(rest, MAX_NESTING - 1),
        )  # fmt: skip

    def _fields(self, properties: Iterable[Named], nesting: int) -> list[Field]:
        return [Field(name, self.value(value, prop, nesting + 1)) for name, value, prop in properties]


def _properties(value: dict[str, object], shape: Shape | None) -> Iterator[Named]:
    """The properties of an object in canonical order, each with its declaration if it has one."""
    known = {**shape.props, **shape.suggested} if shape else {}
    for name, prop in known.items():
        if name in value:
            yield name, value[name], prop
    for name, found in value.items():
        if name not in known:
            yield name, found, None


def _node_list(value: object, prop: Prop | None) -> tuple[list[object], NodeOf] | None:
    """`value` if it is a list of nodes, with what the vocabulary says about these."""
    if prop is None or not isinstance(prop.kind, ListOf) or not isinstance(prop.kind.items, NodeOf):
        return None
    return (value, prop.kind.items) if isinstance(value, list) and value else None


def _text(value: dict[str, object], name: str) -> str:
    """The property `name` if it is a string, else ""."""
    found = value.get(name)
    return found if isinstance(found, str) else ""


def _title(document: dict[str, object]) -> str:
    """What the app is called: the first title or label that an object right below the root has."""
    for value in document.values():
        if isinstance(value, dict):
            label = next((_text(value, name) for name in LABELS if _text(value, name)), "")
            if label:
                return label
    return ""


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
