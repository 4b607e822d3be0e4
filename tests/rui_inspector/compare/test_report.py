"""A comparison in words: data, places, words that differ, nodes whose ids changed."""

import copy
import json
from collections.abc import Callable

import pytest

from rui_inspector.compare.comparison import Comparison, compare
from rui_inspector.compare.report import Form, Item, Phrase, Report
from rui_inspector.compare.words import Part, word_segments
from rui_inspector.html.comparison.page import ComparedDocument, comparison_page
from rui_inspector.html.comparison.writer import MAX_NODES
from rui_inspector.model.view import view_of
from tests.rui_inspector.browser import DESK
from tests.rui_inspector.model.test_view import LATER
from tests.rui_inspector.pages import HOST, check

NOTE = "“Orders are refreshed every five minutes.”"
MARKS = {Form.REMOVED: "[-{}-]", Form.ADDED: "{{+{}+}}"}


def line(phrases: list[Phrase]) -> str:
    return "".join([MARKS.get(phrase.form, "{}").format(phrase.text) for phrase in phrases])


def lines(items: list[Item]) -> list[str]:
    """Return items as text, each with its signs."""
    return [
        text
        for item in items
        for text in (f"{''.join(kind.sign for kind in item.kinds)} {line(item.head)}", *map(line, item.lines))
    ]


def edited(edit: Callable[[dict], object], document: dict = DESK) -> Comparison:
    """Compare a document with an edited copy of it."""
    other = copy.deepcopy(document)
    edit(other)
    return compare(view_of(document), view_of(other))


def block(document: dict, page: int, section: int, index: int) -> dict:
    return document["pages"][page]["children"][section]["children"][index]


def read(path: str, select: str) -> dict[str, str]:
    return {"type": "read", "method": "GET", "path": path, "valuePath": select}


def metric(name: str, path: str = "/api/staff") -> dict[str, object]:
    return {"id": name, "type": "Metric", "label": name.title(), "binding": read(path, f"data.{name}")}


@pytest.mark.parametrize(("edit", "expected"), [
    (lambda it: None, []),
    (lambda it: block(it, 0, 0, 0)["binding"].update(valuePath="data.all"),
     ["~ GET /api/orders/summary", "Today › At a glance › Open orders: [-data.open-] {+data.all+}"]),
    (lambda it: block(it, 0, 0, 0)["binding"].update(path="/api/x"),
     ["+ GET /api/x",
      "for Today › At a glance › Open orders → data.open, instead of GET /api/orders/summary → data.open",
      "~ GET /api/orders/summary",
      "no longer for Today › At a glance › Open orders → data.open, now GET /api/x → data.open"]),
    (lambda it: it["pages"][0]["children"][0]["children"].append(metric("staff")),
     ["+ GET /api/staff", "for Today › At a glance › Staff → data.staff"]),
    (lambda it: it["pages"].pop(1),
     ["− GET /api/stock/low", "no longer for Stock › Running low › Table low-stock → data.items"]),
    (lambda it: block(it, 0, 1, 0)["columns"].append({"key": "total"}),
     ["~ GET /api/orders", "Today › Latest orders › Table orders: also {+total+}"]),
    (lambda it: block(it, 0, 1, 0)["columns"].pop(0),
     ["~ GET /api/orders", "Today › Latest orders › Table orders: no longer [-number-]"]),
    (lambda it: block(it, 0, 1, 0)["binding"].pop("valuePath"),
     ["~ GET /api/orders", "Today › Latest orders › Table orders: [-data.items-] {+the whole response+}"]),
    (lambda it: block(it, 0, 0, 0).update(label="All orders"), []),
    (lambda it: it["pages"].reverse(), []),
])  # fmt: skip
def test_data(edit: Callable[[dict], object], expected: list[str]) -> None:
    assert lines(Report(edited(edit)).endpoints()) == expected


