"""Write nodes as HTML: nested lists of disclosures that work without a script, and the JSON beside them."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from rui_common.nodes.requests import request_props
from rui_common.syntax.document import Document
from rui_common.syntax.paths import format_path
from rui_common.texts import count_of, shorten
from rui_common.vocabulary.kinds import ListKind, ObjectKind
from rui_common.vocabulary.schema import Prop, Role
from rui_inspector.escape import LONG, escape, escape_attribute, escape_content, excerpt
from rui_inspector.html import wireframe
from rui_inspector.html.values import ValueWriter
from rui_inspector.model.search import Search
from rui_inspector.model.view import View, ViewNode

JSON_ANCHOR = "J-"  # What the anchor of a node in the JSON starts with. No id of a node starts with a capital letter.
MAX_EXCERPT = 100  # characters of a text in a summary; the stylesheet cuts it off at the end of the line


class TreeWriter:
    """Writes nodes. A search leaves out what does not match.

    Args:
        values: writes their properties.
        opens_all: whether all nodes are open; else those with child nodes.
        error_counts: anchor → number of errors in the node.
        unmatched: the anchors of the nodes whose bindings do not match the API.
        has_json: whether the page lists the JSON.
    """

    def __init__(
        self, view: View, values: ValueWriter, search: Search, *, opens_all: bool,
        error_counts: Mapping[str, int], unmatched: Collection[str], has_json: bool,
    ) -> None:  # fmt: skip
        self._values = values
        self._search = search
        self._color = view.color
        self._shapes = view.vocabulary.nodes
        self._opens_all = opens_all or bool(search.words)
        self._error_counts = error_counts
        self._unmatched = unmatched
        self._has_json = has_json

    def nodes(self, nodes: Iterable[ViewNode]) -> str:
        """Return nodes as list items."""
        parts: list[str] = []
        self._write(nodes, parts)
        return "".join(parts)

    def _write(self, nodes: Iterable[ViewNode], parts: list[str]) -> None:
        """Append to one list for all levels, so that no text is copied once a level."""
        for node in nodes:
            if not self._search.is_shown(node):
                continue
            anchor = escape_attribute(node.anchor)
            parts.append(self._start(node, anchor))
            for name, children in node.nested.items():
                if len(node.nested) > 1:
                    parts.append(f'<p class="name">{escape(name)}</p>')
                parts.append('<ol class="tree">')
                self._write(children, parts)
                parts.append("</ol>")
            parts.append(f"</div></details>{self._marks(anchor)}</li>")

    def _marks(self, anchor: str) -> str:
        """Return links to the other forms of a node: the style sheet has their signs, so that a page is short."""
        json_link = f'<a href="#{JSON_ANCHOR}{anchor}" title="JSON"></a>' if self._has_json else ""
        return (
            f'<p class="marks"><a href="#{wireframe.ANCHOR}{anchor}" title="In the wireframe"></a>'
            f'{json_link}<a href="#{anchor}" title="Link to this node"></a></p>'
        )

    def _start(self, node: ViewNode, anchor: str) -> str:
        """Return the HTML of a node up to its children."""
        text = self._values.text
        badge = f'<span class="badge">{text(node.type) or "no type"}</span> '
        label = ""
        if node.label:
            label = f'<span class="label" dir="auto">{text(excerpt(node.label))}</span> '
        node_id = ""
        if node.id:
            node_id = f'<code class="id">{text(node.id)}</code>'
        offsets = ""
        if node.end:
            offsets = f' data-offset="{node.start}" data-end="{node.end}"'
        state = ""
        if self._opens_all or node.nested:
            state = " open"
        # Matches of a search are open and their properties visible: a summary would repeat them.
        summary = "" if self._search.words else self._summary(node)
        color = self._color(node.type)
        return (
            f'<li class="node {color}{"" if node.nested else " leaf"}" id="{anchor}"{offsets}>'
            f"<details{state}><summary>"
            f"{badge}{label}{node_id}{self._errors(node)}{summary}</summary>"
            f'<div class="inside"><code class="path">{text(format_path(node.path))}</code>{self._rows(node)}'
        )

    def _summary(self, node: ViewNode) -> str:
        """Return a line with the requests, children and most important properties; ``""`` without any of them."""
        parts = [f" {self._values.request(request)}" for request in node.requests]
        parts += [self._node_count(nodes) for nodes in node.nested.values()]
        for name, value, prop in node.members:
            if prop is not None and name not in node.nested and name != "type":
                parts.append(self._brief(value, prop))
        if any(parts):
            return f'<span class="summary">{"".join(parts)}</span>'
        return ""

    def _node_count(self, nodes: Sequence[ViewNode]) -> str:
        """Return the number of child nodes and their common type or role, such as ``2 Metrics`` or ``3 blocks``."""
        types = {node.type for node in nodes}
        noun = "node"
        if types <= self._shapes.keys():
            roles = {self._shapes[type_].role for type_ in types}
            if len(types) == 1:
                noun = types.pop()
            elif len(roles) == 1:
                noun = str(roles.pop())
        return self._name(count_of(len(nodes), f"{noun}s"))

    def _brief(self, value: object, prop: Prop) -> str:
        """Return one of a few strings, an excerpt of a text, the length of a list, or the first name in an object."""
        kind = prop.kind
        escaped = self._values.escape
        if isinstance(value, str):
            if kind.values and 0 < len(value) <= LONG:
                return f' <span class="word">{escaped(value)}</span>'
            if prop.role in (Role.CONTENT, Role.DESCRIPTION) and value.strip():
                return f' <span class="excerpt" dir="auto">{escaped(shorten(value, MAX_EXCERPT))}</span>'
        elif isinstance(value, list) and value and isinstance(kind, ListKind):
            return self._name(count_of(len(value), prop.name))
        elif isinstance(value, dict) and value and isinstance(kind, ObjectKind) and request_props(kind.shape) is None:
            names = [value.get(inner.name) for inner in kind.shape.props.values() if inner.uses is not None]
            keys = [name for name in names if isinstance(name, str) and 0 < len(name) <= LONG]
            first = "".join(f' <span class="key" dir="auto">{escaped(key)}</span>' for key in keys[:1])
            return self._name(prop.name) + first
        return ""

    def _name(self, text: str) -> str:
        return f' <span class="name">{self._values.escape(text)}</span>'

    def _rows(self, node: ViewNode) -> str:
        """Return the properties of a node that are neither child nodes nor complete in its first line."""
        hidden = {*node.nested}
        if node.id:
            hidden.add("id")
        if node.type:
            hidden.add("type")
        if len(node.label) <= LONG:
            hidden.add(node.label_name)
        return self._values.rows([member for member in node.members if member[0] not in hidden])

    def _errors(self, node: ViewNode) -> str:
        html = ""
        if node.anchor in self._unmatched:
            html = ' <span class="unmatched">not in the API</span>'
        if node.anchor in self._error_counts:
            html += f' <span class="error-count">{count_of(self._error_counts[node.anchor], "errors")}</span>'
        return html


def json_listing(view: View, document: Document) -> str:
    """Return the text of a document as HTML; the lines of each node are an element."""
    html = escape_content(document.text.replace("\r\n", "\n").replace("\r", "\n"))
    lines = [f"{line}\n" for line in html.split("\n")]
    for node in reversed(view.nodes):  # the element of an outer node encloses those of inner ones on the same line
        span = document.span_of(node.path)
        if span is None:
            continue
        anchor = escape_attribute(node.anchor)
        start = f'<span id="{JSON_ANCHOR}{anchor}"><a href="#{anchor}" title="In the tree"></a>'
        first = document.lines.line_of(span.start)
        lines[first] = start + lines[first]
        lines[document.lines.line_of(span.end - 1)] += "</span>"
    return "".join(lines)
