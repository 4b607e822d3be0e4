"""Render the pages of the inspector.

This package knows neither the service nor an editor: `Host` holds the addresses and the policy of the place that
shows a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

from markupsafe import Markup

from rui_common.syntax.document import Document, read
from rui_common.validation.diagnostics import diagnose
from rui_common.vocabulary.schema import DESCRIPTION, Prop
from rui_inspector.escape import escape, escape_attribute, shorten
from rui_inspector.html.json_listing import list_text, list_value, numbered, set_places
from rui_inspector.html.overview import OverviewWriter
from rui_inspector.html.templates import environment
from rui_inspector.html.tree import OPENINGS, TreeWriter, opening
from rui_inspector.html.values import ValueWriter, fragment
from rui_inspector.html.wireframe import Mark, WireframeWriter, totals_of
from rui_inspector.model.excerpt import Excerpt, cut
from rui_inspector.model.overview import Menu, endpoints_of, menus_of, needs_of
from rui_inspector.model.parts import find_part, parts_left_out
from rui_inspector.model.problems import Difference, DisplayedDiagnostic, displayed_diagnostics
from rui_inspector.model.search import Search
from rui_inspector.model.shape_layouts import label_names, names_with_role
from rui_inspector.model.view import Member, Node, View, view_of
from rui_inspector.model.wireframe import wireframe_of

UNTITLED = "Untitled RUI"
MAX_PROBLEMS = 200
"""Maximum number of diagnostics on a page."""

MAX_SMALL = 150
"""Nodes of a document above which a browser lays out only what is visible, and the wireframe shows the first pages."""

MAX_DRAWN = 40
"""Maximum number of nodes in the wireframe of a large document, if a link leads to all."""

_CSS = "text/css; charset=utf-8"
_JS = "text/javascript; charset=utf-8"

ALL_DRAWN = 100_000
MAX_FILE_NAME = 60
"""Maximum length of the part of a file name that is made from a title."""

LISTING = "JSON"
"""The name of the JSON listing as a part of a page. No id of a node starts with a capital letter."""

LISTING_ADDRESS = "?json=all"
"""The address of a page with the listing, for a page that leaves it out."""

COMPLETE = ("all", "outline", "pages")
"""The openings for which the page of a large document contains all nodes."""

MAX_NEEDS = 24
"""Maximum number of pages whose endpoints the header of a page lists."""

MAX_UNFOLDED_NEEDS = 6
"""Maximum number of those that are not folded, so that a window shows the first screens, too."""


@dataclass(frozen=True)
class Host:
    """The place that shows a page.

    Attributes:
        stylesheet: URL of the stylesheet.
        script: URL of the script, or ``""``.
        icon: URL of the icon, or ``""``.
        home: URL of the front page, or ``""``.
        policy: the Content-Security-Policy of a page that is shown without HTTP headers, or ``""``.
        nonce: the nonce of stylesheet and script in this policy, or ``""``.
        address: URL of this page, for search and openings without a script; ``""`` if it has none, as in an editor.
        action: URL that forms send documents to, or ``""``.
        docs: URL of the documentation for people, without a slash at the end, or ``""``.
        assets: URL of the folder of `playground_assets`, with a slash at the end; ``""`` on a host without an editor.
        refresh: URL of the page of the current text, for a reader without script, or ``""``.
    """

    stylesheet: str = ""
    script: str = ""
    icon: str = ""
    home: str = ""
    policy: str = ""
    nonce: str = ""
    address: str = ""
    action: str = ""
    docs: str = ""
    assets: str = ""
    refresh: str = ""


@dataclass(frozen=True)
class HeaderField:
    """A field in the header of a page, with a property of the stored spec that is not in the document.

    Attributes:
        name: its name.
        value: its value.
        short: a shorter form that is shown at first, or ``""``.
        form: how to show it; ``time`` is an ISO 8601 time, UTC.
    """

    name: str
    value: str
    short: str = ""
    form: Literal["code", "text", "time"] = "code"


@dataclass(frozen=True)
class Query:
    """The query of a reader.

    Attributes:
        search: the words to search for.
        opening: a name in `OPENINGS`, the anchor of a part of a large document, or ``""`` for the default.
        draws_all: whether the wireframe shows all pages of a large document.
        lists_all: whether the JSON of a large document is listed.
    """

    search: str = ""
    opening: str = ""
    draws_all: bool = False
    lists_all: bool = False


@dataclass(frozen=True)
class WorkflowStep:
    """A step of a client's workflow.

    Attributes:
        does: its description, in a sentence or two.
        request: the request that does it, or ``""``.
        command: a command line that does it, or ``""``.
        links: examples, each with its name and URL.
    """

    does: str
    request: str = ""
    command: str = ""
    links: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Asset:
    """A file that pages load; its name ends its URL."""

    name: str
    media_type: str
    content: bytes = field(repr=False)


def spec_page(
    document: dict[str, object],
    host: Host = Host(),
    *,
    fields: Sequence[HeaderField] = (),
    json_url: str = "",
    compare_url: str = "",
    copy_url: str = "",
    download_url: str = "",
    query: Query = Query(),
) -> str:
    """Render the page of a stored document.

    Args:
        document: the root object of a RUI, valid or not.
        host: the place that shows the page.
        fields: fields for the header.
        json_url: URL of the document as JSON, or ``""``.
        compare_url: URL that compares it with the document in the parameter ``with``, or ``""``.
        copy_url: URL of the editor with a copy of the document, or ``""``.
        download_url: URL of the document as a file, or ``""``.
        query: the query of the reader.

    Returns:
        An HTML document without inline script or style.
    """
    page = _DocumentPage(view_of(document), host, query)
    lines = list_value(page.view)
    return page.render(
        lines, fields=fields, json_url=json_url, compare_url=compare_url, copy_url=copy_url, download_url=download_url
    )


def file_name(document: dict[str, object]) -> str:
    """Return the name of the file that a document is downloaded as, such as ``order-desk.rui.json``."""
    words = re.findall(r"[^\W_]+", view_of(document).title.lower())
    return f"{'-'.join(words)[:MAX_FILE_NAME].strip('-') or 'app'}.rui.json"


def spec_part(document: dict[str, object], name: str, host: Host, query: Query = Query()) -> str | None:
    """Render a part that the page of a large document leaves out.

    Args:
        document: the root object of a RUI, valid or not.
        name: `LISTING`, or the anchor of a node.
        host: the place that shows the page.
        query: the query of the page.

    Returns:
        HTML for the JSON listing, or for the node in a list; None if no part has this name.
    """
    page = _DocumentPage(view_of(document), host, replace(query, lists_all=True))
    lines = list_value(page.view)
    if name == LISTING:
        return str(page.listing(lines))
    node = find_part(page.view, name)
    if node is None:
        return None
    return page.node(node)


def document_page(document: Document | str | bytes, host: Host = Host(), *, query: Query = Query()) -> str:
    """Render the page of a document that is not stored, which may be invalid or have syntax errors.

    The nodes of its tree have ``data-offset`` and ``data-end``: their offsets in the text, in code points.

    Args:
        document: the document or its text.
        host: the place that shows the page.
        query: the query of the reader.

    Returns:
        An HTML document without inline script or style.
    """
    if isinstance(document, str | bytes):
        document = read(document)
    view = view_of(document.value)
    problems = displayed_diagnostics(document, view)
    lines = list_text(view, document)
    return _DocumentPage(view, host, query, problems).render(lines, text=document.text)


def preview_page(
    text: str | bytes, host: Host = Host(), differences: Sequence[Difference] = (), *, focus: int = 0
) -> str:
    """Render the preview of a text beside its editor: the wireframe, the tree, and a strip with the diagnostics.

    The nodes of both views have ``data-offset`` and ``data-end``, as in `document_page`. The script
    ``static/preview/preview.js`` shows one view at a time and keeps the last one while the text is broken. Of a very
    large document it shows an excerpt, whose offsets are in ``data-from`` and ``data-to``.

    Args:
        text: the text, which may be invalid or have syntax errors.
        host: the place that shows the page.
        differences: where bindings differ from the API; they are marked in both views.
        focus: the offset of the caret, in code points.

    Returns:
        An HTML document without inline script or style.
    """
    document = read(text)
    view = view_of(document.value)
    diagnostics = [*diagnose(document), *[one.diagnostic(document) for one in differences]]
    problems = displayed_diagnostics(document, view, diagnostics)
    set_places(view, document)
    excerpt = cut(view, focus)
    page = _DocumentPage(view, host, Query(), problems, screen_href=_href_to_text, excerpt=excerpt)
    return page.render((), template="preview.html", is_broken=not document.valid)


def front_page(
    host: Host, steps: Sequence[WorkflowStep], *, text: str = "", problems: Sequence[DisplayedDiagnostic] | None = None,
    note: str = "", examples: Sequence[tuple[str, str]] = (), is_fragment: bool = False,
) -> str:  # fmt: skip
    """Render the front page: the purpose of the service, its workflow, and a text box that checks a document.

    Args:
        host: the place that shows the page.
        steps: the workflow of a client.
        text: the text in the box.
        problems: the diagnostics of `text`; None if it was not checked.
        note: a note on `text`, or ``""``.
        examples: documents to try, each with its name and URL.
        is_fragment: whether to render only the diagnostics, for a page that is loaded already.
    """
    view = view_of(None)
    if problems is not None:
        document = read(text)
        view = view_of(document.value)
        set_places(view, document)
    wireframe = wireframe_of(view, MAX_DRAWN)
    screens = ""
    if wireframe.screens:
        screens = Markup(WireframeWriter(view, wireframe, None).screens())  # noqa: S704  escaped there
    template = "result.html" if is_fragment else "front.html"
    return environment().get_template(template).render(
        host=host, steps=steps, text=text, problems=problems, max_problems=MAX_PROBLEMS, note=note, examples=examples,
        totals=totals_of(view), screens=screens, omitted=len(wireframe.omitted),
    )  # fmt: skip


def error_page(title: str, cause: str, advice: str, host: Host = Host(), *, status: int) -> str:
    """Render an error: a title of a few words, its cause and advice as sentences, and the HTTP status."""
    return environment().get_template("error.html").render(
        host=host, title=title, cause=cause, advice=advice, status=status
    )  # fmt: skip


@cache
def assets() -> tuple[Asset, ...]:
    """Return stylesheet, script and icon, which every host of the pages has to serve."""
    return (
        Asset("inspector.css", _CSS, _static("inspector.css", "compare.css", "docs.css")),
        # The last file starts everything.
        Asset("inspector.js", _JS, _static("search.js", "box.js", "parts.js", "listing.js", "inspector.js")),
        Asset("inspector.svg", "image/svg+xml", _static("inspector.svg")),
    )


@cache
def playground_assets() -> tuple[Asset, ...]:
    """Return stylesheet and modules of the editor on the front page."""
    names = ("service.js", "draft.js", "editor.js", "assist.js", "panels.js", "start.js")
    return (
        Asset("playground.css", _CSS, _static("playground/playground.css")),
        Asset("playground.js", _JS, _static(*[f"playground/{name}" for name in names])),
        Asset("codemirror.js", _JS, _static("playground/codemirror.js")),
    )


@cache
def live_assets() -> tuple[Asset, ...]:
    """Return stylesheet, script and icon of a live preview in a browser."""
    styles = ("inspector.css", "preview/preview.css", "preview/live.css")
    return (
        Asset("live.css", _CSS, _static(*styles)),
        # preview.js uses what live.js defines.
        Asset("live.js", _JS, _static("preview/live.js", "preview/preview.js")),
        Asset("inspector.svg", "image/svg+xml", _static("inspector.svg")),
    )


def _static(*names: str) -> bytes:
    folder = files("rui_inspector").joinpath("static")
    return b"\n".join(folder.joinpath(name).read_bytes() for name in names)


class _Drawing(NamedTuple):
    """The wireframe of a document as HTML.

    Attributes:
        screens: the screens.
        needs: the endpoints of the first pages.
        further_needs: those of further pages, which are folded.
        more_needs: the number of pages whose endpoints are not listed.
        omitted: the number of screens that are not drawn.
        anchors: the anchors of the nodes that are drawn.
    """

    screens: Markup
    needs: Markup
    further_needs: Markup
    more_needs: int
    omitted: int
    anchors: Collection[str]


class _DocumentPage:
    """A page with the tree of a document.

    Args:
        view: the document.
        host: the place that shows the page.
        query: the query of the reader.
        problems: the diagnostics.
        screen_href: returns the address that a node in the wireframe links to; by default the node in the tree.
        excerpt: what `view` contains of a very large document; None for all.
    """

    def __init__(
        self, view: View, host: Host, query: Query, problems: Sequence[DisplayedDiagnostic] = (), *,
        screen_href: Callable[[Node], str] | None = None, excerpt: Excerpt | None = None,
    ) -> None:  # fmt: skip
        self.view = view
        self._host = host
        self._query = query
        self._problems = problems
        self._search = Search(view, query.search)
        self._values = ValueWriter(view, self._search.words, _href(self._search, host.address))
        self._excerpt = excerpt
        self._screen_href = screen_href or self._values.href
        self._opening = opening(query.opening)
        is_large = len(view.nodes) > MAX_SMALL and bool(host.address)
        self._is_in_parts = is_large and not self._search.words and query.opening not in COMPLETE
        self._is_listed = not is_large or query.lists_all
        """Whether the page has the JSON listing, if it has lines."""

    def render(
        self, lines: Sequence[str], *, fields: Sequence[HeaderField] = (), json_url: str = "", compare_url: str = "",
        copy_url: str = "", download_url: str = "", text: str | None = None, template: str = "spec.html",
        is_broken: bool = False,
    ) -> str:  # fmt: skip
        """Render the page with the HTML `lines` of its listing, and the `text` of a document that is not stored.

        Args: see `spec_page`; the name of the template, and whether the text of the document has syntax errors.
        """
        view = self.view
        values = self._values
        menus = menus_of(view)
        endpoints = endpoints_of(view)
        overview = OverviewWriter(view, values)
        drawing = self._drawing()
        menu_names = {menu.name for menu in menus}
        parts = [part for part in _parts_below_header(view) if part[0] not in menu_names]

        # The writers escape every text.
        def value(member: object, prop: Prop | None) -> Markup:
            return Markup(values.value(member, prop))  # noqa: S704

        def rows(members: list[Member]) -> Markup:
            return Markup(values.rows(members))  # noqa: S704

        def folded(long_text: str) -> Markup:
            return Markup(values.folded(long_text))  # noqa: S704

        def entries(menu: Menu) -> Markup:
            return Markup(overview.menu(menu))  # noqa: S704

        return environment().get_template(template).render(
            view=view, is_broken=is_broken, excerpt=self._excerpt, host=self._host, query=self._query,
            search=self._search, chosen=self._chosen(), color=view.color, value=value, rows=rows, folded=folded,
            entries=entries,
            fields=fields, json_url=json_url, compare_url=compare_url, copy_url=copy_url,
            download_url=download_url, text=text, untitled=UNTITLED,
            problems=self._problems, max_problems=MAX_PROBLEMS, is_big=len(view.nodes) > MAX_SMALL,
            is_in_parts=self._is_in_parts,
            parts=[part for part in parts if isinstance(part[1], dict | list)],
            scalars=[part for part in parts if not isinstance(part[1], dict | list)],
            menus=menus, endpoints=endpoints, uses=Markup(overview.endpoints(endpoints)),  # noqa: S704
            drawing=drawing, totals=totals_of(view),
            trees=self._trees(drawing.anchors), listing=self.listing(lines), has_json=bool(lines),
        )  # fmt: skip

    def _chosen(self) -> str:
        """Return the opening that the page shows; ``""`` for the parts of a large document."""
        if self._is_in_parts and not self._query.opening:
            return ""
        return self._opening

    def _drawing(self) -> _Drawing:
        """Draw the screens: those of a large document up to a limit, if the page has an address for all."""
        view = self.view
        limit = ALL_DRAWN
        if len(view.nodes) > MAX_SMALL and self._host.address and not self._query.draws_all:
            limit = MAX_DRAWN
        if self._search.words:  # the page shows the nodes that match
            limit = 0
        wireframe = wireframe_of(view, limit)
        writer = WireframeWriter(view, wireframe, self._screen_href, marks=self._marks())
        needs = needs_of(view, MAX_NEEDS)
        first_needs = Markup(writer.needs(needs[:MAX_UNFOLDED_NEEDS]))  # noqa: S704  escaped there
        further_needs = Markup(writer.needs(needs[MAX_UNFOLDED_NEEDS:]))  # noqa: S704
        screens = Markup(writer.screens())  # noqa: S704
        page_count = sum(len(nodes) for nodes in view.nested.values())
        more_needs = max(0, page_count - MAX_NEEDS)
        return _Drawing(screens, first_needs, further_needs, more_needs, len(wireframe.omitted), writer.anchors)

    def _marks(self) -> dict[Node, Mark]:
        """Return the marks of the nodes whose bindings do not match the API."""
        nodes = {node.anchor: node for node in self.view.nodes}
        messages: dict[str, list[str]] = {}
        for problem in self._problems:
            if problem.is_difference and problem.anchor in nodes:
                messages.setdefault(problem.anchor, []).append(escape(shorten(problem.message)))
        return {nodes[anchor]: Mark("unmatched", _unmatched(texts)) for anchor, texts in messages.items()}

    def node(self, node: Node) -> str:
        """Return a node of the tree with everything below it, as a list item."""
        return self._tree_writer(self._drawing().anchors, ()).nodes([node])

    def listing(self, lines: Sequence[str]) -> Markup:
        """Return the JSON listing; empty if the page leaves it out."""
        if not lines or not self._is_listed:
            return Markup("")
        error_lines = frozenset(problem.line for problem in self._problems if problem.is_error)
        return Markup(numbered(lines, self.view, self._values.href, error_lines))  # noqa: S704

    def _trees(self, drawn: Collection[str]) -> list[tuple[str, Markup]]:
        left_out: Sequence[Node] = ()
        if self._is_in_parts:
            left_out = parts_left_out(self.view, self._query.opening)
        writer = self._tree_writer(drawn, left_out)
        return [(name, Markup(writer.nodes(nodes))) for name, nodes in self.view.nested.items()]  # noqa: S704

    def _tree_writer(self, drawn: Collection[str], left_out: Sequence[Node]) -> TreeWriter:
        search = self._search
        error_counts: dict[str, int] = {}
        for problem in self._problems:
            if problem.is_error:
                error_counts[problem.anchor] = error_counts.get(problem.anchor, 0) + 1
        is_open = OPENINGS[self._opening]
        is_shown = None
        if search.words:
            is_open = is_shown = search.is_shown
        listing = ""
        if not self._is_listed:
            listing = LISTING_ADDRESS
        unmatched = frozenset(problem.anchor for problem in self._problems if problem.is_difference)
        return TreeWriter(self.view, self._values, is_open, is_shown, error_counts, drawn, left_out, listing, unmatched)


def _unmatched(messages: Sequence[str]) -> str:
    """Return the mark of a node whose binding does not match the API; the messages are HTML."""
    return f'<strong class="unmatched">Not in the API:</strong> {" ".join(messages)}'


def _href_to_text(node: Node) -> str:
    """Return the address of a node in the text beside a preview: its offset."""
    return f"#T{node.start}"


def _href(search: Search, address: str) -> Callable[[Node], str]:
    """Return a function for the address of a node; a node that the search hides is on the page without a search."""

    def href(node: Node) -> str:
        if not search.words or search.is_shown(node):
            return fragment(node)
        return escape_attribute(address) + fragment(node)

    return href


def _parts_below_header(view: View) -> list[Member]:
    """Return the properties of the root that hold no nodes, without the title and description in the header."""
    header_names = (*label_names(view.vocabulary, None), *names_with_role(view.vocabulary, DESCRIPTION))
    header_texts = (shorten(view.title), view.description)
    parts: list[Member] = []
    for name, value, prop in view.parts:
        if isinstance(value, dict) and view.title and view.title in value.values():
            rest = {key: inner for key, inner in value.items() if key not in header_names or inner not in header_texts}
            if rest:
                parts.append((name, rest, prop))
        else:
            parts.append((name, value, prop))
    return parts
