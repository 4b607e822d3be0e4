"""The text around a document is one error with one fix, and the document keeps all of its values."""

import json

import pytest

from rui_common import fix
from rui_common.describe import minimal_example
from rui_common.editing.edits import apply
from rui_common.syntax.document import read
from rui_common.syntax.errors import FaultKind

RUI = json.dumps(minimal_example(), indent=2)


@pytest.mark.parametrize(("before", "behind"), [
    ("```json\n", "\n```\n"), ("```json\n", ""), ("Here's what you asked for.\n\n", "\n"),
    ("\ufeffHere is the RUI: ", ""), ("Sure:\n", "\nHope this helps!"), ("const rui = ", ";\n"),
    ("Sure:\n\n```json\n", "\n```\n\nLet me know."), ("(", ")"),
    ("<answer>", "</answer>"), ("<json>", ""), (">>>", "\n"), ("'", "'"), ("curl -d '", "' https://a.example/api/specs"),
    ("<think>A row is {id: 1}, and {x.\n" + "It \"may\" be. " * 400 + "</think>\n", ""), ("rui = ", "\n"), ("x", ""),
    ("import json\nprint(json.dumps(", "))\n"), ("<|channel|>final<|message|>", "<|end|>"), ("[", ""), ("{", ""),
    ("Use {id} in the address:\n", "\nIn a path, {id} is no part of it."), ("#" * 3_000 + "\nx\n", ""), ('"x"\n', ""),
    ('{"name": "publish", "arguments": {"rui": ', "},}"), ('{"a": 1}\n', '\n{"b": 2}\n'), ("Sure: [\n", "\n]"),
    ('He wrote "pages": see below.\n', ""), ("Sure:\n```\n{x}\n```\n```json\n", "\n```\nand {y}"),
])  # fmt: skip
def test_the_document_is_kept(before: str, behind: str) -> None:
    check(before + RUI + behind, 1 + before.count("\n"))


def check(text: str, line: int) -> None:
    """Assert that the only error of a text names the line of its document, and that its fix keeps just that."""
    document = read(text)
    assert document.value == minimal_example()
    [fault] = document.syntax
    assert f"in line {line}" in fault.message + fault.hint
    assert apply(document.text, fault.edits).strip("\ufeff\n") == RUI
    assert fault.is_safe


@pytest.mark.parametrize(("prefix", "first"), [
    ("{:6}\t", 1), ("{} ", 1), ("{}→", 1), ("{}: ", 1), ("{}:", 98), (" {:2} | ", 1), ("{} │ ", 1), ("> ", 0),
    (">> ", 0), ("+", 0), ("data: ", 0),
])  # fmt: skip
@pytest.mark.parametrize(("before", "behind"), [("", ""), ("Here is the file:\n", "\n\nIt has {no} errors.")])
def test_what_a_tool_has_written_into_each_line_is_one_error(prefix: str, first: int, before: str, behind: str) -> None:
    lines = [prefix.format(number) + line for number, line in enumerate(RUI.split("\n"), first)]
    document = read(before + "\n".join(lines) + behind)
    assert document.value == minimal_example()
    [fault] = document.syntax
    assert fault.kind == FaultKind.LINE_PREFIX
    assert apply(document.text, fault.edits).strip() == RUI
    assert fault.is_safe


def test_a_diff_of_a_new_file() -> None:
    lines = ["--- /dev/null", "+++ b/app.rui.json", "@@ -0,0 +1,36 @@", *(f"+{line}" for line in RUI.split("\n"))]
    document = read("\n".join(lines))
    [fault] = document.syntax
    assert apply(document.text, fault.edits) == RUI


@pytest.mark.parametrize("text", [RUI, json.dumps(minimal_example()), f"Sure:\n{RUI}"])
def test_doubled_braces_are_one_error(text: str) -> None:
    document = read(text.replace("{", "{{").replace("}", "}}"))
    assert document.value == minimal_example()
    [fault] = document.syntax
    assert fault.kind == FaultKind.DOUBLED_BRACES
    assert apply(document.text, fault.edits).endswith(text.removeprefix("Sure:\n"))


@pytest.mark.parametrize("text", [
    '{"version": "0.1", "meta": {"title": "x", "navigation": {"items": []}, "pages": []}',
    '"version": "0.1", "meta": {}, "app": {"pages": []}', '{"meta": {"title": "x", "pages": [{"id": "a"}]}',
    '{"version": "0.1", "meta": {}}}, "navigation": {"items": []}, "pages": [{"id": "home"}]}',
    '{"version": "0.1", "layout": {"pages": []},}',
])  # fmt: skip
def test_a_bracket_too_many_or_too_few_makes_no_wrapper(text: str) -> None:
    assert FaultKind.PROSE not in {fault.kind for fault in read(text).syntax}
    assert "version" not in text or read(text).value["version"] == "0.1"


@pytest.mark.parametrize("text", [
    '"version": "0.1",\n{"b": 2}', 'x{"a": 1}', '"x"\n{"a": 1}', "[1]\n[2]", '1\n', "x", "#" * 1_000 + "\n{}",
    '[\n{"a": 1,}\n]', '[1,\n[2,]]', '}\n{"a": 1}', '"\n{"a": 1}', " \n\t\n{,}", "\n\n{,}",
])  # fmt: skip
def test_text_that_may_belong_to_the_document_is_no_envelope(text: str) -> None:
    assert not {FaultKind.PROSE, FaultKind.TEXT_BEFORE} & {fault.kind for fault in read(text).syntax}


