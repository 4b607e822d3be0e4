"""What happens in many places in the same way is one sentence."""

import copy
from collections.abc import Callable

import pytest

from rui_common.versions.compare import compare
from tests.rui_common.versions.test_new_ids import app, page, section, text
from tests.support.strategies import Json

NAMES = ("Orders", "Stock", "Visits", "Bills", "Staff", "Rooms")


def base(count: int) -> Json:
    """Return an app of some pages, each with a number, a table and a text."""
    pages = []
    for number in range(count):
        name = f"{NAMES[number % len(NAMES)]} {number}"
        binding = {"type": "read", "method": "GET", "path": f"/api/{number}/total", "valuePath": f"data.v{number}"}
        metric = {"type": "Metric", "label": f"Total of {name}", "binding": binding}
        rows = {"type": "Table", "title": f"List of {name}", "binding": binding | {"path": f"/api/{number}/rows"},
                "columns": [{"key": key, "label": key.title()} for key in ("number", "owner", "state")],
                "filter": {"field": "state", "options": [{"value": "a", "label": "A"}]}}  # fmt: skip
        node = page(name, section(metric, rows, text(f"See page {number} of the manual."), title=f"About {name}"))
        pages.append(node | {"description": f"What {name} are."})
    return app("", *pages)


def blocks(node: Json) -> list[Json]:
    return node["children"][0]["children"]


def insert(values: list[Json], index: int, value: Json) -> None:
    values.insert(index, value)


def add_block(node: Json) -> None:
    blocks(node).append({"id": f"help-{node['id']}", "type": "Text", "content": "Ask the desk."})


def replace(owner: Json, name: str, old: str, new: str) -> None:
    owner[name] = owner[name].replace(old, new)


# The edit of each page, and the sentences about all of them.
PATTERNS: dict[str, tuple[Callable[[Json], object], str]] = {
    "start of paths": (
        lambda page: [replace(block["binding"], "path", "/api", "/v2") for block in blocks(page)[:2]],
        "{twice} blocks read `/v2/…` instead of `/api/…`.",
    ),
    "end of paths": (
        lambda page: replace(blocks(page)[1]["binding"], "path", "rows", "list"),
        "{count} blocks read `…/list` instead of `…/rows`.",
    ),
    "a parameter": (
        lambda page: replace(blocks(page)[1]["binding"], "path", "rows", "rows?limit=9"),
        "{count} blocks read `…?limit=9` instead of `…`.",
    ),
    "start of value paths": (
        lambda page: replace(blocks(page)[0]["binding"], "valuePath", "data", "result"),
        "{count} blocks read `result.…` instead of `data.…`.",
    ),
    "a new column": (
        lambda page: blocks(page)[1]["columns"].append({"key": "updated", "label": "Updated"}),
        "Column **Updated** is new in {count} tables.",
    ),
    "a column is gone": (
        lambda page: blocks(page)[1]["columns"].pop(1), "Column **Owner** is gone from {count} tables.",
    ),
    "another label of a column": (
        lambda page: blocks(page)[1]["columns"][1].update(label="Keeper"),
        "are now called **Keeper**.",
    ),
    "a column comes first": (
        lambda page: insert(blocks(page)[1]["columns"], 0, blocks(page)[1]["columns"].pop(1)),
        "**Owner** is the first column of {count} tables.",
    ),
    "a column comes after another one": (
        lambda page: insert(blocks(page)[1]["columns"], 2, blocks(page)[1]["columns"].pop(0)),
        "Column **Number** comes after column **State** in {count} tables.",
    ),
    "a new option": (
        lambda page: blocks(page)[1]["filter"]["options"].append({"value": "b", "label": "B"}),
        "Filter option **B** is new in {count} tables.",
    ),
    "another label of an option": (
        lambda page: blocks(page)[1]["filter"]["options"][0].update(label="Open"),
        "are now called **Open**.",
    ),
    "descriptions are gone": (lambda page: page.pop("description"), "{count} pages have no description now."),
    "words of descriptions": (
        lambda page: replace(page, "description", "What", "Which"),
        "The description of {count} pages says “Which” instead of “What”.",
    ),
    "titles in another case": (
        lambda page: page.update(title=page["title"].upper()),
        "The names of {count} pages are written in another case.",
    ),
    "a word of titles": (
        lambda page: replace(blocks(page)[1], "title", "List", "Table"),
        "The names of {count} tables say “Table” instead of “List”.",
    ),
    "words more in titles": (
        lambda page: replace(blocks(page)[0], "label", "Total", "Monthly total"),
        "The names of {count} metrics say “Monthly total” instead of “Total”.",
    ),
    "words of texts": (
        lambda page: replace(blocks(page)[2], "content", "manual", "handbook"),
        "say “the handbook.” instead of “the manual.”",
    ),
    "a block on each page": (add_block, "**“Ask the desk.”** is new on {count} pages."),
    "filters are gone": (lambda page: blocks(page)[1].pop("filter"), "have no filter now."),
    "the form of sections": (
        lambda page: page["children"][0].update(direction="stack"), "are laid out as `stack` instead of `row`.",
    ),
    "the form of numbers": (lambda page: blocks(page)[0].update(format="number"), "are shown as `number`."),
}  # fmt: skip


@pytest.mark.parametrize("count", [5, 60])
@pytest.mark.parametrize("name", PATTERNS)
def test_one_pattern_is_one_sentence(name: str, count: int) -> None:
    edit, sentence = PATTERNS[name]
    old = base(count)
    new = copy.deepcopy(old)
    for node in new["pages"]:
        edit(node)
    [found] = compare(old, new).summary.sentences
    assert found.endswith(sentence.format(count=count, twice=2 * count))


def test_two_places_are_named() -> None:
    old = base(2)
    new = copy.deepcopy(old)
    for node in new["pages"]:
        node.pop("description")
    assert len(compare(old, new).summary.sentences) == 2


def sentences(old: Json, new: Json) -> list[str]:
    return compare(app("", page("P", *old)), app("", page("P", *new))).summary.lines


def number(label: str, path: str) -> Json:
    binding = {"type": "read", "method": "GET", "path": path, "valuePath": "n"}
    return {"type": "Metric", "label": label, "binding": binding}


@pytest.mark.parametrize(("old", "new", "lines"), [
    (text("Hello there"), text(""), ["The text on page **P** no longer says “Hello there”."]),
    (text(""), text("Hello there"), ["The text on page **P** says “Hello there” now."]),
    (number("Beds", "/caf\u00e9"), number("Beds", "/cafe\u0301"),
     [r"**Beds** reads `/cafe\\u0301` instead of `/caf\\xe9`."]),
])  # fmt: skip
def test_a_text_that_comes_goes_or_looks_the_same(old: Json, new: Json, lines: list[str]) -> None:
    assert sentences([section(old)], [section(new)]) == lines


def test_a_word_that_is_gone_in_many_places() -> None:
    old, new = ([number(f"{name} {end}".strip(), f"/{name}") for name in NAMES] for end in ("now", ""))
    assert sentences([section(*old)], [section(*new)]) == ["The names of 6 metrics no longer say “now”."]


def test_a_section_without_a_title_is_not_called_by_what_moves_into_it() -> None:
    beds, vets = number("Beds", "/a"), number("Vets", "/b")
    assert "**Vets** moves from the section with **Beds** to a new section." in sentences(
        [section(beds, vets)], [section(beds), section(vets)]
    )
