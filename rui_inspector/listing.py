"""A document as numbered lines of JSON, and the lines that each of its nodes takes there.

What is stored has no layout; it is written in one that reads well: what is small stands on one line. A text that
somebody wrote is listed as it was written.
"""

from __future__ import annotations

from json.encoder import c_make_encoder, encode_basestring  # type: ignore[attr-defined]
from typing import TYPE_CHECKING

from rui_common.declarations import ListOf, NodeOf, ObjectOf
from rui_common.paths import parse_path
from rui_inspector.compiled import Code, PerShape, compiled, is_flat, is_string, pattern
from rui_inspector.escaping import shown, shown_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rui_common.declarations import Kind, Prop, Shape
    from rui_common.document import Document
    from rui_inspector.view import Node, View

WIDTH = 100
"""Characters up to which an object or array that is no node stands on one line."""

CHUNK = 50
"""Lines that a browser lays out together, and not before they are seen; the stylesheet knows this number."""

# The scanner's counterpart: `json.dumps` makes one for every call, which costs more than what is written here.
_chunks = c_make_encoder(None, None, encode_basestring, None, ": ", ", ", False, False, True)


def _encode(value: object) -> str:
    """A value as JSON on one line."""
    if type(value) is str:
        text: str = encode_basestring(value)
        return text
    return "".join(_chunks(value, 0))


def _line_writer(_: Shape, props: list[Prop]) -> Callable[[dict[str, object]], str]:
    """A function that does the same for objects that have these properties, as fast as it can be done."""
    body = [f"a{at} = value[{prop.name!r}]" for at, prop in enumerate(props)]
    pieces = ["{"]
    for at, prop in enumerate(props):
        written = Code(f"of(a{at})" if is_string(prop) else f"any(a{at}, kind{at})")
        pieces += [f"{', ' if at else ''}{_encode(prop.name)}: ", written]
    body.append(f"return {pattern([*pieces, '}'])}")
    kinds = {f"kind{at}": prop.kind for at, prop in enumerate(props)}
    return compiled("line", "value", body, {"of": encode_basestring, "any": _on_a_line, **kinds})


_lines = PerShape(_line_writer)


def _on_a_line(value: object, kind: Kind | None) -> str:
    """A value as JSON on one line, with what the vocabulary says of it."""
    if type(value) is dict and isinstance(kind, ObjectOf):
        write = _lines.of(kind.shape, tuple(value))
        if write is not None:
            try:
                return write(value)
            except TypeError:  # something else stands where a string should
                pass
    elif type(value) is list and isinstance(kind, ListOf):
        items = kind.items
        return f"[{', '.join([_on_a_line(element, items) for element in value])}]"
    return _encode(value)


def list_value(view: View) -> list[str]:
    """The lines of a document's value, as HTML; the nodes of `view` are told their lines."""
    writer = _Writer()
    if view.members:
        writer.members(view, "")
    else:
        writer.value("", view.value, "", "", None)
    return shown_json(writer.lines)


def list_text(view: View, document: Document) -> list[str]:
    """The lines of a text as it was written, as HTML; the nodes of `view` are told their places."""
    lines = document.lines
    for node in view.nodes:
        member = document.find(parse_path(node.path))
        span = None if member is None else member.span
        if span is not None:
            node.start, node.end = span
            node.line, node.last_line = lines.line_of(span.start) + 1, lines.line_of(max(span.start, span.end - 1)) + 1
    return [shown(lines.line_text(number)) for number in range(lines.line_count)]


def numbered(
    lines: Sequence[str], view: View, href: Callable[[Node], str], faulty: frozenset[int] = frozenset()
) -> str:
    """Lines as HTML, each with its number; on the first line of a node that is a link to it in the tree.

    Args:
        lines: the lines, as HTML.
        view: the nodes, which know their lines.
        href: the address of a node in the tree, as HTML for an attribute.
        faulty: the numbers of lines on which something is wrong.
    """
    count = len(lines)
    heads = [f'<span id="L{number}"><i>{number}</i>' for number in range(1, count + 1)]
    for node in reversed(view.nodes):
        if node.line:
            heads[node.line - 1] = f'<span id="L{node.line}"><a href="{href(node)}">{node.line}</a>'
    for number in faulty:
        heads[number - 1] = heads[number - 1].replace("<span", '<span class="fault"', 1)
    for at in range(0, count, CHUNK):
        opening = '<code class="chunk">' if at + CHUNK < count else "<code>"
        heads[at] = f"{'</code>' if at else ''}{opening}{heads[at]}"
    parts = ["\n</span>"] * (3 * count)
    parts[0::3] = heads
    parts[1::3] = lines
    return f"{''.join(parts)}</code>" if count else "<code></code>"


