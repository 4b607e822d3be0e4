"""What is said about versions whose ids are new, or numbered anew."""

import json
from collections.abc import Callable, Iterator

import pytest

from rui_common.versions.compare import compare
from tests.inputs.rebuilding import is_only_sentence, numbered_pairs, pairs
from tests.support.strategies import Json


def metric(label: str, path: str) -> Json:
    binding = {"type": "read", "method": "GET", "path": path, "valuePath": "total"}
    return {"type": "Metric", "label": label, "binding": binding}


def table(path: str, *keys: str) -> Json:
    binding = {"type": "read", "method": "GET", "path": path}
    return {"type": "Table", "binding": binding, "columns": [{"key": key} for key in keys]}


def text(content: str) -> Json:
    return {"type": "Text", "content": content}


def section(*blocks: Json, title: str = "") -> Json:
    named = {"title": title} if title else {}
    return {"type": "Section", **named, "direction": "row", "children": [*blocks]}


def page(title: str, *blocks: Json) -> Json:
    """Return a page; blocks outside of sections are in one without a title."""
    sections = [block for block in blocks if block["type"] == "Section"]
    return {"type": "Page", "title": title, "children": sections or [section(*blocks)]}


def app(prefix: str, *pages: Json) -> Json:
    """Return an app whose ids are the prefix, the type, and the number of the node of that type."""
    document: Json = {"version": "0.1", "meta": {"title": "App"}, "pages": json.loads(json.dumps(pages))}
    counts: dict[str, int] = {}

    def number(nodes: list[Json]) -> None:
        for node in nodes:
            counts[node["type"]] = counts.get(node["type"], 0) + 1
            node["id"] = f"{prefix}{node['type'].lower()}-{counts[node['type']]}"
            number(node.get("children", []))

    number(document["pages"])
    items = [{"pageId": page["id"], "label": page["title"]} for page in document["pages"]]
    return document | {"navigation": {"items": items}}


BEDS, VETS, ROOMS = metric("Beds", "/beds"), metric("Vets", "/vets"), metric("Rooms", "/rooms")
BILLS, VISITS = metric("Bills", "/bills"), metric("Visits", "/visits")
HELP = text("No help yet.")
HOURS = text("The desk is open from nine to five.")
NOTHING = ["Nothing changes for users."]

# The pages of the old version, those of the new one, and the sentences.
Case = tuple[list[Json], list[Json], list[str]]

NEW: dict[str, Case] = {
    "all ids": ([page("Ward", BEDS, VETS)], [page("Ward", BEDS, VETS)], NOTHING),
    "a page goes, and another one with the same small text comes": (
        [page("Ward", BEDS, VETS), page("Stock", HELP)], [page("Ward", BEDS, VETS), page("Staff", HELP)],
        ["Page **Stock** is gone.", "Page **Staff** is new."],
    ),
    "a page goes, and another one has its metric and two others": (
        [page("Bills", BILLS)], [page("Overview", BILLS, BEDS, VETS)],
        ["Page **Bills** is gone.", "Page **Overview** is new.", "Endpoint `/beds` and endpoint `/vets` are new.",
         "**Bills** moves from page **Bills** to page **Overview**."],
    ),
    "two pages each take half of one": (
        [page("All", BEDS, VETS, ROOMS, BILLS)], [page("Ward", BEDS, VETS), page("Desk", ROOMS, BILLS)],
        ["Page **All** is gone.", "Page **Ward** and page **Desk** are new.",
         "**Beds** and **Vets** move from page **All** to page **Ward**.",
         "**Rooms** and **Bills** move from page **All** to page **Desk**."],
    ),
    "a page with a new endpoint": (
        [page("Ward", BEDS, VETS)], [page("Ward", BEDS, metric("Vets", "/staff"))],
        ["**Vets** reads `/staff` instead of `/vets`."],
    ),
    "a page of one block with a new endpoint": (
        [page("Ward", BEDS), page("Desk", BILLS)], [page("Ward", metric("Beds", "/v2/beds")), page("Desk", BILLS)],
        ["**Beds** reads `/v2/beds` instead of `/beds`."],
    ),
    "a page with another title": (
        [page("Ward", BEDS, VETS)], [page("Overnight", BEDS, VETS)],
        ["Page **Ward** is now called **Overnight**."],
    ),
    "a page with another title and a block more": (
        [page("Ward", BEDS, VETS)], [page("Overnight", BEDS, VETS, ROOMS)],
        ["Page **Ward** is now called **Overnight**.", "Endpoint `/rooms` is new.",
         "**Rooms** is new on page **Overnight**."],
    ),
    "a total of other things": (
        [page("Desk", metric("Total", "/orders"))], [page("Desk", metric("Total", "/bills"))],
        ["**Total** reads `/bills` instead of `/orders`."],
    ),
    "a table without a title reads other rows": (
        [page("Desk", table("/orders", "number", "owner"), BEDS)],
        [page("Desk", table("/bills", "number", "owner"), BEDS)],
        ["The table of `/orders` reads `/bills` instead of `/orders`."],
    ),
    "a word of a text": (
        [page("Desk", BEDS, HOURS)], [page("Desk", BEDS, text("The desk is open from nine to six."))],
        ["The text on page **Desk** says “to six.” instead of “to five.”"],
    ),
    "another text": (
        [page("Desk", BEDS, HOURS)], [page("Desk", BEDS, text("Call the reception first, and then wait."))],
        ["**“The desk is open from nine to five.”** is gone from page **Desk**.",
         "**“Call the reception first, and then wait.”** is new on page **Desk**."],
    ),
    "a small text moves between sections": (
        [page("Desk", section(BEDS, HELP, title="A"), section(VETS, ROOMS, title="B"))],
        [page("Desk", section(BEDS, title="A"), section(VETS, HELP, ROOMS, title="B"))],
        ["**“No help yet.”** moves from section **A** to section **B**."],
    ),
    "a block moves between sections without a title": (
        [page("Desk", section(BEDS, VETS), section(ROOMS, BILLS))],
        [page("Desk", section(BEDS), section(ROOMS, BILLS, VETS))],
        ["**Vets** moves from the section with **Beds** to the section with **Rooms**."],
    ),
    "a page shows what others show": (
        [page("Ward", BEDS, VETS, ROOMS), page("Desk", BILLS, VISITS)],
        [page("Ward", BEDS, VETS, ROOMS), page("Desk", BILLS, VISITS), page("Start", BEDS, VETS)],
        ["Page **Start** is new, and shows 2 metrics of page **Ward**."],
    ),
    "a section shows what several pages show": (
        [page("Ward", section(BEDS, VETS, title="A")), page("Desk", BILLS, VISITS)],
        [page("Ward", section(BEDS, VETS, title="A"), section(BEDS, BILLS, title="B")), page("Desk", BILLS, VISITS)],
        ["Section **B** is new on page **Ward**, and shows 2 metrics of other pages."],
    ),
    "the only section, with other blocks": (
        [page("Desk", BEDS)], [page("Desk", VETS)],
        ["Endpoint `/beds` is no longer read.", "Endpoint `/vets` is new.",
         "The section with **Beds** is gone from page **Desk**.", "The section with **Vets** is new on page **Desk**."],
    ),
    "one of two equal blocks goes": (
        [page("Desk", BEDS, VETS, BEDS)], [page("Desk", BEDS, VETS)],
        ["**Beds** (`metric-3`) is gone from page **Desk**."],
    ),
    "the other one of two sections": (
        [page("Desk", section(BEDS), section(VETS))], [page("Desk", section(VETS))],
        ["Endpoint `/beds` is no longer read.", "The section with **Beds** is gone from page **Desk**."],
    ),
}  # fmt: skip

