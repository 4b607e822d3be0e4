"""Inlay hints."""

import pytest

from tests.rui_lsp.lsp_client import Client
from tests.rui_lsp.marked import DOCUMENT, URI, check_survives, opened

ALL = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}


def text_of(hint):
    label = hint["label"]
    return label if isinstance(label, str) else label[0]["value"]


def check(text, *expected, lines=ALL):
    """`expected` are parts of the text with the hints in brackets."""
    at = opened(text)
    found = at.request("textDocument/inlayHint", range=lines)
    shown = at.text
    for hint in sorted(found, key=lambda hint: at.offset(hint["position"]), reverse=True):
        offset = at.offset(hint["position"])
        shown = f"{shown[:offset]}[{text_of(hint)}]{shown[offset:]}"
    assert all(piece in shown for piece in expected), shown
    assert len(found) == len(expected)


def test_a_document():
    check(
        DOCUMENT,
        '{"pageId": "home"[At home], "label": "Start"}',
        '"😀", "pageId": "home"[At home]}',
        '"field": "status"[State],',
    )


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [(5, 6, ['"home"[At home], "label"']), (6, 7, []), (11, 13, [])],
)
def test_only_in_the_lines_that_are_asked_for(first, last, expected):
    lines = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}
    check(DOCUMENT, *expected, lines=lines)


def test_a_label_that_the_reference_repeats_is_not_shown():
    check(DOCUMENT.replace('"label": "Start"', '"label": "At home"'), '"😀", "pageId": "home"[At home]}', "[State]")


def test_what_is_broken():
    check(DOCUMENT[: DOCUMENT.index(', "children": []')], '"home"[At home],', '"home"[At home]}', '"status"[State]')


def test_a_title_leads_to_the_page():
    at = opened(DOCUMENT)
    (hint,) = (hint for hint in at.request("textDocument/inlayHint", range=ALL) if text_of(hint) == "State")
    assert hint["label"][0]["location"]["uri"] == URI
    assert at.shown(hint["label"][0]["location"]["range"]) == "status"


def test_it_survives_anything():
    check_survives("textDocument/inlayHint", range=ALL)
    check_survives("textDocument/inlayHint", range={"start": 7})


def test_over_the_wire():
    with Client.start() as client:
        client.open(URI, DOCUMENT)
        found = client.request("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": ALL})
        assert sorted(map(text_of, found)) == ["At home", "At home", "State"]
