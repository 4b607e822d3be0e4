"""Render the page of the service that compares two documents, and what changed since the spec that one replaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from rui_common.vocabulary.schema import Role
from rui_inspector.compare.comparison import Comparison, compare
from rui_inspector.compare.report import report_of
from rui_inspector.escape import escape_attribute
from rui_inspector.html.pages import HeaderField, PageHost
from rui_inspector.html.templates import environment
from rui_inspector.html.values import fragment
from rui_inspector.html.wireframe import ANCHOR, UNTITLED, Mark, WireframeWriter
from rui_inspector.model.view import View, ViewNode, view_of
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
    """One of two stored documents that are compared.

    Attributes:
        document: its root.
        spec_id: the id of the spec.
        url: the URL of its page.
        fields: fields for the header.
    """

    document: object
    spec_id: str
    url: str
    fields: Sequence[HeaderField] = ()


class Links:
    """The anchors and addresses of a comparison, for the macros of ``changes.html``.

    Args:
        comparison: the differences.
        before_url: the URL of the page of the first document.
        after_url: the URL of the page of the second document.
        draws: whether to draw the screens that differ, of both documents.

    Attributes:
        color: returns the colour of a type.
        anchors: change of a node → the id of the item about it.
        targets: node → its address in a wireframe, else in the page of its document.
        screens: node → its screen in a wireframe as HTML.
    """

    def __init__(self, comparison: Comparison, before_url: str, after_url: str, *, draws: bool) -> None:
        self.color = comparison.after.color
        self.anchors = {change: f"{CHANGE_ANCHOR}{number}" for number, change in enumerate(comparison.nodes, 1)}
        self.targets: dict[ViewNode, Markup] = {}
        self.screens: dict[ViewNode, Markup] = {}
        changed: set[ViewNode] = set()
        marks: dict[ViewNode, Mark] = {}
        if draws:
            changed = {node for one in comparison.screens if one.screen_kinds for node in one.sides}
            marks = self._marks()
        self._add(comparison.before, before_url, changed, marks, BEFORE_ANCHOR)
        self._add(comparison.after, after_url, changed, marks, ANCHOR)

    def _add(self, view: View, url: str, tops: set[ViewNode], marks: dict[ViewNode, Mark], prefix: str) -> None:
        def href(node: ViewNode) -> str:
            return escape_attribute(url) + fragment(node)

        wireframe = wireframe_of(view, MAX_NODES, tops)
        writer = WireframeWriter(view, wireframe, href, marks=marks, prefix=prefix)
        for screen in wireframe.screens:
            self.screens[screen.part.node] = Markup(writer.screen(screen))  # noqa: S704  it is escaped
        for node in view.nodes:
            address = href(node)
            if node in writer.drawn:
                address = f"#{prefix}{escape_attribute(node.anchor)}"
            self.targets[node] = Markup(address)  # noqa: S704  it is escaped

    def _marks(self) -> dict[ViewNode, Mark]:
        """Return the marks of the nodes that differ: links to the items about them."""
        kinds = environment().get_template("changes.html").module.kinds  # type: ignore[attr-defined]
        marks = {}
        for change, anchor in self.anchors.items():
            mark = Mark(change.kinds[0].value, f'<a href="#{anchor}">{kinds(change.kinds)}</a>')
            marks.update(dict.fromkeys(change.sides, mark))
        return marks


def comparison_page(before: ComparedDocument, after: ComparedDocument, host: PageHost) -> str:
    """Render the differences between two documents."""
    views = view_of(before.document), view_of(after.document)
    comparison = compare(*views)
    links = Links(comparison, before.url, after.url, draws=True)
    return environment().get_template("compare.html").render(
        host=host, sides=((before, views[0]), (after, views[1])), untitled=UNTITLED,
        report=report_of(comparison), links=links,
    )  # fmt: skip


def changes_since(before: object, after: object, before_url: str, after_url: str) -> dict[str, object]:
    """Return what changed since the spec that a document replaces, for the template of the document's page.

    `before` and `after` are the roots of both, with the URLs of their pages.
    """
    comparison = compare(view_of(before), view_of(after))
    # That the document names the spec is no news.
    root = [change for change in comparison.root if change.prop is None or change.prop.role is not Role.REPLACES]
    report = report_of(comparison._replace(root=root))
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
        "links": Links(comparison, before_url, after_url, draws=False),
    }