@pytest.mark.parametrize("behind", [' "b": 1', ', "b": [1]}', '], "b": {"c": 1}'])
def test_properties_behind_are_an_error_of_their_own(behind: str) -> None:
    """They may be those of the document, after a bracket too many."""
    document = read('Sure: {"pages": []}' + behind)
    safe = apply(document.text, [edit for fault in document.syntax if fault.is_safe for edit in fault.edits])
    assert len(document.syntax) == 2
    assert '"b": ' in safe


@pytest.mark.parametrize("behind", ['"', ' or "b', '//c"', "\n```\n{}", " // {a}"])
def test_other_text_behind_is_no_error_of_its_own(behind: str) -> None:
    """In Python 3.11.2, too, whose `re` reads a group that fails as if it had matched."""
    [fault] = read('Sure: {"pages": []}' + behind).syntax
    assert fault.is_safe


@pytest.mark.parametrize("text", [
    'a row looks like {"bed": "A1"}', "See [design](design.md).\n", 'Sure:\n{"meta": {"title": "x"}}',
    'Sure:\n```json\n{"title": "x"}\n```\nThe rest stays.', '{"level": "info"}\n{"level": "warn"}\n',
    'import json\nx = {"version": "0.1"}\nprint(x)\n', "def a(b: list[str]) -> None:\n    pass\n",
    'The first of {"pages": 12} is open.', 'export default {\n  title: "x",\n}\n', '{"a": 1} is what I get.',
    'status,row\nopen,"{""a"": 1}"\n', '10:00 INFO {"a": 1}\n10:01 INFO {}\n',
])  # fmt: skip
def test_a_text_without_a_rui_is_one_error(text: str) -> None:
    document = read(text)
    assert [(fault.kind, fault.edits) for fault in document.syntax] == [(FaultKind.NO_DOCUMENT, ())]
    assert document.value is None


@pytest.mark.parametrize(("value", "is_rui"), [
    ('{"pages": []}', True), ('{"navigation": {}}', True), ('{"version": "0.1", "meta": {}}', True),
    ('{"a": 1, "pages": {"home": {}}}', True), ('{"version": 7, "meta": null}', True),
    ('{"version": "0.1", "pages": 3}', False), ('{"meta": {}, "navigation": "top"}', False),
    ('{"version": "0.1"}', False), ('{"meta": {"pages": []}}', False),
])  # fmt: skip
def test_its_own_keys_tell_a_rui(value: str, is_rui: bool) -> None:
    for text in (f"Sure:\n{value}\nDone.", f"```json\n{value}\n```", f"{value}\nIt has no more."):
        document = read(text)
        assert document.is_rui is is_rui
        assert [fault.is_safe for fault in document.syntax] == [is_rui]
        assert read(value).is_rui is is_rui


@pytest.mark.parametrize("text", [
    'Sure:\n{"pages": []}\nOr:\n{"pages": []}', '```\n{"pages": []}\n```\n```\n{"version": "0.1", "meta": {}}\n```',
    'Sure:\n[{"pages": []}, {"pages": []}]', f"A:\n{RUI}\nB:\n{RUI}",
])  # fmt: skip
def test_text_around_what_is_not_the_only_rui_is_kept(text: str) -> None:
    document = read(text)
    assert document.syntax[0].kind == FaultKind.TEXT_BEFORE
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
    assert [fault.kind for fault in document.syntax] == [FaultKind.ESCAPED]
    assert document.value is None


@pytest.mark.parametrize("text", [
    ESCAPED, f'"{ESCAPED}', f" \n{ESCAPED}", RUI.replace('"', '\\"'), json.dumps(minimal_example()).replace('"', '\\"'),
], ids=lambda text: ascii(text[:20]))  # fmt: skip
def test_escaped_json_is_read_if_it_is_a_rui(text: str) -> None:
    fixed = fix(text)
    assert [applied.title for applied in fixed.applied] == ["Write the text of the string"]
    assert json.loads(fixed.text) in (json.loads(RUI), minimal_example())


@pytest.mark.parametrize("text", [ESCAPED[:200], json.dumps(ESCAPED)[1:-1], f"[{ESCAPED}]", '{\\"a\\": 1}'])
def test_other_escaped_text_is_not_changed(text: str) -> None:
    assert fix(text).text == text


@pytest.mark.parametrize(
    "text", ['{"a": "\\"b\\""', '{\\"a": 1}', '{"a\\"": 1,}', '[1, \\"a\\"]', '{"a": {\\"b\\": 1}}', "{\\"]
)
def test_a_backslash_elsewhere_is_an_error_of_its_own(text: str) -> None:
    assert not read(text).valid
    assert FaultKind.ESCAPED not in {fault.kind for fault in read(text).syntax}


@pytest.mark.parametrize(("text", "is_kept"), [
    ('{"a": 1} "b": 2', True), ('{"a": 1}\n- id: x\n  "t": 1', True), ('{"a": 1}}, "pages": [{"id": "home"}]}', True),
    ('{"a": [1]}], "b": [2]}', True), ('{"a": {"b": 1\n}}},\n"c": {}}', True),
    ('{"a": 1}]', False), ('{"a": 1}]]}', False), ('{"a": 1}, ]', False),
])  # fmt: skip
def test_no_fix_removes_properties_and_lists_after_the_document(text: str, is_kept: bool) -> None:
    """They may be its own, after a bracket too many."""
    [fault] = read(text).syntax
    assert fault.kind == (FaultKind.CONTENT_AFTER_DOCUMENT if is_kept else FaultKind.TEXT_AFTER_DOCUMENT)
    assert (fault.edits == ()) is is_kept