NUMBERED: dict[str, Case] = {
    "a block is inserted": (
        [page("Ward", BEDS, VETS)], [page("Ward", ROOMS, BEDS, VETS)],
        ["Endpoint `/rooms` is new.", "**Rooms** is new on page **Ward**."],
    ),
    "a block goes": (
        [page("Ward", BEDS, VETS, ROOMS)], [page("Ward", VETS, ROOMS)],
        ["Endpoint `/beds` is no longer read.", "**Beds** is gone from page **Ward**."],
    ),
    "a block goes, and another one comes at the end": (
        [page("Ward", BEDS, VETS)], [page("Ward", VETS, ROOMS)],
        ["Endpoint `/beds` is no longer read.", "Endpoint `/rooms` is new.", "**Beds** is gone from page **Ward**.",
         "**Rooms** is new on page **Ward**."],
    ),
    "a block is inserted, and another one changes": (
        [page("Ward", BEDS, VETS)], [page("Ward", ROOMS, BEDS, metric("Doctors", "/vets"))],
        ["Endpoint `/rooms` is new.", "**Rooms** is new on page **Ward**.", "**Vets** is now called **Doctors**."],
    ),
    "two blocks of the same data, one goes": (
        [page("Ward", metric("A", "/x"), metric("B", "/x"), VETS)], [page("Ward", metric("B", "/x"), VETS)],
        ["**A** is gone from page **Ward**."],
    ),
    "a block on the page before": (
        [page("Ward", BEDS, VETS), page("Desk", BILLS, VISITS)],
        [page("Ward", BEDS, ROOMS, VETS), page("Desk", BILLS, VISITS)],
        ["Endpoint `/rooms` is new.", "**Rooms** is new on page **Ward**."],
    ),
    "a page in front": (
        [page("Ward", BEDS, VETS), page("Desk", BILLS, VISITS)],
        [page("Start", ROOMS), page("Ward", BEDS, VETS), page("Desk", BILLS, VISITS)],
        ["Page **Start** is new.", "Endpoint `/rooms` is new."],
    ),
    "blocks change places": (
        [page("Ward", BEDS, VETS)], [page("Ward", VETS, BEDS)], ["**Vets** comes first in the section with **Beds**."],
    ),
    "a block with another label and other data is the same, as nothing else is": (
        [page("Ward", BEDS, VETS)], [page("Ward", ROOMS, VETS)],
        ["**Beds** is now called **Rooms**.", "**Beds** reads `/rooms` instead of `/beds`."],
    ),
}  # fmt: skip


def cases() -> Iterator[object]:
    for name, case in NEW.items():
        yield pytest.param("new-", *case, id=name)
    for name, case in NUMBERED.items():
        yield pytest.param("", *case, id=f"numbered: {name}")


@pytest.mark.parametrize(("prefix", "before", "after", "expected"), [*cases()])
def test_sentences(prefix: str, before: list[Json], after: list[Json], expected: list[str]) -> None:
    comparison = compare(app("", *before), app(prefix, *after))
    assert sorted(comparison.summary.sentences) == sorted(expected)


@pytest.mark.parametrize("kind", [pairs, numbered_pairs])
def test_the_edit_is_the_only_sentence(kind: Callable[[int, int], Iterator[Json]]) -> None:
    assert [pair.name for pair in kind(2, 0) if not is_only_sentence(pair)] == []
