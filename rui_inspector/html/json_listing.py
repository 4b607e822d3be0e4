"""A document as numbered lines of JSON, and the lines that each of its nodes takes there.

What is stored has no layout; it is written in one that reads well: what is small stands on one line. A text that
somebody wrote is listed as it was written.
"""

from __future__ import annotations

from functools import cache
from json.encoder import c_make_encoder, encode_basestring  # type: ignore[attr-defined]
from typing import TYPE_CHECKING

from rui_common.syntax.paths import parse_path
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_inspector.escape import shown, shown_json
from rui_inspector.html.compiled import Code, PerShape, compiled, is_flat, is_string, pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rui_common.syntax.document import Document
    from rui_common.vocabulary.schema import Kind, Prop, Shape
    from rui_inspector.model.view import Node, View

WIDTH = 100
"""Characters up to which an object or array that is no node stands on one line."""

CHUNK = 50
"""Lines that a browser lays out together, and not before they are seen; the stylesheet knows this number."""

LINE_END = "\n</span>"

MOST_HEADS = 10_000
"""Beginnings of lines that are kept from page to page: those of a large document, and less than a megabyte."""

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
    function: Callable[[dict[str, object]], str] = compiled(
        "line", "value", body, {"of": encode_basestring, "any": _on_a_line, **kinds}
    )
    return function


_lines = PerShape(_line_writer)


def _on_a_line(value: object, kind: Kind | None) -> str:
    """A value as JSON on one line, with what the vocabulary says of it."""
    if type(value) is dict and isinstance(kind, ObjectKind):
        write = _lines.of(kind.shape)[tuple(value)]
        if write is not None:
            try:
                return write(value)
            except TypeError:  # something else stands where a string should
                pass
    elif type(value) is list and isinstance(kind, ListKind):
        return f"[{', '.join(_elements(value, kind.items))}]"
    return _encode(value)


def _elements(values: list[object], kind: Kind | None) -> list[str]:
    """The elements of a list, each on one line."""
    if isinstance(kind, ObjectKind):
        functions = _lines.of(kind.shape)
        try:
            return [functions[tuple(value)](value) for value in values]  # type: ignore[misc,arg-type]
        except TypeError:  # something is not as it should be, an element or something in it
            pass
    return [_on_a_line(value, kind) for value in values]


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
) -> list[str]:
    """Lines as pieces of HTML, each with its number; on the first line of a node that is a link to it in the tree.

    Args:
        lines: the lines, as HTML.
        view: the nodes, which know their lines.
        href: the address of a node in the tree, as HTML for an attribute.
        faulty: the numbers of lines on which something is wrong.
    """
    count = len(lines)
    heads = [*_first_heads()[:count], *_heads(MOST_HEADS + 1, count)]
    for node in reversed(view.nodes):
        if node.line:
            heads[node.line - 1] = _head(node.line, f'<a href="{href(node)}">{node.line}</a>')
    for number in faulty:
        heads[number - 1] = heads[number - 1].replace("<span", '<span class="fault"', 1)
    for at in range(0, count, CHUNK):
        opening = '<code class="chunk">' if at + CHUNK < count else "<code>"
        heads[at] = heads[at].replace("</span>", f"</span></code>{opening}", 1)
    if count:
        heads[0] = heads[0].removeprefix(f"{LINE_END}</code>")
    parts = [""] * (2 * count)
    parts[0::2] = heads
    parts[1::2] = lines
    return [*parts, LINE_END, "</code>"] if count else ["<code></code>"]


@cache
def _first_heads() -> list[str]:
    return _heads(1, MOST_HEADS)


def _heads(first: int, last: int) -> list[str]:
    return [_head(number, f"<i>{number}</i>") for number in range(first, last + 1)]


