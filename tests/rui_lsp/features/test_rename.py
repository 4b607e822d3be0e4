"""Rename, and its refusals."""

import pytest
from pygls.exceptions import JsonRpcException

from tests.rui_lsp.marked import CURSOR, DOCUMENT, URI, opened


def marked(before, after, text=DOCUMENT):
    assert before + after in text
    return opened(text.replace(before + after, before + CURSOR + after, 1))


def check(editor, new, *changes):
    """Only the changes differ from the original text; each is a pair of old and new text."""
    expected = editor.text
    for before, after in changes:
        assert before in expected
        expected = expected.replace(before, after)
    result = editor.request("textDocument/rename", newName=new)
    assert editor.with_edits(result["changes"][URI]) == expected


def check_refused(editor, new, *reasons):
    with pytest.raises(JsonRpcException) as refusal:
        editor.request("textDocument/rename", newName=new)
    assert all(reason in str(refusal.value) for reason in reasons)


@pytest.mark.parametrize(
    ("before", "after", "new", "changes"),
    [
        ('"pageId": "ho', 'me"', "start", [('"id": "home"', '"id": "start"'), ('eId": "home"', 'eId": "start"')]),
        ('"field": "st', 'atus"', 'a"b', [('y": "status"', 'y": "a\\"b"'), ('d": "status"', 'd": "a\\"b"')]),
        ('"key": "', 'home"', "größe", [('"key": "home"', '"key": "größe"')]),
        ('"id": "', 'note"', "note-2", [('"id": "note"', '"id": "note-2"')]),
        ('"id": "', 'note"', "note", []),
    ],
)  # fmt: skip
def test_all_that_is_the_same_name(before, after, new, changes):
    check(marked(before, after), new, *changes)


@pytest.mark.parametrize(
    ("before", "after", "new", "reasons"),
    [
        ('"id": "ho', 'me"', "Home page", ['Invalid id "Home page".', '"home-page"']),
        ('"id": "ho', 'me"', "stock", ['Duplicate node id "stock".', "pages[1].id"]),
        ('"field": "st', 'atus"', "home", ['"home" is defined already, in line ']),
        ('"label": "Sta', 'rt"', "a", ["no name here"]),
        ('"page', 'Id"', "a", ["no name here"]),
    ],
)
def test_refusals(before, after, new, reasons):
    check_refused(marked(before, after), new, *reasons)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{pages: [{id: <|>home}]}", '{pages: [{id: "a"}]}'),
        ("{'pages': [{'id': 'ho<|>me'}]}", "{'pages': [{'id': 'a'}]}"),
        ('{"pages": [{"id": "ho<|>me', '{"pages": [{"id": "a'),
        ('{"pages": [{"id": "h\\u006f<|>me"', '{"pages": [{"id": "a"'),
    ],
)
def test_what_is_broken_stays_as_the_author_has_it(text, expected):
    editor = opened(text)
    result = editor.request("textDocument/rename", newName="a")
    assert editor.with_edits(result["changes"][URI]) == expected
