"""Document → view tree: nothing left out, nothing known about particular types."""

import json

import pytest

from benchmarks.sample import sample
from rui_common.declarations import ListOf, NodeOf, ObjectOf, Prop, Shape, Text, Vocabulary
from rui_common.describe import full_example, minimal_example
from rui_common.vocabulary import METRIC, NAVIGATION, PAGE_ID, SECTION, VERSION, node, one_of, string
from rui_inspector.view import Field, Node, Value, View, view_of


def texts_of(value: Value) -> list[str]:
    """Every text that a value shows."""
    shown = [value.text, value.select]
    for field in value.fields:
        shown += [field.name, *texts_of(field.value)]
    for inner in value.values:
        shown += texts_of(inner)
    return shown


def texts_of_node(it: Node) -> list[str]:
    shown = [it.type, it.label, it.id]
    for field in it.fields:
        shown += [field.name, *texts_of(field.value)]
    for child in it.children:
        shown += texts_of_node(child)
    return shown


def all_texts(view: View) -> str:
    shown = []
    for part in view.parts:
        shown += [part.name, *texts_of(part.value)]
    for _, nodes in view.trees:
        for it in nodes:
            shown += texts_of_node(it)
    return "\n".join(shown)


def leaves(value: object) -> list[str]:
    """Every scalar of a document, as JSON or as the text that it is."""
    if isinstance(value, dict):
        return [leaf for inner in value.values() for leaf in leaves(inner)]
    if isinstance(value, list):
        return [leaf for inner in value for leaf in leaves(inner)]
    return [value if isinstance(value, str) else json.dumps(value)]


def check_nothing_is_left_out(document: dict[str, object]) -> None:
    shown = all_texts(view_of(document))
    missing = [leaf for leaf in leaves(document) if leaf not in shown]
    assert not missing


@pytest.mark.parametrize(
    "document", [minimal_example(), full_example(), sample(30_000)], ids=["minimal", "full", "big"]
)
def test_nothing_is_left_out(document: dict[str, object]) -> None:
    check_nothing_is_left_out(document)


BLOCK = {"id": "b", "type": "Text", "content": "c"}
BROKEN = [
    {}, {"pages": None}, {"pages": {}}, {"pages": []}, {"pages": [1, "a", None, [BLOCK]]},
    {"extra": [[], {}, [[[[1]]]]]},
    {"pages": [{"children": [{"children": [BLOCK, 3]}]}]}, {"pages": [BLOCK, BLOCK]}, {"navigation": [], "meta": 7},
    {"pages": [{"id": 1, "type": 2, "title": 3}]}, {"pages": [{"id": "", "type": "", "title": ""}]},
    {"pages": [{"id": "a b<", "type": "Pgae", "children": [BLOCK]}]}, {"navigation": {"items": [1, {}, {"pageId": 2}]}},
    {"pages": [{"type": "Page", "id": "p", "children": [{"type": "Section", "children": [
        {"type": "Metric", "binding": "x"}, {"type": "Metric", "binding": {"method": "GET", "path": 1}},
        {"type": "Table", "binding": {"method": "PUT", "path": "p", "body": {"a": [1]}}, "columns": ["k", {}, None]},
        {"type": "Table", "columns": {}, "filter": [1]},
    ]}]}]},
]  # fmt: skip


@pytest.mark.parametrize("document", BROKEN, ids=json.dumps)
def test_nothing_is_left_out_of_what_is_broken(document: dict[str, object]) -> None:
    check_nothing_is_left_out(document)


def nodes_of(view: View) -> list[Node]:
    waiting = [it for _, nodes in view.trees for it in nodes]
    found = []
    while waiting:
        found.append(waiting.pop(0))
        waiting = found[-1].children + waiting
    return found


def test_order_is_the_authors() -> None:
    document = sample(5_000)
    expected = [
        it["id"]
        for page in document["pages"]
        for it in [page, *(below for section in page["children"] for below in [section, *section["children"]])]
    ]
    assert [it.id for it in nodes_of(view_of(document))] == expected


