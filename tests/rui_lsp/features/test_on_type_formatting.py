"""Formatting while typing: the comma after a value when a new line starts."""

import pytest

from tests.rui_lsp.marked import CURSOR, DOCUMENT, opened

OPTIONS = {"tabSize": 2, "insertSpaces": True}


def check(marked: str, expected: str | None) -> None:
    """Compare the text after a new line at the cursor; None if no edit is expected."""
    for line_end in ("\n", "\r\n"):
        editor = opened(marked.replace("\n", line_end))
        edits = editor.request("textDocument/onTypeFormatting", ch="\n", options=OPTIONS)
        assert (None if edits is None else editor.with_edits(edits)) == (expected and expected.replace("\n", line_end))


ADDED = {
    "another property follows": ('{"a": 1\n<|>"b": 2}', '{"a": 1,\n"b": 2}'),
    "after an indentation": ('{\n  "a": "x"\n  <|>"b": 2}', '{\n  "a": "x",\n  "b": 2}'),
    "on a line of its own": ('{\n  "a": 1\n  <|>\n  "b": 2\n}', '{\n  "a": 1,\n  \n  "b": 2\n}'),
    "behind an object": ('[{"a": {}}\n<|>{"b": 1}]', '[{"a": {}},\n{"b": 1}]'),
    "behind a word": ("[true\n<|>false]", "[true,\nfalse]"),
    "behind blanks": ('{"a": 1  \n<|>"b": 2}', '{"a": 1,  \n"b": 2}'),
    "behind an emoji": ('{"a": "😀"\n<|>"b": 2}', '{"a": "😀",\n"b": 2}'),
}
LEFT_ALONE = {
    "there is one": '{"a": 1,\n<|>"b": 2}',
    "it stands below": '{"a": 1\n<|>, "b": 2}',
    "behind the opening bracket": '{\n<|>"a": 1}',
    "behind a key": '{"a"\n<|>: 1}',
    "behind a key without a value": '{"a"\n<|>"b": 1}',
    "after the last property": '{\n  "a": 1\n  <|>\n}',
    "after the last element": "[\n  1\n  <|>\n]",
    "at the end of the text": '{\n  "a": 1\n  <|>',
    "the bracket put on another line": '{"a": 1\n<|>}',
    "in a string": '{"a": "b\n<|>c"}',
    "in a string that is open": '{"a": "\n<|>}',
    "on an empty line": '{"a": 1\n\n<|>"b": 2}',
    "before a word that has been begun": '{"a": "x"\n<|>d\n}',
    "before a letter in a list": "[1\n<|>P]",
    "before a word that begins like a value": '{"a": "x"\n<|>truelike\n"b": 2}',
    "behind a comment": '{"a": 1 // x\n<|>}',
}


@pytest.mark.parametrize(("marked", "expected"), ADDED.values(), ids=ADDED)
def test_a_comma_is_added(marked: str, expected: str) -> None:
    check(marked, expected)


@pytest.mark.parametrize("marked", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_no_comma_is_added(marked: str) -> None:
    check(marked, None)


def test_a_new_line_in_a_valid_document_adds_nothing() -> None:
    for offset in range(0, len(DOCUMENT), 3):
        before = opened(DOCUMENT[:offset] + "\n    " + CURSOR + DOCUMENT[offset:])
        assert before.request("textDocument/onTypeFormatting", ch="\n", options=OPTIONS) is None
