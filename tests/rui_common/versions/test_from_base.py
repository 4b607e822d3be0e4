"""New versions that name what they keep (docs/decisions.md, section 6)."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from rui_common.hashing import canonical_json
from rui_common.syntax.paths import format_path
from rui_common.validation.analysis import validate
from rui_common.validation.answers import error_items
from rui_common.versions.from_base import Completed, TooLargeError, complete, explain
from rui_common.versions.replaced import with_replaced_id
from rui_common.vocabulary.rules import MAX_BODY_BYTES
from tests.inputs.based import BASE_ID, TASKS, check, large_documents, task_of
from tests.support.examples import DESK
from tests.support.nightly import seeds

BASE: dict[str, Any] = DESK
TODAY, STOCK = BASE["pages"]


def completed(body: dict[str, Any], base: dict[str, Any] = BASE) -> Completed:
    return complete(body, base, BASE_ID, max_bytes=MAX_BODY_BYTES)


def errors(body: dict[str, Any]) -> list[dict[str, str]]:
    found = completed(body)
    findings = validate(found.rui).findings
    return error_items(explain(findings, found))


@pytest.mark.parametrize("seed", seeds(60))
def test_an_edit_as_a_body_with_bare_nodes_is_the_edited_document(seed: int) -> None:
    check(seed)


def test_an_empty_body_is_the_base_and_replaces_it() -> None:
    found = completed({})
    assert found.rui == {**BASE, "meta": {**BASE["meta"], "replaces": BASE_ID}}
    assert found.kept == 10


def test_meta_of_the_body_replaces_the_base_whatever_it_says() -> None:
    meta = {"title": "Desk", "replaces": "2b0643f0-1d98-473b-97cd-ca98a65347dd"}
    assert completed({"meta": meta}).rui["meta"] == {"title": "Desk", "replaces": BASE_ID}


def test_a_node_that_the_body_names_is_left_out_of_what_a_bare_node_brings() -> None:
    first, latest = TODAY["children"]
    moved = {**STOCK, "children": [{"id": "latest"}, *({"id": node["id"]} for node in STOCK["children"])]}
    found = completed({"pages": [{"id": "today"}, moved]})
    assert found.rui["pages"] == [
        {**TODAY, "children": [first]},
        {**STOCK, "children": [latest, *STOCK["children"]]},
    ]
    assert found.kept == 9


def test_a_block_that_moves_out_of_a_section_that_stays() -> None:
    first, _ = TODAY["children"]
    section = {"id": "more", "type": "Section", "title": "More", "children": [{"id": "open-orders"}]}
    found = completed({"pages": [{**TODAY, "children": [{"id": first["id"]}, section]}, {"id": "stock"}]})
    assert [block["id"] for block in found.rui["pages"][0]["children"][0]["children"]] == ["next-pickup"]
    assert found.rui["pages"][0]["children"][1]["children"] == [first["children"][0]]


BAD: list[tuple[str, dict[str, Any], list[tuple[str, str]]]] = [
    ("an id that the base does not have", {"pages": [{"id": "todey"}, {"id": "stock"}], "navigation": {"items": [
        {"pageId": "todey", "label": "Today"}, {"pageId": "stock", "label": "Stock"}]}},
     [("pages[0].type", "MISSING_REQUIRED_PROP")]),
    ("a page in a section", {"pages": [
        {**TODAY, "children": [{**TODAY["children"][0], "children": [{"id": "stock"}]}]}]},
     [("navigation.items[1].pageId", "INVALID_NAV_PAGE_ID"),
      ("pages[0].children[0].children[0]", "INVALID_SECTION_CHILD")]),
    ("a page twice", {"pages": [{"id": "today"}, {"id": "stock"}, {"id": "stock"}]}, [
        (f"pages[2]{inner}.id", "DUPLICATE_ID") for inner in ("", ".children[0]", ".children[0].children[0]")
    ]),
    ("meta that is no object", {"meta": "Desk"}, [("meta", "INVALID_PROP_TYPE")]),
    ("pages that are no array", {"pages": {"id": "today"}}, [("pages", "INVALID_PROP_TYPE")]),
    ("nothing left in a page", {"pages": [{"id": "stock"}, {**TODAY, "children": [
        {**TODAY["children"][0], "children": [{"id": block["id"]} for section in STOCK["children"]
                                              for block in section["children"]]}]}]},
     [("pages[0].children[0].children", "EMPTY_SECTION")]),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_bodies_have_the_errors_of_the_whole_document(body: dict[str, Any], expected: object) -> None:
    before = deepcopy(body)
    found = errors(body)
    assert [(error["path"], error["code"]) for error in found] == expected
    assert body == before


def test_the_hint_about_an_unknown_id_has_the_nearest_one() -> None:
    page = {**TODAY, "children": [{"id": "latst"}, {"id": "nothing-like-it"}]}
    hints = {error["path"]: error["hint"] for error in errors({"pages": [page, {"id": "stock"}]})}
    assert 'The base has no node "latst": did you mean "latest"?' in hints["pages[0].children[0].type"]
    assert 'The base has no node "nothing-like-it".' in hints["pages[0].children[1].type"]


@pytest.mark.parametrize(("node", "path"), [
    ({"id": "today", "children": [{"id": "latest"}]}, "pages[0].type"),
    ({"id": "today", "type": "Page", "children": [{"id": "figures"}, {"id": "latest"}]}, "pages[0].title"),
])  # fmt: skip
def test_a_node_with_some_properties_takes_none_of_the_base(node: dict[str, Any], path: str) -> None:
    """Agents send what changes, as in a patch. The first hint says it once."""
    first, *others = errors({"pages": [node, {"id": "stock", "title": "Store"}]})
    assert first["path"] == path
    sentence = '{"id": "today"} alone stands for the node of the base; with other properties it needs all of them.'
    assert sentence in first["hint"]
    assert not any("of the base" in error["hint"] for error in others)


def test_a_new_node_has_no_hint_about_the_base() -> None:
    [error] = errors(
        {"navigation": {"items": [{"pageId": "new"}]}, "pages": [{"id": "new", "type": "Page", "title": "New"}]}
    )
    assert error["code"] == "MISSING_REQUIRED_PROP" and "base" not in error["hint"]


def large(count: int) -> dict[str, Any]:
    blocks = [{"id": f"t{number}", "type": "Text", "content": "x" * 60} for number in range(count)]
    section = {"id": "s", "type": "Section", "children": blocks}
    page = {"id": "p", "type": "Page", "title": "P", "children": [section]}
    return {**BASE, "navigation": {"items": [{"pageId": "p"}]}, "pages": [page]}


@pytest.mark.parametrize("bare", [
    [{"id": "p"}, {"id": "p"}],
    [{"id": "s"}] * 20_000,
    [{"id": f"t{number}"} for number in range(2300)] * 2,
    [{"id": "p"}] * 5_000 + [{"id": f"t{number}"} for number in range(2300)] * 2,
])  # fmt: skip
def test_a_result_over_the_limit_is_refused(bare: list[dict[str, Any]]) -> None:
    with pytest.raises(TooLargeError):
        completed({"pages": bare}, large(2300))


def test_a_base_that_is_invalid_today_is_validated_as_a_whole() -> None:
    base = deepcopy(BASE)
    base["pages"][1]["titel"] = base["pages"][1].pop("title")
    found = completed({"pages": [{"id": "today"}, {"id": "stock"}]}, base)
    assert {format_path(finding.path) for finding in validate(found.rui).findings} >= {"pages[1].titel"}


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.__name__)
@pytest.mark.parametrize("name", large_documents())
def test_what_an_edit_does_not_change_need_not_be_sent(name: str, task: Callable[[Any], None]) -> None:
    """A body has about a third of the document at most, and everything else is byte for byte that of the base."""
    base = large_documents()[name]
    new, body = task_of(base, task)
    assert canonical_json(completed(body, base).rui) == canonical_json(with_replaced_id(new, BASE_ID))
    assert len(json.dumps(body)) <= 0.35 * len(json.dumps(new))
