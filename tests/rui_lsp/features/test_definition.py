"""Go to definition."""

import pytest

from tests.rui_lsp.marked import CURSOR, DOCUMENT, opened


def check(text, expected, **client):
    """`expected` are the texts that end with each definition's name."""
    at = opened(text, client)
    found = at.request("textDocument/definition")
    ends = [at.span(item.get("range") or item["targetSelectionRange"])[1] for item in found or []]
    assert len(ends) == len(expected)
    assert all(at.text[:end].endswith(name) for end, name in zip(ends, expected, strict=True))
    return at, found


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ('{"pageId": "ho', 'me", "label"', ['"id": "home']),
        ('{"pageId": ', '"home", "label"', ['"id": "home']),
        ('{"pageId": "home"', ', "label"', ['"id": "home']),
        ('"😀", "pageId": "hom', 'e"', ['"id": "home']),
        ('"field": "', 'status"', ['"key": "status']),
        ('"id": "', 'note"', ['"id": "note']),
        # Keys of the same spelling are no pages, options no columns, and property keys no names.
        ('{"key": "ho', 'me"}', ['"key": "home']),
        ('"value": "st', 'atus"', []),
        ('"page', 'Id": "home", "label"', []),
        ('"pageId": "to', 'dy"', []),
        ('"label": "Sta', 'rt"', []),
    ],
)
def test_names(before, after, expected):
    check(DOCUMENT.replace(before + after, before + CURSOR + after, 1), expected)


def test_a_name_that_stands_twice_has_two_definitions():
    text = DOCUMENT.replace('"stock"', '"home"').replace('"pageId": "home"', f'"pageId": "home{CURSOR}"', 1)
    check(text, ['"id": "home', '{"id": "home'])


def test_links_show_the_whole_object():
    client = {"definition": {"linkSupport": True}}
    text = DOCUMENT.replace('"field": "st', f'"field": "st{CURSOR}')
    at, (link,) = check(text, ['"key": "status'], textDocument=client)
    assert at.shown(link["targetRange"]) == '{"key": "status", "label": "State"}'
    assert at.shown(link["originSelectionRange"]) == "status"
