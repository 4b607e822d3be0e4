"""What breaks when a description changes: what a check reports of the new one, and not of the old one."""

import json
from pathlib import Path

import pytest

from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.versions.sentences import plain
from rui_openapi.impact import Impact
from tests.inputs.api_changes import GITHUB, changed, check, schemas_in
from tests.rui_openapi.shop import SHOP, api_of, document, metric, table
from tests.support.nightly import seeds

OPEN = {"label": "Open", "value": "open"}
SHIPPED = {"label": "Sent", "value": "shipped"}
TABLE = table("/orders", "items", "id", "status", filter={"field": "status", "options": [OPEN, SHIPPED]})
METRIC = metric("/summary", "data.open")


def impact(folder: Path, new: str, **documents: str) -> Impact:
    found = Impact(api_of(SHOP, folder, "old.yaml"), api_of(new, folder, "new.yaml"))
    for name, text in documents.items():
        found.add(name, Analysis(read(text)))
    return found


@pytest.mark.parametrize(("old", "new", "document", "sentence"), [
    ("/summary:", "/summaries:", METRIC, "/summary is gone: Label on page Home of app reads it."),
    ("open: {type: integer}", "opened: {type: integer}", METRIC,
     "The response of /summary has no data.open: Label on page Home of app selects it."),
    ("open: {type: integer}", "open: {type: array, items: {type: integer}}", METRIC,
     "data.open in the response of /summary is a list: Label on page Home of app shows it as one value."),
    ("items: {type: array, items: {$ref: \"#/components/schemas/Order\"}}", "items: {type: integer}", TABLE,
     "items in the response of /orders is a number, not a list: "
     "the table of /orders on page Home of app shows its rows."),
    ("status: {type: string, enum: [open, shipped]}", "state: {type: string}", TABLE,
     "The rows of /orders have no status: the table of /orders on page Home of app shows it."),
    ("enum: [open, shipped]", "enum: [open, sent]", TABLE,
     "status in the response of /orders is never shipped: the table of /orders on page Home of app offers it."),
    ("paid: {type: [boolean", "paid: {type: [string", table("/orders", "items", {"key": "paid", "type": "badge"}), ""),
    ("amount: {type: string, format: decimal}", "amount: {type: string, format: uri}",
     table("/orders", "items", {"key": "amount", "type": "number"}),
     "amount in the response of /orders is a string: the table of /orders on page Home of app shows it as number."),
])  # fmt: skip
def test_each_sort_of_break_is_a_sentence(tmp_path: Path, old: str, new: str, document: str, sentence: str) -> None:
    assert old in SHOP
    found = impact(tmp_path, SHOP.replace(old, new), app=document)
    assert [plain(broken.sentence) for broken in found.breaks] == ([sentence] if sentence else [])
    assert found.broken == bool(sentence)


def test_blocks_of_several_documents_are_named_together(tmp_path: Path) -> None:
    two = document({"id": "a", "type": "Text", "content": "x"})
    value = json.loads(METRIC)
    blocks = value["pages"][0]["children"][0]["children"]
    blocks += [{**blocks[0], "id": f"more-{number}", "label": f"More {number}"} for number in range(5)]
    new = SHOP.replace("/summary:", "/summaries:")
    found = impact(tmp_path, new, one=METRIC, two=two, three=json.dumps(value))
    [broken] = found.breaks
    assert plain(broken.sentence) == (
        "/summary is gone: Label on page Home of one, Label and More 0 on page Home of three, and 4 more read it."
    )
    assert found.verdict == "2 of 3 documents break."


# The old and the new description: the base path of the server, and the beginning of all paths. What has moved.
MOVED = {
    "another base path": ("/v1", "", "/v3", "", "5 paths that began with /v1 begin with /v3 now"),
    "a base path of several parts": ("/shop/v1", "", "/v2", "", "5 paths that began with /shop/v1 begin with /v2 now"),
    "no base path": ("/v1", "", "", "", "5 paths no longer begin with /v1"),
    "another beginning": ("", "/v1", "", "/v3", "5 paths that began with /v1 begin with /v3 now"),
    "a new beginning": ("", "", "", "/v2", "5 paths begin with /v2 now"),
    "from the paths into the base path": ("", "/v1", "/v3", "", "5 paths that began with /v1 begin with /v3 now"),
}  # fmt: skip
NAMES = ("/summary", "/orders", "/orders/{id}", "/people", "/people/{id}/orders")


