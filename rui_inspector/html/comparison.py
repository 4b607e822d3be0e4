"""Render the page of the service that compares two documents, and what changed since the spec that one replaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from rui_common.vocabulary.schema import REPLACES
from rui_inspector.compare.comparison import Comparison, compare
from rui_inspector.compare.report import report_of
from rui_inspector.escape import escape_attribute
from rui_inspector.html.pages import HeaderField, Host
from rui_inspector.html.templates import environment
from rui_inspector.html.values import fragment
from rui_inspector.html.wireframe import ANCHOR, UNTITLED, Mark, WireframeWriter
from rui_inspector.model.view import Node, View, view_of
from rui_inspector.model.wireframe import wireframe_of

BEFORE_ANCHOR = "B-"
"""What the anchor of a node in a wireframe of the first document starts with."""

CHANGE_ANCHOR = "C-"
"""What the anchor of a change starts with."""

MAX_NODES = 600
"""Maximum number of nodes that the wireframes of one document show."""

MAX_SINCE = 6
"""Maximum number of differences that the page of a spec shows; its comparison shows all."""


@dataclass(frozen=True)
class ComparedDocument:
    """One of two documents that are compared.

    Attributes:
        document: its root, valid or not.
        name: its name, such as its id.
        url: the URL of its page, or ``""``.
        fields: fields for the header.
    """

    document: object
    name: str
    url: str = ""
    fields: Sequence[HeaderField] = ()


class Links:
    """The anchors and addresses of a comparison, for the macros of ``changes.html``.

    Args:
        comparison: the differences.
        before_url: the URL of the page of the first document, or ``""``.
        after_url: the URL of the page of the second document, or ``""``.

    Attributes:
        screens: node → its screen in a wireframe as HTML.
    """

    def __init__(self, comparison: Comparison, before_url: str, after_url: str) -> None:
        self._comparison = comparison
        self._urls = {
            **dict.fromkeys(comparison.before.nodes, before_url),
            **dict.fromkeys(comparison.after.nodes, after_url),
        }
        self._numbers = {node: number for number, one in enumerate(comparison.nodes, 1) for node in one.sides}
        self._listed: set[int] = set()
        self._drawn: dict[Node, str] = {}
        self.screens: dict[Node, Markup] = {}

    def draw(self) -> None:
        """Draw the screens that differ, of both documents."""
        changed = [screen for screen in self._comparison.screens if screen.kinds]
        self._draw(self._comparison.before, {one.before for one in changed if one.before}, BEFORE_ANCHOR)
        self._draw(self._comparison.after, {one.after for one in changed if one.after}, ANCHOR)

    def color(self, node: Node) -> str:
        """Return the colour of the type of a node."""
        return self._comparison.after.color(node.type, node.known)

    def anchor(self, nodes: Sequence[Node]) -> str:
        """Return the id of the first item about the first of these nodes; ``""`` for further ones, or without nodes."""
        numbers = [self._numbers.get(node, 0) for node in nodes[:1]]
        for number in numbers:
            if number and number not in self._listed:
                self._listed.add(number)
                return f"{CHANGE_ANCHOR}{number}"
        return ""

    def target(self, node: Node | None) -> Markup:
        """Return the address of a node: in a wireframe of this page, else in the page of its document, else ``""``."""
        if node is None:
            return Markup()
        if node in self._drawn:
            return Markup(f"#{self._drawn[node]}")  # noqa: S704  it is escaped
        return Markup(self._href(node) if self._urls[node] else "")  # noqa: S704  it is escaped

    def _draw(self, view: View, tops: set[Node], prefix: str) -> None:
        wireframe = wireframe_of(view, MAX_NODES, tops)
        has_page = any(self._urls[node] for node in tops)
        writer = WireframeWriter(view, wireframe, self._href if has_page else None, marks=self._marks(), prefix=prefix)
        for screen in wireframe.screens:
            self.screens[screen.part.node] = Markup(writer.screen(screen))  # noqa: S704  it is escaped
        for node in view.nodes:
            if node.anchor in writer.anchors:
                self._drawn[node] = escape_attribute(prefix + node.anchor)

    def _href(self, node: Node) -> str:
        return escape_attribute(self._urls[node]) + fragment(node)

    def _marks(self) -> dict[Node, Mark]:
        """Return the marks of the nodes that differ: links to the items about them."""
        kinds = environment().get_template("changes.html").module.kinds  # type: ignore[attr-defined]
        marks = {}
        for number, change in enumerate(self._comparison.nodes, 1):
            link = f'<a href="#{CHANGE_ANCHOR}{number}">{kinds(change.kinds)}</a>'
            marks.update(dict.fromkeys(change.sides, Mark(change.kinds[0].value, link)))
        return marks


def comparison_page(before: ComparedDocument, after: ComparedDocument, host: Host, *, swap_url: str = "") -> str:
    """Render the differences between two documents; `swap_url` is the comparison in the other direction, or ``""``."""
    views = view_of(before.document), view_of(after.document)
    comparison = compare(*views)
    links = Links(comparison, before.url, after.url)
    links.draw()
    return environment().get_template("compare.html").render(
        host=host, sides=((before, views[0]), (after, views[1])), swap_url=swap_url, untitled=UNTITLED,
        report=report_of(comparison), links=links,
    )  # fmt: skip


def changes_since(before: object, after: object, before_url: str, after_url: str) -> dict[str, object]:
    """Return what changed since the spec that a document replaces, for the template of the document's page.

    `before` and `after` are the roots of both, with the URLs of their pages.
    """
    comparison = compare(view_of(before), view_of(after))
    # That the document names the spec is no news.
    comparison.root = [change for change in comparison.root if change.prop is None or change.prop.role != REPLACES]
    report = report_of(comparison)
    items = [*report.navigation]
    for screen in report.screens:
        if screen.lines:
            items.append(screen)
        items += screen.inner
    items += report.rest
    return {
        "title": comparison.before.title,
        "headlines": report.headlines,
        "items": items[:MAX_SINCE],
        "further": max(len(items) - MAX_SINCE, 0),
        "links": Links(comparison, before_url, after_url),
    }
