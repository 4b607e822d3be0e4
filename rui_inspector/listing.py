"""A document as numbered lines of JSON, and the lines that each of its nodes takes there.

What is stored has no layout; it is written in one that reads well: what is small stands on one line. A text that
somebody wrote is listed as it was written.
"""

from __future__ import annotations

from functools import lru_cache
from json.encoder import c_make_encoder, encode_basestring  # type: ignore[attr-defined]
from typing import TYPE_CHECKING

from rui_common.paths import parse_path
from rui_inspector.escaping import attribute, shown, shown_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
    if type(value) is dict and value:
        texts = []
        for inner in value.values():
            if type(inner) is not str:
                break
            texts.append(encode_basestring(inner))
        else:  # An object of strings, as most are, is written into a pattern.
            return _pattern(tuple(value)) % tuple(texts)
    return "".join(_chunks(value, 0))


@lru_cache(1024)
def _pattern(names: tuple[str, ...]) -> str:
    return "{" + ", ".join(encode_basestring(name).replace("%", "%%") + ": %s" for name in names) + "}"


def list_value(view: View) -> list[str]:
    """The lines of a document's value, as HTML; the nodes of `view` are told their lines."""
    writer = _Writer()
    if view.members:
        writer.members(view, "")
    else:
        writer.value("", view.value, "", "")
    text = "\n".join(writer.lines)
    html = shown_json(text)
    return writer.lines if html == text else html.split("\n")


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
        href: the address of a node in the tree.
        faulty: the numbers of lines on which something is wrong.
    """
    addresses = {node.line: attribute(href(node)) for node in reversed(view.nodes) if node.line}
    rows = [f'<span id="L{number}"><i>{number}</i>{line}\n</span>' for number, line in enumerate(lines, 1)]
    for number, address in addresses.items():
        rows[number - 1] = f'<span id="L{number}"><a href="{address}">{number}</a>{lines[number - 1]}\n</span>'
    for number in faulty:
        rows[number - 1] = rows[number - 1].replace("<span", '<span class="fault"', 1)
    chunks = ["".join(rows[at : at + CHUNK]) for at in range(0, len(rows), CHUNK)]
    full = [f'<code class="chunk">{chunk}</code>' for chunk in chunks[:-1]]
    return "".join((*full, f"<code>{chunks[-1] if chunks else ''}</code>"))


class _Writer:
    """Writes values line by line."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._keys: dict[str, str] = {}

    def members(self, owner: View | Node, indent: str) -> None:
        """The root or a node, without a comma behind it."""
        lines, keys, nested = self.lines, self._keys, owner.nested
        lines.append(f"{indent}{{")
        inner = f"{indent}  "
        packed = ""
        for name, value, _ in owner.members:
            if name not in keys:
                keys[name] = f"{_encode(name)}: "
            if type(value) is str:
                # What is short shares a line: id, type and label mostly do.
                text = f"{keys[name]}{encode_basestring(value)},"
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
                lines.append(f"{inner}{keys[name]}[")
                for node in nested[name]:
                    self._node(node, f"{inner}  ")
                    lines[-1] += ","
                lines[-1] = lines[-1][:-1]
                lines.append(f"{inner}],")
            else:
                self.value(inner + keys[name], value, inner, ",")
        if packed:
            lines.append(inner + packed)
        lines[-1] = lines[-1][:-1]
        lines.append(f"{indent}}}")

    def _node(self, node: Node, indent: str) -> None:
        node.line = len(self.lines) + 1
        if isinstance(node.value, dict) and node.value:
            self.members(node, indent)
        else:
            self.value(indent, node.value, indent, "")
        node.last_line = len(self.lines)

    def value(self, head: str, value: object, indent: str, comma: str) -> None:
        """Any value, behind `head`."""
        if not isinstance(value, dict | list) or not value:
            self.lines.append(f"{head}{_encode(value)}{comma}")
            return
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        inner = f"{indent}  "
        if isinstance(value, dict):
            values: Sequence[object] = [*value.values()]
            heads = [f"{encode_basestring(name)}: " for name in value]
            texts = [head + _encode(below) for head, below in zip(heads, values, strict=True)]
        else:
            values, heads = value, [""] * len(value)
            texts = [_encode(below) for below in value]
        whole = ", ".join(texts)
        if len(whole) <= WIDTH:
            self.lines.append(f"{head}{opening}{whole}{closing}{comma}")
            return
        self.lines.append(head + opening)
        for text, below_head, below in zip(texts, heads, values, strict=True):
            if len(text) <= WIDTH:
                self.lines.append(f"{inner}{text},")
            else:
                self.value(inner + below_head, below, inner, ",")
        self.lines[-1] = self.lines[-1][:-1]
        self.lines.append(f"{indent}{closing}{comma}")