def test_anchors_are_ids_and_unique() -> None:
    document = minimal_example() | {
        "pages": [BLOCK | {"id": name} for name in ("top", "top", "x_y", "", "a" * 64, "a" * 65)]
    }
    anchors = [it.anchor for it in nodes_of(view_of(document))]
    assert anchors == ["top", "_pages-1", "_pages-2", "_pages-3", "a" * 64, "_pages-5"]


def test_paths_lead_to_the_nodes() -> None:
    assert [it.path for it in nodes_of(view_of(minimal_example()))] == [
        "pages[0]", "pages[0].children[0]", "pages[0].children[0].children[0]",
    ]  # fmt: skip


def field(fields: list[Field], *names: str) -> Value:
    """The value that a chain of names leads to."""
    value = next(it.value for it in fields if it.name == names[0])
    return field(value.fields, *names[1:]) if names[1:] else value


def test_navigation_leads_to_pages() -> None:
    document = minimal_example()
    document["navigation"]["items"].append({"pageId": "nowhere"})
    chips = field(view_of(document).parts, "navigation", "items").values
    page_id = document["pages"][0]["id"]
    assert [field(chip.fields, "pageId").href for chip in chips] == [f"#{page_id}", ""]


def test_binding_is_a_request() -> None:
    metric = next(it for it in nodes_of(view_of(full_example())) if it.type == "Metric")
    binding = field(metric.fields, "binding")
    assert (binding.form, binding.text, binding.select) == ("request", "GET /api/orders/summary", "data.open")
    assert [it.name for it in binding.fields] == ["type"]


def test_counts() -> None:
    assert view_of(minimal_example()).counts == {("Page", True): 1, ("Section", True): 1, ("Text", True): 1}
    assert view_of({"pages": [{"type": "Pgae"}, {}]}).counts == {("Pgae", False): 1, ("", False): 1}


CHART = node("Chart", "block", "A curve.", Prop("caption", string, ""), Prop("series", ListOf(ObjectOf(
    Shape("Series", "", [Prop("name", string, ""), Prop("line", one_of("solid", "dotted"), "")])), empty="R17"), ""),
    Prop("panels", ListOf(NodeOf(METRIC, child="R13"), empty="R16"), ""))  # fmt: skip
BOARD = node("Board", "layout", "A page.", Prop("blocks", ListOf(NodeOf(CHART, SECTION, child="R12"), empty="R15"), ""))
LATER = Vocabulary(
    VERSION,
    Shape("RUI", "", [
        Prop("navigation", ObjectOf(NAVIGATION), ""),
        Prop("boards", ListOf(NodeOf(BOARD, child="R12", defines=PAGE_ID), empty="R8"), ""),
    ]),
    planned={},
)  # fmt: skip


def test_types_of_a_later_version_show_up_without_code() -> None:
    metric = {"id": "m", "type": "Metric", "label": "Sum", "binding": {"method": "GET", "path": "/x"}}
    series = [{"name": "a", "line": "solid"}, {"name": "b"}]
    chart = {"id": "c", "type": "Chart", "caption": "Curve", "series": series, "panels": [metric]}
    document = {"navigation": {"items": [{"pageId": "b"}]}, "boards": [{"id": "b", "type": "Board", "blocks": [chart]}]}
    view = view_of(document, LATER)
    assert [(it.type, it.known) for it in nodes_of(view)] == [("Board", True), ("Chart", True), ("Metric", True)]
    shown = nodes_of(view)[1]
    assert [it.name for it in shown.fields] == ["caption", "series"]
    assert field(shown.fields, "series").form == "chips"
    assert field(field(shown.fields, "series").values[0].fields, "line").form == "word"
    assert field(field(view.parts, "navigation", "items").values[0].fields, "pageId").href == "#b"
    assert isinstance(CHART.props["caption"].kind, Text)
