"""Marks and quotes of other languages and keyboards: each is named as it is written, and its hint and fix agree."""

import json

import pytest

from rui_common.describe.unreadable import where_broken
from rui_common.editing.edits import apply
from rui_common.syntax.document import read
from rui_common.syntax.errors import FaultKind
from tests.inputs.fixing_text import fix_text

# A text with one error, where "@" is the mark → its kind, and the repaired text.
COMMAS = {
    '["x"@ 1]': (FaultKind.FOREIGN_MARK, '["x", 1]'),
    '{"a": "x"@"b": 2}': (FaultKind.FOREIGN_MARK, '{"a": "x","b": 2}'),
    '{"a": 1@}': (FaultKind.TRAILING_COMMA, '{"a": 1}'),
    '{"a": "x"@\n}': (FaultKind.TRAILING_COMMA, '{"a": "x"\n}'),
    '[[true@ ]]': (FaultKind.TRAILING_COMMA, "[[true ]]"),
    '[@ 1]': (FaultKind.EXTRA_COMMA, "[ 1]"),
    '["x",@ 1]': (FaultKind.EXTRA_COMMA, '["x", 1]'),
    '{"a": @ 1}': (FaultKind.EXTRA_COMMA, '{"a":  1}'),
    '{@"a": 1}': (FaultKind.EXTRA_COMMA, '{"a": 1}'),
    '{"a"@ 1}': (FaultKind.WRONG_MARK, '{"a": 1}'),
    '{"a": [1@}': (FaultKind.MISSING_CLOSER, '{"a": [1]}'),
    '{"a": [1@)}': (FaultKind.WRONG_MARK_AFTER_COMMA, '{"a": [1]}'),
    '{"a": 1@': (FaultKind.CUT_TEXT, '{"a": 1}'),
    '{"a": 1}@': (FaultKind.TEXT_AFTER_DOCUMENT, '{"a": 1}'),
    '@{"a": 1}': (FaultKind.EXTRA_TOKEN, '{"a": 1}'),
}  # fmt: skip
COLONS = {
    '{"a"@ 1}': (FaultKind.FOREIGN_MARK, '{"a": 1}'),
    '{"a"@"b"}': (FaultKind.FOREIGN_MARK, '{"a":"b"}'),
    '["a"@ 1]': (FaultKind.WRONG_MARK, '["a", 1]'),
    '{"a": 1@ "b": 2}': (FaultKind.WRONG_MARK, '{"a": 1, "b": 2}'),
    '{"a": 1@}': (FaultKind.EXTRA_MARK, '{"a": 1}'),
    '{@ "a": 1}': (FaultKind.EXTRA_TOKEN, '{ "a": 1}'),
    '{"a": 1}@': (FaultKind.TEXT_AFTER_DOCUMENT, '{"a": 1}'),
}
BRACKETS = {
    '{"a": @"b": 1}}': (FaultKind.WRONG_MARK, '{"a": {"b": 1}}'),
    '[@"b": 1}]': (FaultKind.WRONG_MARK, '[{"b": 1}]'),
    '{@ "a": 1}': (FaultKind.EXTRA_TOKEN, '{ "a": 1}'),
}
MARKS = {";": COMMAS, "，": COMMAS, "、": COMMAS, "；": COMMAS, "،": COMMAS, "؛": COMMAS,
         "=": COLONS, "=>": COLONS, ":=": COLONS, "：": COLONS, "(": BRACKETS}  # fmt: skip
AT_BRACKETS = (FaultKind.MISSING_CLOSER, FaultKind.WRONG_MARK_AFTER_COMMA, FaultKind.CUT_TEXT)
"""Errors at what follows the mark."""

QUOTES = ("''", "``", "“”", "„“", "„”", "””", "‘’", "’’", "‚‘", "«»", "»«", "»»", "‹›", "›‹", "「」", "『』", "＂＂")


@pytest.mark.parametrize(("mark", "text"), [(mark, text) for mark, table in MARKS.items() for text in table])
def test_a_mark_is_named_as_it_is_written(mark: str, text: str) -> None:
    kind, repaired = MARKS[mark][text]
    document = read(text.replace("@", mark))
    (fault,) = document.syntax
    assert fault.kind == kind
    assert any(name in f"{fault.message} {fault.hint}" for name in (mark, {";": "semicolon"}.get(mark, mark)))
    if kind not in AT_BRACKETS:
        assert document.text[slice(*fault.span)] == mark
    assert apply(document.text, fault.edits) == repaired
    assert document.value == json.loads(repaired)
    assert json.loads(fix_text(document.text, where_broken(document))) == document.value


@pytest.mark.parametrize("comma", [",", *(mark for mark, table in MARKS.items() if table is COMMAS)])
def test_a_closing_bracket_is_missing_before_a_comma(comma: str) -> None:
    document = read('[{"a": 1@ {"a": 2}]'.replace("@", comma))
    fault = document.syntax[-1]
    name = {",": "comma", ";": "semicolon"}.get(comma, comma)
    assert fault.kind == FaultKind.MISSING_CLOSER and name in fault.title and name in fault.hint
    assert apply(document.text, fault.edits) == '[{"a": 1}@ {"a": 2}]'.replace("@", comma)


@pytest.mark.parametrize("quotes", QUOTES)
@pytest.mark.parametrize("marks", [":,", "=;", "：，"])
def test_strings_in_other_quotes(quotes: str, marks: str) -> None:
    text = "{<a>: <b c>, <d>: <it>, e: [<f>, <g>], <h>: <>}"
    for mark, other in zip("<>:,", quotes + marks, strict=True):
        text = text.replace(mark, other)
    assert read(text).value == {"a": "b c", "d": "it", "e": ["f", "g"], "h": ""}


@pytest.mark.parametrize(("text", "value"), [
    ('{"a": "He said "yes"， and left"}', 'He said "yes"， and left'),
    ('{"a": "He said "yes"; and left"}', 'He said "yes"; and left'),
    ('{"a": one; two， three}', "one; two， three"),
    ("{'a': 'The dogs'; they bark'}", "The dogs'; they bark"),
    ('{"a": «one» and «two»}', "one» and «two"),
])  # fmt: skip
def test_a_mark_in_a_text_is_part_of_it(text: str, value: str) -> None:
    document = read(text)
    assert document.value == {"a": value}
    assert all(fault.title.startswith("Write ") for fault in document.syntax)
