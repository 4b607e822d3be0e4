"""Render the page of the service that compares two documents, and what changed since the spec that one replaces."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from rui_common.syntax.paths import Path, value_at
from rui_common.versions.changes import Change, ChangeKind, Comparison, Screen
from rui_common.versions.compare import compare
from rui_common.versions.sentences import differing_words
from rui_inspector.escape import escape_attribute
from rui_inspector.html.pages import PageHost, Spec, noted_document
from rui_inspector.html.templates import environment
from rui_inspector.html.values import fragment
from rui_inspector.html.wireframe import ANCHOR, UNTITLED, Mark, Spot, WireframeWriter
from rui_inspector.model.view import View, ViewNode
from rui_inspector.model.wireframe import MAX_ELEMENTS, wireframe_of

BEFORE_ANCHOR = "B-"  # what the anchor of a node in a wireframe of the first document starts with
MAX_NODES = 600  # maximum number of nodes that the wireframes of one document show


class ComparedDocument(NamedTuple):
    """The root of one of two stored documents that are compared, and what a page shows of its spec."""

    document: object
    spec: Spec


class _Side(NamedTuple):
    """One version of a comparison: the document, the place of its paths in a change, and the prefix of its anchors."""

    compared: ComparedDocument
    view: View
    is_new: bool
    prefix: str

    def path(self, changed: Change | Screen) -> Path | None:
        if self.is_new:
            return changed.new
        return changed.old


def comparison_page(before: ComparedDocument, after: ComparedDocument, host: PageHost) -> str:
    """Render the differences between two documents."""
    old = _Side(before, View(before.document), is_new=False, prefix=BEFORE_ANCHOR)
    new = _Side(after, View(after.document), is_new=True, prefix=ANCHOR)
    comparison = compare(before.document, after.document)
    anchors = _anchors([comparison.app, *(screen.changes for screen in comparison.screens), comparison.navigation])
    drawn = [_drawn(side, other, comparison, anchors) for side, other in ((old, new), (new, old))]
    return environment().get_template("compare.html").render(
        host=host, sides=[(before.spec, old.view), (after.spec, new.view)], untitled=UNTITLED, comparison=comparison,
        anchors=anchors, drawn=drawn, targets=drawn[0].targets | drawn[1].targets,
        noted=[noted_document(side.compared.document, side.compared.spec, side.view) for side in (old, new)],
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


def changes_since(before: ComparedDocument, after: object) -> dict[str, object]:
    """Return what changed since the spec that a document replaces, for the template of the document's page."""
    view = View(before.document)
    return {
        "title": view.title, "summary": compare(before.document, after).summary,
        "noted": noted_document(before.document, before.spec, view),
    }  # fmt: skip


class _Drawn(NamedTuple):
    """The wireframes of one version."""

    # path of a screen that differs → its wireframe; without those that exceed the limit of nodes
    screens: dict[Path, Markup]
    # change → the address of the node that it is about, in a wireframe or on the page of the document
    targets: dict[Change, Markup]


def _drawn(side: _Side, other: _Side, comparison: Comparison, anchors: dict[Change, str]) -> _Drawn:
    """Draw the screens that differ from those of the other version, with marks."""
    nodes = {node.path: node for node in side.view.nodes}
    paths = [side.path(screen) for screen in comparison.screens if screen.kind is not None]
    tops = {nodes[path] for path in paths if path is not None}

    def href(node: ViewNode) -> str:
        return escape_attribute(side.compared.spec.url) + fragment(node)

    changed = {change: _node_at(side.path(change), nodes) for change in anchors}
    wireframe = wireframe_of(side.view, MAX_NODES, tops)
    marks = _marks(side, other, changed, anchors)
    unfolded = _unfolded(side, comparison, changed, nodes)
    writer = WireframeWriter(side.view, wireframe, href, marks=marks, unfolded=unfolded, prefix=side.prefix)
    screens = {}
    for screen in wireframe.screens:
        screens[screen.part.node.path] = Markup(writer.screen(screen))  # noqa: S704  it is escaped
    targets = {}
    for change, node in changed.items():
        if node is not None:
            address = f"#{side.prefix}{escape_attribute(node.anchor)}" if node in writer.drawn else href(node)
            targets[change] = Markup(address)  # noqa: S704  it is escaped
    return _Drawn(screens, targets)


def _node_at(path: Path | None, nodes: dict[Path, ViewNode]) -> ViewNode | None:
    """Return the node at or around a path; None without one."""
    for length in range(len(path or ()), 0, -1):
        node = nodes.get((path or ())[:length])
        if node is not None:
            return node
    return None


def _unfolded(
    side: _Side, comparison: Comparison, changed: dict[Change, ViewNode | None], nodes: dict[Path, ViewNode]
) -> set[ViewNode]:
    """Return the nodes with a difference, those around them, and those in one that only this version has.

    A node that has lost or got another one differs, too, in the version without that.
    """
    matching = comparison.matching
    partners = matching.to_new if side.is_new else matching.to_old
    unfolded: set[ViewNode] = set()
    for change, node in changed.items():
        found: set[ViewNode | None] = {node}
        if node is not None and _is_itself(side, change, node) and change.kind is not ChangeKind.MOVED:
            found.update(node.descendants())
        foreign = change.old if side.is_new else change.new
        if foreign is not None and change.kind is not ChangeKind.CHANGED:
            ancestors = [foreign[:length] for length in range(len(foreign) - 1, 0, -1)]
            partner = next((partners[path] for path in ancestors if path in partners), None)
            found.add(_node_at(partner, nodes))
        for different in found:
            if different is not None:
                unfolded.update((different, *different.ancestors()))
    return unfolded


def _is_itself(side: _Side, change: Change, node: ViewNode) -> bool:
    """Return whether a change is about a node, and not about something in it."""
    return node.path == side.path(change)


def _marks(
    side: _Side, other: _Side, changed: dict[Change, ViewNode | None], anchors: dict[Change, str]
) -> dict[ViewNode, Mark]:
    """Return the marks of the nodes that differ, with links to the sentences about them."""
    found: dict[ViewNode, dict[ChangeKind, str]] = {}
    spots: dict[ViewNode, dict[Path, Spot]] = {}
    for change, node in changed.items():
        if node is not None and not change.is_endpoint:
            kind = change.kind
            if not _is_itself(side, change, node):
                kind = ChangeKind.CHANGED
                path, spot = _spot(side, other, change, node)
                spots.setdefault(node, {}).setdefault(path, spot)
            found.setdefault(node, {}).setdefault(kind, anchors[change])
    macros = environment().get_template("changes.html").module
    marks = {}
    for node, kinds in found.items():
        links = [
            f'<a href="#{anchor}">{macros.kind(kind)}</a>'  # type: ignore[attr-defined]
            for kind, anchor in kinds.items()
        ]
        marks[node] = Mark(next(iter(kinds)).value, " ".join(links), spots.get(node, {}))
    return marks


def _spot(side: _Side, other: _Side, change: Change, node: ViewNode) -> tuple[Path, Spot]:
    """Return the path in a node of the property or element that differs, and how it does."""
    path = side.path(change) or ()
    values = [value_at(version.compared.document, version.path(change) or ()) for version in (side, other)]
    words = None
    if isinstance(values[0], str) and isinstance(values[1], str):
        words, _ = differing_words(values[0], values[1])
    steps = path[len(node.path) :]
    if len(steps) > 1 and isinstance(steps[1], int):
        steps = (steps[0], min(steps[1], MAX_ELEMENTS), *steps[2:])  # further elements are one cell
    return steps, Spot(change.kind.value, words)
