"""The completion context at an offset."""

import pytest

from rui_common.editing.completion_context import Expects, completion_context_at
from rui_common.syntax.document import read
from tests.rui_lsp.marked import DOCUMENT, broken_texts


@pytest.mark.parametrize(
    ("text", "expects", "path", "replaced"),
    [
        ("{<|>}", Expects.KEY, (), ""),
        ('{"a<|>b": 1}', Expects.KEY, (), '"ab"'),
        ('{"a": <|>}', Expects.VALUE, (), ""),
        ('{"a": "<|>, "b": 1}', Expects.VALUE, (), '"'),
        ('{"a": [<|>]}', Expects.ELEMENT, ("a",), ""),
        ('{"a": 1 <|>}', Expects.KEY, (), ""),
        ('{"a" <|>}', None, (), ""),
        ("<|>", Expects.VALUE, (), ""),
        (" \n<|>", Expects.VALUE, (), ""),
        ("7<|>", None, (), ""),
    ],
)
def test_what_is_expected(text, expects, path, replaced):
    before, _, after = text.partition("<|>")
    cursor = completion_context_at(read(before + after), len(before))
    assert (cursor and cursor.expects) == expects
    if cursor is not None:
        assert (cursor.path, (before + after)[slice(*cursor.span)]) == (path, replaced)


@pytest.mark.parametrize("text", [DOCUMENT, DOCUMENT[:700], *broken_texts()[:20]])
def test_every_offset(text):
    document = read(text)
    for offset in range(0, len(text) + 1, 11 if len(text) < 3000 else 97):
        cursor = completion_context_at(document, offset)
        if cursor is not None:
            assert cursor.span.start <= offset <= cursor.span.end
            assert "\n" not in document.text[slice(*cursor.span)]
