"""The text around a document is one error with one fix, and the document keeps all of its values."""

import json

import pytest

from rui_common.describe import minimal_example
from rui_common.editing.edits import apply
from rui_common.fixes.reader import Reader
from rui_common.fixes.syntax_fixes import syntax_fixes
from rui_common.syntax.document import read

RUI = json.dumps(minimal_example(), indent=2)
FENCE, WORDS = "Unexpected code fence", "Unexpected text before the document"


@pytest.mark.parametrize(("text", "message"), {
    "a fence": (f"```json\n{RUI}\n```\n", FENCE),
    "a fence that is not closed": (f"```json\n{RUI}", FENCE),
    "an apostrophe": (f"Here's what you asked for.\n\n{RUI}\n", WORDS),
    "a byte-order mark": (f"\ufeffHere is the RUI:\n{RUI}", WORDS),
}.values())  # fmt: skip
def test_the_document_is_kept(text: str, message: str) -> None:
    document = read(text)
    assert not document.valid
    assert document.value == minimal_example()
    assert [fault.message for fault in document.syntax] == [message]
    [fix] = syntax_fixes(document, document.syntax[0].span, Reader())
    fixed = apply(text, fix.edits)
    assert fix.is_safe
    assert fixed.strip("\ufeff\r\n ").replace("\r\n", "\n") == RUI


@pytest.mark.parametrize(("before", "behind"), [
    ("Sure:\n", "\nHope this helps!"), ("Here is the RUI: ", ""), ("const rui = ", ";\n"),
    ("Sure:\n\n```json\n", "\n```\n\nLet me know."), ("(", ")"),
])  # fmt: skip
def test_prose_on_both_sides_is_one_error_and_one_fix(before: str, behind: str) -> None:
    document = read(before + RUI + behind)
    assert document.value == minimal_example()
    [fault] = document.syntax
    assert fault.hint.startswith("Remove everything before the first {")
    assert ("and after the last }" in fault.hint) == bool(behind)
    assert apply(document.text, next(iter(syntax_fixes(document, fault.span, Reader()))).edits) == RUI


@pytest.mark.parametrize("text", [
    '"version": "0.1",\n{"b": 2}', 'x{"a": 1}', '"x"\n{"a": 1}', "[1]\n[2]", '1\n', "x", "x" * 3_000 + "\n{}",
    "#" * 1_000 + "\n{}", '[\n{"a": 1,}\n]', '[1,\n[2,]]', '}\n{"a": 1}', '"\n{"a": 1}', " \n\t\n{,}", "\n\n{,}",
])  # fmt: skip
def test_text_that_may_belong_to_the_document_is_no_envelope(text: str) -> None:
    assert WORDS not in [fault.message for fault in read(text).syntax]
