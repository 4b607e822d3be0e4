"""List a document as numbered lines of JSON, and record which lines each of its nodes takes.

A stored document has no layout of its own: it is laid out here, with small values on one line. A text that an author
wrote is listed as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain
from json.encoder import c_make_encoder, encode_basestring  # type: ignore[attr-defined]

from rui_common.syntax.document import Document
from rui_common.syntax.paths import parse_path
from rui_inspector.escape import escape, escape_json_lines
from rui_inspector.model.view import Node, View

WIDTH = 100
"""Maximum length of the strings that share a line."""

MAX_LINE = WIDTH + len("[]")
"""Maximum length of an object or array on one line."""

CHUNK = 50
"""Lines that a browser lays out together once they are visible; the stylesheet has this number, too."""

MAX_CACHED_LINES = 10_000
"""Lines whose line numbers are cached as HTML: less than a megabyte."""

_LINE_END = "\n</span>"

# `json.dumps` makes a new encoder for every call, which takes longer than encoding a small value.
_encoder = c_make_encoder(None, None, encode_basestring, None, ": ", ", ", False, False, True)


def encode(value: object) -> str:
    """Return a value as JSON on one line."""
    return "".join(_encoder(value, 0))


def list_value(view: View) -> list[str]:
    """Return the lines of a document's value as HTML, and set the lines of the nodes of `view`."""
    writer = _LineWriter()
    if view.members:
        writer.write_members(view, "")
    else:
        writer.write_value("", view.value, "", "")
    return escape_json_lines(writer.lines)


def list_text(view: View, document: Document) -> list[str]:
    """Return the lines of a document's text as HTML, and set the lines and offsets of the nodes of `view`."""
    set_places(view, document)
    lines = document.lines
    return [escape(lines.line_text(number)) for number in range(lines.line_count)]


def set_places(view: View, document: Document) -> None:
    """Set the lines and offsets of the nodes of `view` to those in the text of the document."""
    lines = document.lines
    for node in view.nodes:
        member = document.find(parse_path(node.path))
        if member is not None and member.span is not None:
            node.start, node.end = member.span
            node.line = lines.line_of(node.start) + 1
            node.last_line = lines.line_of(max(node.start, node.end - 1)) + 1


def numbered(
    lines: Sequence[str], view: View, href: Callable[[Node], str], error_lines: frozenset[int] = frozenset()
) -> str:
    """Return lines with their numbers; the number of a node's first line links to the node in the tree.

    Args:
        lines: the lines, as HTML.
        view: the nodes, with their lines.
        href: returns the address of a node in the tree, as HTML for an attribute.
        error_lines: the numbers of lines that have errors.
    """
    count = len(lines)
    if not count:
        return "<code></code>"
    heads = [*_cached_heads()[:count], *_heads(MAX_CACHED_LINES + 1, count)]
    for node in reversed(view.nodes):
        if node.line:
            heads[node.line - 1] = _head(node.line, f'<a href="{href(node)}">{node.line}</a>')
    for number in error_lines:
        heads[number - 1] = heads[number - 1].replace("<span", '<span class="error-line"', 1)
    for index in range(0, count, CHUNK):
        is_last = index + CHUNK >= count
        start_tag = "<code>" if is_last else '<code class="chunk">'
        heads[index] = heads[index].replace("</span>", f"</span></code>{start_tag}", 1)
    heads[0] = heads[0].removeprefix(f"{_LINE_END}</code>")
    numbered_lines = chain.from_iterable(zip(heads, lines, strict=True))
    return "".join([*numbered_lines, _LINE_END, "</code>"])


@cache
def _cached_heads() -> list[str]:
    return _heads(1, MAX_CACHED_LINES)


def _heads(first: int, last: int) -> list[str]:
    return [_head(number, f"<i>{number}</i>") for number in range(first, last + 1)]


def _head(number: int, label: str) -> str:
    """Return the end of the previous line and the start of this one."""
    return f'{_LINE_END}<span id="L{number}">{label}'


class _LineWriter:
    """Writes values line by line."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write_members(self, owner: View | Node, indent: str) -> None:
        """Write the root or a node. Consecutive short strings, such as id, type and label, share a line."""
        lines = self.lines
        inner = f"{indent}  "
        strings = ""
        lines.append(f"{indent}{{")
        for name, value, _ in owner.members:
            head = f"{encode_basestring(name)}: "
            if type(value) is str:
                member = f"{head}{encode_basestring(value)},"
                if strings and len(strings) + len(member) < WIDTH:
                    strings = f"{strings} {member}"
                    continue
                if strings:
                    lines.append(inner + strings)
                strings = member
                continue
            if strings:
                lines.append(inner + strings)
                strings = ""
            if name in owner.nested and isinstance(value, list):
                self._write_nodes(f"{inner}{head}[", owner.nested[name], inner)
            else:
                self.write_value(f"{inner}{head}", value, inner, ",")
        if strings:
            lines.append(inner + strings)
        lines[-1] = lines[-1].removesuffix(",")
        lines.append(f"{indent}}}")

    def _write_nodes(self, head: str, nodes: Sequence[Node], indent: str) -> None:
        lines = self.lines
        inner = f"{indent}  "
        lines.append(head)
        for node in nodes:
            node.line = len(lines) + 1
            if isinstance(node.value, dict) and node.value:
                self.write_members(node, inner)
                lines[-1] += ","
            else:
                self.write_value(inner, node.value, inner, ",")
            node.last_line = len(lines)
        lines[-1] = lines[-1].removesuffix(",")
        lines.append(f"{indent}],")

    def write_value(self, head: str, value: object, indent: str, comma: str) -> None:
        """Write any value after `head`: on one line if it fits, else an element or property a line."""
        if isinstance(value, list) and value:
            self._write_list(head, value, indent, comma)
            return
        line = encode(value)
        if not isinstance(value, dict) or len(line) <= MAX_LINE:
            self.lines.append(f"{head}{line}{comma}")
            return
        inner = f"{indent}  "
        self.lines.append(f"{head}{{")
        for name, element in value.items():
            self.write_value(f"{inner}{encode_basestring(name)}: ", element, inner, ",")
        self.lines[-1] = self.lines[-1].removesuffix(",")
        self.lines.append(f"{indent}}}{comma}")

    def _write_list(self, head: str, elements: list[object], indent: str, comma: str) -> None:
        encoded = [encode(element) for element in elements]
        line = f"[{', '.join(encoded)}]"
        if len(line) <= MAX_LINE:
            self.lines.append(f"{head}{line}{comma}")
            return
        inner = f"{indent}  "
        self.lines.append(f"{head}[")
        for element, text in zip(elements, encoded, strict=True):
            if len(text) <= MAX_LINE:
                self.lines.append(f"{inner}{text},")
            else:
                self.write_value(inner, element, inner, ",")
        self.lines[-1] = self.lines[-1].removesuffix(",")
        self.lines.append(f"{indent}]{comma}")
