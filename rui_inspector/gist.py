"""What a closed node says of itself on one line: where its data comes from, and what matters most of the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rui_common.declarations import ListOf, NodeOf, ObjectOf, OneOf
from rui_common.roles import CONTENT, DESCRIPTION
from rui_inspector.escaping import shown
from rui_inspector.plans import request_names

if TYPE_CHECKING:
    from collections.abc import Callable

    from rui_common.declarations import Prop, Vocabulary
    from rui_inspector.plans import Plan
    from rui_inspector.values import ValueWriter
    from rui_inspector.view import Node, Request, View

    Part = Callable[[object, Prop], str]

EXCERPT = 100
"""Characters of a text that are shown of it; the stylesheet cuts it off at the end of the line."""


class GistWriter:
    """Writes that line.

    Args:
        view: the document.
        values: writes the texts in it.
    """

    def __init__(self, view: View, values: ValueWriter) -> None:
        self._values = values
        self._vocabulary: Vocabulary = view.vocabulary
        self._requests: dict[Request, str] = {}
        self._parts_of: dict[Plan, list[tuple[str, Prop, Part]]] = {}

    def gist(self, node: Node) -> str:
        """The line as HTML; "" if there is nothing to say."""
        parts = []
        for request in node.requests:
            found = self._requests.get(request)
            if found is None:
                found = self._requests[request] = self._values.request(request)
            parts.append(found)
        if node.nested:
            parts += [self._nodes(nodes) for nodes in node.nested.values()]
        value = node.value
        if isinstance(value, dict):
            known = self._parts_of.get(node.plan)
            if known is None:
                known = self._parts_of[node.plan] = self._parts(node.plan)
            parts += [text for name, prop, part in known if (text := part(value[name], prop))]
        return f' <span class="gist">{" ".join(parts)}</span>' if parts else ""

    def _parts(self, plan: Plan) -> list[tuple[str, Prop, Part]]:
        """The properties that have something to say, each with how it is said."""
        parts: list[tuple[str, Prop, Part]] = []
        for name, prop in plan.order:
            if prop is None or name == "type":
                continue
            kind = prop.kind
            if isinstance(kind, OneOf):
                parts.append((name, prop, self._word))
            elif isinstance(kind, ListOf) and not isinstance(kind.items, NodeOf):
                parts.append((name, prop, self._count))
            elif isinstance(kind, ObjectOf) and request_names(kind.shape) is None:
                parts.append((name, prop, self._use))
            elif prop.role in (CONTENT, DESCRIPTION):
                parts.append((name, prop, self._excerpt))
        return parts

    def _word(self, value: object, _: Prop) -> str:
        if not isinstance(value, str) or not 0 < len(value) <= EXCERPT:
            return ""
        return f'<span class="word">{self._values.written[value]}</span>'

    def _count(self, value: object, prop: Prop) -> str:
        return _name(f"{len(value)} {_number(prop.name, len(value))}") if isinstance(value, list) else ""

    def _use(self, value: object, prop: Prop) -> str:
        """An object by the name in it that leads somewhere, such as ``filter status``."""
        if not isinstance(prop.kind, ObjectOf) or not isinstance(value, dict) or not value:
            return ""
        for inner in prop.kind.shape.props.values():
            text = value.get(inner.name) if inner.uses is not None else None
            if isinstance(text, str) and 0 < len(text) <= EXCERPT:
                return f'{_name(prop.name)} <span class="key" dir="auto">{self._values.written[text]}</span>'
        return _name(prop.name)

    def _excerpt(self, value: object, _: Prop) -> str:
        if not isinstance(value, str) or not value.strip():
            return ""
        return f'<span class="excerpt" dir="auto">{shown(value[:EXCERPT])}</span>'

    def _nodes(self, nodes: list[Node]) -> str:
        """How many nodes are in it, by what all of them are."""
        shapes = self._vocabulary.nodes
        types = {node.type for node in nodes}
        roles = {shapes[type_].role for type_ in types} if types <= shapes.keys() else {"node"}
        sort = (types if len(types) == 1 and types <= shapes.keys() else roles if len(roles) == 1 else {"node"}).pop()
        return _name(f"{len(nodes)} {sort if len(nodes) == 1 else f'{sort}s'}")


def _number(name: str, count: int) -> str:
    """A name of a list for so many elements, such as ``column`` of ``columns`` for one."""
    return name.removesuffix("s") if count == 1 else name


def _name(text: str) -> str:
    return f'<span class="name">{shown(text)}</span>'
