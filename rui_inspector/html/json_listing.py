"""List a document as JSON in which each node is an element that links to the node in the tree.

A stored document has no layout of its own: it is laid out here, with small values on one line. A text that an author
wrote is listed as it is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from json.encoder import encode_basestring

from rui_common.syntax.document import Document
from rui_common.syntax.paths import parse_path
from rui_inspector.escape import escape, escape_attribute, escape_json_lines
from rui_inspector.model.view import Node, View

ANCHOR = "J-"
"""What the anchor of a node in the listing starts with. No id of a node starts with a capital letter."""

WIDTH = 100
"""Maximum length of an object or array, or of the strings that share a line."""

_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


def list_value(view: View) -> str:
    """Return the value of a document as HTML."""
    writer = _LineWriter()
    if view.members:
        writer.write_members(view, "")
    else:
        writer.write_value("", view.value, "", "")
    return _with_nodes(escape_json_lines(writer.lines), view, writer.places)


def list_text(view: View, document: Document) -> str:
    """Return the text of a document as HTML."""
    lines = document.lines
    places = {}
    for node in view.nodes:
        if node.end:
            places[node] = lines.line_of(node.start), lines.line_of(node.end - 1)
    return _with_nodes([escape(lines.line_text(number)) for number in range(lines.line_count)], view, places)


def set_places(view: View, document: Document) -> None:
    """Set the offsets of the nodes of `view` to those in the text of the document."""
    for node in view.nodes:
        member = document.find(parse_path(node.path))
        if member is not None and member.span is not None:
            node.start, node.end = member.span


def _with_nodes(lines: Sequence[str], view: View, places: dict[Node, tuple[int, int]]) -> str:
    """Return lines of HTML in which the lines of each node are an element; `places` has its first and last line."""
    starts: dict[int, list[str]] = {}
    end_counts: dict[int, int] = {}
    for node in view.nodes:
        if node in places:
            first, last = places[node]
            anchor = escape_attribute(node.anchor)
            tags = f'<span id="{ANCHOR}{anchor}"><a href="#{anchor}" aria-label="{anchor} in the tree"></a>'
            starts.setdefault(first, []).append(tags)
            end_counts[last] = end_counts.get(last, 0) + 1
    parts: list[str] = []
    for number, line in enumerate(lines):
        parts += starts.get(number, ())
        parts.append(line)
        parts.append("\n")
        parts.append("</span>" * end_counts.get(number, 0))
    return "".join(parts)


class _LineWriter:
    """Writes values line by line.

    Attributes:
        lines: the lines.
        places: node → the index of its first and of its last line.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.places: dict[Node, tuple[int, int]] = {}

    def write_members(self, owner: View | Node, indent: str) -> None:
        """Write the root or a node. Consecutive short strings, such as id, type and label, share a line."""
        lines = self.lines
        inner = f"{indent}  "
        lines.append(f"{indent}{{")
        is_open = False  # whether the last line has room for strings
        for name, value, _ in owner.members:
            head = f"{encode_basestring(name)}: "
            if isinstance(value, str):
                member = f"{head}{encode_basestring(value)},"
                if is_open and len(lines[-1]) + len(member) < WIDTH:
                    lines[-1] += f" {member}"
                else:
                    lines.append(inner + member)
                is_open = True
                continue
            is_open = False
            if name in owner.nested:
                self._write_nodes(f"{inner}{head}[", owner.nested[name], inner)
            else:
                self.write_value(f"{inner}{head}", value, inner, ",")
        lines[-1] = lines[-1].removesuffix(",")
        lines.append(f"{indent}}}")

    def _write_nodes(self, head: str, nodes: Sequence[Node], indent: str) -> None:
        lines = self.lines
        inner = f"{indent}  "
        lines.append(head)
        for node in nodes:
            first = len(lines)
            if node.content:
                self.write_members(node, inner)
                lines[-1] += ","
            else:
                self.write_value(inner, node.value, inner, ",")
            self.places[node] = first, len(lines) - 1
        lines[-1] = lines[-1].removesuffix(",")
        lines.append(f"{indent}],")

    def write_value(self, head: str, value: object, indent: str, comma: str) -> None:
        """Write any value after `head`: on one line if it fits, else an element or property a line."""
        line = _encode(value)
        if not isinstance(value, dict | list) or len(line) <= WIDTH:
            self.lines.append(f"{head}{line}{comma}")
            return
        inner = f"{indent}  "
        if isinstance(value, dict):
            self.lines.append(f"{head}{{")
            for name, element in value.items():
                self.write_value(f"{inner}{encode_basestring(name)}: ", element, inner, ",")
            end = "}"
        else:
            self.lines.append(f"{head}[")
            for element in value:
                self.write_value(inner, element, inner, ",")
            end = "]"
        self.lines[-1] = self.lines[-1].removesuffix(",")
        self.lines.append(f"{indent}{end}{comma}")
