"""The page that compares two documents: sentences, marks and wireframes."""

import copy
import html
import json
import re

import pytest

from rui_common.describe import full_example
from rui_common.versions.sentences import plain
from rui_inspector.html.comparison import MAX_NODES, ComparedDocument, comparison_page
from tests.rui_common.versions.truths import TRUTHS, Truth
from tests.rui_inspector.browser import later
from tests.rui_inspector.pages import HOST, Page, check
from tests.support.examples import BROKEN, DESK
from tests.support.strategies import Json


def compared(before: Json, after: Json) -> Page:
    page = comparison_page(ComparedDocument(before, "a", "/a"), ComparedDocument(after, "b", "/b"), HOST)
    return check(page.encode("utf-8", "replace").decode())


@pytest.mark.parametrize("truth", TRUTHS, ids=lambda truth: truth.name)
def test_the_sentences_come_first(truth: Truth) -> None:
    header = compared(truth.old, truth.new).html.partition("<main")[0]
    text = " ".join(html.unescape(re.sub("<[^>]*>", "", header)).split())
    sentences = [plain(sentence) for sentence in truth.forth] or ["Both documents have the same content."]
    places = [text.find(sentence) for sentence in sentences]
    assert -1 not in places
    assert places == sorted(places)


def test_sentences_marks_and_wireframes() -> None:
    page = compared(DESK, later())
    source = page.html
    text = " ".join(page.text.split())
    assert "The text “Orders" not in text
    assert "<li>Endpoint <code>/api/stock/low</code> is no longer read.</li>" in source
    assert "“Orders are refreshed every five minutes.” moves from section Latest orders to section At a glance." in text
    for name in ("B-refresh-note", "W-refresh-note"):
        mark = source.partition(f'id="{name}"')[2].partition("</p>")[0]
        assert "moved</span>" in mark
        anchor = mark.partition('<a href="#')[2].partition('"')[0]
        assert "moves from" in source.partition(f'id="{anchor}"')[2].partition("</li>")[0]
    assert page.ids.count("W-today") == page.ids.count("B-today") == 1


def test_several_blocks_with_one_sentence_are_marked() -> None:
    other = copy.deepcopy(DESK)
    blocks = other["pages"][0]["children"][1]["children"]
    blocks.append({"id": "again", "type": "Text", "content": "Orders are refreshed every five minutes."})
    changed = json.loads(json.dumps(other).replace("five", "ten"))
    page = compared(other, changed)
    assert page.text.count("The text in section Latest orders says") == 2  # in the summary, and in the screen
    for name in ("W-refresh-note", "W-again"):
        assert 'href="#C-1"' in page.html.partition(f'id="{name}"')[2].partition("</p>")[0]


def test_only_the_screens_that_differ_are_drawn() -> None:
    other = copy.deepcopy(DESK)
    other["pages"][1]["title"] = "Shelves"
    other["pages"][0]["id"] = "now"
    other["navigation"]["items"][0]["pageId"] = "now"
    page = compared(DESK, other)
    assert "W-stock" in page.ids
    assert "W-now" not in page.ids
    assert "No change on page Today." in " ".join(page.text.split())


@pytest.mark.parametrize("broken", [*BROKEN, {}], ids=str)
def test_any_documents_can_be_compared(broken: Json) -> None:
    for one, other in ((broken, full_example()), (full_example(), broken)):
        compared(one, other)
    assert "the same content" in compared(broken, broken).text


@pytest.mark.parametrize("name", [
    "**bold**", "`code`", "a \\** b", "\\", "\\\\", "*", "``", "<b>x</b>", "</li></ul>", "@team #12", "&lt;", "“x”",
])  # fmt: skip
def test_marks_in_a_name_are_text(name: str) -> None:
    other = copy.deepcopy(DESK)
    other["pages"][0]["title"] = name
    text = compared(DESK, other).text
    assert f"Page Today is now called {name}." in text


def test_screens_above_the_limit_are_not_drawn() -> None:
    pages = [
        {"id": f"p{number}", "type": "Page", "title": f"Page {number}", "children": [
            {"id": f"s{number}", "type": "Section", "direction": "row", "children": [
                {"id": f"t{number}", "type": "Text", "content": "x"}]}]}
        for number in range(MAX_NODES // 2)
    ]  # fmt: skip
    page = compared({"pages": pages}, {"pages": json.loads(json.dumps(pages).replace('"x"', '"y"'))})
    assert page.text.count("too large to be drawn here") == 2 * (len(pages) - MAX_NODES // 3)
    assert len([name for name in page.ids if name.startswith(("W-", "B-"))]) == 2 * MAX_NODES
    assert page.text.count("says “y” instead of “x”") == len(pages)
