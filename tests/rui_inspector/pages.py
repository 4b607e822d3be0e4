"""A parser for pages, and documents that are hard to display."""

import copy
import json
import random
import re
from html.parser import HTMLParser

from rui_inspector.html.pages import PageHost, Spec, spec_page

HOST = PageHost("/inspector.css", "/inspector.js", "/inspector.svg", "/", assets="/")
SPEC = Spec("x", "/specs/x", "2026-01-31T09:15:00.123Z", "sha256:0123")

VOID = {"meta", "link", "br", "wbr", "hr", "img", "input"}
ALLOWED = set(
    "html head meta title link script body header footer main nav section article h1 h2 h3 h4 h5 h6 ins del p dl div "
    "dt dd ul ol li details summary span code bdi a b i em strong br wbr pre mark time table thead tbody tr th td "
    "form label input button textarea template kbd noscript blockquote".split()
)
ATTRIBUTES = set(
    "lang charset name content property rel type href src defer class dir id open title role hidden tabindex for value "
    "action method enctype maxlength placeholder autocomplete autocapitalize spellcheck scope rowspan datetime media "
    "required rows wrap accept download data-copy data-open data-range data-offset data-end "
    "aria-label aria-labelledby aria-current aria-hidden aria-live aria-controls "
    "aria-selected aria-invalid aria-describedby data-tab form data-max-bytes data-max-checked data-act "
    "data-page data-json data-hash data-content-hash data-labels data-guide data-compare data-when data-at data-assets "
    "translate".split()
)


class Page(HTMLParser):
    """Parser of a page. It asserts that every element is closed and known, and that none is active content."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.open: list[str] = []
        self.texts: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    @property
    def text(self) -> str:
        return "".join(self.texts)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED, tag
        for name, value in attributes:
            assert name in ATTRIBUTES, (tag, name)
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src", "action"):
                assert re.match(r"[#/?]", value), value
                self.links.append(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        assert "script" not in self.open or not data
        self.texts.append(data)


def check(html: str) -> Page:
    """Assert that ids are unique, that links within the page have targets, and that it can be encoded."""
    html.encode()
    page = Page(html)
    assert len(set(page.ids)) == len(page.ids)
    for link in page.links:
        assert not link.startswith("#") or link[1:] in page.ids, link
    return page


def check_spec(document: dict[str, object], **options: object) -> Page:
    return check(spec_page(document, HOST, SPEC, **options))


HOSTILE = [
    "<script>alert(1)</script>", "</title><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>",
    "' onclick='x", "</span></li></ol>", "</textarea></pre></code></details>", "&lt;b&gt; &amp;",
    "{{ 7 * 7 }}{% raw %}", "javascript:alert(1)", "<!-- ", "]]>", "\x00\x07\x1b", "\u202eabc\u2066", "\u2028\u2029",
    "a\nb\r\nc\td", "", " ", "\ufeff", "\ufffe\uffff", "\U000e0041", "\ud800", "x" * 10_000, "a b " * 2_500,
    "عربي עברית", "\U0001f469\u200d\U0001f4bb", "__proto__", "constructor", "%s{}$1\\1",
]  # fmt: skip


def with_text_everywhere(text: str) -> dict[str, object]:
    """Return a document with a text in place of every string, including names of properties."""
    binding = {"type": "read", "method": "GET", "path": "/" + text, "valuePath": text, text + "x": text}
    column = {"key": text, "label": text, "type": text, text: [text, {text: text}]}
    filter_ = {"field": text, "label": text, "options": [{"value": text, "label": text, text: text}], "__proto__": text}
    return {
        "version": text,
        "meta": {"title": text, "description": text, text: {text: {text: {text: {text: {text: text}}}}}},
        "navigation": {"items": [{"pageId": text, "label": text}, {"pageId": "p", "icon": text}], text: text},
        "pages": [
            {"id": "p", "type": "Page", "title": text, "description": text, "children": [
                {"id": text, "type": text, "title": text, text: text},
                {"id": "top", "type": "Section", "direction": text, "children": [
                    {"id": "a" * 64, "type": "Text", "content": text},
                    {"id": text, "type": "Metric", "label": text, "binding": binding, "format": text},
                    {"id": "tree", "type": "Table", "binding": text, "columns": [column, text], "filter": filter_},
                    text,
                ]},
            ]},
            text,
        ],
        text + "root": text,
    }  # fmt: skip


def leaves(value: object) -> list[str]:
    """Return every scalar of a document: strings unchanged, others as JSON."""
    if isinstance(value, dict):
        return [leaf for inner in value.values() for leaf in leaves(inner)]
    if isinstance(value, list):
        return [leaf for inner in value for leaf in leaves(inner)]
    return [value if isinstance(value, str) else json.dumps(value)]


UNEXPECTED = [None, 1, True, 1.5, "", " ", [], {}, ["a", 2], {"x": {"y": "z"}}, "<>&'\"" * 99, "x" * 400,
              "é\n\t\u2028", "%s{}", [[1], {"a": "b"}], *HOSTILE]  # fmt: skip
UNDECLARED = ["mine", "<b>", "type", "id", "title", "label", "key", "%s{}", "é'", "__proto__"]


def altered(value: object, chance: random.Random) -> object:
    """Return a copy in which some properties are missing, renamed, reordered or have unexpected values."""
    value = copy.deepcopy(value)
    stack = [value]
    while stack:
        container = stack.pop()
        for key in [*container] if isinstance(container, dict) else range(len(container)):
            fate = chance.random()
            if fate < 0.03:
                container[key] = copy.deepcopy(chance.choice(UNEXPECTED))
            elif fate < 0.06 and isinstance(container, dict):
                moved = container.pop(key)
                if fate > 0.04:
                    container[key if fate > 0.05 else chance.choice(UNDECLARED)] = moved
            elif isinstance(container[key], dict | list):
                stack.append(container[key])
    return value


PLACES = "orders invoices customers returns stock suppliers shipments payments tickets reports staff settings".split()
COLUMNS = ["Number", "Customer", "Responsible department", "Created", "Status", "Total", "Last modification", "Notes"]


def office_document() -> dict[str, object]:
    """Return an app of twelve pages, each with four figures and a table, from sixty endpoints."""
    pages = []
    for name in PLACES:
        figures = [
            {"id": f"{name}-m{number}", "type": "Metric", "label": f"{word} {name}", "format": "number", "binding": {
                "type": "read", "method": "GET", "path": f"/api/{name}/{word.lower()}", "valuePath": "data.count"}}
            for number, word in enumerate(["Open", "Late", "Closed", "Average"])
        ]  # fmt: skip
        table = {
            "id": f"{name}-t", "type": "Table", "title": f"Latest {name}",
            "binding": {"type": "read", "method": "GET", "path": f"/api/{name}", "valuePath": "data.items"},
            "columns": [{"key": f"c{number}", "label": label} for number, label in enumerate(COLUMNS)],
        }  # fmt: skip
        sections = [
            {"id": f"{name}-f", "type": "Section", "title": "At a glance", "direction": "row", "children": figures},
            {"id": f"{name}-l", "type": "Section", "title": "Latest", "direction": "stack", "children": [table]},
        ]
        description = f"What happens with {name} today, and what is late."
        page = {"id": name, "type": "Page", "title": name.title(), "description": description, "children": sections}
        pages.append(page)
    items = [{"pageId": name, "label": name.title()} for name in PLACES]
    meta = {"title": "Back office", "description": "What the back office of a wholesaler looks at during a day."}
    return {"version": "0.1", "meta": meta, "navigation": {"items": items}, "pages": pages}
