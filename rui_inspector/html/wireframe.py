"""Write the screens of an app as HTML: frames with placeholders, or examples of the API description, never data.

This module and what it imports need only the standard library: `rui wireframe` uses them without Jinja2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple

from rui_common.grounding import UNGROUNDED, Grounding
from rui_common.vocabulary.schema import NodeRole
from rui_inspector.escape import count_of, escape, escape_attribute, excerpt, is_right_to_left, text_html
from rui_inspector.model.overview import Entry, Needs, needs_of
from rui_inspector.model.view import Request, View, ViewNode
from rui_inspector.model.wireframe import Cell, Control, DrawnValue, Part, Screen, Wireframe, wireframe_of

ANCHOR = "W-"
"""What the anchor of a node in the wireframe starts with. No id of a node starts with a capital letter."""

FEW_CELLS = 6
"""Number of elements of a list, such as columns, that fit beside each other in most windows."""

DOUBLE = 2
TRIPLE = 4
"""Weights from which a part of a row is twice and three times as wide as the smallest."""

UNTITLED = "Untitled RUI"
UNMATCHED = "Not in the API:"
ALL_DRAWN = 100_000

POLICY = "default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"
"""The policy of a file of its own: no script runs, and no file is loaded."""

BROAD = 8
"""Weight from which a screen takes the whole width."""


class Mark(NamedTuple):
    """A mark on a node that is drawn.

    Attributes:
        name: the class of the node, without its prefix ``is-``.
        html: the content above the node.
    """

    name: str
    html: str


class WireframeWriter:
    """Writes wireframes.

    Args:
        view: the document.
        wireframe: its screens.
        href: returns the address of a node in the tree, as HTML for an attribute; None without a tree.
        marks: the marks of nodes, as in a comparison.
        prefix: what the anchors of nodes start with; it differs if a page has several wireframes.

    Attributes:
        drawn: the nodes that are drawn.
    """

    def __init__(
        self, view: View, wireframe: Wireframe, href: Callable[[ViewNode], str] | None, *,
        marks: Mapping[ViewNode, Mark] | None = None, prefix: str = ANCHOR,
    ) -> None:  # fmt: skip
        self._marks = marks or {}
        self._prefix = prefix
        self._color = view.color
        self._href = href
        self._wireframe = wireframe
        self.drawn: set[ViewNode] = set()
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

    def needs(self, needs: Iterable[Needs], *, is_folded: bool = False) -> str:
        """Return the endpoints of each page as list items; folded, a line for each page."""
        items = []
        for node, endpoints in needs:
            requests = "".join([f"<li>{_request(method, path)}</li>" for method, path in endpoints])
            content = f"<ul>{requests}</ul>"
            if not requests:
                content = '<ul><li class="quiet">no endpoints</li></ul>'
            elif is_folded:
                count = count_of(len(endpoints), "endpoints")
                content = f'<details><summary class="quiet">{count}</summary>{content}</details>'
            name = f"<bdi>{escape(excerpt(node.label or node.id or node.path))}</bdi>"
            items.append(f"<li><p>{self._link_to_screen(node, name)}</p>{content}</li>\n")
        return "".join(items)

    def _start(self, tag: str, node: ViewNode, classes: str) -> str:
        """Return the start tag of a node that is drawn, with its anchor and its place in the text."""
        self.drawn.add(node)
        if node in self._marks:
            classes += f" is-{self._marks[node].name}"
        place = ""
        if node.end:
            place = f' data-offset="{node.start}" data-end="{node.end}"'
        return f'<{tag} class="{classes}" id="{self._prefix}{escape_attribute(node.anchor)}"{place}>'

    def _mark(self, node: ViewNode) -> str:
        if node not in self._marks:
            return ""
        return f'<p class="change-mark">{self._marks[node].html}</p>'

    def _link_to_screen(self, node: ViewNode, name: str) -> str:
        if node in self._screens:
            return f'<a href="#{self._prefix}{escape_attribute(node.anchor)}">{name}</a>'
        if self._href is not None:
            return f'<a href="{self._href(node)}">{name}</a>'
        return name

    def _link(self, node: ViewNode, content: str) -> str:
        """Return a link to a node in the tree."""
        if self._href is None:
            return f'<span class="to">{content}</span>'
        return f'<a class="to" href="{self._href(node)}">{content}</a>'

    def screen(self, screen: Screen) -> str:
        """Return one screen."""
        node = screen.part.node
        wide = " broad" if screen.part.weight >= BROAD else ""
        title = f'<span class="quiet">{escape(excerpt(node.id or node.path))}</span>'
        if node.label:
            title = f'<span class="label" dir="auto">{escape(excerpt(node.label))}</span>'
        description = ""
        if screen.description:
            description = f'<div class="purpose" dir="auto">{text_html(screen.description)}</div>'
        missing = screen.part.missing
        if not screen.is_listed:
            missing = [*missing, "not in the navigation"]
        tag = "section"
        if is_right_to_left(excerpt(node.label or screen.description)):
            tag = 'section dir="rtl"'
        return (
            f"{self._start(tag, node, f'screen{wide}')}{self._navigation(screen)}"
            f"{self._mark(node)}<h3>{self._link(node, title)}</h3>{description}{_missing(missing)}"
            f"{self._parts(screen.part)}</section>\n"
        )

    def _navigation(self, screen: Screen) -> str:
        if not screen.near_entries:
            return ""
        items = [self._entry(entry, is_current=entry.node is screen.part.node) for entry in screen.near_entries]
        if screen.further:
            items.append(f'<li class="quiet">{screen.further:,} more</li>')
        return f'<ul class="app-bar">{"".join(items)}</ul>'

    def _entry(self, entry: Entry, *, is_current: bool) -> str:
        name = f"<bdi>{escape(excerpt(entry.label or entry.name or 'no name'))}</bdi>"
        if entry.node is None:
            return f'<li class="lack">{name} leads nowhere</li>'
        if is_current:
            return f'<li class="here"><b aria-current="page">{name}</b></li>'
        return f"<li>{self._link_to_screen(entry.node, name)}</li>"

    def _parts(self, group: Part) -> str:
        """Return the content of a screen or group."""
        html = []
        row = " row" if group.node.is_row else ""
        if group.parts:
            html.append(f'<div class="parts{row}">')
            html += [self._part(part) for part in group.parts]
            html.append("</div>")
        elif not group.omitted:
            html.append('<div class="hollow">empty</div>')
        if group.omitted:
            html.append(f'<p class="quiet">and {group.omitted:,} more</p>')
        return "".join(html)

    def _part(self, part: Part) -> str:
        node = part.node
        label = ""
        if node.label:
            label = f' <span class="label" dir="auto">{escape(excerpt(node.label))}</span>'
        type_ = f'<span class="badge">{escape(excerpt(node.type or "no type"))}</span>'
        share = _share(part.weight)
        if node.is_group:
            heading = ""
            if node.label or not node.known:
                heading = f'<p class="heading">{self._link(node, label or type_)}</p>'
            return (
                f"{self._start('div', node, f'group{share}')}{self._mark(node)}{heading}"
                f"{_missing(part.missing)}{self._parts(part)}</div>"
            )
        color = self._color(node.type, node.known)
        html = [
            self._start("div", node, f"block {color}{share}"),
            self._mark(node),
            f'<p class="heading">{self._link(node, type_ + label)}</p>{_missing(part.missing)}',
        ]
        if part.value is not None:
            html.append(_value(part.value))
        if part.text:
            html.append(f'<div class="content" dir="auto">{text_html(part.text)}</div>')
        html += [_control(control) for control in part.controls]
        html += [_cells(cells, title) for cells, title in zip(part.cells, part.cell_titles, strict=True)]
        if part.others:
            html.append(_others(part.others))
        if part.parts:
            html.append(self._parts(part))
        html += [_source(request) for request in node.requests]
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
        view: the document.
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
    block_count = sum(count for (type_, _), count in view.counts.items() if type_ not in layouts)
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
    """Return the missing facts of a part; ``""`` without any."""
    if not missing:
        return ""
    items = " ".join([f'<span class="lack">{escape(text)}</span>' for text in missing])
    return f'<p class="lacks">{items}</p>'


def _value(value: DrawnValue) -> str:
    type_ = ""
    if value.type and value.type != value.text:
        type_ = f' <span class="quiet">{escape(excerpt(value.type))}</span>'
    stated = value.stated
    if stated is None:
        return f'<p class="figure"><b>{escape(excerpt(value.text))}</b>{type_}</p>'
    figure = f"<b>{escape(excerpt(value.text))}</b>"
    if stated.examples:
        figure = f'<b class="example"><bdi>{escape(excerpt(stated.examples[0]))}</bdi></b>'
    return f'<p class="figure">{figure}{type_}</p><p class="stated">{escape(stated.note)}</p>'


def _cells(cells: Iterable[Cell], title: str) -> str:
    """Return the elements of a list beside each other; many of them can be scrolled, below their number."""
    items = []
    for label, value in cells:
        name = '<span class="lack">no name</span>'
        if label:
            name = f"<bdi>{escape(excerpt(label))}</bdi>"
        placeholder = ""
        if value is not None:
            placeholder = f"<i>{escape(excerpt(value.text))}</i>"
        if value is not None and value.stated is not None:
            texts = [escape(excerpt(text)) for text in value.stated.examples]
            examples = "".join([f'<i class="example"><bdi>{text or "&nbsp;"}</bdi></i>' for text in texts])
            placeholder = f'<span class="stated">{escape(value.stated.note)}</span>{examples or placeholder}'
        items.append(f"<li><b>{name}</b>{placeholder}</li>")
    cells_html = "".join(items)
    if len(items) <= FEW_CELLS:
        return f'<ul class="cells">{cells_html}</ul>'
    return (
        f'<p class="cell-count quiet">{escape(title)}</p>'
        f'<ul class="cells many" tabindex="0" aria-label="{escape_attribute(title)}">{cells_html}</ul>'
    )


def _control(control: Control) -> str:
    options = ""
    if control.options:
        choices = ", ".join([f"<bdi>{escape(excerpt(option))}</bdi>" for option in control.options])
        options = f' <span class="quiet">{choices}</span>'
    return f'<p class="control"><span class="picker"><bdi>{escape(excerpt(control.label))}</bdi></span>{options}</p>'


def _others(others: Iterable[tuple[str, str]]) -> str:
    rows = [
        f'<li><span class="name">{escape(excerpt(name))}</span> <bdi>{text_html(text)}</bdi></li>'
        for name, text in others
    ]
    return f'<ul class="others">{"".join(rows)}</ul>'


def _source(request: Request) -> str:
    select = '<span class="quiet">the whole response</span>'
    if request.select:
        select = f'<code class="pick">{_breakable(request.select, ".")}</code>'
    return f'<p class="source">{_request(request.method, request.path)} {select}</p>'


def _request(method: str, path: str) -> str:
    return f'<code class="request"><b>{escape(excerpt(method))}</b> <bdi>{_breakable(path, "/")}</bdi></code>'


def _breakable(text: str, separator: str) -> str:
    """Return a text as HTML that may be broken before each separator."""
    return f"<wbr>{separator}".join([escape(part) for part in text.split(separator)])
