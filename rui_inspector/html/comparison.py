"""Render the page of the service that compares two documents, and what changed since the spec that one replaces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from rui_common.syntax.paths import Path, format_path
from rui_common.versions.changes import Change, ChangeKind, Comparison, Screen
from rui_common.versions.compare import compare
from rui_inspector.escape import escape_attribute
from rui_inspector.html.pages import HeaderField, PageHost, noted_spec
from rui_inspector.html.templates import environment
from rui_inspector.html.values import fragment
from rui_inspector.html.wireframe import ANCHOR, UNTITLED, Mark, WireframeWriter
from rui_inspector.model.view import View, ViewNode, view_of
from rui_inspector.model.wireframe import wireframe_of

BEFORE_ANCHOR = "B-"
"""What the anchor of a node in a wireframe of the first document starts with."""

MAX_NODES = 600
"""Maximum number of nodes that the wireframes of one document show."""


@dataclass(frozen=True)
class ComparedDocument:
    """One of two stored documents that are compared.

    Attributes:
        document: its root.
        spec_id: the id of the spec.
        url: the URL of its page.
        fields: fields for the header.
        content_hash: the hash of its document, for the notes of a reviewer.
    """

    document: object
    spec_id: str
    url: str
    fields: Sequence[HeaderField] = ()
    content_hash: str = ""


class _Side(NamedTuple):
    """One version of a comparison: the document, the place of its paths in a change, and the prefix of its anchors."""

    compared: ComparedDocument
    view: View
    is_new: bool
    prefix: str

    def path(self, one: Change | Screen) -> Path | None:
        """Return the path of a change or a screen in this version."""
        return one.new if self.is_new else one.old


def comparison_page(before: ComparedDocument, after: ComparedDocument, host: PageHost) -> str:
    """Render the differences between two documents."""
    sides = [
        _Side(one, view_of(one.document), is_new, prefix)
        for one, is_new, prefix in ((before, False, BEFORE_ANCHOR), (after, True, ANCHOR))
    ]
    comparison = compare(before.document, after.document)
    anchors = _anchors([*(screen.changes for screen in comparison.screens), comparison.navigation])
    drawn = [_drawn(side, comparison, anchors) for side in sides]
    return environment().get_template("compare.html").render(
        host=host, sides=[(side.compared, side.view) for side in sides], untitled=UNTITLED, comparison=comparison,
        anchors=anchors, drawn=drawn, targets=drawn[0].targets | drawn[1].targets,
        noted=noted_spec(after.url, after.content_hash),
    )  # fmt: skip


def _anchors(lists: Iterable[Sequence[Change]]) -> dict[Change, str]:
    """Return change → the id of its sentence in the list that has it; a list shows each sentence once."""
    anchors: dict[Change, str] = {}
    count = 0
    for changes in lists:
        by_sentence: dict[str, str] = {}
        for change in changes:
            if change.sentence not in by_sentence:
                count += 1
                by_sentence[change.sentence] = f"C-{count}"
            anchors[change] = by_sentence[change.sentence]
    return anchors


def changes_since(before: object, after: object) -> dict[str, object]:
    """Return what changed since the spec that a document replaces, for the template of the document's page.

    `before` and `after` are the roots of both.
    """
    return {"title": view_of(before).title, "summary": compare(before, after).summary}


class _Drawn(NamedTuple):
    """The wireframes of one version.

    Attributes:
        screens: path of a screen that differs → its wireframe; without those that exceed the limit of nodes.
        targets: change → the address of the node that it is about, in a wireframe or on the page of the document.
    """

    screens: dict[Path, Markup]
    targets: dict[Change, Markup]


def _drawn(side: _Side, comparison: Comparison, anchors: dict[Change, str]) -> _Drawn:
    """Draw the screens that differ, with marks."""
    nodes = {node.path: node for node in side.view.nodes}
    paths = [side.path(screen) for screen in comparison.screens if screen.kind is not None]
    tops = {nodes[format_path(path)]: path for path in paths if path is not None}

    def href(node: ViewNode) -> str:
        return escape_attribute(side.compared.url) + fragment(node)

    changed = {change: _node_at(side.path(change), nodes) for change in anchors}
    wireframe = wireframe_of(side.view, MAX_NODES, tops)
    marks = _marks(side, changed, anchors)
    writer = WireframeWriter(side.view, wireframe, href, marks=marks, prefix=side.prefix)
    screens = {}
    for screen in wireframe.screens:
        screens[tops[screen.part.node]] = Markup(writer.screen(screen))  # noqa: S704  it is escaped
    targets = {}
    for change, node in changed.items():
        if node is not None:
            address = f"#{side.prefix}{escape_attribute(node.anchor)}" if node in writer.drawn else href(node)
            targets[change] = Markup(address)  # noqa: S704  it is escaped
    return _Drawn(screens, targets)


def _node_at(path: Path | None, nodes: dict[str, ViewNode]) -> ViewNode | None:
    """Return the node at or around a path; None without one."""
    for length in range(len(path or ()), 0, -1):
        node = nodes.get(format_path((path or ())[:length]))
        if node is not None:
            return node
    return None


def _marks(side: _Side, changed: dict[Change, ViewNode | None], anchors: dict[Change, str]) -> dict[ViewNode, Mark]:
    """Return the marks of the nodes that differ: links to the sentences about them."""
    found: dict[ViewNode, dict[ChangeKind, str]] = {}
    for change, node in changed.items():
        if node is not None and not change.is_endpoint:
            is_itself = node.path == format_path(side.path(change) or ())
            kind = change.kind if is_itself else ChangeKind.CHANGED
            found.setdefault(node, {}).setdefault(kind, anchors[change])
    macros = environment().get_template("changes.html").module
    marks = {}
    for node, kinds in found.items():
        links = [
            f'<a href="#{anchor}">{macros.kind(kind)}</a>'  # type: ignore[attr-defined]
            for kind, anchor in kinds.items()
        ]
        marks[node] = Mark(next(iter(kinds)).value, " ".join(links))
    return marks