@pytest.mark.parametrize(("edit", "expected"), [
    (lambda it: None, []),
    (lambda it: block(it, 0, 0, 0).update(label="Open orders today"),
     ["pages: 1 changed (Today)", "blocks: 1 changed (Open orders today)"]),
    (lambda it: it["pages"].reverse(), ["pages: 1 moved (Stock)"]),
    (lambda it: it["pages"][0].update(title="X"), ["pages: 1 changed (X)"]),
    (lambda it: it["pages"][0]["children"].reverse(),
     ["pages: 1 changed (Today)", "sections: 1 moved (Latest orders)"]),
    (lambda it: it["meta"].update(title="X", owner="Y"), ["meta: 2 changes"]),
    (lambda it: it["pages"].pop(), ["endpoints: 1 dropped (GET /api/stock/low)", "pages: 1 removed (Stock)"]),
])  # fmt: skip
def test_headlines(edit: Callable[[dict], object], expected: list[str]) -> None:
    assert [f"{topic}: {counts}" for topic, counts, _ in Report(edited(edit)).headlines()] == expected


def in_screens(found: Comparison) -> list[str]:
    report = Report(found)
    changed = [screen for screen in found.screens if screen.kinds]
    return [text for screen in changed for text in lines([report.screen(screen), *report.nodes(screen)])]


def move_to_stock(document: dict) -> None:
    document["pages"][1]["children"][0]["children"].insert(0, document["pages"][0]["children"][1]["children"].pop())


@pytest.mark.parametrize(("edit", "expected"), [
    (lambda it: block(it, 0, 1, 1).update(content="Orders are refreshed every ten minutes."),
     ["~ Today", "~ Text Latest orders › “Orders are refreshed every ten minutes.” refresh-note",
      "content: Orders are refreshed every [-five-] {+ten+} minutes."]),
    (lambda it: it["pages"][0]["children"][1]["children"].reverse(),
     ["~ Today", f"↕ Text Latest orders › {NOTE} refresh-note", "moved to the first position"]),
    (lambda it: it["pages"].append(it["pages"].pop(0)), ["↕ Stock", "moved to the first position"]),
    (move_to_stock, ["~ Today", f"↕ Text {NOTE}", f"moved to Stock › Running low › {NOTE}",
                     "~ Stock", f"↕ Text Running low › {NOTE} refresh-note",
                     "moved from Today › Latest orders to Stock › Running low"]),
    (lambda it: block(it, 0, 1, 0)["columns"][2].update(label="State"),
     ["~ Today", "~ Latest orders › Table orders", "columns › State › label: [-Status-] {+State+}"]),
    (lambda it: block(it, 0, 1, 0)["filter"]["options"][0].update(label="Still open"),
     ["~ Today", "~ Latest orders › Table orders", "filter › options › Still open › label: [-Open-] {+Still open+}"]),
    (lambda it: it["pages"][0].pop("description"),
     ["~ Today", "description: [-Everything that the desk looks at in the morning.-]"]),
    (lambda it: it["pages"].append(
        {"id": "staff", "type": "Page", "title": "Staff", "children": [
            {"id": "s", "type": "Section", "direction": "row", "children": [metric("trained")]}]}),
     ["+ Staff", "Metric Trained · GET /api/staff → data.trained"]),
    (lambda it: block(it, 0, 0, 0).update(format="text"),
     ["~ Today", "~ Metric At a glance › Open orders open-orders", "format: [-number-] {+text+}"]),
])  # fmt: skip
def test_screens(edit: Callable[[dict], object], expected: list[str]) -> None:
    assert in_screens(edited(edit)) == expected


def segments(before: str, after: str) -> str:
    marks = {Part.SAME: "{}", Part.REMOVED: "[-{}-]", Part.ADDED: "{{+{}+}}"}
    return "".join([marks[part].format(text) for part, text in word_segments(before, after)])


