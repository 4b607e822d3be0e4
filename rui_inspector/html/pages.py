"""Render the pages of the inspector.

This package knows neither the service nor an editor: `PageHost` holds the addresses and the policy of the place that
shows a page.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from typing import NamedTuple

from rui_common.describe.markdown import pretty
from rui_common.document_files import file_name
from rui_common.grounding import UNGROUNDED, Grounding
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic
from rui_common.versions.replaced import version_hash, without_replaced_id
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from rui_common.vocabulary.schema import Role
from rui_inspector.escape import escape_attribute, escape_in_json, excerpt
from rui_inspector.html.templates import environment
from rui_inspector.html.tree import TreeWriter, json_listing
from rui_inspector.html.values import ValueWriter, fragment
from rui_inspector.html.wireframe import ALL_DRAWN, ANCHOR, UNTITLED, WireframeWriter, totals_of, unmatched_marks
from rui_inspector.model.overview import endpoints_of, menus_of, needs_of
from rui_inspector.model.problems import DisplayedDiagnostic, displayed_diagnostics, unmatched_of
from rui_inspector.model.search import Search
from rui_inspector.model.shapes import label_names, names_with_role
from rui_inspector.model.view import View, ViewMember, ViewNode, view_of_text
from rui_inspector.model.wireframe import wireframe_of

MAX_PROBLEMS = 200  # maximum number of diagnostics on a page
MAX_SMALL = 150  # nodes of a document above which a browser lays out only what is visible
MAX_DRAWN = 40  # nodes in the first screens of a large document; further screens are folded
MAX_FRONT = 150  # maximum number of nodes in the wireframe of the front page

JSON_WIDTH = 100
"""Maximum length of an object or array on one line, for a stored document, which has no layout of its own."""

MAX_FOUND = 30  # maximum number of pages that the answer to a search names

MAX_NEEDS = 60  # maximum number of pages that a list of the pages and their endpoints has

MAX_UNFOLDED_PAGES = 6
MAX_UNFOLDED_ENDPOINTS = 15
"""Numbers of pages and endpoints above which the list has a line for each page: a window shows a screen, too."""


@dataclass(frozen=True)
class PageHost:
    """The URLs of the place that shows a page, and its policy; ``""`` for what it does not have."""

    stylesheet: str = ""
    script: str = ""
    icon: str = ""
    home: str = ""  # the front page, to which forms send documents
    policy: str = ""  # the Content-Security-Policy of a page that is shown without HTTP headers
    nonce: str = ""  # the nonce of stylesheet and script in this policy
    docs: str = ""  # the documentation for people, without a slash at the end
    assets: str = ""  # the folder of `SITE_ASSETS`, with a slash at the end, on a host with an editor
    refresh: str = ""  # the page of the current text, for a reader without script


class Spec(NamedTuple):
    """What a page shows of a stored spec besides its document."""

    spec_id: str
    url: str  # its page, without a slash at the end; below it are comparisons and its file
    created: str  # when it was stored, in ISO 8601, UTC
    content_hash: str  # the hash of its document

    @property
    def created_text(self) -> str:
        """The time for people, such as ``31 January 2026, 09:15 UTC``."""
        created = datetime.fromisoformat(self.created)
        return f"{created.day} {created:%B %Y, %H:%M} UTC"


@dataclass(frozen=True)
class Query:
    """The words that a reader searches for, and whether all nodes of the tree are open, or those with child nodes."""

    search: str = ""
    opens_all: bool = False


class Asset(NamedTuple):
    """A file that pages load."""

    media_type: str
    content: bytes


@dataclass(frozen=True)
class ComparisonForm:
    """What a reader has entered as the spec to compare with, and why there is no comparison; ``""`` for neither."""

    text: str = ""
    problem: str = ""


class Unavailable(NamedTuple):
    """The id of a spec that a document replaces, as the document has it, and why it cannot be compared."""

    name: str
    problem: str


def spec_page(
    document: dict[str, object], host: PageHost, spec: Spec, *, query: Query = Query(), versions: Sequence[Spec] = (),
    changes: Mapping[str, object] | None = None, unavailable: Unavailable | None = None,
    earlier: Sequence[tuple[Spec, object]] = (), comparison: ComparisonForm = ComparisonForm(),
) -> str:  # fmt: skip
    """Render the page of a stored document.

    Args:
        document: the root object of a RUI, valid or not.
        versions: the spec that it replaces, the one that this replaces, and so on.
        changes: what changed since the first of them: see `rui_inspector.html.comparison.changes_since`.
        earlier: the others of them with their documents, for notes on these.
    """
    view = View(document)
    listing = ""
    if not query.search:
        listing = json_listing(view, read(escape_in_json(pretty(document, width=JSON_WIDTH))))
    return _render_document(
        view, host, query, spec=spec, listing=listing, text=None, versions=versions, changes=changes,
        unavailable=unavailable, comparison=comparison, noted=noted_document(document, spec, view),
        earlier=[noted_document(version, its_spec, view) for its_spec, version in earlier],
    )  # fmt: skip


class NotedDocument(NamedTuple):
    """What a script needs for notes on a stored spec."""

    spec: Spec
    hash: str  # by which notes name the document: it does not count the spec that this replaces
    labels: str  # the names of the properties by which notes name a part, the best first


def noted_document(document: object, spec: Spec, view: View) -> NotedDocument:
    document_hash = spec.content_hash
    if without_replaced_id(document) is not document:
        document_hash = version_hash(document)
    vocabulary = view.vocabulary
    labels = [*names_with_role(vocabulary, Role.LABEL), *names_with_role(vocabulary, Role.CONTENT)]
    return NotedDocument(spec, document_hash, " ".join(labels))


def download_name(document: dict[str, object]) -> str:
    """Return the name of the file that a document is downloaded as, such as ``order-desk.rui.json``."""
    return file_name(View(document).title, "app")


def document_page(text: str | bytes, host: PageHost = PageHost()) -> str:
    """Render the page of a document that is not stored, which may be invalid or have syntax errors.

    The nodes of its tree have ``data-offset`` and ``data-end``: their offsets in the text, in code points.
    """
    document = read(text)
    view = view_of_text(document)
    problems = displayed_diagnostics(document, Analysis(document).diagnostics, view)
    return _render_document(
        view, host, Query(), problems, listing=json_listing(view, document), text=document.text,
        is_lossy=document.is_lossy, versions=(), changes=None, unavailable=None,
    )  # fmt: skip


def preview_page(
    text: str | bytes, host: PageHost = PageHost(), differences: Sequence[Diagnostic] = (),
    grounding: Grounding = UNGROUNDED,
) -> str:  # fmt: skip
    """Render the preview of a text beside its editor: the wireframe, the tree, and a strip with the diagnostics.

    The nodes of both views have ``data-offset`` and ``data-end``, as in `document_page`. The script
    ``static/preview/preview.js`` shows one view at a time and keeps the last one while the text is broken.

    Args:
        text: the text, which may be invalid or have syntax errors.
        differences: where bindings of the text differ from the API; they are marked in both views.
        grounding: what the description of the API states, which the wireframe shows.
    """
    document = read(text)
    view = view_of_text(document)
    problems = displayed_diagnostics(document, [*Analysis(document).diagnostics, *differences], view)
    return _render_document(
        view, host, Query(), problems, template="preview.html", screen_href=lambda node: f"#T{node.start}",
        grounding=grounding, is_broken=not document.valid, grounded=grounding.text(),
    )  # fmt: skip


def front_page(
    host: PageHost, steps: Sequence[Mapping[str, object]], text: str | bytes = "", *, is_checked: bool = False,
    box: str = "", note: str = "", examples: Sequence[tuple[str, str]] = (), example: str = "", max_checked: int = 0,
    is_new_version: bool = False,
) -> str:  # fmt: skip
    """Render the front page: the purpose of the service, its workflow, and an editor.

    Args:
        steps: the workflow of a client, as in ``GET /api/docs``.
        text: the text in the editor; bytes only if it is checked.
        is_checked: whether the page shows the diagnostics and the wireframe of `text`.
        box: the text in the editor if some characters of `text` are lost: a form would store it without them.
        note: a note on `text`, or ``""``. That of a checked text continues with whether the editor has it.
        examples: documents to try, each with its name and URL.
        example: the text of an editor that has none.
        is_new_version: whether `text` is made from a stored spec, and names it as the one that it replaces.
        max_checked: the maximum length of a text that the editor sends, in bytes.
    """
    view = View(None)
    problems = None
    if is_checked:
        document = read(text)
        text = document.text
        if document.is_lossy:
            text = box
            note = f"{note} The file is not in the editor, as some of its characters are unknown.".lstrip()
        elif note:
            note += " It is still in the editor."
        view = view_of_text(document)
        problems = displayed_diagnostics(document, Analysis(document).diagnostics)
    wireframe = wireframe_of(view, MAX_FRONT)
    screens = ""
    if wireframe.screens:
        screens = WireframeWriter(view, wireframe, None).screens()
    return environment().get_template("front.html").render(
        host=host, steps=steps, text=text, problems=problems, max_problems=MAX_PROBLEMS, note=note, examples=examples,
        example=example, totals=totals_of(view), screens=screens, omitted=len(wireframe.omitted),
        max_bytes=MAX_BODY_BYTES, max_checked=max_checked, is_new_version=is_new_version,
    )  # fmt: skip


def error_page(title: str, cause: str, host: PageHost, *, status: int) -> str:
    """Render an error: a title of a few words, its cause as sentences, and the HTTP status."""
    return environment().get_template("error.html").render(host=host, title=title, cause=cause, status=status)


MEDIA_TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}  # fmt: skip

SITE_ASSETS = {
    "inspector.css": ("inspector.css", "compare.css", "docs.css"),
    "inspector.js": (
        "copy.js",
        "links.js",
        "inspector.js",
        "where.js",
        "share.js",
    ),
    "notes.js": tuple(f"notes/{part}.js" for part in ("store", "document", "panel", "answers")),
    "notes.css": ("notes/notes.css",),
    "inspector.svg": ("inspector.svg",),
    "playground.css": ("playground/playground.css",),
    "editor.css": ("playground/editor.css",),
    "playground.js": tuple(
        f"playground/{part}.js" for part in ("service", "drafts", "files", "editor", "panels", "playground")
    ),  # uses what inspector.js defines
    "codemirror.js": ("playground/codemirror.js",),
}
"""The files that the pages of a service load, each with the files in it."""

LIVE_ASSETS = {
    "live.css": ("inspector.css", "preview/preview.css", "preview/live.css"),
    "live.js": ("preview/live.js", "preview/preview.js"),  # preview.js uses what live.js defines
    "inspector.svg": ("inspector.svg",),
}
"""The files that a live preview in a browser loads."""


_TWO_COLORS = re.compile(rb"(--[\w-]+): light-dark\((#\w+), #\w+\);")


def load_assets(sources: Mapping[str, Sequence[str]]) -> dict[str, Asset]:
    """Return the files that pages load by name, which ends their URL."""
    folder = files("rui_inspector").joinpath("static")
    assets = {}
    for name, parts in sources.items():
        content = b"\n".join([folder.joinpath(part).read_bytes() for part in parts])
        suffix = name.rpartition(".")[2]
        if suffix == "css":
            content += _light_colors(content)
        assets[name] = Asset(MEDIA_TYPES[suffix], content)
    return assets


def _light_colors(stylesheet: bytes) -> bytes:
    """Return the rule for browsers without `light-dark`, in which the colours of a stylesheet would be undefined."""
    colors = b" ".join(b"%s: %s;" % color for color in _TWO_COLORS.findall(stylesheet))
    if not colors:
        return b""
    return b"@supports not (color: light-dark(#000, #fff)) { :root { color-scheme: light; %s } }\n" % colors


def _render_document(
    view: View, host: PageHost, query: Query, problems: Sequence[DisplayedDiagnostic] = (), *,
    spec: Spec | None = None, template: str = "spec.html", listing: str = "", grounding: Grounding = UNGROUNDED,
    screen_href: Callable[[ViewNode], str] | None = None, **more: object,
) -> str:  # fmt: skip
    """Render a page with the wireframe and the tree of a document.

    Nodes in the wireframe link to `screen_href`, by default to themselves. `more` are further variables of
    the template.
    """
    search = Search(view, query.search)

    def href(node: ViewNode) -> str:
        if spec is None or search.is_shown(node):
            return fragment(node)
        return escape_attribute(spec.url) + fragment(node)  # on the page without a search

    values = ValueWriter(view, search.words, href)
    wireframe = wireframe_of(view, ALL_DRAWN, grounding=grounding)
    marks = unmatched_marks(unmatched_of(view, problems))
    writer = WireframeWriter(
        view, wireframe, screen_href or _screen_fragment, marks=marks, tree=None if screen_href else href,
        found=search.hits,
    )  # fmt: skip
    unmatched = {problem.anchor for problem in problems if problem.is_difference}
    error_counts = Counter(problem.anchor for problem in problems if problem.is_error)
    tree = TreeWriter(
        view, values, search, opens_all=query.opens_all, error_counts=error_counts, unmatched=unmatched,
        has_json=bool(listing),
    )  # fmt: skip
    menus = menus_of(view)
    parts = [part for part in _parts_below_header(view) if part[0] not in {menu.name for menu in menus}]
    endpoints = endpoints_of(view)
    needs_folded = len(view.tops) > MAX_UNFOLDED_PAGES or len(endpoints) > MAX_UNFOLDED_ENDPOINTS
    return environment().get_template(template).render(
        view=view, host=host, spec=spec, query=query, search=search, values=values, untitled=UNTITLED, listing=listing,
        is_big=len(view.nodes) > MAX_SMALL, problems=problems, max_problems=MAX_PROBLEMS, menus=menus,
        parts=[part for part in parts if isinstance(part[1], dict | list)],
        scalars=[part for part in parts if not isinstance(part[1], dict | list)],
        endpoints=endpoints, needs=needs_of(view, MAX_NEEDS), needs_folded=needs_folded, writer=writer,
        screen_count=len(wireframe.screens), first_count=_number_of_first_screens(view), totals=totals_of(view),
        max_found=MAX_FOUND, found={page: len(hits) for page, hits in search.pages},
        trees=[(name, tree.nodes(nodes)) for name, nodes in view.nested.items()], **more,
    )  # fmt: skip


def _screen_fragment(node: ViewNode) -> str:
    """Return the address of a node in the wireframe of the same page, as HTML for an attribute."""
    return f"#{ANCHOR}{escape_attribute(node.anchor)}"


def _number_of_first_screens(view: View) -> int:
    """Return the number of screens that are not folded."""
    tops = view.tops
    if len(view.nodes) <= MAX_SMALL:
        return len(tops)
    left = MAX_DRAWN
    number = 0
    while left > 0 and number < len(tops):
        left -= 1 + len(list(tops[number].descendants()))
        number += 1
    return number


def _parts_below_header(view: View) -> list[ViewMember]:
    """Return the properties of the root that hold no nodes, without the title and description in the header."""
    header_names = (*label_names(view.vocabulary, None), *names_with_role(view.vocabulary, Role.DESCRIPTION))
    header_texts = (excerpt(view.title), view.description)
    parts: list[ViewMember] = []
    for name, value, prop in view.parts:
        if isinstance(value, dict) and view.title and view.title in value.values():
            rest = {key: inner for key, inner in value.items() if key not in header_names or inner not in header_texts}
            if rest:
                parts.append((name, rest, prop))
        else:
            parts.append((name, value, prop))
    return parts
