"""Which elements of two versions are the same: by name, by content, and which are not."""

import copy
import json
import random
from collections.abc import Callable

import pytest

from rui_common.json_values import as_object
from rui_common.syntax.paths import Path, format_path
from rui_common.versions.elements import elements_of
from rui_common.versions.match import Matching, match
from tests.support.examples import BROKEN, DESK
from tests.support.nightly import seeds
from tests.support.strategies import Json, sound_document

PAGE = "pages[0]"
LINK = "navigation.items[0]"
ORDERS = "pages[0].children[1].children[0]"
Edit = Callable[[Json], object]


def at(document: Json, *steps: int) -> Json:
    """Return the page, section or block at these indices."""
    node = document["pages"][steps[0]]
    for step in steps[1:]:
        node = node["children"][step]
    return node


def rename_page(document: Json) -> None:
    at(document, 0)["id"] = "now"
    document["navigation"]["items"][0]["pageId"] = "now"


def rename_all(document: Json) -> None:
    for element in elements_of(document):
        if element.is_node:
            as_object(element.value)["id"] = f"new-{element.name}"
    for item in document["navigation"]["items"]:
        item["pageId"] = f"new-{item['pageId']}"


def retitle(document: Json) -> None:
    rename_page(document)
    at(document, 0)["title"] = "Now"


def rename_and_edit_all(document: Json) -> None:
    rename_all(document)
    at(document, 0)["title"] = "Now"
    at(document, 0, 1)["title"] = "Last"


def change_key(document: Json) -> None:
    table = at(document, 0, 1, 0)
    table["columns"][0]["key"] = "orderNumber"


def replace_half(document: Json) -> None:
    retitle(document)
    sections = at(document, 0)["children"]
    sections[1] = {"id": "other", "type": "Section", "direction": "row", "children": []}


def rename_table_and_key(document: Json) -> None:
    table = at(document, 0, 1, 0)
    table["id"] = "list"
    table["columns"][0]["key"] = "orderNumber"


# The edit, the pairs by content (old path), the removed and the added elements.
CASES: dict[str, tuple[Edit, tuple[set[str], set[str], set[str]]]] = {
    "nothing": (lambda document: document, (set(), set(), set())),
    "page renamed": (rename_page, ({PAGE}, set(), set())),
    "page renamed and edited": (retitle, ({PAGE}, set(), set())),
    "block renamed and edited": (
        lambda document: at(document, 0, 1, 0).update(id="list", title="List"), ({ORDERS}, set(), set()),
    ),
    "block renamed, with another field": (
        rename_table_and_key, ({ORDERS, f"{ORDERS}.columns[0]"}, set(), set()),
    ),
    "key changed": (change_key, ({f"{ORDERS}.columns[0]"}, set(), set())),
    "text renamed and edited": (
        lambda document: at(document, 0, 1, 1).update(id="other", content="Something else."),
        (set(), {"pages[0].children[1].children[1]"}, {"pages[0].children[1].children[1]"}),
    ),
    "type changed": (lambda document: at(document, 0, 1, 1).update(type="Metric"), (set(), set(), set())),
    "id without a value": (
        lambda document: at(document, 0, 1, 1).pop("id"), ({"pages[0].children[1].children[1]"}, set(), set()),
    ),
}  # fmt: skip


def result(old: Json, new: Json) -> tuple[set[str], set[str], set[str]]:
    found = match(old, new, by_index=False)
    by_content = {
        format_path(old.path) for old, new in found.partners.items()
        if old.parent and not (old.name and old.name == new.name)
        and not (old.target and found.partners.get(old.target) is new.target)
    }  # fmt: skip
    return by_content, {*map(format_path, found.removed)}, {*map(format_path, added(found))}


def added(found: Matching) -> set[Path]:
    """Return the paths of elements that only the new version has."""
    return {element.path for element in found.news} - {*found.to_old}


@pytest.mark.parametrize("name", CASES)
def test_matches(name: str) -> None:
    edit, expected = CASES[name]
    other = copy.deepcopy(DESK)
    edit(other)
    assert result(DESK, other) == expected
    assert result(other, DESK) == (expected[0], expected[2], expected[1])


