"""The page that compares two documents: sentences, marks and wireframes."""

import copy
import html
import json
import random
import re
from collections.abc import Callable

import pytest

from rui_common.describe import full_example
from rui_common.versions.sentences import plain
from rui_inspector.html.comparison import MAX_NODES, ComparedDocument, comparison_page
from tests.rui_common.versions.truths import TRUTHS, Truth
from tests.rui_inspector.browser import later
from tests.rui_inspector.pages import HOST, SPEC, Page, altered, check, office_document
from tests.support.examples import BROKEN, DESK
from tests.support.nightly import seeds
from tests.support.strategies import Json


def compared(before: Json, after: Json) -> Page:
    specs = [SPEC._replace(spec_id=name, url=f"/{name}") for name in "ab"]
    page = comparison_page(ComparedDocument(before, specs[0]), ComparedDocument(after, specs[1]), HOST)
    return check(page.encode("utf-8", "replace").decode())


@pytest.mark.parametrize("truth", TRUTHS, ids=lambda truth: truth.name)
def test_the_sentences_come_first(truth: Truth) -> None:
    header = compared(truth.old, truth.new).html.partition("<main")[0]
    text = " ".join(html.unescape(re.sub("<[^>]*>", "", header)).split())
    sentences = [" ".join(plain(sentence).split()) for sentence in truth.forth] or [
        "Both documents have the same content."
    ]
    offsets = [text.find(sentence) for sentence in sentences]
    assert -1 not in offsets
    assert offsets == sorted(offsets)


def test_sentences_marks_and_wireframes() -> None:
    page = compared(DESK, later())
    source = page.html
    text = " ".join(page.text.split())
    assert "The text “Orders" not in text
    assert "<li>Endpoint <code>/api/stock/low</code> is no longer read.</li>" in source
    goal = "section At a glance (figures)."  # the other page has a section with this title, too
    assert f"“Orders are refreshed every five minutes.” moves from section Latest orders to {goal}" in text
    for name in ("B-refresh-note", "W-refresh-note"):
        mark = source.partition(f'id="{name}"')[2].partition("</p>")[0]
        assert "moved</span>" in mark
        anchor = mark.partition('<a href="#')[2].partition('"')[0]
        assert "moves from" in source.partition(f'id="{anchor}"')[2].partition("</li>")[0]
    assert page.ids.count("W-today") == page.ids.count("B-today") == 1


def test_several_blocks_with_one_sentence_are_marked() -> None:
    other = copy.deepcopy(DESK)
    blocks = other["pages"][0]["children"][1]["children"]
    blocks.append({"id": "again", "type": "Text", "content": "Bills are refreshed every five minutes."})
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


def spots(page: Page, anchor: str) -> list[tuple[str, str]]:
    """Return what is marked in a block: how it differs, and its text."""
    block = page.html.partition(f' id="{anchor}"')[2].partition('<div class="block ')[0]
    found = re.findall(r'(?=<(mark|li|bdi|p) class="(?:control |figure )?is-(\w+)"[^>]*>(.*?)</\1>)', block)
    return [(kind, html.unescape(re.sub("<[^>]*>", "", text))) for _, kind, text in found]


def table(**changes: object) -> dict[str, object]:
    block = DESK["pages"][0]["children"][1]["children"][0]
    return {**copy.deepcopy(block), **changes}


COLUMNS = table()["columns"]
METRIC = DESK["pages"][0]["children"][0]["children"][0]
NOTE = DESK["pages"][0]["children"][1]["children"][1]
BINDING = METRIC["binding"]
FILTER = table()["filter"]
CANCELLED = {"value": "gone", "label": "Cancelled"}


@pytest.mark.parametrize(("block", "changed", "before", "after"), [
    (METRIC, {"label": "Open returns"}, [("changed", "orders")], [("changed", "returns")]),
    (METRIC, {"label": "Open orders today"}, [], [("changed", "today")]),
    (METRIC, {"binding": {**BINDING, "path": "/api/orders/all"}}, [("changed", "summary")], [("changed", "all")]),
    (METRIC, {"binding": {**BINDING, "valuePath": "data.late"}}, [("changed", "open")], [("changed", "late")]),
    (METRIC, {"format": "currency"}, [("changed", "### number")], [("changed", "currency")]),
    (NOTE, {"content": "Orders are refreshed every ten minutes."}, [("changed", "five")], [("changed", "ten")]),
    (NOTE, {"content": "Orders are refreshed."}, [("changed", "every five minutes")], []),
    (NOTE, {"content": f"{NOTE['content']} {'x ' * 400}"}, [], [("changed", "x " * 399 + "x")]),
    (table(), {"title": "Newest orders"}, [], [("changed", "Newest orders")]),
    (table(), {"columns": [COLUMNS[0], {**COLUMNS[1], "label": "Client"}, COLUMNS[2]]},
     [("changed", "Customervalue")], [("changed", "Clientvalue")]),
    (table(), {"columns": [COLUMNS[0], {**COLUMNS[1], "key": "client"}, COLUMNS[2]]},
     [("changed", "Customervalue")], [("changed", "Customervalue")]),
    (table(), {"columns": [*COLUMNS, {"key": "total", "label": "Total"}]}, [], [("added", "Totalvalue")]),
    (table(), {"columns": COLUMNS[1:]}, [("removed", "Ordervalue")], []),
    (table(), {"columns": [*COLUMNS[1:], COLUMNS[0]]}, [("moved", "Ordervalue")], [("moved", "Ordervalue")]),
    (table(), {"filter": {**FILTER, "options": [*FILTER["options"], CANCELLED]}}, [],
     [("changed", "Status Open, Shipped, Cancelled"), ("added", "Cancelled")]),
    (METRIC, {"label": "<b>Open</b> & orders"}, [], [("changed", "<b>"), ("changed", "</b> &")]),
])  # fmt: skip
def test_the_changed_cell_or_word_is_marked(
    block: dict[str, object], changed: dict[str, object], before: list[tuple[str, str]], after: list[tuple[str, str]]
) -> None:
    page = compared(*[with_blocks([{**block, "id": "x", **more}]) for more in ({}, changed)])
    assert [spots(page, anchor) for anchor in ("B-x", "W-x")] == [before, after]


