"""The view of a document: complete, and independent of particular types."""

import json
import random
import re
from pathlib import Path

import pytest

from rui_common.describe import full_example, minimal_example
from rui_common.describe.markdown import pretty
from rui_common.syntax.document import read
from rui_inspector.html.pages import Query
from rui_inspector.html.tree import TreeWriter, json_listing
from rui_inspector.html.values import ValueWriter
from rui_inspector.model.overview import endpoints_of, menus_of
from rui_inspector.model.search import MAX_LENGTH, Search
from rui_inspector.model.view import View
from tests.inputs.sample import sample
from tests.rui_inspector.pages import Page, altered, check_spec, leaves
from tests.support.examples import BLOCK, BROKEN
from tests.support.later_version import LATER
from tests.support.nightly import seeds


def test_anchors_are_ids_and_unique() -> None:
    document = minimal_example() | {
        "pages": [BLOCK | {"id": name} for name in ("top", "top", "x_y", "", "a" * 64, "a" * 65)]
    }
    anchors = [node.anchor for node in View(document).nodes]
    assert anchors == ["top", "_pages-1", "_pages-2", "_pages-3", "a" * 64, "_pages-5"]


def test_navigation_leads_to_pages() -> None:
    document = minimal_example()
    document["navigation"]["items"] += [{"pageId": "nowhere", "label": "Lost", "icon": "x"}, {"label": "None"}]
    menu = menus_of(View(document))[0]
    title = document["pages"][0]["title"]
    assert [entry.label for entry in menu.entries] == [title, "Lost", "None"]
    assert [entry.node.anchor if entry.node else "" for entry in menu.entries] == [document["pages"][0]["id"], "", ""]
    assert [entry.rest for entry in menu.entries] == [[], [("icon", "x", None)], []]


def test_endpoints_list_their_uses() -> None:
    def metric(name: str, path: str, **more: str) -> dict[str, object]:
        return {"id": name, "type": "Metric", "label": name, "binding": {"method": "GET", "path": path, **more}}

    blocks = [metric("a", "/x", valuePath="p"), metric("b", "/y"), metric("c", "/x", valuePath="q"),
              metric("d", "/x", valuePath="p")]  # fmt: skip
    section = {"id": "s", "type": "Section", "children": blocks}
    endpoints = endpoints_of(View({"pages": [{"id": "p", "type": "Page", "children": [section]}]}))
    assert [
        (
            endpoint.method,
            endpoint.path,
            {select: [user.id for user in users] for select, users in endpoint.uses.items()},
        )
        for endpoint in endpoints
    ] == [("GET", "/x", {"p": ["a", "d"], "q": ["c"]}), ("GET", "/y", {"": ["b"]})]


def test_a_misspelt_type_is_read_by_its_shape() -> None:
    page = minimal_example()["pages"][0] | {"type": "Pgae"}
    assert [(node.type, node.known) for node in View({"pages": [page]}).nodes] == [
        ("Pgae", False), ("Section", True), ("Text", True),
    ]  # fmt: skip


def tree(view: View, words: str = "") -> str:
    search = Search(view, words)
    writer = TreeWriter(
        view, ValueWriter(view, search.words), search, opens_all=False, error_counts={}, unmatched=(), has_json=True
    )
    return writer.nodes(view.tops)


@pytest.mark.parametrize(
    "document", [full_example(), sample(5_000), *BROKEN], ids=lambda value: ascii(json.dumps(value))[:60]
)
def test_listing_is_the_document(document: dict[str, object]) -> None:
    view = View(document)
    page = Page(f"<p>{json_listing(view, read(pretty(document)))}</p>")
    assert json.loads(page.text) == document
    assert page.ids == [f"J-{node.anchor}" for node in view.nodes]


def test_altered_documents_are_shown_completely() -> None:
    for seed in seeds(12):
        chance = random.Random(seed)
        document = altered(chance.choice([full_example(), DESK, sample(4_000)]), chance)
        for query in (Query(), Query("or e"), Query("<b"), Query("", opens_all=True)):
            check_spec(document, query=query)


