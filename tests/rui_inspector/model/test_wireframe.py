"""The wireframe: structure from the vocabulary, placeholders instead of data, and missing parts by name."""

import copy

import pytest

from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY, node, string
from rui_common.vocabulary.schema import NodeRole, Prop, Role, Shape, ValueDisplay, Vocabulary
from rui_inspector.html.values import fragment
from rui_inspector.html.wireframe import WireframeWriter
from rui_inspector.html.wireframe_svg import wireframe_svg
from rui_inspector.model.view import View
from rui_inspector.model.wireframe import NEAR_ENTRIES, Part, Wireframe, wireframe_of
from tests.inputs.sample import sample
from tests.rui_inspector.pages import Page
from tests.support.examples import DESK


def blocks_of(wireframe: Wireframe) -> list[Part]:
    def blocks(part: Part) -> list[Part]:
        return [block for inner in part.parts for block in blocks(inner)] if part.node.is_group else [part]

    return [block for screen in wireframe.screens for block in blocks(screen.part)]


def drawn(document: object, vocabulary: Vocabulary = VOCABULARY, limit: int = 10_000) -> Wireframe:
    return wireframe_of(View(document, vocabulary), limit)


def html_of(document: object, vocabulary: Vocabulary = VOCABULARY) -> Page:
    view = View(document, vocabulary)
    return Page(WireframeWriter(view, wireframe_of(view, 10_000), fragment).screens())


def with_block(block: object) -> dict[str, object]:
    section = {"id": "s", "type": "Section", "direction": "row", "children": [block]}
    return {"pages": [{"id": "p", "type": "Page", "title": "P", "children": [section]}]}


def test_blocks_show_their_structure() -> None:
    wireframe = drawn(DESK)
    assert [(screen.part.node.id, screen.description, screen.is_listed) for screen in wireframe.screens] == [
        ("today", "Everything that the desk looks at in the morning.", True), ("stock", "", True),
    ]  # fmt: skip
    assert wireframe.missing == []
    opened, pickup, orders, note, _ = blocks_of(wireframe)
    assert opened.value == ("###", "number", None)
    assert pickup.value == ("Abc", "text", None)
    assert [request.select for request in opened.node.requests] == ["data.open"]
    assert orders.lists == [([
        ("Order", ("value", "", None)), ("Customer", ("value", "", None)), ("Status", ("badge", "badge", None)),
    ], "columns", "3 columns")]  # fmt: skip
    assert orders.controls == [("Status", ["Open", "Shipped"], [("options", 0), ("options", 1)], "filter")]
    assert note.text == "Orders are refreshed every five minutes."
    assert not [block for block in blocks_of(wireframe) if block.missing]


@pytest.mark.parametrize(("block", "missing"), [
    ({"id": "m", "type": "Metric", "label": "M"}, ["binding missing"]),
    ({"id": "m", "type": "Metric", "binding": {"type": "read", "path": "x"}},
     ["label missing", "binding.method missing", "binding.path unusable", "binding.valuePath missing"]),
    ({"id": "m", "type": "Metric", "label": "M",
      "binding": {"type": "read", "method": "GET", "path": "/TODO", "valuePath": "TODO"}},
     ["binding.path not set", "binding.valuePath not set"]),
    ({"id": "m", "type": "Metric", "label": " ", "binding": []}, ["label empty", "binding empty"]),
    ({"id": "m", "type": "Metric", "label": 0, "binding": False}, ["label unusable", "binding unusable"]),
    ({"id": "t", "type": "Table", "binding": None, "columns": []}, ["binding empty", "columns empty"]),
    ({"id": "t", "type": "Table", "binding": 3, "columns": "all"}, ["binding unusable", "columns unusable"]),
    ({"id": "c", "type": "Gizmo"}, ["unknown type"]), ({"id": "c"}, ["type missing"]), (7, ["no object"]),
])  # fmt: skip
def test_missing_parts_are_named(block: object, missing: list[str]) -> None:
    assert blocks_of(drawn(with_block(block)))[0].missing == missing
    assert all(text in html_of(with_block(block)).text for text in missing)


