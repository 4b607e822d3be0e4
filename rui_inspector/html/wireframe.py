"""Write the screens of an app as HTML: frames with placeholders, or examples of the API description, never data.

This module and what it imports need only the standard library: `rui wireframe` uses them without Jinja2.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib.resources import files
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple

from rui_common.grounding import UNGROUNDED, Grounding
from rui_common.nodes.requests import request_of, requests_in
from rui_common.syntax.paths import Path, format_path
from rui_common.texts import count_of
from rui_common.vocabulary.schema import NodeRole
from rui_inspector.escape import (
    LONG_TEXT,
    escape,
    escape_attribute,
    excerpt,
    folded_html,
    is_right_to_left,
    marked_html,
)
from rui_inspector.model.overview import Entry, needs_of
from rui_inspector.model.view import View, ViewNode
from rui_inspector.model.wireframe import Cell, CellList, Control, DrawnValue, Part, Screen, Wireframe, wireframe_of

ANCHOR = "W-"  # What the anchor of a node in the wireframe starts with. No id of a node starts with a capital letter.
FEW_CELLS = 6  # number of elements of a list, such as columns, that fit beside each other in most windows

DOUBLE = 2
TRIPLE = 4
"""Weights from which a part of a row is twice and three times as wide as the smallest."""

MIN_ROW = 3
"""Number of parts without a difference from which they are folded in a row, where they are beside what differs."""

MAX_FOLDED_NAMES = 4  # maximum number of parts that a disclosure names

UNTITLED = "Untitled RUI"
UNMATCHED = "Not in the API:"
ALL_DRAWN = 100_000

POLICY = "default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"
"""The policy of a file of its own: no script runs, and no file is loaded."""

BROAD = 8  # weight from which a screen takes the whole width


class Spot(NamedTuple):
    """A property, or an element of a list, that differs from that of another version."""

    name: str  # what happened to it, which is a class without its prefix ``is-``
    # the parts of its text that differ, from start to end; None for all of it
    words: Sequence[tuple[int, int]] | None = None


class Mark(NamedTuple):
    """A mark on a node that is drawn."""

    name: str  # the class of the node, without its prefix ``is-``
    html: str  # the content above the node
    spots: Mapping[Path, Spot] = MappingProxyType({})  # the path of a property or element in the node → how it differs

    def text(self, text: str, *path: str | int, write: Callable[[str], str] = escape) -> str:
        """Return a text of the property at a path as HTML, with marks on the words that differ."""
        spot = next((self.spots[path[:end]] for end in range(len(path), 0, -1) if path[:end] in self.spots), None)
        if spot is None or not text:
            return write(text)
        words = [(0, len(text))] if spot.words is None else spot.words
        return marked_html(text, words, f'mark class="is-{spot.name}"', write)

    def classes(self, *path: str | int) -> str:
        """Return the class of what is drawn for a property or element; ``""`` without a difference in it."""
        for place, spot in self.spots.items():
            if place == path[: len(place)]:
                return f" is-{spot.name}"
            if path == place[: len(path)]:
                return " is-changed"
        return ""


UNMARKED = Mark("", "")


class WireframeWriter:
    """Writes wireframes.

    Args:
        href: returns the address of a node in the tree, as HTML for an attribute; None without a tree.
        marks: the marks of nodes, as in a comparison.
        unfolded: the nodes that are visible at once, as in a comparison; None for all.
        tree: returns the address of a node in the tree of the same page, to which a node that is the target of the
            address links; None without a tree.
        found: the nodes that match a search.
        prefix: what the anchors of nodes start with; it differs if a page has several wireframes.
    """

    def __init__(
        self, view: View, wireframe: Wireframe, href: Callable[[ViewNode], str] | None, *,
        marks: Mapping[ViewNode, Mark] | None = None, unfolded: Collection[ViewNode] | None = None,
        tree: Callable[[ViewNode], str] | None = None, found: Collection[ViewNode] = (), prefix: str = ANCHOR,
    ) -> None:  # fmt: skip
        self._marks = marks or {}
        self._unfolded = unfolded
        self._found = set(found)
        self._prefix = prefix
        self._color = view.color
        self._href = href
        self._tree = tree
        self._wireframe = wireframe
        self.drawn: set[ViewNode] = set()  # the nodes that are drawn
        self._screens = {screen.part.node for screen in wireframe.screens}

    def screens(self, first: int = 0, last: int | None = None) -> str:
        """Return a slice of the screens; what the document lacks comes before the first one."""
        parts: list[str] = []
        if self._wireframe.missing and first == 0:
            parts.append(_missing(self._wireframe.missing))
        parts.append('<div class="screens">')
        parts += [self.screen(screen) for screen in self._wireframe.screens[first:last]]
        if not self._wireframe.screens:
            parts.append('<div class="screen"><div class="hollow">no screens</div></div>')
        parts.append("</div>")
        return "".join(parts)

    def needs(
        self, needs: Mapping[ViewNode, Sequence[tuple[str, str]]], *, is_folded: bool = False,
        found: Mapping[ViewNode, int] = MappingProxyType({}),
    ) -> str:  # fmt: skip
        """Return the endpoints of each page as list items; folded, a line for each page.

        Args:
            found: the number of matches of a search on each page that has some.
        """
        items = []
        for node, endpoints in needs.items():
            requests = ""
            for method, path in endpoints:
                request = f"<b>{escape(excerpt(method))}</b> <bdi>{_breakable(path)}</bdi>"
                requests += f'<li><code class="request">{request}</code></li>'
            content = f"<ul>{requests}</ul>"
            if not requests:
                content = '<ul><li class="quiet">no endpoints</li></ul>'
            elif is_folded:
                count = count_of(len(endpoints), "endpoints")
                content = f'<details><summary class="quiet">{count}</summary>{content}</details>'
            name = f"<bdi>{escape(excerpt(node.name))}</bdi>"
            hits = f" <mark>{found[node]:,} found</mark>" if node in found else ""
            items.append(f"<li><p>{self._link_to_screen(node, name)}{hits}</p>{content}</li>\n")
        return "".join(items)

    def _start(self, tag: str, node: ViewNode, classes: str) -> str:
        """Return the start tag of a node that is drawn, with its anchor and its place in the text."""
        self.drawn.add(node)
        if node in self._marks:
            classes += f" is-{self._marks[node].name}"
        if node in self._found:
            classes += " found"
        place = ""
        if node.end:
            place = f' data-offset="{node.start}" data-end="{node.end}"'
        return f'<{tag} class="{classes}" id="{self._prefix}{escape_attribute(node.anchor)}"{place}>'

    def _mark(self, node: ViewNode) -> str:
        if node in self._marks:
            return f'<p class="change-mark">{self._marks[node].html}</p>'
        return ""

    def address(self, node: ViewNode) -> str:
        """Return the address of a node in the wireframe, as HTML for an attribute."""
        return f"#{self._prefix}{escape_attribute(node.anchor)}"

    def _link_to_screen(self, node: ViewNode, name: str) -> str:
        if node in self._screens:
            return f'<a href="{self.address(node)}">{name}</a>'
        if self._href is not None:
            return f'<a href="{self._href(node)}">{name}</a>'
        return name

    def _link(self, node: ViewNode, content: str) -> str:
        if self._href is None:
            return f'<span class="to">{content}</span>'
        return f'<a class="to" href="{self._href(node)}">{content}</a>'

    def _link_to_tree(self, node: ViewNode) -> str:
        if self._tree is None:
            return ""
        return f'<p class="to-tree"><a href="{self._tree(node)}">In the tree</a></p>'

    def screen(self, screen: Screen) -> str:
        node = screen.part.node
        mark = self._marks.get(node, UNMARKED)
        wide = ""
        if screen.part.weight >= BROAD:
            wide = " broad"
        title = f'<span class="quiet">{escape(excerpt(node.id or format_path(node.path)))}</span>'
        if node.label:
            name = mark.text(excerpt(node.label), node.label_name)
            title = f'<span class="label" dir="auto">{name}</span>'
        description = ""
        if screen.description:
            text = _text(screen.description, mark, screen.description_name)
            description = f'<div class="purpose" dir="auto">{text}</div>'
        missing = screen.part.missing
        if not screen.is_listed:
            missing = [*missing, "not in the navigation"]
        is_reversed = is_right_to_left(excerpt(node.label or screen.description))
        tag = "section"
        if is_reversed:
            tag = 'section dir="rtl"'
        return (
            f"{self._start(tag, node, f'screen{wide}')}{self._navigation(screen)}"
            f"{self._mark(node)}<h3>{self._link(node, title)}</h3>{self._link_to_tree(node)}{description}"
            f"{_missing(missing)}{self._parts(screen.part)}</section>\n"
        )

    def _navigation(self, screen: Screen) -> str:
        if not screen.near_entries:
            return ""
        items = []
        before: Path = ()
        for entry in screen.near_entries:
            is_next = before[:-1] == entry.path[:-1]
            place = "" if is_next else f' data-at="/{escape_attribute(format_path(entry.path))}"'
            items.append(self._entry(entry, place, is_current=entry.node is screen.part.node))
            before = entry.path
        if screen.further:
            items.append(f'<li class="quiet">{screen.further:,} more</li>')
        return f'<ul class="app-bar">{"".join(items)}</ul>'

    def _entry(self, entry: Entry, place: str, *, is_current: bool) -> str:
        name = f"<bdi>{escape(excerpt(entry.label or entry.name or 'no name'))}</bdi>"
        if entry.node is None:
            return f'<li class="lack"{place}>{name} leads nowhere</li>'
        if is_current:
            return f'<li class="here"{place}><b aria-current="page">{name}</b></li>'
        return f"<li{place}>{self._link_to_screen(entry.node, name)}</li>"

    def _parts(self, group: Part) -> str:
        html = []
        row = ""
        if group.node.is_row:
            row = " row"
        if group.parts:
            html.append(f'<div class="parts{row}">')
            for is_folded, run in groupby(group.parts, partial(self._is_folded, group)):
                parts = [*run]
                written = "".join([self._part(part) for part in parts])
                if is_folded and (len(parts) >= MIN_ROW or not group.node.is_row or parts[0].node.is_group):
                    written = _folded(parts, written)
                html.append(written)
            html.append("</div>")
        elif not group.omitted:
            html.append('<div class="hollow">empty</div>')
        if group.omitted:
            html.append(f'<p class="quiet">and {group.omitted:,} more</p>')
        return "".join(html)

    def _is_folded(self, group: Part, part: Part) -> bool:
        """Return whether a part of a group is folded; parts of one that is folded are not."""
        return self._unfolded is not None and group.node in self._unfolded and part.node not in self._unfolded

    def _part(self, part: Part) -> str:
        node = part.node
        mark = self._marks.get(node, UNMARKED)
        label = ""
        if node.label:
            label = f' <span class="label" dir="auto">{mark.text(excerpt(node.label), node.label_name)}</span>'
        type_ = f'<span class="badge">{escape(excerpt(node.type or "no type"))}</span>'
        share = _share(part.weight)
        if node.is_group:
            heading = ""
            if node.label or not node.known:
                tag = f"h{min(6, 3 + len([*node.ancestors()]))}"  # the heading of the screen is h3
                heading = f'<{tag} class="heading">{self._link(node, label or type_)}</{tag}>{self._link_to_tree(node)}'
            return (
                f"{self._start('div', node, f'group{share}')}{self._mark(node)}{heading}"
                f"{_missing(part.missing)}{self._parts(part)}</div>"
            )
        color = self._color(node.type)
        html = [
            self._start("div", node, f"block {color}{share}"),
            self._mark(node),
            f'<p class="heading">{self._link(node, type_ + label)}</p>',
            self._link_to_tree(node),
            _missing(part.missing),
        ]
        if part.value is not None:
            display = node.shape.wireframe if node.shape is not None else None
            html.append(_value(part.value, mark.classes(display.prop) if display is not None else ""))
        if part.text:
            html.append(f'<div class="content" dir="auto">{_text(part.text, mark, part.text_name)}</div>')
        html += [_control(control, mark) for control in part.controls]
        html += [_cells(cells, mark) for cells in part.lists]
        if part.properties:
            html.append(_properties(part.properties, mark))
        if part.parts:
            html.append(self._parts(part))
        html += _sources(node, mark)
        if part.operation:
            html.append(f'<p class="stated">In the description: <bdi>{escape(excerpt(part.operation))}</bdi></p>')
        return "".join([*html, "</div>"])


def unmatched_marks(unmatched: Mapping[ViewNode, Sequence[str]]) -> dict[ViewNode, Mark]:
    """Return the marks of nodes whose bindings are not in the API description, with a sentence on each."""
    title = f'<strong class="unmatched">{UNMATCHED}</strong>'
    return {
        node: Mark("unmatched", " ".join([title, *(escape(excerpt(text)) for text in texts)]))
        for node, texts in unmatched.items()
    }


def wireframe_page(
    view: View, grounding: Grounding = UNGROUNDED, unmatched: Mapping[ViewNode, Sequence[str]] | None = None
) -> str:
    """Return the wireframe of a document as an HTML page that loads no other file.

    Args:
        grounding: what the API description states.
        unmatched: sentences on the bindings of nodes that are not in the description.
    """
    wireframe = wireframe_of(view, ALL_DRAWN, grounding=grounding)
    writer = WireframeWriter(view, wireframe, None, marks=unmatched_marks(unmatched or {}))
    title = excerpt(view.title or UNTITLED)
    lead = ""
    if view.description:
        lead = f'<p class="lead" dir="auto">{escape(excerpt(view.description))}</p>\n'
    totals = " · ".join([f"<b>{total}</b>" for total in totals_of(view)])
    grounded = ""
    if wireframe.grounded:
        grounded = f'<p class="grounded">{wireframe.grounded}</p>\n'
    needs = writer.needs(needs_of(view, ALL_DRAWN))
    styles = files("rui_inspector").joinpath("static/inspector.css").read_text("utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape_attribute(title)} · wireframe</title>\n<style>\n{styles}</style>\n</head>\n"
        f'<body class="inspector">\n<header class="masthead">\n<h1 dir="auto">{escape(title)}</h1>\n{lead}'
        f'<p class="totals">{totals}</p>\n{grounded}<section class="needs"><h2>Data that the app reads, by page</h2>\n'
        f'<ul>\n{needs}</ul></section>\n</header>\n<main><section class="wireframe">\n{writer.screens()}\n'
        "</section></main>\n</body>\n</html>\n"
    )


def totals_of(view: View) -> list[str]:
    """Return the size of a document, such as ``5 pages``, ``32 blocks``, ``13 endpoints``."""
    totals = [count_of(len(nodes), name) for name, nodes in view.nested.items()]
    layouts = {name for name, shape in view.vocabulary.nodes.items() if shape.role is NodeRole.LAYOUT}
    block_count = sum(count for type_, count in view.counts.items() if type_ not in layouts)
    if block_count:
        totals.append(count_of(block_count, "blocks"))
    if view.requests:
        endpoints = {(request.method, request.path) for _, request in view.requests}
        totals.append(count_of(len(endpoints), "endpoints"))
    return totals


def _share(weight: int) -> str:
    """Return the class of a part that is wider than others in a row; ``""`` for the smallest."""
    if weight >= TRIPLE:
        return " triple"
    if weight >= DOUBLE:
        return " double"
    return ""


def _missing(missing: Sequence[str]) -> str:
    if not missing:
        return ""
    items = " ".join([f'<span class="lack">{escape(text)}</span>' for text in missing])
    return f'<p class="lacks">{items}</p>'


def _text(text: str, mark: Mark, name: str) -> str:
    """Return a text that the app shows: all of it, or a disclosure of a long one, which is open if it has marks."""
    if len(text) <= LONG_TEXT:
        return mark.text(text, name)
    marked = mark.text(text, name)
    return folded_html(text, LONG_TEXT, marked, is_open=bool(mark.classes(name)))


def _folded(parts: Sequence[Part], written: str) -> str:
    """Return parts without a difference as a disclosure with their names and the number of their blocks."""
    names = [part.node.name for part in parts]
    shown = [f'<b class="label" dir="auto">{escape(excerpt(name))}</b>' for name in names[:MAX_FOLDED_NAMES]]
    if len(names) > MAX_FOLDED_NAMES:
        shown.append(f"{len(names) - MAX_FOLDED_NAMES:,} more")
    blocks = [node for part in parts for node in (part.node, *part.node.descendants()) if not node.is_group]
    return (
        f'<details class="unchanged"><summary>{", ".join(shown)} '
        f'<span class="quiet">{count_of(len(blocks), "blocks")} unchanged</span></summary>{written}</details>'
    )


def _class(classes: str) -> str:
    if classes:
        return f' class="{classes.strip()}"'
    return ""


def _value(value: DrawnValue, classes: str = "") -> str:
    type_ = ""
    if value.type and value.type != value.text:
        type_ = f' <span class="quiet">{escape(excerpt(value.type))}</span>'
    stated = value.stated
    if stated is None:
        return f'<p class="figure{classes}"><b>{escape(excerpt(value.text))}</b>{type_}</p>'
    figure = f"<b>{escape(excerpt(value.text))}</b>"
    if stated.examples:
        figure = f'<b class="example"><bdi>{escape(excerpt(stated.examples[0]))}</bdi></b>'
    return f'<p class="figure">{figure}{type_}</p><p class="stated">{escape(stated.note)}</p>'


def _cells(cell_list: CellList, mark: Mark) -> str:
    """Return the elements of a list beside each other; many of them can be scrolled, below their number.

    Where some of many differ, the others are folded.
    """
    drawn = [(mark.classes(cell_list.name, index), cell) for index, cell in enumerate(cell_list.cells)]
    name = cell_list.name
    if len(drawn) <= FEW_CELLS:
        return f'<ul class="cells">{_items(drawn, name)}</ul>'
    title_html = f'<p class="cell-count quiet">{escape(cell_list.title)}</p>'
    if not any(classes for classes, _ in drawn):
        label = escape_attribute(cell_list.title)
        return f'{title_html}<ul class="cells many" tabindex="0" aria-label="{label}">{_items(drawn, name)}</ul>'
    html = []
    first = 0
    for is_marked, run in groupby(drawn, lambda item: bool(item[0])):
        items = [*run]
        if is_marked or len(items) == 1:
            html.append(_items(items, name, first))
        else:
            names = _labels([(label, "") for _, (label, _) in items], (name, first))
            summary = f"<summary>{len(items):,} unchanged</summary>"
            html.append(f'<li><details class="quiet">{summary}{names}</details></li>')
        first += len(items)
    return f'{title_html}<ul class="cells marked">{"".join(html)}</ul>'


def _items(cells: Iterable[tuple[str, Cell]], name: str, first: int = 0) -> str:
    """Return elements of the list `name` from the index `first` on as list items."""
    items = []
    place = _place(name, first)
    for classes, (label, value) in cells:
        name_html = '<span class="lack">no name</span>'
        if label:
            name_html = f"<bdi>{escape(excerpt(label))}</bdi>"
        placeholder = ""
        if value is not None:
            placeholder = f"<i>{escape(excerpt(value.text))}</i>"
        if value is not None and value.stated is not None:
            texts = [escape(excerpt(text)) for text in value.stated.examples]
            examples = "".join([f'<i class="example"><bdi>{text or "&nbsp;"}</bdi></i>' for text in texts])
            placeholder = f'<span class="stated">{escape(value.stated.note)}</span>{examples or placeholder}'
        items.append(f"<li{_class(classes)}{place}><b>{name_html}</b>{placeholder}</li>")
        place = ""
    return "".join(items)


def _labels(labels: Iterable[tuple[str, str]], first: Path) -> str:
    """Return the labels of elements of a list, each with the classes of its element.

    Args:
        first: the path of the first one.
    """
    names = []
    place = _place(*first)
    for label, classes in labels:
        names.append(f"<bdi{_class(classes)}{place}>{escape(excerpt(label))}</bdi>")
        place = ""
    return ", ".join(names)


def _place(*path: str | int) -> str:
    """Return the attribute that names a part for notes: its path from the part around it, or from its node.

    What follows an element of a list beside it is the next element (static/notes/document.js).
    """
    return f' data-at="{escape_attribute(format_path(path))}"'


def _control(control: Control, mark: Mark) -> str:
    name = control.name
    options = ""
    if control.options:
        classes = [mark.classes(name, *path) for path in control.option_paths]
        choices = _labels(zip(control.options, classes, strict=True), control.option_paths[0])
        options = f' <span class="quiet">{choices}</span>'
    label = escape(excerpt(control.label))
    picker = f'<span class="picker"><bdi>{label}</bdi></span>'
    return f'<p class="control{mark.classes(name)}"{_place(name)}>{picker}{options}</p>'


def _properties(properties: Iterable[tuple[str, str]], mark: Mark) -> str:
    rows = [
        f'<li><span class="name">{escape(excerpt(name))}</span> <bdi>{_text(text, mark, name)}</bdi></li>'
        for name, text in properties
    ]
    return f'<ul class="others">{"".join(rows)}</ul>'


def _sources(node: ViewNode, mark: Mark) -> Iterator[str]:
    """Yield the requests of a node, with marks on the words that differ."""
    for name, names in requests_in(node.shape) if node.shape is not None else ():
        request = request_of(node.content.get(name), names)
        if request is not None:
            method = mark.text(excerpt(request.method), name, names.method)
            path = mark.text(request.path, name, names.endpoint, write=_breakable)
            select = f'<span class="quiet">{mark.text("the whole response", name, names.select)}</span>'
            if request.select:
                select = mark.text(request.select, name, names.select, write=partial(_breakable, separator="."))
                select = f'<code class="pick"{_place(names.select)}>{select}</code>'
            written = f'<code class="request"><b>{method}</b> <bdi>{path}</bdi></code>'
            yield f'<p class="source"{_place(name)}>{written} {select}</p>'


def _breakable(text: str, separator: str = "/") -> str:
    """Return a path as HTML that may be broken before each separator."""
    return f"<wbr>{separator}".join([escape(name) for name in text.split(separator)])
