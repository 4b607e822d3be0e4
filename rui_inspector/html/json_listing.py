"""List the text of a document as HTML in which each node is an element that links to the node in the tree."""

from __future__ import annotations

from collections import Counter, defaultdict

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
    lines = document.lines
    starts: dict[int, list[str]] = defaultdict(list)
    end_counts: Counter[int] = Counter()
    for node in view.nodes:
        member = document.find(parse_path(node.path))
        if member is None or member.span is None:
            continue
        first = lines.line_of(member.span.start)
        anchor = escape_attribute(node.anchor)
        starts[first].append(f'<span id="{ANCHOR}{anchor}"><a href="#{anchor}" aria-label="{anchor} in the tree"></a>')
        end_counts[lines.line_of(member.span.end - 1)] += 1
    parts: list[str] = []
    html = escape_content(document.text.replace("\r\n", "\n").replace("\r", "\n"))
    for number, line in enumerate(html.split("\n")):
        parts += [*starts[number], line, "\n", "</span>" * end_counts[number]]
    return "".join(parts)