def test_a_page_of_which_half_is_new_is_another_page() -> None:
    other = copy.deepcopy(DESK)
    replace_half(other)
    found = match(DESK, other, by_index=False)
    assert ("pages", 0) in found.removed
    assert ("pages", 0) in added(found)
    assert found.to_new[("pages", 0, "children", 0)] == ("pages", 0, "children", 0)


@pytest.mark.parametrize("edit", [rename_all, rename_and_edit_all])
def test_every_id_may_change_at_once(edit: Edit) -> None:
    other = copy.deepcopy(DESK)
    edit(other)
    found = match(DESK, other, by_index=False)
    assert (found.removed, added(found)) == (set(), set())
    assert all(old == new for old, new in found.to_new.items())


def test_a_node_is_followed_to_another_page() -> None:
    other = copy.deepcopy(DESK)
    at(other, 1, 0)["children"].append(at(other, 0, 1)["children"].pop(0))
    found = match(DESK, other, by_index=False)
    old = ("pages", 0, "children", 1, "children", 0)
    new = ("pages", 1, "children", 0, "children", len(at(other, 1, 0)["children"]) - 1)
    assert found.to_new[old] == new
    assert found.to_new[*old, "columns", 0] == (*new, "columns", 0)


def test_links_follow_a_renamed_page_also_if_its_id_is_used_again() -> None:
    other = copy.deepcopy(DESK)
    rename_page(other)
    new_page = {**copy.deepcopy(at(DESK, 1)), "id": at(DESK, 0)["id"], "title": "New", "children": []}
    other["pages"].insert(0, new_page)
    other["navigation"]["items"].insert(0, {"pageId": new_page["id"], "label": "New"})
    found = match(DESK, other, by_index=False)
    # The new page has the old id, and nothing else of the old page.
    assert found.to_new[("pages", 0)] == ("pages", 1)
    assert found.to_new[("navigation", "items", 0)] == ("navigation", "items", 1)


def link(page: str, label: str) -> dict[str, str]:
    return {"pageId": page, "label": label}


@pytest.mark.parametrize(("before", "after", "expected"), [
    ([link("a", "x"), link("a", "y")], [link("a", "y")], [None, 0]),
    ([link("a", "x"), link("a", "x")], [link("a", "x")], [0, None]),
    ([link("a", "x")], [link("b", "x")], [0]),
    ([{"pageId": "a"}], [{"pageId": "b"}], [None]),
    ([{"label": "x"}, "odd", None, 1], [True, "odd", {"label": "x"}, 1.0], [2, 1, None, None]),
])  # fmt: skip
def test_elements_of_a_list(before: list[Json], after: list[Json], expected: list[int | None]) -> None:
    old, new = ({"navigation": {"items": items}} for items in (before, after))
    found = match(old, new, by_index=False)
    start = ("navigation", "items")
    partners = [found.to_new.get((*start, index)) for index in range(len(before))]
    assert partners == [None if index is None else (*start, index) for index in expected]


def test_without_names_the_index_counts_except_in_a_merge() -> None:
    old, new = ({"pages": [{"type": "Page", "title": title}]} for title in ("A", "B"))
    assert match(old, new, by_index=True).removed == set()
    assert match(old, new, by_index=False).removed == {("pages", 0)}


@pytest.mark.parametrize("broken", [*BROKEN, None, [], "x", 1], ids=str)
def test_any_value_is_the_same_as_itself(broken: Json) -> None:
    for by_index in (True, False):
        found = match(broken, copy.deepcopy(broken), by_index=by_index)
        assert (found.removed, added(found)) == (set(), set())
        assert all(old == new for old, new in found.to_new.items())
        match(broken, DESK, by_index=by_index)
        match(DESK, broken, by_index=by_index)


@pytest.mark.parametrize("seed", seeds(25))
def test_each_element_has_one_partner_or_none(seed: int) -> None:
    chance = random.Random(seed)
    old = sound_document(chance)
    new = sound_document(chance)
    for by_index in (True, False):
        found = match(old, new, by_index=by_index)
        olds, news = ([element.path for element in elements_of(side)] for side in (old, new))
        assert sorted([*found.to_new, *found.removed], key=json.dumps) == sorted(olds, key=json.dumps)
        assert sorted([*found.to_old, *added(found)], key=json.dumps) == sorted(news, key=json.dumps)
