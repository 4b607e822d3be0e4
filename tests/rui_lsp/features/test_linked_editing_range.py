"""Linked editing of a definition and its references."""

import pytest

from tests.rui_lsp.marked import CURSOR, DOCUMENT, opened

METHOD = "textDocument/linkedEditingRange"


def check(before, after, expected, text=DOCUMENT):
    """`expected` are the texts before the linked ranges, on their lines; None if no link is expected."""
    at = opened(text.replace(before + after, before + CURSOR + after, 1))
    found = at.request(METHOD)
    if expected is None:
        assert found is None
        return
    starts = [at.offset(item["start"]) for item in found["ranges"]]
    assert [at.text[:start].rpartition("\n")[2].strip() for start in starts] == expected
    assert len({at.shown(item) for item in found["ranges"]}) == 1


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ('"id": "ho', 'me"', ['{"pageId": "', '{"label": "😀", "pageId": "', '"id": "']),
        ('{"key": "st', 'atus"', ['"columns": [{"key": "', '"filter": {"field": "']),
        ('{"pageId": "ho', 'me"', None),
        ('{"pageId": "to', 'dy"', None),
        ('{"id": "st', 'ock"', None),
        ('"title": "At', ' home"', None),
    ],
)
def test_names(before, after, expected):
    check(before, after, expected)


def test_a_duplicate_is_not_linked():
    check('"id": "ho', 'me"', None, text=DOCUMENT.replace('"id": "stock"', '"id": "home"'))


def test_a_name_that_is_written_differently_is_not_linked():
    check('"id": "ho', 'me"', None, text=DOCUMENT.replace('"pageId": "home"', '"pageId": "h\\u006fme"', 1))
