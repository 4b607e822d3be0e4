"""Marks and quotes of other languages and keyboards: each is named as it is written, and its hint and fix agree."""

import json

import pytest

from rui_common.describe.unreadable import where_broken
from rui_common.editing.edits import apply
from rui_common.syntax.document import read
from tests.inputs.fixing_text import fix_text

# A text with one error, where "@" is the mark → message, hint and title with its name for "#", and the repaired text.
COMMAS = {
    '["x"@ 1]': ("Expected comma instead of @", "Write , instead of @.", "Write ,", '["x", 1]'),
    '{"a": "x"@"b": 2}': ("Expected comma instead of @", "Write , instead of @.", "Write ,", '{"a": "x","b": 2}'),
    '{"a": 1@}': ("Unexpected # before }", "Remove the #.", "Remove the #", '{"a": 1}'),
    '{"a": "x"@\n}': ("Unexpected # before }", "Remove the #.", "Remove the #", '{"a": "x"\n}'),
    '[[true@ ]]': ("Unexpected # before ]", "Remove the #.", "Remove the #", "[[true ]]"),
    '[@ 1]': ("Unexpected #: expected a value", "Remove the #, or write a value.", "Remove the #", "[ 1]"),
    '["x",@ 1]': ("Unexpected #: expected a value", "Remove the #, or write a value.", "Remove the #", '["x", 1]'),
    '{"a": @ 1}': ("Unexpected #: expected a value", "Remove the #, or write a value.", "Remove the #", '{"a":  1}'),
    '{@"a": 1}': (
        "Unexpected #: expected a property", "Remove the #, or write a property.", "Remove the #", '{"a": 1}',
    ),
    '{"a"@ 1}': ("Expected colon instead of #", "Write : instead of @.", "Write :", '{"a": 1}'),
    '{"a": [1@}': (
        "This array is never closed: expected ]", "Write ] instead of the # before this for the [ in line 1.",
        "Write ] instead of the #", '{"a": [1]}',
    ),
    '{"a": [1@)}': (
        "Expected ] instead of )", "Remove the # before this, and write ] instead of ) for the [ in line 1.",
        "Write ]", '{"a": [1]}',
    ),
    '{"a": 1@': (
        "This object is never closed: expected }", "Write } instead of the # at the end for the { in line 1.",
        "Write } instead of the #", '{"a": 1}',
    ),
    '{"a": 1}@': (
        "Unexpected # after the end of the document", "Remove the text after the document: a document is one value.",
        "Remove the text after the document", '{"a": 1}',
    ),
    '@{"a": 1}': ("Unexpected #", "Remove it.", "Remove #", '{"a": 1}'),
}  # fmt: skip
COLONS = {
    '{"a"@ 1}': ("Expected colon instead of @", "Write : instead of @.", "Write :", '{"a": 1}'),
    '{"a"@"b"}': ("Expected colon instead of @", "Write : instead of @.", "Write :", '{"a":"b"}'),
    '["a"@ 1]': ("Expected comma instead of @", "Write , instead of @.", "Write ,", '["a", 1]'),
    '{"a": 1@ "b": 2}': ("Expected comma instead of @", "Write , instead of @.", "Write ,", '{"a": 1, "b": 2}'),
    '{"a": 1@}': ("Unexpected @", "Remove the @.", "Remove the @", '{"a": 1}'),
    '{@ "a": 1}': ("Unexpected @", "Remove it.", "Remove @", '{ "a": 1}'),
    '{"a": 1}@': (
        "Unexpected @ after the end of the document", "Remove the text after the document: a document is one value.",
        "Remove the text after the document", '{"a": 1}',
    ),
}  # fmt: skip
BRACKETS = {
    '{"a": @"b": 1}}': ("Expected { instead of @", "Write { instead of @.", "Write {", '{"a": {"b": 1}}'),
    '[@"b": 1}]': ("Expected { instead of @", "Write { instead of @.", "Write {", '[{"b": 1}]'),
    '{@ "a": 1}': ("Unexpected @", "Remove it.", "Remove @", '{ "a": 1}'),
}
MARKS = {";": COMMAS, "，": COMMAS, "、": COMMAS, "；": COMMAS, "،": COMMAS, "؛": COMMAS,
         "=": COLONS, "=>": COLONS, ":=": COLONS, "：": COLONS, "(": BRACKETS}  # fmt: skip
QUOTES = ("''", "``", "“”", "„“", "„”", "””", "‘’", "’’", "‚‘", "«»", "»«", "»»", "‹›", "›‹", "「」", "『』", "＂＂")


@pytest.mark.parametrize(("mark", "text"), [(mark, text) for mark, table in MARKS.items() for text in table])
def test_a_mark_is_named_as_it_is_written(mark: str, text: str) -> None:
    *templates, repaired = MARKS[mark][text]
    name = {";": "semicolon"}.get(mark, mark)
    document = read(text.replace("@", mark))
    (fault,) = document.syntax
    words = [fault.message, fault.hint, fault.title]
    assert words == [template.replace("#", name).replace("@", mark) for template in templates]
    if "#" in templates[0] or "@" in templates[0]:
        assert document.text[slice(*fault.span)] == mark
    assert apply(document.text, fault.edits) == repaired
    assert document.value == json.loads(repaired)
    assert json.loads(fix_text(document.text, where_broken(document))) == document.value


@pytest.mark.parametrize("comma", [",", *(mark for mark, table in MARKS.items() if table is COMMAS)])
def test_a_closing_bracket_is_missing_before_a_comma(comma: str) -> None:
    document = read('[{"a": 1@ {"a": 2}]'.replace("@", comma))
    fault = document.syntax[-1]
    name = {",": "comma", ";": "semicolon"}.get(comma, comma)
    assert (fault.title, fault.hint) == (f"Add }} before the {name}", f"Add }} before the {name} for the {{ in line 1.")
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