def _head(number: int, mark: str) -> str:
    """The end of the line before, and the beginning of this one."""
    return f'{LINE_END}<span id="L{number}">{mark}'


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
                self.nodes(f"{inner}{_encode(name)}: [", nested[name], inner, ",")
            else:
                self.value(f"{inner}{_encode(name)}: ", value, inner, ",", prop.kind if prop is not None else None)
        if packed:
            lines.append(inner + packed)
        lines[-1] = lines[-1][:-1]
        lines.append(f"{indent}}}")

    def nodes(self, head: str, nodes: Sequence[Node], indent: str, comma: str) -> None:
        """A list of nodes."""
        lines = self.lines
        lines.append(head)
        inner = f"{indent}  "
        inmost = f"{inner}  "
        last = nodes[-1]
        for node in nodes:
            node.line = len(lines) + 1
            plan, value = node.plan, node.value
            end = "" if node is last else ","
            if plan.is_usual and plan.lines is None:
                plan.lines = _node_writer([prop for _, prop in plan.order if prop is not None])
            if plan.lines is None or not plan.lines(self, lines, value, node.nested, inner, inmost, end):
                if isinstance(value, dict) and value:
                    self.members(node, inner)
                    lines[-1] += end
                else:
                    self.value(inner, value, inner, end, None)
            node.last_line = len(lines)
        lines.append(f"{indent}]{comma}")

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

    def value(self, head: str, value: object, indent: str, comma: str, kind: Kind | None) -> None:
        """Any value, behind `head`."""
        if not isinstance(value, dict | list) or not value:
            self.lines.append(f"{head}{_encode(value)}{comma}")
            return
        if isinstance(value, list):
            items = kind.items if isinstance(kind, ListKind) else None
            parts: list[tuple[str, object, Kind | None]] = [("", below, items) for below in value]
            texts = _elements(value, items)
        else:
            if isinstance(kind, ObjectKind) and is_flat(kind.shape):
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
    props = [kind.shape.prop(name) if isinstance(kind, ObjectKind) else None for name in value]
    return [
        (f"{_encode(name)}: ", below, prop.kind if prop is not None else None)
        for (name, below), prop in zip(value.items(), props, strict=True)
    ]


def _node_writer(props: list[Prop]) -> Callable[..., bool]:
    """A function that writes nodes that have these properties, in lines; if it cannot, it says so and writes none."""
    body = [f"a{at} = value[{prop.name!r}]" for at, prop in enumerate(props)]
    constants: dict[str, object] = {"of": encode_basestring}
    tests = [f"type(a{at}) is not str" if is_string(prop) else f"type(a{at}) is str" for at, prop in enumerate(props)]
    body += [f"if {' or '.join(tests)}:", "    return False", 'lines.append(indent + "{")']
    run: list[str] = []
    for at, prop in enumerate([*props, None]):
        if prop is not None and is_string(prop):
            run.append(pattern([f"{_encode(prop.name)}: ", Code(f"of(a{at})"), ","]))
            continue
        if run:
            whole = " ' ' ".join(run)
            body += [f"text = {whole}", f"if len(text) <= {WIDTH}:",
                     f"    lines.append(inner + text{'' if prop else '[:-1]'})",
                     "else:", f"    writer.strings(inner, ({', '.join(run)},))",
                     *([] if prop else ["    lines[-1] = lines[-1][:-1]"])]  # fmt: skip
            run = []
        if prop is None:
            break
        comma = "','" if at + 1 < len(props) else "''"
        head = pattern([Code("inner"), f"{_encode(prop.name)}: "])
        constants[f"kind{at}"] = prop.kind
        written = f"writer.value({head}, a{at}, inner, {comma}, kind{at})"
        if isinstance(prop.kind, ListKind) and isinstance(prop.kind.items, NodeKind):
            body += [f"if {prop.name!r} in nested:",
                     f"    writer.nodes({head} '[', nested[{prop.name!r}], inner, {comma})", "else:"]  # fmt: skip
            written = f"    {written}"
        body.append(written)
    body += ["lines.append(indent + '}' + end)", "return True"]
    arguments = "writer, lines, value, nested, indent, inner, end"
    function: Callable[..., bool] = compiled("lines_of", arguments, body, constants)
    return function
