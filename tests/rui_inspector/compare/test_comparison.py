"""Two documents compared: nodes matched by id, and the differences in words."""

import copy
import json
from collections.abc import Callable, Iterable

import pytest

from rui_common.describe import full_example
from rui_inspector.compare.comparison import ChangeKind, Comparison, compare
from rui_inspector.compare.fields import ABSENT
from rui_inspector.compare.report import Form, Phrase, ReportItem, changed_words, report_of
from rui_inspector.html.comparison import MAX_NODES, ComparedDocument, comparison_page
from rui_inspector.model.view import view_of
from tests.rui_inspector.browser import DESK
from tests.rui_inspector.model.test_view import LATER
from tests.rui_inspector.pages import BROKEN, HOST, check


def text(name: str, content: str = "x") -> dict[str, object]:
    return {"id": name, "type": "Text", "content": content}


def section(name: str, *children: dict[str, object], **more: object) -> dict[str, object]:
    return {"id": name, "type": "Section", "direction": "stack", **more, "children": list(children)}


def document(*sections: dict[str, object], **more: object) -> dict[str, object]:
    page = {"id": "page", "type": "Page", "title": "Page", "children": list(sections)}
    return {"version": "0.1", "meta": {}, "navigation": {"items": [{"pageId": "page"}]}, "pages": [page], **more}


def summary(found: Comparison) -> dict[str, list[object]]:
    printed = {
        "root": [change.name for change in found.root],
        "changed": [(change.node.id, [one.name for one in change.fields]) for change in found.nodes if change.fields],
    }
    for kind in (ChangeKind.ADDED, ChangeKind.REMOVED, ChangeKind.MOVED):
        printed[kind.value] = [change.node.id for change in found.nodes if kind in change.kinds]
    return {name: value for name, value in printed.items() if value}


BASE = document(section("s", text("a"), text("b"), text("c")), section("t", text("d")))
TABLE = {
    "id": "x", "type": "Table", "binding": {"type": "read", "method": "GET", "path": "/a"},
    "columns": [{"key": "one", "label": "One"}, {"key": "two"}, {"key": "three"}],
}  # fmt: skip


def table(**changes: object) -> dict[str, object]:
    return document(section("s", {**TABLE, **changes}))


@pytest.mark.parametrize(("before", "after", "expected"), [
    (BASE, BASE, {}),
    (BASE, document(section("s", text("a"), text("b"), text("c"), text("n")), section("t", text("d"))),
     {"added": ["n"]}),
    (BASE, document(section("s", text("a"), text("b"), text("c"))), {"removed": ["t"]}),
    (BASE, document(section("s", text("a", "y"), text("b"), text("c")), section("t", text("d"), title="T")),
     {"changed": [("a", ["content"]), ("t", ["title"])]}),
    (BASE, document(section("s", text("c"), text("a"), text("b")), section("t", text("d"))), {"moved": ["c"]}),
    (BASE, document(section("s", text("b"), text("c")), section("t", text("d"), text("a"))), {"moved": ["a"]}),
    (BASE, document(section("t", text("d")), section("s", text("a"), text("b"), text("c"))), {"moved": ["t"]}),
    (BASE, document(section("s", text("a"), text("b"), text("c")), section("n", section("m", text("d")))),
     {"added": ["n"], "removed": ["t"], "moved": ["d"]}),
    (BASE, {**BASE, "meta": {"title": "T"}, "version": "0.2"}, {"root": ["version", "meta.title"]}),
    (BASE, {**BASE, "navigation": {"items": [{"pageId": "page", "label": "P"}]}},
     {"root": ["navigation.items[page].label"]}),
    (table(), table(binding={"type": "read", "method": "GET", "path": "/b", "valuePath": "v"}),
     {"changed": [("x", ["binding.path", "binding.valuePath"])]}),
    (table(), table(columns=[{"key": "one", "label": "1"}, {"key": "two"}, {"key": "four"}]),
     {"changed": [("x", ["columns[one].label", "columns[three]", "columns[four]"])]}),
    (table(), table(columns=[{"key": "two"}, {"key": "one", "label": "One"}, {"key": "three"}]),
     {"changed": [("x", ["order of columns"])]}),
    (table(), table(columns=[*TABLE["columns"], {"key": "one"}]), {"changed": [("x", ["columns"])]}),
    (document(meta={"a": 1}), document(meta={"a": True}), {"root": ["meta.a"]}),
    (document(meta={"a": {"x": 1, "y": 2}}), document(meta={"a": {"y": 2, "x": 1}}), {}),
])  # fmt: skip
def test_differences(before: dict[str, object], after: dict[str, object], expected: dict[str, object]) -> None:
    assert summary(compare(view_of(before), view_of(after))) == expected


def test_absent_is_not_null() -> None:
    change = compare(view_of(document(meta={"a": None})), view_of(document())).root[0]
    assert (change.before, change.after) == (None, ABSENT)


@pytest.mark.parametrize("broken", BROKEN, ids=str)
def test_any_documents_can_be_compared(broken: dict[str, object]) -> None:
    for one, other in ((broken, full_example()), (full_example(), broken), (broken, broken)):
        check(comparison_page(ComparedDocument(one, "a", "/a"), ComparedDocument(other, "b", "/b"), HOST))
    assert summary(compare(view_of(broken), view_of(broken))) == {}


