"""View tree → HTML: the pages that people see.

Nothing here knows a service or an editor. Where a page is shown, at which addresses its stylesheet and its script are,
and what else there is to go to, `Host` says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from rui_common.syntax.document import read
from rui_inspector.escape import attribute, clipped, show, shown, writer_for
from rui_inspector.html.json_listing import list_text, list_value, numbered
from rui_inspector.html.overview import AcrossWriter
from rui_inspector.html.tree import OPENINGS, SMALL, TreeWriter, opening
from rui_inspector.html.values import ValueWriter
from rui_inspector.model.compare import ABSENT, compare
from rui_inspector.model.overview import endpoints_of, menus_of
from rui_inspector.model.problems import problems_of
from rui_inspector.model.search import Search
from rui_inspector.model.shape_layouts import callings
from rui_inspector.model.view import view_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rui_common.syntax.document import Document
    from rui_inspector.model.compare import Change
    from rui_inspector.model.problems import Problem
    from rui_inspector.model.view import Named, Node, View

UNTITLED = "Untitled RUI"
MAX_PROBLEMS = 200
"""Problems of a document that are shown."""


@dataclass(frozen=True)
class Host:
    """Where a page is shown.

    Attributes:
        stylesheet: the URL of the stylesheet.
        script: that of the script; "" if there is none.
        icon: that of the icon; "" for none.
        home: the front page; "" if there is none.
        policy: a Content-Security-Policy for a page that is shown without HTTP headers, or "".
        nonce: what that policy knows stylesheet and script by, or "".
        address: the address of this very page, for search and for opening and closing without script; "" if it has
            none, as the preview of an editor.
        action: where documents are sent to by form, or "".
    """

    stylesheet: str = ""
    script: str = ""
    icon: str = ""
    home: str = ""
    policy: str = ""
    nonce: str = ""
    address: str = ""
    action: str = ""


@dataclass(frozen=True)
class Fact:
    """Something about the stored spec that is not in the document.

    Attributes:
        name: what it is called.
        value: the whole of it.
        short: what is shown at first, if that is less.
        form: ``code``, ``text`` or ``time`` (an ISO 8601 time, UTC).
    """

    name: str
    value: str
    short: str = ""
    form: str = "code"


@dataclass(frozen=True)
class Query:
    """What a reader wants to see of a document.

    Attributes:
        search: the words that nodes have to have in what the tree shows of them.
        opening: which nodes are open: a name in `OPENINGS`, or "" for what suits the size.
    """

    search: str = ""
    opening: str = ""


def spec_page(
    document: dict[str, object],
    host: Host = Host(),
    *,
    facts: Sequence[Fact] = (),
    json_url: str = "",
    compare_url: str = "",
    query: Query = Query(),
) -> str:
    """The page of a document that is stored somewhere.

    Args:
        document: the root object of a RUI, valid or not.
        host: where the page is shown.
        facts: what is known about it besides, for the strip at the top.
        json_url: where the same is found as JSON, or "".
        compare_url: where it is compared with another that the parameter ``with`` names, or "".
        query: what of it is to be seen.

    Returns:
        A whole HTML document without any inline script or style.
    """
    view = view_of(document)
    return _document_page(view, host, query, list_value(view), facts=facts, json_url=json_url, compare_url=compare_url)


def document_page(
    document: Document | str | bytes, host: Host = Host(), *, query: Query = Query(), listing: bool = True
) -> str:
    """The page of a document that is stored nowhere yet, whatever is in it: it may be invalid, or broken as a text.

    The nodes of its tree have ``data-offset`` and ``data-end``: where they stand in the text, in code points.

    Args:
        document: the document or its text.
        host: where the page is shown.
        query: what of it is to be seen.
        listing: whether the text stands beside the tree; an editor has it already.

    Returns:
        A whole HTML document without any inline script or style.
    """
    document = document if not isinstance(document, str | bytes) else read(document)
    view = view_of(document.value)
    problems = problems_of(document, view)
    lines = list_text(view, document)
    return _document_page(view, host, query, lines if listing else [], problems=problems, text=document.text)


@dataclass(frozen=True)
class Side:
    """One of two documents that are compared.

    Attributes:
        document: the root object of a RUI.
        name: what it is known by, such as its id.
        url: where its own page is.
        facts: what is known about it besides.
    """

    document: dict[str, object]
    name: str
    url: str
    facts: Sequence[Fact] = ()


def comparison_page(before: Side, after: Side, host: Host) -> str:
    """What became of one document in another, by the ids of the nodes."""
    one, other = view_of(before.document), view_of(after.document)
    values = ValueWriter(other)

    def value(change: Change, side: str) -> Markup:
        found = getattr(change, side)
        absent = '<span class="empty">not there</span>'
        return Markup(absent if found is ABSENT else values.value(found, change.prop))  # noqa: S704  escaped there

    return _environment().get_template("compare.html").render(
        host=host, sides=((before, one), (after, other)), found=compare(one, other), value=value, untitled=UNTITLED,
        color=other.color,
    )  # fmt: skip


@dataclass(frozen=True)
class Step:
    """A step of the loop that a client goes through.

    Attributes:
        does: what is done, in a sentence or two.
        request: the request that does it, or "".
        command: a command line that does it, or "".
        links: what can be tried here, each with its address.
    """

    does: str
    request: str = ""
    command: str = ""
    links: Sequence[tuple[str, str]] = ()


def front_page(
    host: Host, steps: Sequence[Step], *, text: str = "", problems: Sequence[Problem] | None = None,
    note: str = "", examples: Sequence[tuple[str, str]] = (), is_fragment: bool = False,
) -> str:  # fmt: skip
    """The front page: what this is, how it is used, and a box for a document with what was found in it.

    Args:
        host: where the page is shown.
        steps: the loop of a client.
        text: what stands in the box.
        problems: what was found in `text`; None if nobody asked.
        note: what else is to be said about `text`, or "".
        examples: documents to try, each with its name and its address.
        is_fragment: whether only the findings are wanted, for a page that is there already.
    """
    view = view_of(read(text).value if problems is not None and not problems else None)
    return _environment().get_template("findings.html" if is_fragment else "front.html").render(
        host=host, steps=steps, text=text, problems=problems, shown=MAX_PROBLEMS, note=note, examples=examples,
        counts=view.counts, color=view.color,
    )  # fmt: skip


def problem_page(title: str, what: str, help_: str, host: Host = Host(), *, status: int) -> str:
    """A page that says why there is nothing to see.

    Args:
        title: the problem in a few words.
        what: what happened, in a sentence.
        help_: what to do about it.
        host: where the page is shown.
        status: the HTTP status.
    """
    return _environment().get_template("problem.html").render(
        host=host, title=title, what=what, help=help_, status=status
    )  # fmt: skip


@dataclass(frozen=True)
class Asset:
    """A file that pages need.

    Attributes:
        name: its name, as addresses end with it.
        media_type: its Content-Type.
        content: its bytes.
    """

    name: str
    media_type: str
    content: bytes = field(repr=False)


@cache
def assets() -> tuple[Asset, ...]:
    """Stylesheet, script and icon of all pages; whoever serves the pages serves these too."""
    folder = files("rui_inspector").joinpath("static")
    return tuple(
        Asset(name, media_type, b"\n".join(folder.joinpath(part).read_bytes() for part in parts))
        for name, media_type, parts in (
            ("inspector.css", "text/css; charset=utf-8", ("inspector.css",)),
            # One script for pages, of several files; the last one sets all going.
            ("inspector.js", "text/javascript; charset=utf-8", ("search.js", "box.js", "inspector.js")),
            ("inspector.svg", "image/svg+xml", ("inspector.svg",)),
        )
    )


def _document_page(
    view: View, host: Host, query: Query, lines: Sequence[str], *,
    facts: Sequence[Fact] = (), json_url: str = "", compare_url: str = "",
    problems: Sequence[Problem] = (), text: str | None = None,
) -> str:  # fmt: skip
    search = Search(view, query.search)

    def href(node: Node) -> str:
        """What was not found is not on this page, but on the one with everything."""
        return f"{'' if not search.words or search.is_kept(node) else address}#{write(node.anchor)}"

    address = attribute(host.address)
    write = writer_for(node.anchor for node in view.nodes)

    values = ValueWriter(view, search.words, href)
    lines_at_fault = frozenset(problem.line for problem in problems if problem.is_error)
    chosen = opening(query.opening, len(view.nodes))
    is_open: Callable[[Node], bool] = search.is_kept if search.words else OPENINGS[chosen]
    faulty: dict[str, int] = {}
    for problem in problems:
        faulty[problem.anchor] = faulty.get(problem.anchor, 0) + problem.is_error
    tree = TreeWriter(view, values, is_open, search.is_kept if search.words else None, faulty)
    across = AcrossWriter(view, values)
    menus, endpoints = menus_of(view), endpoints_of(view)
    named = {menu.name for menu in menus}
    untold = [part for part in _untold(view) if part[0] not in named]
    big = _Parts()
    page = _environment().get_template("spec.html").render(
        view=view, color=view.color, host=host, facts=facts, json_url=json_url, compare_url=compare_url, href=href,
        trees=[(name, big.later(tree.pieces(nodes))) for name, nodes in view.nested.items()],
        listing=big.later(numbered(lines, view, href, lines_at_fault)) if lines else "",
        menus=menus, parts=[part for part in untold if isinstance(part[1], dict | list)],
        scalars=[part for part in untold if not isinstance(part[1], dict | list)],
        value=lambda value, prop: Markup(values.value(value, prop)),  # noqa: S704  escaped there
        is_big=len(view.nodes) > SMALL, endpoints=endpoints,
        entries=lambda menu: big.later([across.menu(menu)]), uses=big.later([across.endpoints(endpoints)]),
        folded=lambda text: Markup(values.folded(text)),  # noqa: S704  escaped there
        rows=lambda members: Markup(values.rows(members)), search=search, query=query, chosen=chosen,  # noqa: S704
        problems=problems, shown=MAX_PROBLEMS, text=text, untitled=UNTITLED,
    )  # fmt: skip
    return big.put_into(page)


class _Parts:
    """Parts of a page that are large, and escaped where they are made: no template has to carry them around."""

    def __init__(self) -> None:
        self._parts: dict[str, Sequence[str]] = {}

    def later(self, pieces: Sequence[str]) -> Markup:
        """What stands for a part until the page is there: what no text can hold, as NUL is shown as U+0000."""
        mark = f"\x00{len(self._parts)}\x00"
        self._parts[mark] = pieces
        return Markup(mark)  # noqa: S704  it is replaced

    def put_into(self, page: str) -> str:
        """The page with its parts."""
        pieces = re.split("(\x00[0-9]+\x00)", page)
        whole: list[str] = []
        for piece in pieces:
            whole += self._parts.get(piece, (piece,))
        return "".join(whole)


def _untold(view: View) -> list[Named]:
    """The properties below the root without title and description, which stand at the top of the page."""
    left: list[Named] = []
    for name, value, prop in view.parts:
        rest = value
        if isinstance(value, dict) and view.title and view.title in value.values():
            told = (clipped(view.title), view.description)
            labels, descriptions = callings(view.vocabulary, None)
            names = (*labels, *descriptions)
            rest = {key: inner for key, inner in value.items() if not (key in names and inner in told)}
        if rest or not value:
            left.append((name, rest, prop))
    return left


def _with_code(text: str) -> Markup:
    """A text with what stands between backticks as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", shown(text)))  # noqa: S704  it is escaped


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("rui_inspector"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["show"] = show
    environment.filters["clip"] = clipped
    environment.filters["ticks"] = _with_code
    environment.filters["plain"] = lambda text: Markup(attribute(text))  # noqa: S704  it is escaped
    return environment
