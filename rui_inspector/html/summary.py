"""Write the summary of a closed node: one line with its requests, children and most important properties."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.schema import CONTENT, DESCRIPTION, Prop
from rui_inspector.escape import LONG
from rui_inspector.html.values import ValueWriter, count_of
from rui_inspector.model.shape_layouts import ShapeLayout, request_props
from rui_inspector.model.view import Node, View

PropWriter = Callable[["SummaryWriter", object, Prop], str]

MAX_EXCERPT = 100
"""Characters of a text in a summary; the stylesheet cuts it off at the end of the line."""


class SummaryWriter:
    """Writes the one-line summaries of collapsed nodes."""

    def __init__(self, view: View, values: ValueWriter) -> None:
        self._values = values
        self._escape = values.escape
        self._shapes = view.vocabulary.nodes
        self._writers: dict[ShapeLayout, list[tuple[str, Prop, PropWriter]]] = {}

    def summary(self, node: Node) -> str:
        """Return the line as HTML; ``""`` for a node without anything to summarize."""
        layout = node.layout
        writers = self._writers.get(layout)
        if writers is None:
            writers = self._writers[layout] = _writers_for(layout)
        parts = [f" {self._values.request(request)}" for request in node.requests]
        parts += [self._node_count(nodes) for nodes in node.nested.values()]
        value = node.value
        if isinstance(value, dict):
            parts += [write(self, value[name], prop) for name, prop, write in writers]
        if not parts:
            return ""
        return f'<span class="summary">{"".join(parts)}</span>'

    def _word(self, value: object, _: Prop) -> str:
        """Write one of a few strings."""
        if not isinstance(value, str) or not 0 < len(value) <= LONG:
            return ""
        return f' <span class="word">{self._escape(value)}</span>'

    def _count(self, value: object, prop: Prop) -> str:
        """Write the length of a list, such as ``3 columns``."""
        if not isinstance(value, list):
            return ""
        return self._name(count_of(len(value), prop.name))

    def _reference(self, value: object, prop: Prop) -> str:
        """Write the first name that an object refers to, such as ``filter status``."""
        if not isinstance(prop.kind, ObjectKind) or not isinstance(value, dict) or not value:
            return ""
        for inner in prop.kind.shape.props.values():
            text = value.get(inner.name)
            if inner.uses is not None and isinstance(text, str) and 0 < len(text) <= LONG:
                return f'{self._name(prop.name)} <span class="key" dir="auto">{self._escape(text)}</span>'
        return self._name(prop.name)

    def _excerpt(self, value: object, _: Prop) -> str:
        """Write the beginning of a text."""
        if not isinstance(value, str) or not value.strip():
            return ""
        return f' <span class="excerpt" dir="auto">{self._escape(value[:MAX_EXCERPT])}</span>'

    def _node_count(self, nodes: Sequence[Node]) -> str:
        """Write the number of child nodes and their common type or role, such as ``2 Metrics`` or ``3 blocks``."""
        types = {node.type for node in nodes}
        noun = "node"
        if types <= self._shapes.keys():
            roles = {self._shapes[type_].role for type_ in types}
            if len(types) == 1:
                noun = types.pop()
            elif len(roles) == 1:
                noun = roles.pop()
        return self._name(count_of(len(nodes), f"{noun}s"))

    def _name(self, text: str) -> str:
        return f' <span class="name">{self._escape(text)}</span>'


def _writers_for(layout: ShapeLayout) -> list[tuple[str, Prop, PropWriter]]:
    """Return the properties in a summary, each with the method that writes it."""
    writers: list[tuple[str, Prop, PropWriter]] = []
    for name, prop in layout.order:
        if prop is None or name == "type":
            continue
        kind = prop.kind
        if kind.values:
            writers.append((name, prop, SummaryWriter._word))
        elif isinstance(kind, ListKind) and not isinstance(kind.items, NodeKind):
            writers.append((name, prop, SummaryWriter._count))
        elif isinstance(kind, ObjectKind) and request_props(kind.shape) is None:
            writers.append((name, prop, SummaryWriter._reference))
        elif prop.role in (CONTENT, DESCRIPTION):
            writers.append((name, prop, SummaryWriter._excerpt))
    return writers
