"""Folding ranges."""

import json

import pytest

from tests.rui_lsp.marked import opened


def check(text, expected, **client):
    """`expected` are the folded lines, from zero: "0-3 1-2"."""
    editor = opened(text, client)
    found = editor.request("textDocument/foldingRange")
    assert " ".join(f"{item['startLine']}-{item['endLine']}" for item in found) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{\n}", ""),
        ('{\n"a": 1\n}', "0-1"),
        ('{\r \n"a": 1}', "0-1"),
        ('{"\u2028": [\n1\n]}', "0-1"),
        ('{"a": [{\n"b": [\n1\n],\n"c": 2\n}]}', "0-4 1-2"),
        ('[\n"{", "\\"[", "\\\\"\n]', "0-1"),
        # Broken texts: unclosed brackets, unopened brackets, a string without end.
        ('{\n"a": [\n1\n', ""),
        ('{\n"a": [\n1\n}', "0-2"),
        ('{\n"a": 1\n]\n}', "0-2"),
        ('{\n"a": "b\n}', "0-1"),
        ('}\n{\n"a": "\\\n}', "1-2"),
    ],
)
def test_folds(text, expected):
    check(text, expected)


def test_no_more_than_the_client_wants():
    text = json.dumps([[[1], [2]], [3]], indent=1)
    assert text.count("\n") == 12
    check(text, "0-11 1-7 2-3 5-6 9-10")
    check(text, "0-11 1-7 9-10", textDocument={"foldingRange": {"rangeLimit": 3}})
