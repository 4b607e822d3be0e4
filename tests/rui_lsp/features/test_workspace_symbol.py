"""Workspace symbols."""

import pytest

from rui_lsp.features import workspace_symbol as workspace_symbols
from tests.rui_lsp.lsp_client import Client
from tests.rui_lsp.marked import DOCUMENT, URI, broken_texts, opened

OTHER = "file:///other.rui.json"


def answer(at, query):
    return at.ask("workspace/symbol", {"query": query})


def check(query, *expected):
    """`expected` are the matching names in two documents."""
    at = opened(DOCUMENT)
    at.open(OTHER, '{"pages": [{"id": "about", "title": "About us", "type": "Page"')
    found = answer(at, query)
    assert [item["name"] for item in found] == [*expected]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("stock", ["Stock (Page stock)"]),
        ("ABOUT", ["About us (Page about)"]),
        ("pgabt", ["About us (Page about)"]),
        ("table orders", ["Orders (Table orders)"]),
        ("nothing", []),
    ],
)
def test_queries(query, expected):
    check(query, *expected)


def test_where_they_are():
    at = opened(DOCUMENT)
    (found,) = answer(at, "state status")
    assert (found["containerName"], found["location"]["uri"]) == ("Orders", URI)
    assert at.shown(found["location"]["range"]) == '"status"'


def test_an_empty_query_finds_everything_up_to_a_limit(monkeypatch):
    at = opened(DOCUMENT)
    assert len(answer(at, "")) == 12
    monkeypatch.setattr(workspace_symbols, "MAX_SYMBOLS", 3)
    assert len(answer(at, "")) == 3


def test_it_survives_anything():
    for text in broken_texts():
        answer(opened(text), "")


def test_over_the_wire():
    with Client.start() as client:
        assert client.request("workspace/symbol", {"query": ""}) == []
        client.open(URI, DOCUMENT)
        (found,) = client.request("workspace/symbol", {"query": "note"})
        assert found["location"]["uri"] == URI
