"""Two documents compared: nodes matched by id, or by content and place."""

import copy
import random

import pytest

from rui_common.describe import full_example
from rui_inspector.compare.comparison import Comparison, compare
from rui_inspector.compare.kinds import ChangeKind
from rui_inspector.compare.properties import ABSENT
from rui_inspector.html.comparison.page import ComparedDocument, comparison_page
from rui_inspector.model.view import view_of
from tests.inputs.sample import sample
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
        "added": [(change.node.id, change.inner_count) for change in found.of_kind(ChangeKind.ADDED)],
        "removed": [(change.node.id, change.inner_count) for change in found.of_kind(ChangeKind.REMOVED)],
        "changed": [
            (change.node.id, [one.name for one in change.properties]) for change in found.of_kind(ChangeKind.CHANGED)
        ],
        "moved": [change.node.id for change in found.of_kind(ChangeKind.MOVED)],
    }
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
     {"added": [("n", 0)]}),
    (BASE, document(section("s", text("a"), text("b"), text("c"))), {"removed": [("t", 1)]}),
    (BASE, document(section("s", text("a", "y"), text("b"), text("c")), section("t", text("d"), title="T")),
     {"changed": [("a", ["content"]), ("t", ["title"])]}),
    (BASE, document(section("s", text("c"), text("a"), text("b")), section("t", text("d"))), {"moved": ["c"]}),
    (BASE, document(section("s", text("b"), text("c")), section("t", text("d"), text("a"))), {"moved": ["a"]}),
    (BASE, document(section("t", text("d")), section("s", text("a"), text("b"), text("c"))), {"moved": ["t"]}),
    (BASE, document(section("s", text("a"), text("b"), text("c")), section("n", section("m", text("d")))),
     {"added": [("n", 1)], "removed": [("t", 0)], "moved": ["d"]}),
    (BASE, {**BASE, "meta": {"title": "T"}, "version": "0.2"}, {"root": ["version", "meta.title"]}),
    (BASE, {**BASE, "navigation": {"items": [{"pageId": "page", "label": "P"}]}},
     {"root": ["navigation.items[page].label"]}),
    (table(), table(binding={"type": "read", "method": "GET", "path": "/b", "valuePath": "v"}),
     {"changed": [("x", ["binding.path", "binding.valuePath"])]}),
    (table(), table(columns=[{"key": "one", "label": "1"}, {"key": "two"}, {"key": "four"}]),
     {"changed": [("x", ["columns[one].label", "columns[three]", "columns[four]"])]}),
    (table(), table(columns=[{"key": "two"}, {"key": "one", "label": "One"}, {"key": "three"}]),
     {"changed": [("x", ["order of columns"])]}),
    (document(meta={"a": 1}), document(meta={"a": True}), {"root": ["meta.a"]}),
    (document(meta={"a": {"x": 1, "y": 2}}), document(meta={"a": {"y": 2, "x": 1}}), {}),
])  # fmt: skip
def test_differences(before: dict[str, object], after: dict[str, object], expected: dict[str, object]) -> None:
    assert summary(compare(view_of(before), view_of(after))) == expected


def test_absent_is_not_null() -> None:
    change = compare(view_of(document(meta={"a": None})), view_of(document())).root[0]
    assert (change.before, change.after) == (None, ABSENT)


def ids(found: Comparison, kind: ChangeKind) -> set[str]:
    return {change.node.id for change in found.of_kind(kind)}


def test_backwards_is_the_mirror_image() -> None:
    rng = random.Random(5)
    one = sample(8_000)
    for _ in range(60):
        other = copy.deepcopy(one)
        for _ in range(rng.randint(1, 4)):
            home = rng.choice([s for page in other["pages"] for s in page["children"] if s["children"]])
            block = home["children"].pop(rng.randrange(len(home["children"])))
            match rng.randrange(3):
                case 0:
                    target = rng.choice([s for page in other["pages"] for s in page["children"]])["children"]
                    target.insert(rng.randint(0, len(target)), block)
                case 1:
                    home["children"].append({**block, "x": 1})
        forth, back = compare(view_of(one), view_of(other)), compare(view_of(other), view_of(one))
        assert ids(forth, ChangeKind.REMOVED) == ids(back, ChangeKind.ADDED)
        assert ids(forth, ChangeKind.CHANGED) == ids(back, ChangeKind.CHANGED)
        assert len(forth.of_kind(ChangeKind.MOVED)) == len(back.of_kind(ChangeKind.MOVED))
        side = [ComparedDocument(it, "x", "/a") for it in (one, other)]
        check(comparison_page(side[0], side[1], HOST))


@pytest.mark.parametrize("broken", BROKEN, ids=str)
def test_any_documents_can_be_compared(broken: dict[str, object]) -> None:
    for one, other in ((broken, full_example()), (full_example(), broken), (broken, broken)):
        check(comparison_page(ComparedDocument(one, "a", "/a"), ComparedDocument(other, "b", "/b"), HOST))
    assert summary(compare(view_of(broken), view_of(broken))) == {}
