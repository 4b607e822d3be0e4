"""Documents in other words are drawn and listed as the validator reads them."""

import copy
import json
from pathlib import Path

import pytest

from rui_common.syntax.document import read
from rui_common.syntax.paths import parse_path
from rui_common.validation.run import validate
from rui_inspector.html.pages import document_page
from rui_inspector.html.wireframe import WireframeWriter
from rui_inspector.model.overview import endpoints_of, menus_of, needs_of
from rui_inspector.model.view import View, view_of
from rui_inspector.model.wireframe import wireframe_of
from tests.rui_inspector.browser import DESK
from tests.rui_inspector.pages import HOST, Page, check

DRAFTS = sorted((Path(__file__).parents[3] / "eval" / "drafts").rglob("*.json"))

RENAMED = {
    "pages": "screens", "children": "blocks", "title": "name", "label": "displayName", "path": "url",
    "valuePath": "selector", "columns": "fields", "binding": "dataSource", "items": "entries",
}  # fmt: skip


OPEN = ("filter", "columns")
"""Properties with open objects, which may have any property."""


def renamed(value: object, names: dict[str, str]) -> object:
    """Return a copy with other names, except in open objects."""
    if isinstance(value, dict):
        return {names.get(key, key): inner if key in OPEN else renamed(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [renamed(inner, names) for inner in value]
    return value


def screens(view: View) -> list[str]:
    """Return the texts of the wireframe, without what is missing or written otherwise."""
    wireframe = wireframe_of(view, 1_000)
    for part in [wireframe, *(screen.group for screen in wireframe.screens)]:
        _forget(part)
    page = Page(WireframeWriter(view, wireframe, None).screens())
    return [text.strip() for text in page.texts if text.strip()]


def _forget(part: object) -> None:
    part.missing = []
    for inner in getattr(part, "parts", []):
        _forget(inner)


@pytest.mark.parametrize("names", [*({name: other} for name, other in RENAMED.items()), RENAMED], ids=str)
def test_a_document_in_other_words_has_the_same_wireframe(names: dict[str, str]) -> None:
    document = renamed(DESK, names)
    view = view_of(document)
    assert screens(view) == screens(view_of(DESK))
    assert needs_of(view, 9)[0].endpoints == needs_of(view_of(DESK), 9)[0].endpoints
    assert [it.path for it in endpoints_of(view)] == [it.path for it in endpoints_of(view_of(DESK))]
    assert [entry.label for menu in menus_of(view) for entry in menu.entries] == ["Today", "Stock"]
    html = document_page(json.dumps(document), HOST)
    check(html)
    for name, other in names.items():
        assert f"{name} is called {other}" in html


def test_wrappers_words_and_structures() -> None:
    document = copy.deepcopy(DESK)
    figures, latest = document["pages"][0]["children"]
    figures["direction"] = "horizontal"
    document["pages"][0]["children"] = {figures.pop("id"): figures, latest.pop("id"): latest}
    document["navigation"] = document["navigation"]["items"]
    document = {"data": {"app": document}}
    view = view_of(document)
    assert screens(view) == screens(view_of(DESK))
    assert view.nodes[1].is_row
    text = json.dumps(document)
    assert all(read(text).value for _ in view.nodes)
    assert view.nodes[1].path == "data.app.pages[0].children.figures"
    assert "horizontal" in text


def test_nodes_keep_their_places_in_the_text() -> None:
    text = json.dumps(renamed(DESK, RENAMED), indent=1)
    html = document_page(text, HOST)
    page = check(html)
    for node in view_of(DESK).nodes:
        assert node.anchor in page.ids
        assert f"W-{node.anchor}" in page.ids
    start = int(html.partition('id="open-orders"')[2].partition('data-offset="')[2].partition('"')[0])
    assert text[start:].startswith('{\n       "id": "open-orders"')


def test_what_is_missing_is_still_missing() -> None:
    document = renamed(DESK, {"label": "displayName"})
    block = document["pages"][0]["children"][0]["children"][0]
    del block["displayName"], block["binding"]
    wireframe = wireframe_of(view_of(document), 1_000)
    metric, other = wireframe.screens[0].group.parts[0].parts
    assert metric.missing == ["label missing", "binding missing"]
    assert other.missing == ["label is called displayName"]


@pytest.mark.parametrize("path", DRAFTS, ids=lambda it: f"{it.parent.name}-{it.stem}")
def test_drafts_in_the_words_of_other_systems_are_drawn(path: Path) -> None:
    document = read(path.read_bytes())
    view = view_of(document.value)
    paths = {parse_path(node.path) for node in view.nodes}
    check(document_page(document, HOST))
    types = [finding.path for finding in validate(document.value) if finding.path[-1:] == ("type",)]
    bindings = ("binding", "dataSource")
    nodes = [it[:-1] for it in types if it[-2:-1] and it[-2] not in bindings and isinstance(it[-2], int)]
    assert {*nodes} <= paths | {it for it in nodes if "columns" in map(str, it)}
