"""Hover."""

import re

import pytest

from rui_lsp.session.settings import ClientSettings
from tests.rui_lsp.marked import CURSOR, DOCUMENT, opened

MARKDOWN = {"textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}}}


def check(before, after, shown, *expected, text=DOCUMENT):
    """`shown` is the range; `expected` are parts of the Markdown. Without parts, no hover is expected."""
    editor = opened(text.replace(before + after, before + CURSOR + after, 1), MARKDOWN)
    editor.server.configuration.settings = ClientSettings.parse({"rui.server.url": "https://a.org"})
    found = editor.request("textDocument/hover")
    if not expected:
        assert found is None
        return
    assert editor.shown(found["range"]) == shown
    assert found["contents"]["kind"] == "markdown"
    assert [piece for piece in expected if piece not in found["contents"]["value"]] == []


@pytest.mark.parametrize(
    ("before", "after", "shown", "expected"),
    [
        (
            '"dire',
            'ction"',
            '"direction"',
            ["**Section.direction**", '`"stack" | "row"` (required)', "Allowed: `stack`, `row`"],
        ),
        ('"pageId": "ho', 'me"', '"home"', ["Page `home`: At home", "NavigationItem.pageId"]),
        ('"pageId": "to', 'dy"', '"tody"', ["NavigationItem.pageId", "[R10](https://a.org/docs/rules/R10)"]),
        ('"field": "sta', 'tus"', '"status"', ["Column `status`: State"]),
        ('"type": "Ta', 'ble"', '"Table"', ["**Table**", "- `columns` (required)", "`Section.children`"]),
        ('"label": "St', 'art"', '"Start"', ["NavigationItem.label"]),
        ('"value', 'Path"', '"valuePath"', ["Form: "]),
        ("[\n ", "     {", "", []),
    ],
)
def test_what_it_says(before, after, shown, expected):
    check(before, after, shown, *expected)


NOT_SAID = {
    "a rule that is not broken": ('"pageId": "ho', r"\bR\d+b?\b"),
    "a definition at itself": ('"id": "ho', "Page `home`"),
    "a definition at a key": ('"page', "Page `home`"),
    "a type at its key": ('"ty', r"\*\*Page\*\*"),
}


@pytest.mark.parametrize(("before", "pattern"), NOT_SAID.values(), ids=NOT_SAID)
def test_what_it_does_not_say(before, pattern):
    editor = opened(DOCUMENT.replace(before, before + CURSOR, 1), MARKDOWN)
    assert re.search(pattern, editor.request("textDocument/hover")["contents"]["value"]) is None


def test_a_page_that_is_not_read_has_no_text():
    planned = DOCUMENT.replace('"type": "Page"', '"type": "Button"', 1)
    check('"pageId": "ho', 'me"', '"home"', "NavigationItem.pageId", text=planned)


@pytest.mark.parametrize(
    ("before", "after"), [('{"ver', "sion"), ('{"version": "0', ".2"), ('"un', "known"), ('"pag', "es"), ('"ho', "me")]
)
def test_what_is_overridden_or_unknown_has_no_text(before, after):
    check(before, after, "", text='{"version": "0.2", "unknown": {"pages": "home"}, "version": "0.1"}')


@pytest.mark.parametrize("formats", [["plaintext"], ["plaintext", "markdown"], None])
def test_plain_text_for_a_client_that_takes_no_markdown(formats):
    text = DOCUMENT.replace("stack", "st<|>uck")
    editor = opened(text, {"textDocument": {"hover": {"contentFormat": formats}}})
    contents = editor.request("textDocument/hover")["contents"]
    assert contents["kind"] == "plaintext"
    assert "Section.direction" in contents["value"]
    assert not set(contents["value"]) & set("*`[#") and "---" not in contents["value"]
    assert "R7b " in contents["value"]