NOTE = "“Orders are refreshed every five minutes.”"
MARKS = {Form.REMOVED: "[-{}-]", Form.ADDED: "{{+{}+}}"}


def marked(line: Iterable[Phrase]) -> str:
    return "".join([MARKS.get(phrase.form, "{}").format(phrase.text) for phrase in line])


def lines(items: Iterable[ReportItem]) -> list[str]:
    """Return items as text, each with its signs."""
    found = []
    for item in items:
        head, *more = map(marked, (item.head, *item.lines))
        found += [f"{''.join(kind.sign for kind in item.kinds)} {head}", *more, *lines(item.inner)]
    return found


def edited(edit: Callable[[dict], object]) -> Comparison:
    """Compare the example with an edited copy of it."""
    other = copy.deepcopy(DESK)
    edit(other)
    return compare(view_of(DESK), view_of(other))


def block(document: dict, page: int, section: int, index: int) -> dict:
    return document["pages"][page]["children"][section]["children"][index]


def move_to_stock(document: dict) -> None:
    document["pages"][1]["children"][0]["children"].insert(0, document["pages"][0]["children"][1]["children"].pop())


MOVED = [f"↕ Text Latest orders › {NOTE} refresh-note", "moved from Today › Latest orders to Stock › Running low"]


@pytest.mark.parametrize(("edit", "expected"), [
    (lambda it: block(it, 0, 0, 0)["binding"].update(path="/api/x"),
     ["+ GET /api/x", "Today › At a glance › Open orders: {+data.open+}",
      "~ GET /api/orders/summary", "Today › At a glance › Open orders: [-data.open-]",
      "~ Today", "~ Metric At a glance › Open orders open-orders",
      "binding › path: [-/api/orders/summary-] {+/api/x+}"]),
    (lambda it: block(it, 0, 1, 0)["binding"].pop("valuePath"),
     ["~ GET /api/orders", "Today › Latest orders › Table orders: [-data.items-] {+the whole response+}",
      "~ Today", "~ Latest orders › Table orders", "binding › valuePath: [-data.items-]"]),
    (lambda it: it["pages"].append(it["pages"].pop(0)), ["↕ Stock", "moved to the first position"]),
    (move_to_stock, ["~ Today", *MOVED, "~ Stock", MOVED[0].replace("Latest orders", "Running low"), MOVED[1]]),
    (lambda it: block(it, 0, 1, 0)["filter"]["options"][0].update(label="Still open"),
     ["~ Today", "~ Latest orders › Table orders", "filter › options › Still open › label: [-Open-] {+Still open+}"]),
    (lambda it: it["pages"].append({"id": "staff", "type": "Page", "title": "Staff", "children": [
        {"id": "s", "type": "Section", "direction": "row", "children": [text("note")]}]}), ["+ Staff", "Text “x”"]),
])  # fmt: skip
def test_sentences(edit: Callable[[dict], object], expected: list[str]) -> None:
    report = report_of(edited(edit))
    assert [*lines(report.data), *lines(report.screens)] == expected


@pytest.mark.parametrize(("before", "after", "expected"), [
    ("every five minutes", "every ten minutes", "every [-five-] {+ten+} minutes"),
    ("alpha beta gamma delta", "alpha BETA GAMMA delta", "alpha [-beta gamma-] {+BETA GAMMA+} delta"),
    ("nothing at all", "Completely other", "[-nothing at all-] {+Completely other+}"),
    ("", "new", "{+new+}"), ("old", "", "[-old-]"), ("same", "same", "same"), ("", "", ""),
    ("cafe\u0301 open now", "cafe open now", "[-cafe\u0301-] {+cafe+} open now"),
    ("x " * 101 + "y", "x " * 101 + "z", f"[-{'x ' * 101}y-] {{+{'x ' * 101}z+}}"),
])  # fmt: skip
def test_words(before: str, after: str, expected: str) -> None:
    assert marked(changed_words(before, after)) == expected


def test_types_of_a_later_version_are_compared_without_code() -> None:
    chart = {"id": "c", "type": "Chart", "caption": "Curve", "series": [{"name": "a", "line": "solid"}],
             "source": {"verb": "FETCH", "from": "/x", "pick": "p"}, "note": "Day by day"}  # fmt: skip
    before = {"boards": [{"id": "b", "type": "Board", "flow": "across", "blocks": [chart]}]}
    after = copy.deepcopy(before)
    [changed] = after["boards"][0]["blocks"]
    changed["source"]["pick"] = "q"
    changed["series"].append({"name": "z"})
    changed["note"] = "Week by week"
    report = report_of(compare(view_of(before, LATER), view_of(after, LATER)))
    assert [f"{name}: {counts}" for name, counts, _ in report.headlines] == [
        "Endpoints: 1 changed (FETCH /x)", "Boards: 1 changed (Board b)", "Blocks: 1 changed (Curve)",
    ]  # fmt: skip
    assert lines(report.data) == ["~ FETCH /x", "Board b › Curve: [-p-] {+q+}"]
    assert lines(report.screens) == [
        "~ Board b", "~ Chart Curve c", 'series › z: {+{"name": "z"}+}', "source › pick: [-p-] {+q+}",
        "note: [-Day-] {+Week+} by [-day-] {+week+}",
    ]  # fmt: skip


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
