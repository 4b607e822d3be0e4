"""Fixes for syntax errors."""

import pytest

from rui_common.editing.edits import apply
from rui_common.fixes.apply import Fix
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import without_placeholders

# Broken text → the title of the first fix, with "!" before one that is safe in a RUI, and the text after it.
SYNTAX_FIXES = {
    "comment": ('{"a": 1} // one', "Remove the comment", '{"a": 1}'),
    "ellipsis": ('{"a": [1 ...]}', "Remove ...", '{"a": [1]}'),
    "prose": ('{"a": 1}\nIt has the "a".', "! Remove the text after the document", '{"a": 1}'),
    "curly quotes": ('{"a": \u201cb\u2019s\u201d}', '! Write "b\u2019s"', '{"a": "b\u2019s"}'),
    "open": ('{"a": [1]', "Add }", '{"a": [1]}'),
    "open behind a comma": ('{"a": 1,', "Write } instead of the comma", '{"a": 1}'),
    "open in a string": ('{"a": "b', 'Add "}', '{"a": "b"}'),
    "closed by another": ('{"a": [1}}', "Write ]", '{"a": [1]}'),
    "comma": ('{"a": 1,}', "! Remove the comma", '{"a": 1}'),
    "word": ('{"a": True}', "! Write true", '{"a": true}'),
    "leading zero": ('{"a": 01}', "Write 1", '{"a": 1}'),
    "no digit before the point": ('{"a": -.5}', "! Write -0.5", '{"a": -0.5}'),
    "many digits": (
        '{"a": .12345678901234567890}',
        "! Write 0.12345678901234567890",
        '{"a": 0.12345678901234567890}',
    ),
    "escape": (r'{"a": "C:\orders"}', r'Write "C:\\orders"', r'{"a": "C:\\orders"}'),
    "tab": ('{"a": "b\tc"}', r'! Write "b\tc"', r'{"a": "b\tc"}'),
    "half of a character": (r'{"a": "\ud800"}', 'Write "\ufffd"', '{"a": "\ufffd"}'),
    "space that is none": ('{"a": 1\xa0}', "! Write a plain space", '{"a": 1 }'),
    "string without an end": ('{"a": "b\n}', 'Write "b"', '{"a": "b"\n}'),
    "quotes in a string": ('{"a": "b "c" d"}', r'Write "b \"c\" d"', r'{"a": "b \"c\" d"}'),
    "second value": ('{"a": 1} {"b": 2}\n', "Remove everything after the document", '{"a": 1}\n'),
}


@pytest.mark.parametrize(("text", "title", "fixed"), SYNTAX_FIXES.values(), ids=SYNTAX_FIXES)
def test_fixes_for_syntax_errors(text: str, title: str, fixed: str) -> None:
    text, fixed = (source.replace("{", '{"pages": [], ', 1) for source in (text, fixed))
    fix = first_syntax_fix(text)
    assert fix is not None
    assert ("! " if fix.is_safe else "") + fix.title == title
    assert apply(text, fix.edits) == fixed
    assert read(fixed).valid


@pytest.mark.parametrize(("text", "title", "fixed"), SYNTAX_FIXES.values(), ids=SYNTAX_FIXES)
def test_another_text_has_the_same_fixes_and_no_safe_one(text: str, title: str, fixed: str) -> None:
    """What follows it is not removed."""
    fix = first_syntax_fix(text)
    if "after" in title:
        assert fix is None
    else:
        assert fix is not None
        assert (fix.is_safe, fix.title, apply(text, fix.edits)) == (False, title.removeprefix("! "), fixed)


def first_syntax_fix(text: str) -> Fix | None:
    """Return the first fix of the syntax errors of a text."""
    analysis = Analysis(read(text))
    errors = [diagnostic for diagnostic in analysis.diagnostics if diagnostic.rule == "R0"]
    return next((fix for error in errors for fix in find_fixes(analysis, error)), None)


@pytest.mark.parametrize("text", ["", " \n", "\ufeff", "7", "[]", "null"])
def test_a_text_without_an_object_becomes_a_new_document(text: str) -> None:
    document = read(text)
    analysis = Analysis(document)
    (diagnostic,) = analysis.diagnostics
    (fix,) = find_fixes(analysis, diagnostic)
    assert without_placeholders(Analysis(read(apply(text, fix.edits))).diagnostics) == []


@pytest.mark.parametrize("text", ['["a"]', '"a"', "[[1]]"])
def test_another_text_is_not_replaced(text: str) -> None:
    document = read(text)
    analysis = Analysis(document)
    assert [fix for diagnostic in analysis.diagnostics for fix in find_fixes(analysis, diagnostic)] == []