DESK = json.loads((Path(__file__).parents[3] / "examples" / "order-desk.rui.json").read_text())
METRICS = ["open-orders", "next-pickup"]


@pytest.mark.parametrize(("words", "found"), [
    ("", []), ("metric", METRICS), ("METRIC", METRICS), ("nothing like it", []), ("Pick-Up", METRICS[1:]),
    ("pages[0].children[0].children[1]", METRICS[1:]), ("children", []), ("pages", []),
    ("/api/orders/summary", METRICS),
    ("orders summary nextpickup", METRICS[1:]), ("low", ["low", "low-stock"]), ("today", ["today"]),
    ("customer", ["orders"]), ("SHIPPED", ["orders"]), ("badge status", ["orders"]), ("article", ["low-stock"]),
    ("five minutes", ["refresh-note"]), ("in the morning", ["today"]), ("row", ["figures"]), ("columns", []),
])  # fmt: skip
def test_search(words: str, found: list[str]) -> None:
    view = View(DESK)
    search = Search(view, words)
    assert [node.id for node in search.hits] == found
    for node in view.nodes:
        below = [hit for hit in search.hits if hit.path[: len(node.path)] == node.path]
        assert search.is_shown(node) == (bool(below) or not words)


@pytest.mark.parametrize("document", [DESK, full_example(), *BROKEN, {"pages": [{
    "id": "p", "type": "Page", "mine": {"deep": [[1, {"inner": True}], None]}, "title": "x" * 400 + " end",
}]}], ids=lambda value: ascii(json.dumps(value))[:60])  # fmt: skip
def test_every_visible_text_is_found_and_marked(document: dict[str, object]) -> None:
    view = View(document)
    for node in view.nodes:
        values = [value for name, value, _ in node.members if name not in node.nested]
        for word in {word for leaf in leaves(values) for word in leaf.split()}:
            search = Search(view, word)
            assert node in search.hits or len(word) > MAX_LENGTH, word
            assert "<mark>" in tree(view, word) or not word.isprintable()


def test_types_of_a_later_version_show_up_without_code() -> None:
    metric = {"id": "m", "type": "Metric", "label": "Sum", "binding": {"method": "GET", "path": "/x"}}
    series = [{"name": "a", "line": "solid"}, {"name": "b"}]
    gizmo = {"id": "c", "type": "Gizmo", "caption": "Curve", "series": series, "panels": [metric]}
    document = {"navigation": {"items": [{"pageId": "b"}]}, "boards": [{"id": "b", "type": "Board", "blocks": [gizmo]}]}
    view = View(document, LATER)
    assert [(node.type, node.known) for node in view.nodes] == [("Board", True), ("Gizmo", True), ("Metric", True)]
    assert menus_of(view)[0].entries[0].node is view.nodes[0]
    assert [endpoint.path for endpoint in endpoints_of(view)] == ["/x"]
    html = tree(view)
    shown = Page(f"<ol>{html}</ol>").text
    assert not [leaf for leaf in leaves(document["boards"]) if leaf not in shown]
    colors = [view.color(name) for name in LATER.nodes]
    assert len({*colors}) == len(colors)
    assert f'class="node {view.color("Gizmo")}' in html
    assert '<span class="word">solid</span>' in html


def test_summaries_of_closed_nodes() -> None:
    html = check_spec(DESK).html
    summaries = re.findall(r'id="([^"]*)"><details(?:(?!<li).)*?<span class="summary">(.*?)</span></summary>', html)
    assert {name: Page(f"<p>{summary}</p>").text.strip() for name, summary in summaries} == {
        "today": "2 Sections Everything that the desk looks at in the morning.",
        "figures": "2 Metrics row",
        "open-orders": "GET /api/orders/summary → data.open number",
        "next-pickup": "GET /api/orders/summary → data.nextPickup text",
        "latest": "2 blocks stack",
        "orders": "GET /api/orders → data.items 3 columns filter status",
        "refresh-note": "Orders are refreshed every five minutes.",
        "stock": "1 Section",
        "low": "1 Table stack",
        "low-stock": "GET /api/stock/low → data.items 2 columns",
    }