@pytest.mark.parametrize(("before", "after", "expected"), [
    ("a b c", "a x c", "a [-b-]{+x+} c"),
    ("every five minutes", "every ten minutes", "every [-five-]{+ten+} minutes"),
    ("one two three four", "one two four", "one two [-three -]four"),
    ("Ready.", "Ready!", "Ready[-.-]{+!+}"),
    ("alpha beta gamma delta", "alpha BETA GAMMA delta", "alpha [-beta gamma-]{+BETA GAMMA+} delta"),
    ("What came in today and what is open.", "What came in today, what is open and what is late.",
     "What came in today{+, what is open+} and what is [-open-]{+late+}."),
    ("Say one now", "Say two, three now", "Say [-one-]{+two, three+} now"),
    ("nothing at all", "Completely other", "[-nothing at all-]{+Completely other+}"),
    ("", "new", "{+new+}"), ("old", "", "[-old-]"), ("same", "same", "same"), ("", "", ""),
    ("注文は五分ごとに更新", "注文は十分ごとに更新", "注文は[-五-]{+十+}分ごとに更新"),
    ("cafe\u0301 open now", "cafe open now", "[-cafe\u0301-]{+cafe+} open now"),
    ("team \U0001f469\u200d\U0001f4bb here", "team \U0001f469\u200d\U0001f52c here",
     "team [-\U0001f469\u200d\U0001f4bb-]{+\U0001f469\u200d\U0001f52c+} here"),
    ("x " * 3_000 + "y", "z " * 3_000 + "y", f"[-{'x ' * 3_000}y-]{{+{'z ' * 3_000}y+}}"),
])  # fmt: skip
def test_words(before: str, after: str, expected: str) -> None:
    assert segments(before, after) == expected


def test_types_of_a_later_version_are_compared_without_code() -> None:
    chart = {"id": "c", "type": "Chart", "caption": "Curve", "series": [{"name": "a", "line": "solid"}],
             "source": {"verb": "FETCH", "from": "/x", "pick": "p"}, "note": "Day by day"}  # fmt: skip
    before = {"boards": [{"id": "b", "type": "Board", "flow": "across", "blocks": [chart]}]}
    after = copy.deepcopy(before)
    [changed] = after["boards"][0]["blocks"]
    changed["source"]["pick"] = "q"
    changed["series"].append({"name": "z"})
    changed["note"] = "Week by week"
    found = compare(view_of(before, LATER), view_of(after, LATER))
    report = Report(found)
    assert [f"{name}: {counts}" for name, counts, _ in report.headlines()] == [
        "endpoints: 1 read differently (FETCH /x)", "boards: 1 changed (Board b)", "blocks: 1 changed (Curve)",
    ]  # fmt: skip
    assert lines(report.endpoints()) == ["~ FETCH /x", "Board b › Curve: [-p-] {+q+}"]
    assert in_screens(found) == [
        "~ Board b", "~ Chart Curve c", "series › z: {+name: z+}", "source › pick: [-p-] {+q+}",
        "note: [-Day-] {+Week+} by [-day-] {+week+}",
    ]  # fmt: skip


@pytest.mark.parametrize(("types", "expected"), [
    (["Section"], "sections: 1 added (Section new-Section)"), (["Section", "Panel"],
     "groups: 2 added (Section new-Section, Panel new-Panel)"),
])  # fmt: skip
def test_the_name_of_groups(types: list[str], expected: str) -> None:
    def add(document: dict) -> None:
        document["pages"][0]["children"] += [
            {"id": f"new-{name}", "type": name, "direction": "row", "children": []} for name in types
        ]

    names = [f"{name}: {counts}" for name, counts, _ in Report(edited(add)).headlines()]
    assert expected in names


def test_several_elements_with_the_same_name() -> None:
    def add(document: dict) -> None:
        document["navigation"]["items"] += [{"pageId": "stock"}, {"pageId": "stock", "label": "More"}]

    names = [change.name for change in edited(add).root]
    assert names == ["navigation.items[stock 2]", "navigation.items[stock 3]"]


def test_screens_above_the_limit_are_not_drawn() -> None:
    pages = [
        {"id": f"p{number}", "type": "Page", "title": f"Page {number}", "children": [
            {"id": f"s{number}", "type": "Section", "direction": "row", "children": [
                {"id": f"t{number}", "type": "Text", "content": "x"}]}]}
        for number in range(MAX_NODES // 2)
    ]  # fmt: skip
    other = json.loads(json.dumps(pages).replace('"x"', '"y"'))
    sides = [ComparedDocument({"pages": one}, "a", "/a") for one in (pages, other)]
    page = check(comparison_page(sides[0], sides[1], HOST))
    assert page.text.count("too large to be drawn here") == 2 * (len(pages) - MAX_NODES // 3)
    assert len([name for name in page.ids if name.startswith(("W-", "B-"))]) == 2 * MAX_NODES
    assert page.text.count("content: x y") == len(pages)
