"""What a closed node says of itself on one line: where its data comes from, and what matters most of the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.roles import CONTENT, DESCRIPTION
from rui_inspector.escape import LONG, shown
from rui_inspector.html.compiled import Code, compiled, pattern
from rui_inspector.model.shape_layouts import request_names

if TYPE_CHECKING:
    from collections.abc import Callable

    from rui_common.vocabulary.schema import Prop, Vocabulary
    from rui_inspector.html.values import ValueWriter
    from rui_inspector.model.shape_layouts import Plan
    from rui_inspector.model.view import Node, Request, View

    Part = Callable[["SummaryWriter", object, Prop], str]

EXCERPT = 100
"""Characters of a text that are shown of it; the stylesheet cuts it off at the end of the line."""


class _Requests(dict[tuple[str, str, str], str]):
    """Requests as HTML, each written once."""

    def __init__(self, write: Callable[[Request], str]) -> None:
        super().__init__()
        self._write = write

    def __missing__(self, request: Request) -> str:
        html = self[request] = f" {self._write(request)}"
        return html


class SummaryWriter:
    """Writes that line.

    Args:
        view: the document.
        values: writes the texts in it.
    """

    def __init__(self, view: View, values: ValueWriter) -> None:
        self._written = values.written
        self._vocabulary: Vocabulary = view.vocabulary
        self._requests = _Requests(values.request)

    def summary(self, node: Node) -> str:
        """The line as HTML; "" if there is nothing to say about such nodes."""
        plan, value = node.plan, node.value
        if (
            plan.is_usual and len(node.requests) == len(plan.requests) and len(node.nested) == len(plan.lists)
        ):  # fmt: skip
            if plan.summary is None:
                plan.summary = _summary_writer(plan)
            try:
                return plan.summary(self, node.requests, node.nested, value, self._written, self._requests)
            except TypeError:  # something is not as it should be
                pass
        parts = [self._requests[request] for request in node.requests]
        parts += [self.nodes(nodes) for nodes in node.nested.values()]
        told = _told(plan) if isinstance(value, dict) else []
        if isinstance(value, dict):
            parts += [part(self, value[name], prop) for name, prop, part in told]
        return f'<span class="gist">{"".join(parts)}</span>' if parts else ""

    def word(self, value: object, _: Prop) -> str:
        """A string that is one of a few, or should be."""
        if not isinstance(value, str) or not 0 < len(value) <= LONG:
            return ""
        return f' <span class="word">{self._written[value]}</span>'

    def count(self, value: object, prop: Prop) -> str:
        """How many elements a list has, such as ``3 columns``."""
        return _name(f"{len(value)} {_number(prop.name, len(value))}") if isinstance(value, list) else ""

    def use(self, value: object, prop: Prop) -> str:
        """An object by the name in it that leads somewhere, such as ``filter status``."""
        if not isinstance(prop.kind, ObjectKind) or not isinstance(value, dict) or not value:
            return ""
        for inner in prop.kind.shape.props.values():
            text = value.get(inner.name) if inner.uses is not None else None
            if isinstance(text, str) and 0 < len(text) <= LONG:
                return f'{_name(prop.name)} <span class="key" dir="auto">{self._written[text]}</span>'
        return _name(prop.name)

    def excerpt(self, value: object, _: Prop) -> str:
        """How a text begins."""
        if not isinstance(value, str) or not value.strip():
            return ""
        beginning = self._written[value] if len(value) <= EXCERPT else shown(value[:EXCERPT])
        return f' <span class="excerpt" dir="auto">{beginning}</span>'

    def nodes(self, nodes: list[Node]) -> str:
        """How many nodes are in it, by what all of them are."""
        shapes = self._vocabulary.nodes
        types = {node.type for node in nodes}
        roles = {shapes[type_].role for type_ in types} if types <= shapes.keys() else {"node"}
        sort = (types if len(types) == 1 and types <= shapes.keys() else roles if len(roles) == 1 else {"node"}).pop()
        return _name(f"{len(nodes)} {sort if len(nodes) == 1 else f'{sort}s'}")


def _told(plan: Plan) -> list[tuple[str, Prop, Part]]:
    """The properties that have something to say, each with how it is said."""
    told: list[tuple[str, Prop, Part]] = []
    for name, prop in plan.order:
        if prop is None or name == "type":
            continue
        kind = prop.kind
        if kind.values:
            told.append((name, prop, SummaryWriter.word))
        elif isinstance(kind, ListKind) and not isinstance(kind.items, NodeKind):
            told.append((name, prop, SummaryWriter.count))
        elif isinstance(kind, ObjectKind) and request_names(kind.shape) is None:
            told.append((name, prop, SummaryWriter.use))
        elif prop.role in (CONTENT, DESCRIPTION):
            told.append((name, prop, SummaryWriter.excerpt))
    return told


def _summary_writer(plan: Plan) -> Callable[..., str]:
    """A function that writes the line of nodes with such a plan."""
    pieces: list[str] = [Code(f"requests[asked[{at}]]") for at in range(len(plan.requests))]
    pieces += [Code(f"writer.nodes(nested[list{at}])") for at in range(len(plan.lists))]
    constants: dict[str, object] = {f"list{at}": name for at, (name, *_) in enumerate(plan.lists)}
    for at, (name, prop, part) in enumerate(_told(plan)):
        constants |= {f"name{at}": name, f"prop{at}": prop, f"part{at}": part}
        if part is SummaryWriter.word:
            pieces += [' <span class="word">', Code(f"w[value[name{at}]]"), "</span>"]
        else:
            pieces.append(Code(f"part{at}(writer, value[name{at}], prop{at})"))
    whole = pattern(['<span class="gist">', *pieces, "</span>"] if pieces else [])
    function: Callable[..., str] = compiled(
        "gist", "writer, asked, nested, value, w, requests", [f"return {whole}"], constants
    )
    return function


def _number(name: str, count: int) -> str:
    """A name of a list for so many elements, such as ``column`` of ``columns`` for one."""
    return name.removesuffix("s") if count == 1 else name


def _name(text: str) -> str:
    return f' <span class="name">{shown(text)}</span>'
