"""Write a comparison as HTML: data, then screens with wireframes before and after, then the rest of the document.

This module and what it imports need only the standard library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from rui_inspector.compare.comparison import Comparison, ScreenChange
from rui_inspector.compare.kinds import ChangeKind
from rui_inspector.compare.nodes import NodeTree
from rui_inspector.compare.report import Form, Item, Phrase, Report
from rui_inspector.escape import escape, escape_attribute
from rui_inspector.html.values import fragment
from rui_inspector.html.wireframe import ANCHOR, Mark, WireframeWriter
from rui_inspector.model.view import Node
from rui_inspector.model.wireframe import wireframe_of

BEFORE_ANCHOR = "B-"
"""What the anchor of a node in a wireframe of the first document starts with."""

CHANGE_ANCHOR = "C-"
"""What the anchor of a change starts with."""

MAX_NODES = 600
"""Maximum number of nodes that the wireframes of one document show."""

_TAGS = {
    Form.PLAIN: ("", ""),
    Form.QUIET: ('<span class="quiet">', "</span>"),
    Form.NAME: ('<strong dir="auto">', "</strong>"),
    Form.TYPE: ('<span class="badge">', "</span>"),
    Form.CODE: ('<code class="request">', "</code>"),
    Form.REMOVED: ("<del>", "</del>"),
    Form.ADDED: ("<ins>", "</ins>"),
}
"""Form of a phrase → the tags around it."""


class _Drawing(NamedTuple):
    """The wireframes of one document.

    Attributes:
        screens: node → its screen as HTML.
        anchors: the nodes that are drawn, with their ids in the page.
    """

    screens: dict[Node, str]
    anchors: dict[Node, str]


class ComparisonWriter:
    """Writes a comparison.

    Args:
        comparison: the differences.
        before_url: the URL of the page of the first document, or ``""``.
        after_url: the URL of the page of the second document, or ``""``.
        draws: whether there are wireframes.
    """

    def __init__(
        self, comparison: Comparison, before_url: str = "", after_url: str = "", *, draws: bool = True
    ) -> None:
        self._comparison = comparison
        self._report = Report(comparison)
        self._urls = {comparison.before: before_url, comparison.after: after_url}
        self._numbers = {change.node: number for number, change in enumerate(comparison.nodes, 1)}
        self._listed: set[Node] = set()
        drawn = [screen for screen in comparison.screens if screen.kinds and draws]
        before = [screen.before for screen in drawn if screen.before is not None]
        after = [screen.after for screen in drawn if screen.after is not None]
        self._before = self._draw(comparison.before, before, BEFORE_ANCHOR)
        self._after = self._draw(comparison.after, after, ANCHOR)

    def headlines(self, url: str = "") -> str:
        """Return the summary as a list; ``""`` without differences.

        Args:
            url: the URL of the page with all differences, ``""`` for this one.
        """
        items = []
        for name, counts, topic in self._report.headlines():
            title = f"<b>{escape(name[:1].upper() + name[1:])}</b>"
            items.append(f'<li><a href="{escape_attribute(url)}#{topic.value}">{title}</a> {escape(counts)}</li>')
        if not items:
            return ""
        return f'<ul class="headlines">{"".join(items)}</ul>\n'

    def body(self) -> str:
        """Return all differences."""
        if self._comparison.is_same:
            return '<p class="card same">Both documents have the same content.</p>\n'
        return "".join([self._data(), self._screens(), self._section("REST", "The rest", self._report.rest())])

    def first_items(self, number: int) -> tuple[str, int]:
        """Return the first differences of navigation, screens and rest as a list, and the number of further ones."""
        report = self._report
        items = report.navigation()
        for screen in self._comparison.screens:
            if screen.own is not None:
                items.append(report.screen(screen))
            items += report.nodes(screen)
        items += report.rest()
        return self._list(items[:number], " in-columns"), max(len(items) - number, 0)

    def _draw(self, tree: NodeTree, tops: Sequence[Node], prefix: str) -> _Drawing:
        wireframe = wireframe_of(tree.view, MAX_NODES, set(tops))
        writer = WireframeWriter(tree.view, wireframe, self._href(tree), marks=self._marks(tree), prefix=prefix)
        screens = {screen.group.node: writer.screen(screen) for screen in wireframe.screens}
        anchors = {node: prefix + node.anchor for node in tree.view.nodes if node.anchor in writer.anchors}
        return _Drawing(screens, anchors)

    def _href(self, tree: NodeTree) -> Callable[[Node], str] | None:
        """Return a function for the address of a node in the page of its document; None without such a page."""
        url = self._urls[tree]
        if not url:
            return None
        return lambda node: escape_attribute(url) + fragment(node)

    def _marks(self, tree: NodeTree) -> dict[Node, Mark]:
        marks = {}
        for change in self._comparison.nodes:
            node = change.after
            if tree is self._comparison.before:
                node = change.before
            if node is not None:
                target = f"#{CHANGE_ANCHOR}{self._numbers[change.node]}"
                marks[node] = Mark(change.kinds[0].value, f'<a href="{target}">{_kinds(change.kinds)}</a>')
        return marks

    def _data(self) -> str:
        items = self._report.endpoints()
        if not items:
            return '<section aria-labelledby="DATA"><h2 id="DATA">Data</h2><p class="quiet">No change.</p></section>\n'
        return self._section("DATA", "Data", items, " in-columns")

    def _section(self, anchor: str, title: str, items: Sequence[Item], style: str = "") -> str:
        if not items:
            return ""
        return (
            f'<section aria-labelledby="{anchor}"><h2 id="{anchor}">{escape(title)}</h2>\n'
            f"{self._list(items, style)}</section>\n"
        )

    def _screens(self) -> str:
        report = self._report
        html = ['<section aria-labelledby="SCREENS"><h2 id="SCREENS">Screens</h2>\n']
        navigation = report.navigation()
        if navigation:
            html.append(f'<div class="screen-change"><h3>Navigation</h3>{self._list(navigation)}</div>\n')
        changed = [screen for screen in self._comparison.screens if screen.kinds]
        html += [self._screen(screen) for screen in changed]
        unchanged = report.unchanged()
        if not changed and not navigation:
            html.append('<p class="quiet">No change.</p>\n')
        elif unchanged:
            names = ", ".join([self._phrase(phrase) for screen in unchanged for phrase in report.screen(screen).head])
            html.append(f'<p class="quiet">No change in {names}.</p>\n')
        html.append("</section>\n")
        return "".join(html)

    def _screen(self, screen: ScreenChange) -> str:
        item = self._report.screen(screen)
        head = "".join([self._phrase(phrase) for phrase in item.head])
        sides = [
            self._side("Before", screen.before, self._before),
            self._side("After", screen.after, self._after),
        ]
        anchor = self._anchor(screen.node) if screen.own is not None else ""
        return (
            f'<div class="screen-change"><h3{anchor}>{_signs(item)} {head}</h3>\n{_lines(self, item)}'
            f'{self._list(self._report.nodes(screen))}<div class="before-after">{"".join(sides)}</div></div>\n'
        )

    def _side(self, title: str, node: Node | None, drawing: _Drawing) -> str:
        if node is None:
            screen = '<div class="hollow">not there</div>'
        else:
            screen = drawing.screens.get(node, '<div class="hollow">too large to be drawn here</div>')
        return f'<div class="version"><p class="version-name">{title}</p>{screen}</div>'

    def _list(self, items: Sequence[Item], style: str = "") -> str:
        if not items:
            return ""
        html = []
        for item in items:
            nodes = [phrase.node for phrase in item.head if phrase.node is not None]
            anchor = self._anchor(nodes[0]) if nodes else ""
            head = "".join([self._phrase(phrase) for phrase in item.head])
            html.append(f"<li{anchor}><p>{_signs(item)} {head}</p>{_lines(self, item)}</li>\n")
        return f'<ul class="differences{style}">{"".join(html)}</ul>\n'

    def _anchor(self, node: Node) -> str:
        """Return the id of the first item about a node, as an attribute; ``""`` for further ones."""
        node = self._comparison.pairs.after.get(node, node)
        if node in self._listed or node not in self._numbers:
            return ""
        self._listed.add(node)
        return f' id="{CHANGE_ANCHOR}{self._numbers[node]}"'

    def line(self, phrases: Iterable[Phrase]) -> str:
        """Return a line."""
        return "".join([self._phrase(phrase) for phrase in phrases])

    def _phrase(self, phrase: Phrase) -> str:
        start, end = _TAGS[phrase.form]
        if phrase.form is Form.TYPE and phrase.node is not None:
            color = self._comparison.after.view.color(phrase.node.type, phrase.node.known)
            return f'<span class="badge {color}">{escape(phrase.text)}</span>'
        html = f"{start}{escape(phrase.text)}{end}"
        target = self._target(phrase.node)
        if target:
            return f'<a class="named" href="{target}">{html}</a>'
        return html

    def _target(self, node: Node | None) -> str:
        """Return the address of a node: in a wireframe of this page, else in the page of its document, else ``""``."""
        if node is None:
            return ""
        anchor = self._after.anchors.get(node) or self._before.anchors.get(node)
        if anchor is not None:
            return f"#{escape_attribute(anchor)}"
        href = self._href(self._comparison.tree_of(node))
        return "" if href is None else href(node)


def _lines(writer: ComparisonWriter, item: Item) -> str:
    if not item.lines:
        return ""
    lines = "".join([f'<li dir="auto">{writer.line(line)}</li>' for line in item.lines])
    return f'<ul class="lines">{lines}</ul>'


def _signs(item: Item) -> str:
    return _kinds(item.kinds, item.words)


def _kinds(kinds: Iterable[ChangeKind], words: Mapping[ChangeKind, str] | None = None) -> str:
    """Return the signs of changes with their names."""
    names = {kind: kind.value for kind in kinds} | dict(words or {})
    return " ".join([
        f'<span class="change-kind {kind.value}"><b aria-hidden="true">{kind.sign}</b> {names[kind]}</span>'
        for kind in kinds
    ])  # fmt: skip
