"""The text around a document is one error with one fix, and the document keeps all of its values."""

import json

import pytest

from rui_common.describe import minimal_example
from rui_common.editing.edits import apply
from rui_common.syntax.document import read

RUI = json.dumps(minimal_example(), indent=2)
WORDS = "Unexpected text before the document"


@pytest.mark.parametrize(("before", "behind"), [
    ("```json\n", "\n```\n"), ("```json\n", ""), ("Here's what you asked for.\n\n", "\n"),
    ("\ufeffHere is the RUI: ", ""), ("Sure:\n", "\nHope this helps!"), ("const rui = ", ";\n"),
    ("Sure:\n\n```json\n", "\n```\n\nLet me know."), ("(", ")"),
    ("<answer>", "</answer>"), ("<json>", ""), (">>>", "\n"), ("'", "'"), ("curl -d '", "' https://a.example/api/specs"),
])  # fmt: skip
def test_the_document_is_kept(before: str, behind: str) -> None:
    document = read(before + RUI + behind)
    assert document.value == minimal_example()
    [fault] = document.syntax
    assert apply(document.text, fault.edits).strip("\ufeff\n") == RUI
    assert fault.is_safe


@pytest.mark.parametrize("text", [
    '"version": "0.1",\n{"b": 2}', 'x{"a": 1}', '"x"\n{"a": 1}', "[1]\n[2]", '1\n', "x", "x" * 3_000 + "\n{}",
    "#" * 1_000 + "\n{}", '[\n{"a": 1,}\n]', '[1,\n[2,]]', '}\n{"a": 1}', '"\n{"a": 1}', " \n\t\n{,}", "\n\n{,}",
])  # fmt: skip
def test_text_that_may_belong_to_the_document_is_no_envelope(text: str) -> None:
    assert WORDS not in [fault.message for fault in read(text).syntax]


@pytest.mark.parametrize(("behind", "message"), [
    ('"', 'Unexpected "" after the end of the document'),
    (' or "b', "Unexpected or after the end of the document"),
    (' "b": 1', 'Unexpected "b" after the end of the document'),
    ("//c\"", "Comments are not allowed"),
])  # fmt: skip
def test_text_behind_with_a_quote_or_property_is_an_error_of_its_own(behind: str, message: str) -> None:
    """In Python 3.11.2, too, whose `re` reads a group that fails as if it had matched."""
    document = read('Sure: {"pages": []}' + behind)
    assert [fault.message for fault in document.syntax] == [WORDS, message]


NO_RUI = "No RUI was found in this text"


@pytest.mark.parametrize("text", [
    'a row looks like {"bed": "A1"}', "See [design](design.md).\n", 'Sure:\n{"meta": {"title": "x"}}',
    'Sure:\n```json\n{"title": "x"}\n```\nThe rest stays.', '{"level": "info"}\n{"level": "warn"}\n',
    'import json\nx = {"version": "0.1"}\nprint(x)\n', "def a(b: list[str]) -> None:\n    pass\n",
    'The first of {"pages": 12} is open.', 'export default {\n  title: "x",\n}\n', '{"a": 1} is what I get.',
    'status,row\nopen,"{""a"": 1}"\n', '10:00 INFO {"a": 1}\n10:01 INFO {}\n',
])  # fmt: skip
def test_a_text_without_a_rui_is_one_error(text: str) -> None:
    document = read(text)
    assert [(fault.message, fault.edits) for fault in document.syntax] == [(NO_RUI, ())]
    assert document.value is None


@pytest.mark.parametrize(("value", "is_rui"), [
    ('{"pages": []}', True), ('{"navigation": {}}', True), ('{"version": "0.1", "meta": {}}', True),
    ('{"a": 1, "pages": {"home": {}}}', True), ('{"version": 7, "meta": null}', True),
    ('{"version": "0.1", "pages": 3}', False), ('{"meta": {}, "navigation": "top"}', False),
    ('{"version": "0.1"}', False), ('{"meta": {"pages": []}}', False), ('[{"pages": []}]', False),
])  # fmt: skip
def test_its_own_keys_tell_a_rui(value: str, is_rui: bool) -> None:
    for text in (f"Sure:\n{value}\nDone.", f"```json\n{value}\n```", f"{value}\nIt has no more."):
        document = read(text)
        assert document.is_rui is is_rui
        assert [fault.is_safe for fault in document.syntax] == [is_rui]
        assert read(value).is_rui is is_rui


@pytest.mark.parametrize("text", [
    'Sure:\n{"pages": []}\nOr:\n{"pages": []}', '```\n{"pages": []}\n```\n```\n{"version": "0.1", "meta": {}}\n```',
    'Sure:\n[{"pages": []}]', 'Sure:\n{"rui": {"version": "0.1", "pages": []}}', 'Sure:\n{"a": 1}\nOr:\n{"pages": []}',
])  # fmt: skip
def test_text_around_what_is_not_the_only_rui_is_kept(text: str) -> None:
    document = read(text)
    assert document.syntax[0].message == WORDS
    assert document.syntax[0].edits == ()
    assert not any(fault.is_safe for fault in document.syntax)
    assert document.value is not None


def test_a_bracket_too_many_makes_no_second_rui() -> None:
    document = read('{"version": "0.1", "meta": {}}}, "navigation": {"items": []}, "pages": [{"id": "home"}]}')
    assert document.is_rui


ESCAPED = json.dumps(RUI)[1:-1]


@pytest.mark.parametrize("text", [
    ESCAPED, f'"{ESCAPED}', f" \n{ESCAPED}", ESCAPED[:200], json.dumps(minimal_example()).replace('"', '\\"'),
    RUI.replace('"', '\\"'), json.dumps(ESCAPED)[1:-1], f"[{ESCAPED}]",
], ids=lambda text: ascii(text[:20]))  # fmt: skip
def test_escaped_json_is_one_error(text: str) -> None:
    """It was encoded twice, or is copied out of a string in a program."""
    document = read(text)
    assert [fault.message for fault in document.syntax] == ["This text is escaped, as in a JSON string"]
    assert document.value is None
    assert document.syntax[0].edits == ()


@pytest.mark.parametrize(
    "text", ['{"a": "\\"b\\""', '{\\"a": 1}', '{"a\\"": 1,}', '[1, \\"a\\"]', '{"a": {\\"b\\": 1}}', "{\\"]
)
def test_a_backslash_elsewhere_is_an_error_of_its_own(text: str) -> None:
    assert not read(text).valid
    assert "escaped" not in "".join(fault.message for fault in read(text).syntax)


@pytest.mark.parametrize(("text", "is_kept"), [
    ('{"a": 1} "b": 2', True), ('{"a": 1}\n- id: x\n  "t": 1', True), ('{"a": 1}}, "pages": [{"id": "home"}]}', True),
    ('{"a": [1]}], "b": [2]}', True), ('{"a": {"b": 1\n}}},\n"c": {}}', True),
    ('{"a": 1}]', False), ('{"a": 1}]]}', False), ('{"a": 1}, ]', False),
])  # fmt: skip
def test_no_fix_removes_properties_and_lists_after_the_document(text: str, is_kept: bool) -> None:
    """They may be its own, after a bracket too many."""
    [fault] = read(text).syntax
    assert fault.message.endswith("after the end of the document")
    assert (fault.edits == ()) is is_kept
    assert fault.hint.startswith("Remove the text after the document") is not is_kept