def with_blocks(*sections: list[dict[str, object]]) -> dict[str, object]:
    """Return an app of a page with sections of these blocks."""
    children = [
        {"id": f"s{number}", "type": "Section", "title": f"Part {number}", "direction": "stack", "children": blocks}
        for number, blocks in enumerate(sections)
    ]
    return {"pages": [{"id": "p", "type": "Page", "title": "Page", "children": children}]}


def texts(first: int, count: int) -> list[dict[str, object]]:
    return [{"id": f"t{number}", "type": "Text", "content": f"Text {number}"} for number in range(first, first + count)]


def folded(page: Page) -> list[list[str]]:
    """Return the names and the number of blocks of each disclosure, before and after."""
    versions = page.html.split('<p class="version-name">')[1:]
    pattern = r'<details class="unchanged"><summary>(.*?)</summary>'
    return [
        [html.unescape(re.sub("<[^>]*>", "", found)) for found in re.findall(pattern, version)] for version in versions
    ]


SECTIONS = [texts(0, 3), texts(10, 2), texts(20, 1), texts(30, 1), texts(40, 1), texts(50, 1)]


@pytest.mark.parametrize(("change", "names"), [
    (lambda sections: sections[0]["children"][1].update(content="Other"),
     ["Text 0 1 block unchanged", "Text 2 1 block unchanged",
      "Part 1, Part 2, Part 3, Part 4, 1 more 6 blocks unchanged"]),
    (lambda sections: sections[1].update(title="New name"),
     ["Part 0 3 blocks unchanged", "Text 10, Text 11 2 blocks unchanged",
      "Part 2, Part 3, Part 4, Part 5 4 blocks unchanged"]),
    (lambda sections: sections[0]["children"].pop(),
     ["Text 0, Text 1 2 blocks unchanged", "Part 1, Part 2, Part 3, Part 4, 1 more 6 blocks unchanged"]),
    (lambda sections: sections[4]["children"].append({"id": "n", "type": "Text", "content": "New"}),
     ["Part 0, Part 1, Part 2, Part 3 7 blocks unchanged", "Text 40 1 block unchanged", "Part 5 1 block unchanged"]),
    (lambda sections: sections.pop(),
     ["Part 0, Part 1, Part 2, Part 3, 1 more 8 blocks unchanged"]),
    (lambda sections: sections[5]["children"].append(sections[0]["children"].pop()),
     ["Text 0, Text 1 2 blocks unchanged",
      "Part 1, Part 2, Part 3, Part 4 5 blocks unchanged", "Text 50 1 block unchanged"]),
])  # fmt: skip
def test_what_is_the_same_is_folded(change: Callable[[list], object], names: list[str]) -> None:
    old = with_blocks(*SECTIONS)
    new = copy.deepcopy(old)
    change(new["pages"][0]["children"])
    assert folded(compared(old, new)) == [names, names]


def test_a_row_keeps_its_form() -> None:
    old = with_blocks([METRIC, {**METRIC, "id": "m2"}, {**METRIC, "id": "m3"}])
    old["pages"][0]["children"][0]["direction"] = "row"
    new = copy.deepcopy(old)
    new["pages"][0]["children"][0]["children"][1]["label"] = "Late"
    assert folded(compared(old, new)) == [[], []]


def test_added_and_removed_pages_are_complete() -> None:
    old = with_blocks(*SECTIONS)
    new = copy.deepcopy(old)
    new["pages"].append({**copy.deepcopy(new["pages"][0]), "id": "q", "title": "Second", "children": [
        {"id": "u", "type": "Section", "direction": "stack", "children": texts(90, 3)}]})  # fmt: skip
    for page in (compared(old, new), compared(new, old)):
        assert "unchanged</span>" not in page.html
        assert page.text.count("Text 91") == 1


def test_of_many_columns_those_that_differ_are_visible() -> None:
    columns = [{"key": f"c{number}", "label": f"Column {number}"} for number in range(50)]
    changed = copy.deepcopy(columns)
    changed[20]["label"] = "New name"
    page = compared(*[with_blocks([table(id="x", columns=some)]) for some in (columns, changed)])
    assert spots(page, "W-x") == [("changed", "New namevalue")]
    block = page.html.partition('id="W-x"')[2]
    assert re.findall(r"<summary>(.*?)</summary>", block) == ["20 unchanged", "20 unchanged"]
    changed[45]["label"] = "Further"
    page = compared(*[with_blocks([table(id="x", columns=some)]) for some in (columns, changed)])
    assert ("changed", "and 10 more") in spots(page, "W-x")


@pytest.mark.parametrize("broken", [*BROKEN, {}], ids=str)
def test_any_documents_can_be_compared(broken: Json) -> None:
    for before, after in ((broken, full_example()), (full_example(), broken)):
        compared(before, after)
    assert "the same content" in compared(broken, broken).text


@pytest.mark.parametrize("seed", seeds(4))
def test_marks_and_folds_of_altered_documents(seed: int) -> None:
    chance = random.Random(seed)
    versions = [altered(office_document(), chance) for _ in range(2)]
    compared(*versions)
    compared(*reversed(versions))


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