def shop_at(base: str, prefix: str) -> str:
    """Return the description of a shop whose paths begin so."""
    content = {"application/json": {"schema": {"properties": {"open": {"type": "integer"}}}}}
    item = {"get": {"responses": {"200": {"content": content}}}}
    paths = {f"{prefix}{name}": item for name in NAMES}
    return json.dumps({"openapi": "3.1.0", "servers": [{"url": f"https://shop.example{base}"}], "paths": paths})


@pytest.mark.parametrize("case", MOVED)
def test_paths_that_have_moved_together_are_one_sentence(tmp_path: Path, case: str) -> None:
    base, prefix, new_base, new_prefix, sentence = MOVED[case]
    old, new = (
        api_of(shop_at(base, prefix), tmp_path, "old.yaml"),
        api_of(shop_at(new_base, new_prefix), tmp_path, "new.yaml"),
    )
    found = Impact(old, new)
    for name in NAMES:
        path = base + prefix + name.replace("{id}", "7")
        found.add(name[1:].replace("/", "-"), Analysis(read(metric(path, "open"))))
    [broken] = found.breaks
    assert plain(broken.sentence) == (
        f"{sentence}: Label on page Home of summary, Label on page Home of orders, Label on page Home of orders-{{id}},"
        " and 2 more read some."
    )
    assert found.broken == len(NAMES)


def test_two_renamed_paths_have_not_moved_together(tmp_path: Path) -> None:
    new = SHOP.replace("/orders:", "/carts:").replace("/orders/latest:", "/carts/latest:")
    found = impact(tmp_path, new, app=table("/orders", "items", "id"))
    assert [plain(broken.sentence) for broken in found.breaks] == [
        "/orders is gone: the table of /orders on page Home of app reads it."
    ]


def test_another_name_of_a_parameter_is_the_same_operation(tmp_path: Path) -> None:
    new = SHOP.replace("/orders/{id}:", "/orders/{orderId}:").replace("{name: id,", "{name: orderId,")
    found = impact(tmp_path, new, app=metric("/orders/7", "id"))
    assert (found.breaks, found.removed, found.unread) == ([], [], [])


def test_all_paths_of_one_operation_are_in_one_sentence(tmp_path: Path) -> None:
    texts = {
        "one": metric("/orders/7", "id"),
        "two": metric("/orders/8?a=b", "id"),
        "three": metric("/v1/orders/9", "id"),
    }
    [gone] = impact(tmp_path, SHOP.replace("/orders/{id}:", "/people/{id}:"), **texts).breaks
    assert plain(gone.sentence).startswith("/orders/{id} is gone: Label on page Home of one, ")
    [less] = impact(tmp_path, SHOP.replace("{id: {type: integer}, status", "{status"), **texts).breaks
    assert plain(less.sentence).startswith("The response of /orders/{id} has no id: Label on page Home of one, ")


def test_what_was_broken_before_is_no_news(tmp_path: Path) -> None:
    broken = metric("/nothing", "data.open")
    found = impact(tmp_path, SHOP.replace("/summary:", "/summaries:"), app=broken)
    assert (found.breaks, found.broken) == ([], 0)
    assert found.verdict == "Nothing breaks: 1 document reads 0 operations."
    assert (found.removed, found.unread) == (["/summary"], ["/summary"])
    assert found.about_unread == "1 removed operation is read by no document."


@pytest.mark.parametrize("name", ["removed", "renamed", "envelope", "nameless", "versioned"])
def test_changes_by_hand(tmp_path: Path, name: str) -> None:
    new = json.loads(json.dumps(GITHUB))
    paths = new["paths"]
    if name == "removed":
        del paths["/repos/{owner}/{repo}/branches"]
    elif name == "renamed":
        paths["/repos/{owner}/{repo}/tags"] = paths.pop("/repos/{owner}/{repo}/labels")
    elif name == "envelope":
        body = paths["/repos/{owner}/{repo}/branches"]["get"]["responses"]["200"]["content"]["application/json"]
        body["schema"] = {"type": "object", "properties": {"items": body["schema"]}}
    elif name == "nameless":
        for schema in schemas_in(new):
            schema["properties"].pop("name", None)
    else:
        new["paths"] = {f"/v2{path}": item for path, item in paths.items()}
    assert sum(check(tmp_path, GITHUB, new, seed) for seed in range(3)) > 0


@pytest.mark.parametrize("seed", seeds(15))
def test_random_changes(tmp_path: Path, seed: int) -> None:
    check(tmp_path, GITHUB, changed(seed), seed)