class _Writer:
    """Writes values line by line."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def members(self, owner: View | Node, indent: str) -> None:
        """The root or a node, without a comma behind it."""
        lines, nested = self.lines, owner.nested
        lines.append(f"{indent}{{")
        inner = f"{indent}  "
        packed = ""
        for name, value, prop in owner.members:
            if type(value) is str:
                # What is short shares a line: id, type and label mostly do.
                text = f"{_encode(name)}: {encode_basestring(value)},"
                if packed and len(packed) + len(text) < WIDTH:
                    packed += f" {text}"
                    continue
                if packed:
                    lines.append(inner + packed)
                packed = text
                continue
            if packed:
                lines.append(inner + packed)
                packed = ""
            if name in nested:
                self.nodes(f"{inner}{_encode(name)}: [", nested[name], inner)
            else:
                self.value(f"{inner}{_encode(name)}: ", value, inner, ",", prop.kind if prop is not None else None)
        if packed:
            lines.append(inner + packed)
        lines[-1] = lines[-1][:-1]
        lines.append(f"{indent}}}")

    def nodes(self, head: str, nodes: Sequence[Node], indent: str) -> None:
        """A list of nodes, with a comma behind it."""
        lines = self.lines
        lines.append(head)
        inner = f"{indent}  "
        for node in nodes:
            node.line = len(lines) + 1
            self._node(node, inner)
            node.last_line = len(lines)
            lines[-1] += ","
        lines[-1] = lines[-1][:-1]
        lines.append(f"{indent}],")

    def strings(self, indent: str, texts: Sequence[str]) -> None:
        """Properties that are strings, as many on a line as it has room for, each with a comma behind it."""
        packed = ""
        for text in texts:
            if packed and len(packed) + len(text) < WIDTH:
                packed += f" {text}"
                continue
            if packed:
                self.lines.append(indent + packed)
            packed = text
        self.lines.append(indent + packed)

    def _node(self, node: Node, indent: str) -> None:
        value, plan = node.value, node.plan
        if not isinstance(value, dict) or not value:
            self.value(indent, value, indent, "", None)
            return
        if plan.is_usual and plan.lines is None:
            plan.lines = _node_writer([prop for _, prop in plan.order if prop is not None])
        if plan.lines is None or not plan.lines(self, value, node.nested, indent, f"{indent}  "):
            self.members(node, indent)

    def value(self, head: str, value: object, indent: str, comma: str, kind: Kind | None) -> None:
        """Any value, behind `head`."""
        if not isinstance(value, dict | list) or not value:
            self.lines.append(f"{head}{_encode(value)}{comma}")
            return
        if isinstance(value, list):
            items = kind.items if isinstance(kind, ListOf) else None
            parts: list[tuple[str, object, Kind | None]] = [("", below, items) for below in value]
            texts = [_on_a_line(below, items) for below in value]
        else:
            if isinstance(kind, ObjectOf) and is_flat(kind.shape):
                whole = _on_a_line(value, kind)
                if len(whole) <= WIDTH + len("{}"):
                    self.lines.append(f"{head}{whole}{comma}")
                    return
            parts = _parts(value, kind)
            texts = [below_head + _on_a_line(below, below_kind) for below_head, below, below_kind in parts]
        opening, closing = "[]" if isinstance(value, list) else "{}"
        whole = ", ".join(texts)
        if len(whole) <= WIDTH:
            self.lines.append(f"{head}{opening}{whole}{closing}{comma}")
            return
        inner = f"{indent}  "
        self.lines.append(head + opening)
        for text, (below_head, below, below_kind) in zip(texts, parts, strict=True):
            if len(text) <= WIDTH:
                self.lines.append(f"{inner}{text},")
            else:
                self.value(inner + below_head, below, inner, ",", below_kind)
        self.lines[-1] = self.lines[-1][:-1]
        self.lines.append(f"{indent}{closing}{comma}")


def _parts(value: dict[str, object], kind: Kind | None) -> list[tuple[str, object, Kind | None]]:
    """The properties of an object: how each begins, its value, and what the vocabulary says of that."""
    props = [kind.shape.prop(name) if isinstance(kind, ObjectOf) else None for name in value]
    return [
        (f"{_encode(name)}: ", below, prop.kind if prop is not None else None)
        for (name, below), prop in zip(value.items(), props, strict=True)
    ]


def _node_writer(props: list[Prop]) -> Callable[..., bool]:
    """A function that writes the lines of nodes that have these properties; if it cannot, it says so and writes none."""
    body = [f"a{at} = value[{prop.name!r}]" for at, prop in enumerate(props)]
    constants: dict[str, object] = {"of": encode_basestring}
    tests = [f"type(a{at}) is not str" if is_string(prop) else f"type(a{at}) is str" for at, prop in enumerate(props)]
    body += [f"if {' or '.join(tests)}:", "    return False", "lines = writer.lines", 'lines.append(indent + "{")']
    run: list[str] = []
    for at, prop in enumerate([*props, None]):
        if prop is not None and is_string(prop):
            run.append(pattern([f"{_encode(prop.name)}: ", Code(f"of(a{at})"), ","]))
            continue
        if run:
            whole = " ' ' ".join(run)
            body += [f"text = {whole}", f"if len(text) <= {WIDTH}:", "    lines.append(inner + text)",
                     "else:", f"    writer.strings(inner, ({', '.join(run)},))"]  # fmt: skip
            run = []
        if prop is None:
            break
        head = pattern([Code("inner"), f"{_encode(prop.name)}: "])
        if isinstance(prop.kind, ListOf) and isinstance(prop.kind.items, NodeOf):
            body += [f"if {prop.name!r} in nested:", f"    writer.nodes({head} '[', nested[{prop.name!r}], inner)", "else:"]
            head = f"    writer.value({head}"
        else:
            head = f"writer.value({head}"
        constants[f"kind{at}"] = prop.kind
        body.append(f"{head}, a{at}, inner, ',', kind{at})")
    body += ["lines[-1] = lines[-1][:-1]", 'lines.append(indent + "}")', "return True"]
    return compiled("lines_of", "writer, value, nested, indent, inner", body, constants)
