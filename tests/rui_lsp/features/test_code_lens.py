"""Code lens."""

import json

import pytest

from rui_common.describe.examples import minimal_example
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_lsp.features import code_lens
from tests.rui_lsp.lsp_client import Client
from tests.rui_lsp.marked import DOCUMENT, URI, check_survives, opened

MINIMAL = json.dumps(minimal_example(VOCABULARY))
ABLE = {"experimental": {"commands": {"commands": [code_lens.SHOW_REFERENCES]}}}


def check(text, *expected):
    """`expected` are the lines of the lenses, from zero, and their titles."""
    found = opened(text).request("textDocument/codeLens")
    assert [(item["range"]["start"]["line"], item["command"]["title"]) for item in found] == [*expected]
    assert all(item["command"]["command"] == "" for item in found)


def test_pages():
    check(DOCUMENT, (11, "2 references"), (25, "0 references"))
    check(DOCUMENT.replace('"tody"', '"stock"'), (11, "2 references"), (25, "1 reference"))


def test_what_is_broken():
    check(DOCUMENT[: DOCUMENT.index('"title": "At home"')], (11, "2 references"))


def test_a_valid_document_can_be_published():
    at = opened(MINIMAL)
    first, *_ = at.request("textDocument/codeLens")
    assert first["command"] == {"title": "Publish", "command": "rui.publish", "arguments": [URI]}
    assert at.shown(first["range"]) == "{"


@pytest.mark.parametrize("text", ["", "{", "{}", MINIMAL.replace('"0.1"', '"1"')])
def test_an_invalid_document_is_not_offered_for_publishing(text):
    titles = [lens["command"]["title"] for lens in opened(text).request("textDocument/codeLens")]
    assert "Publish" not in titles


def test_a_client_that_can_show_references_is_told_which():
    at = opened(DOCUMENT, ABLE)
    first, second = at.request("textDocument/codeLens")
    uri, position, locations = first["command"]["arguments"]
    assert (first["command"]["command"], uri) == (code_lens.SHOW_REFERENCES, URI)
    assert at.text[at.offset(position) :].startswith("home")
    assert [at.shown(item["range"]) for item in locations] == ["home", "home"]
    assert second["command"]["command"] == ""


def test_it_survives_anything():
    check_survives("textDocument/codeLens")


def test_over_the_wire():
    with Client.start() as client:
        client.open(URI, DOCUMENT)
        found = client.request("textDocument/codeLens", {"textDocument": {"uri": URI}})
        assert [item["command"]["title"] for item in found] == ["2 references", "0 references"]
