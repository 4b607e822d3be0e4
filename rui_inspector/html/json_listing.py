"""List the text of a document as HTML in which each node is an element that links to the node in the tree."""

from __future__ import annotations

from rui_common.syntax.document import Document
from rui_common.syntax.paths import parse_path
from rui_inspector.escape import escape_attribute, escape_content
from rui_inspector.model.view import View

ANCHOR = "J-"
"""What the anchor of a node in the listing starts with. No id of a node starts with a capital letter."""

WIDTH = 100
"""Maximum length of an object or array on one line, for a stored document, which has no layout of its own."""


def json_listing(view: View, document: Document) -> str:
    """Return the text of a document as HTML; the lines of each node are an element."""
    html = escape_content(document.text.replace("\r\n", "\n").replace("\r", "\n"))
    lines = [f"{line}\n" for line in html.split("\n")]
    for node in reversed(view.nodes):  # the element of an outer node encloses those of inner ones on the same line
        span = document.span_of(parse_path(node.path))
        if span is None:
            continue
        anchor = escape_attribute(node.anchor)
        start = f'<span id="{ANCHOR}{anchor}"><a href="#{anchor}" title="In the tree"></a>'
        first = document.lines.line_of(span.start)
        lines[first] = start + lines[first]
        lines[document.lines.line_of(span.end - 1)] += "</span>"
    return "".join(lines)
