"""View tree → HTML: escaped, well-formed, whole; and a stylesheet that can be read."""

import json
import re
from html.parser import HTMLParser

import pytest

from benchmarks.sample import sample
from rui_common.describe import full_example, minimal_example
from rui_common.vocabulary import VOCABULARY
from rui_inspector.render import HUES, OTHER_HUE, UNKNOWN_HUE, Fact, problem_page, show, spec_page, stylesheet

VOID = {"meta", "link", "br", "hr", "img", "input"}
ALLOWED = {
    "html", "head", "meta", "title", "link", "body", "header", "main", "section", "h1", "h2", "p", "dl", "div", "dt",
    "dd", "ul", "ol", "li", "details", "summary", "span", "code", "bdi", "a",
}  # fmt: skip
ATTRIBUTES = {
    "lang", "charset", "name", "content", "rel", "href", "class", "dir", "id", "open", "title", "aria-label",
}  # fmt: skip
INLINE = {"span", "code", "bdi", "a", "summary", "dt", "h1", "h2", "p", "title"}
BLOCKS = ALLOWED - INLINE


class Page(HTMLParser):
    """Reads a page and insists that every element is closed, known, and where it may be."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED, tag
        assert tag not in BLOCKS or not INLINE.intersection(self.open), (tag, self.open)
        for name, value in attributes:
            assert name in ATTRIBUTES, (tag, name)
            if name == "id":
                self.ids.append(value)
            if name == "href":
                self.links.append(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def check(document: dict[str, object]) -> Page:
    """The page of a document is sound: ids are unique, and links within it lead somewhere."""
    page = Page(spec_page(document, facts=[Fact("Spec", "x")], json_url="/api/specs/x", stylesheet="/inspector.css"))
    assert len(set(page.ids)) == len(page.ids)
    for link in page.links:
        assert link in ("/inspector.css", "/api/specs/x", "data:,") or link.removeprefix("#") in page.ids
    return page


@pytest.mark.parametrize(
    "document", [minimal_example(), full_example(), sample(250_000)], ids=["minimal", "full", "big"]
)
def test_sound(document: dict[str, object]) -> None:
    page = check(document)
    shown = "".join(page.text)
    assert document["meta"].get("title", "Untitled RUI") in shown
    for tree in document["pages"]:
        assert tree["id"] in page.ids


HOSTILE = [
    "<script>alert(1)</script>", "</title><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>",
    "' onclick='x", "</span></li></ol>", "&lt;b&gt; &amp;", "{{ 7 * 7 }}{% raw %}", "javascript:alert(1)", "<!-- ",
    "]]>", "\x00\x07\x1b",
    "\u202eabc\u2066", "\u2028\u2029", "a\nb\r\nc\td", "", " ", "\ufeff", "\ufffe\uffff", "\U000e0041", "x" * 10_000,
    "عربي עברית", "\U0001f469\u200d\U0001f4bb",
]  # fmt: skip


def with_text_everywhere(text: str) -> dict[str, object]:
    binding = {"type": "read", "method": "GET", "path": "/" + text, "valuePath": text, text + "x": text}
    column = {"key": text, "label": text, text: [text, {text: text}]}
    return {
        "version": text,
        "meta": {"title": text, text: {text: {text: {text: {text: text}}}}},
        "navigation": {"items": [{"pageId": text, "label": text}, {"pageId": "p"}]},
        "pages": [
            {"id": "p", "type": "Page", "title": text, "description": text, "children": [
                {"id": text, "type": text, "title": text, text: text},
                {"id": "top", "type": "Section", "direction": text, "children": [
                    {"id": "a" * 64, "type": "Text", "content": text},
                    {"id": text, "type": "Metric", "label": text, "binding": binding, "format": text},
                    {"id": "tree", "type": "Table", "binding": text, "columns": [column, text], "filter": column},
                    text,
                ]},
            ]},
            text,
        ],
        text + "root": text,
    }  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_text_is_shown_and_does_nothing(text: str) -> None:
    page = check(with_text_everywhere(text))
    shown = "".join(page.text)
    assert Page(f"<p>{show(text)}</p>").text == [] or "".join(Page(f"<p>{show(text)}</p>").text) in shown
    assert "\x00" not in shown
    if text.strip() and text.isprintable():
        assert shown.count(text) > 10


@pytest.mark.parametrize(("text", "html"), [
    ("a<b>&'\"", "a&lt;b&gt;&amp;&#39;&#34;"), ("a\nb\tc", "a\nb\tc"),
    ("\x00", '<span class="unseen" title="control character">U+0000</span>'),
    ("<\u202e>", '&lt;<span class="unseen" title="right-to-left override">U+202E</span>&gt;'),
    ("\U000e0041", '<span class="unseen" title="tag latin capital letter a">U+E0041</span>'),
    ("\U0001f469\u200d\U0001f4bb", "\U0001f469\u200d\U0001f4bb"),
])  # fmt: skip
def test_unseen_characters_are_named(text: str, html: str) -> None:
    assert str(show(text)) == html


def test_deep_values() -> None:
    deep: object = "end"
    for level in range(240):
        deep = {"k": deep} if level % 2 else [deep]
    page = check(minimal_example() | {"meta": {"deep": deep}})
    assert '"end"' in "".join(page.text)


def test_deep_nodes_of_a_broken_document() -> None:
    it: dict[str, object] = {"id": "leaf", "type": "Text", "content": "end"}
    for level in range(100):
        it = {"id": f"s{level}", "type": "Section", "children": [it]}
    page = check(minimal_example() | {"pages": [it]})
    assert "leaf" in page.ids


def test_every_type_has_its_name_and_its_colour() -> None:
    html = spec_page(full_example())
    for name in VOCABULARY.nodes:
        assert f'<span class="badge {HUES[name]}">{name}</span>' in html
        assert f'<li class="node {HUES[name]}"' in html


def test_colours_of_types_that_have_none() -> None:
    html = spec_page({"pages": [{"id": "a", "type": "Chart"}]})
    assert f'<span class="badge {UNKNOWN_HUE}">Chart</span>' in html
    assert OTHER_HUE not in HUES.values()


def test_nothing_else_is_loaded() -> None:
    html = spec_page(full_example(), stylesheet="/inspector.css")
    assert re.findall(r'(?:src|href)="(?!#)([^"]*)"', html) == ["data:,", "/inspector.css"]
    assert "style=" not in html
    assert "url(" not in stylesheet().decode()
    assert "@import" not in stylesheet().decode()


def test_problem_page() -> None:
    page = Page(problem_page("No <spec>", "What & why", "Do 'this'", status=404, stylesheet="/inspector.css"))
    shown = "".join(page.text)
    assert all(words in shown for words in ("404", "No <spec>", "What & why", "Do 'this'"))


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


COLOURS = dict(re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}, #[0-9a-f]{6})\)", stylesheet().decode()))
PAIRS = [
    *((hue, f"{hue}-tint") for hue in (*HUES.values(), "pink", OTHER_HUE, UNKNOWN_HUE)),
    *((ink, ground) for ink in ("ink", "quiet", "link") for ground in ("page", "card", "code")),
]  # fmt: skip


@pytest.mark.parametrize(("ink", "ground"), PAIRS)
@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_contrast(ink: str, ground: str, scheme: int) -> None:
    """WCAG 2.2, success criterion 1.4.3."""
    assert contrast(COLOURS[ink].split(", ")[scheme], COLOURS[ground].split(", ")[scheme]) >= 4.5


def test_classes_of_the_pages_are_styled_or_meant() -> None:
    html = spec_page(with_text_everywhere("x")) + problem_page("a", "b", "c", status=400)
    used = {name for names in re.findall(r'class="([^"]*)"', html) for name in names.split()}
    styled = set(re.findall(r"\.([a-z]+)", stylesheet().decode()))
    assert used - styled <= {"word", "json", "number", "literal", "arrow"}


def test_page_is_for_any_json() -> None:
    for document in ({}, {"pages": 1}, {"a": [1, {"b": None}]}, json.loads('{"meta": {"title": "\\ud800"}}')):
        check(document)