def test_a_new_block_type_is_drawn_without_code() -> None:
    gauge = node("Gauge", NodeRole.BLOCK, "A dial.", Prop("caption", string, "", role=Role.LABEL),
                 Prop("unit", string, ""),
                 Prop("marks", ListKind(ObjectKind(Shape("Mark", "", [Prop("name", string, "")])), at_least=0), ""),
                 wireframe=ValueDisplay("unit", {"percent": "## %"}))  # fmt: skip
    plain = node(
        "Plain", NodeRole.BLOCK, "Anything.", Prop("caption", string, "", role=Role.LABEL), Prop("mood", string, "")
    )
    parts = ListKind(NodeKind(gauge, plain, child="R13"), rule="R16")
    walls = ListKind(
        NodeKind(node("Wall", NodeRole.LAYOUT, "A wall.", Prop("parts", parts, "")), child="R12"), at_least=0
    )
    later = Vocabulary("0.1", Shape("RUI", "", [Prop("walls", walls, "")]), planned={})
    marks = [{"name": "low"}, {"name": "high"}]
    document = {"walls": [{"id": "w", "type": "Wall", "parts": [
        {"id": "g", "type": "Gauge", "caption": "Load", "unit": "percent", "marks": marks},
        {"id": "x", "type": "Plain", "caption": "Free", "mood": "calm"},
    ]}]}  # fmt: skip
    gauge_block, plain_block = blocks_of(drawn(document, later))
    assert gauge_block.value == ("## %", "percent", None)
    assert [label for label, _ in gauge_block.lists[0].cells] == ["low", "high"]
    assert plain_block.properties == [("mood", "calm")]
    text = html_of(document, later).text
    assert all(word in text for word in ("Gauge", "Load", "## %", "low", "high", "Plain", "Free", "calm"))


def test_large_documents_are_drawn_up_to_a_limit() -> None:
    view = View(sample(250_000))
    wireframe = wireframe_of(view, 60)
    pages = view.nested["pages"]
    assert [screen.part.node for screen in wireframe.screens] + wireframe.omitted == pages
    assert 0 < len(wireframe.screens) < len(wireframe.omitted)
    html = WireframeWriter(view, wireframe, fragment).screens()
    assert html.count('class="block') < 60
    assert f"{len(pages) - NEAR_ENTRIES} more" in html
    one_page = with_block({"id": "t", "type": "Text", "content": "x"})
    one_page["pages"][0]["children"] *= 100
    group = drawn(one_page, limit=20).screens[0].part
    assert group.omitted == 90
    assert len(group.parts) == 10


def test_navigation_marks_the_page_and_entries_without_one() -> None:
    document = copy.deepcopy(DESK)
    document["navigation"]["items"] = [{"pageId": "today"}, {"pageId": "nowhere", "label": "Lost"}]
    assert [screen.is_listed for screen in drawn(document).screens] == [True, False]
    page = html_of(document)
    assert page.html.count('<b aria-current="page"><bdi>Today</bdi></b>') == 1
    assert "Lost leads nowhere" in page.text
    assert page.text.count("not in the navigation") == 1


def test_a_screen_shows_the_entries_around_its_own() -> None:
    names = [f"p{number:03}" for number in range(30)]
    items = [{"pageId": name} for name in names[:-1]]
    document = {"navigation": {"items": items}, "pages": [{"id": name} for name in names]}
    near = [[entry.name for entry in screen.near_entries] for screen in drawn(document).screens]
    assert near[0] == near[2] == near[29] == names[:NEAR_ENTRIES]
    assert near[20] == names[18:23]
    assert near[28] == names[24:29]
    svg = wireframe_svg(View(document))
    assert svg.count("[ p020 ]") == 1 and "and 24 more" in svg
