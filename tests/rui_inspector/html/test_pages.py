"""View tree → HTML: escaped, well-formed and complete; and a stylesheet with sufficient contrast."""

import json
import re
from importlib.resources import files
from itertools import combinations

import pytest

from rui_common.describe import full_example, minimal_example
from rui_inspector.escape import escape, highlight
from rui_inspector.html.comparison import ComparedDocument, comparison_page
from rui_inspector.html.pages import (
    SITE_ASSETS,
    PageHost,
    Query,
    document_page,
    error_page,
    front_page,
    load_assets,
    preview_page,
    spec_page,
)
from tests.inputs.sample import sample
from tests.rui_inspector.pages import HOST, HOSTILE, SPEC, Page, check, check_spec, leaves, with_text_everywhere
from tests.support.examples import BROKEN

CSS = "".join(asset.content.decode() for name, asset in load_assets(SITE_ASSETS).items() if name.endswith(".css"))


@pytest.mark.parametrize(
    "document", [minimal_example(), full_example(), sample(250_000), *BROKEN], ids=lambda value: json.dumps(value)[:60]
)
def test_pages_are_well_formed(document: dict[str, object]) -> None:
    meta = document.get("meta")
    title = meta.get("title") if isinstance(meta, dict) else None
    html = check_spec(document).html
    assert f"<title>{title if isinstance(title, str) else 'Untitled RUI'} · " in html
    tree, _, rest = html.partition('<section class="json"')
    shown = Page(tree + rest.partition("</section>")[2]).text
    assert not [leaf for leaf in leaves(document) if leaf not in shown]
    for query in (Query("metric"), Query("<b>"), Query("", opens_all=True)):
        check_spec(document, query=query)


@pytest.mark.parametrize(("screens", "folded"), [(1, ""), (70, ""), (80, "60 more pages")])
def test_further_screens_of_a_large_document_are_folded(screens: int, folded: str) -> None:
    """Each screen is a page with a section."""
    pages = [{"id": f"p{number}", "type": "Page", "title": "A", "children": [{"id": f"s{number}", "type": "Section"}]}
             for number in range(screens)]  # fmt: skip
    html = check_spec({"pages": pages}).html
    assert "".join(re.findall(r'class="more-screens"><summary[^>]*>([^<]*)', html)) == folded


def pages_with(text: str) -> dict[str, str]:
    """Return every kind of page, with a text in every possible place."""
    document = with_text_everywhere(text)
    written = json.dumps(document)
    other = ComparedDocument(with_text_everywhere(text + "y"), SPEC)
    return {
        "spec": spec_page(document, HOST, SPEC, query=Query(text)),
        "unsaved": document_page(written, HOST),
        "raw": document_page(f'{{"pages": [{text}', HOST),
        "compared": comparison_page(ComparedDocument(document, SPEC), other, HOST),
        "front": front_page(HOST, [{"does": text, "request": text}], written, is_checked=True, note=text),
        "problem": error_page(text, text, HOST, status=404),
    }


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[:40])
def test_hostile_text_is_shown_and_inert(text: str) -> None:
    for name, html in pages_with(text).items():
        page = check(html.encode("utf-8", "replace").decode())
        if name in ("spec", "unsaved") and text.strip() and text.isprintable():
            assert page.text.count(text) > 10, f"the page {name} does not show the texts of its document"
        if name == "spec":
            assert escape(text) in html
            assert "\x00" not in html


@pytest.mark.parametrize(("text", "words", "html"), [
    ("Open orders", ["or"], "Open <mark>or</mark>ders"), ("AbAb", ["ab"], "<mark>Ab</mark><mark>Ab</mark>"),
    ("a<b", ["<"], "a<mark>&lt;</mark>b"), ("a.b", ["."], "a<mark>.</mark>b"), ("x", [], "x"),
    ("orders", ["or", "orders"], "<mark>orders</mark>"),
    ("Große Straße", ["straße"], "Große <mark>Straße</mark>"),
    ("ΛΌΓΟΣ", ["λόγος"], "<mark>ΛΌΓΟΣ</mark>"),
])  # fmt: skip
def test_words_of_a_search_are_marked(text: str, words: list[str], html: str) -> None:
    assert highlight(text, words) == html


def test_deep_values() -> None:
    deep: object = "end"
    for level in range(240):
        deep = {"k": deep} if level % 2 else [deep]
    assert '"end"' in check_spec(minimal_example() | {"meta": {"deep": deep}}).text


@pytest.mark.parametrize(("name", "html"), pages_with("x").items(), ids=pages_with("x").keys())
def test_pages_load_only_the_assets(name: str, html: str) -> None:
    page = check(html)
    loaded = re.findall(r'<(?:link|script|img)[^>]*(?:src|href)="([^"]*)"', html)
    expected = ["/inspector.svg", "/inspector.css", "/inspector.js"]
    if name == "front":
        expected += ["/playground.css", "/playground.js"]
    assert loaded == expected
    assert "style=" not in html
    assert "<style" not in html
    assert "RUI" in page.text
    assert "url(" not in CSS
    assert "@import" not in CSS


def test_a_page_in_an_editor_has_its_own_policy() -> None:
    host = PageHost("vs:/a.css", "vs:/a.js", policy="default-src 'none'; script-src 'nonce-n'", nonce="n")
    html = preview_page('{"pages": [{"id": "a", "type": "Page"}]}', host)
    assert '<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; script-src' in html
    assert '<script src="vs:/a.js" nonce="n" defer>' in html
    assert 'data-offset="11" data-end="38"' in html
    assert 'class="listing"' not in html
    assert "MISSING_REQUIRED_PROP" in html
    assert 'action="/' not in html


@pytest.mark.parametrize(
    "text", ["", " ", "[]", "1", "null", "{", '{"pages": [{', "\x00", b"\xff\xfe", "{}{}", "a" * 9999]
)
def test_any_text_is_a_page(text: str | bytes) -> None:
    page = check(document_page(text, HOST))
    assert "INVALID_JSON" in page.text


def test_classes_of_the_pages_are_styled() -> None:
    html = "".join((*pages_with("x").values(), spec_page(full_example(), HOST, SPEC)))
    used = {name for names in re.findall(r'class="([^"]*)"', html) for name in names.split()}
    styled = set(re.findall(r"\.([a-z][a-z-]*)", CSS))
    assert used - styled <= {"error", "inspector"}


def test_a_class_is_styled_in_one_stylesheet() -> None:
    """The pages load all of them: a class of one page would lay out the elements of another."""
    folder = files("rui_inspector").joinpath("static")
    names = SITE_ASSETS["inspector.css"]
    styled = [set(re.findall(r"^\.([\w-]+) \{", folder.joinpath(name).read_text(), re.MULTILINE)) for name in names]
    twice = [name for first, second in combinations(styled, 2) for name in first & second]
    assert twice == []


def test_findings_have_a_frame_and_a_hint() -> None:
    text = json.dumps(full_example(), indent=2).replace('"stack"', '"stak"', 1)
    page = check(document_page(text, HOST))
    assert "<mark>&#34;stak&#34;</mark>" in page.html
    assert 'did you mean "stack"?' in page.text
    long = f'{{"version": "{"9" * 5000}"'
    assert max(map(len, re.findall(r"<mark>.*?</mark>", document_page(long, HOST)))) < 400
