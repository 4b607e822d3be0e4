"""Recovery of broken texts: few and precise errors, all values recovered, bounded time."""

import json
import os
import random
import re
import statistics
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rui_common.syntax.document import Document, read
from tests.rui_common.syntax.recovery.broken_cases import FOLDER, MARKS, Case, blocks, cases, leaves, single_breaks

CASES = cases()
UPDATING = bool(os.environ.get("RUI_UPDATE"))
DESK = (FOLDER / "desk.json").read_text(encoding="utf-8")
NOTES = (FOLDER / "notes.json").read_text(encoding="utf-8")


def messages(document: Document) -> list[str]:
    return [fault.message for fault in document.syntax]


# The corpus


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_corpus(case: Case) -> None:
    document = read(case.broken)
    assert not document.valid
    if case.faults and not UPDATING:
        assert messages(document) == list(case.faults)
    elif not case.faults:
        assert len(document.syntax) == 1, messages(document)


def test_the_corpus_is_written_as_it_is_updated() -> None:
    """With RUI_UPDATE=1 in the environment, the messages are written into the corpus. Review the difference."""
    by_title = {case.title: case for case in CASES}
    for file in sorted(FOLDER.glob("*.cases")):
        parts = []
        for title, *lines in blocks(file):
            case = by_title[title]
            found = [f"> {message}" for message in messages(read(case.broken))] if case.faults or UPDATING else []
            parts.append("\n".join([f"### {title}", *(line for line in lines if line and line[0] in "-+"), *found]))
        text = "\n\n".join(parts) + "\n"
        if UPDATING:
            file.write_text(text, encoding="utf-8")
        assert file.read_text(encoding="utf-8") == text


# One character wrong


@pytest.mark.parametrize(
    ("layout", "one", "there"),
    [("indented", 0.95, 0.97), ("on one line", 0.94, 0.97)],
)
def test_one_wrong_character_is_one_error(
    layout: str, one: float, there: float, capsys: pytest.CaptureFixture[str]
) -> None:
    value = json.loads(DESK)
    value["pages"] = value["pages"][1:]
    text = json.dumps(value, ensure_ascii=False, indent=2 if layout == "indented" else None)
    wanted = set(leaves(value))
    counts: list[int] = []
    lost = 0
    for done, broken in single_breaks(text, random.Random(1), 800):
        document = read(broken)
        if not document.valid:
            assert document.syntax, done
            counts.append(len(document.syntax))
            lost += len(wanted - set(leaves(document.value)))
    share_of_one, share_kept = Counter(counts)[1] / len(counts), 1 - lost / len(counts) / len(wanted)
    with capsys.disabled():
        print(f"\n  {len(counts)} single breaks, {layout}:", end=" ")
        print(f"one fault in {share_of_one:.2%}, {share_kept:.2%} of values kept")
    assert share_of_one >= one
    assert statistics.median(counts) <= 2
    assert share_kept >= there


# Single errors: [text with ^ at the error, message]

POINTED = [
    ('{"a": 1 "b": 2}', "        ^^^    ", "Expected comma"),
    ('{"a" 1}', "     ^ ", "Expected colon"),
    ("[1, 2,]", "     ^ ", "Unexpected comma before ]"),
    ("[1,, 2]", "   ^   ", "Unexpected comma: expected a value"),
    ('{"a": , "b": 2}', "      ^        ", "Expected a value before comma"),
    ('{"a": True}', "      ^^^^ ", "Unknown value True, did you mean true?"),
    ('{"a": NaN}', "      ^^^ ", "Unknown value NaN, did you mean null?"),
    ("{a: 1}", " ^    ", "Property names need double quotes: a"),
    ("['a']", " ^^^ ", "Strings are written in double quotes"),
    ("[01]", " ^^ ", "Invalid number 01"),
    ("[.5]", " ^^ ", "Invalid number .5"),
    ("[1.]", " ^^ ", "Invalid number 1."),
    ("[+1]", " ^^ ", "Invalid number +1"),
    ("[0x1F]", " ^^^^ ", "Invalid number 0x1F"),
    ("[1e400]", " ^^^^^ ", "This number is too large for a double"),
    ("[1] // x", "    ^^^^", "Comments are not allowed"),
    ("[1, /* x */ 2]", "    ^^^^^^^   ", "Comments are not allowed"),
    (r'["a\x"]', r"   ^^  ", "Unknown escape \\x"),
    (r'["\ud800"]', r"  ^^^^^^  ", "Half of a surrogate pair in a string"),
    ('["a\tb"]', "   ^    ", "Control character U+0009 in a string"),
    ("[1}", "  ^", "Expected ] instead of }"),
    ('{"a": 1]', "       ^", "Expected } instead of ]"),
    ("[1] [2]", "    ^  ", "A second document begins here"),
    ("[1\xa0]", "  ^ ", "Unexpected character U+00A0"),
]


@pytest.mark.parametrize(("text", "marks", "message"), POINTED, ids=[text for text, _, _ in POINTED])
def test_errors_point_at_their_cause(text: str, marks: str, message: str) -> None:
    (fault,) = read(text).syntax
    assert fault.message == message
    shown = "".join("^" if fault.span.start <= at < fault.span.end else " " for at in range(len(text)))
    assert shown.rstrip() == marks.rstrip()
    assert fault.hint


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Expected a JSON value, the text is empty"),
        (" \n", "Expected a JSON value, the text is empty"),
        ('{"a": 1', "This object is never closed: expected }"),
        ("[1, 2", "This array is never closed: expected ]"),
        ('{"a": [', "2 objects and arrays are never closed: expected ]}"),
        ('{"a":', "This object is never closed: expected }"),
        ('"abc', 'The text ends within a string: expected "'),
        ('["abc', 'The text ends within a string, and this array is never closed: expected "]'),
        ('{"a": [{"b": "c', 'The text ends within a string, and 3 objects and arrays are never closed: expected "}]}'),
        ('{"a": [1, fal', "The text ends within a value, and 2 objects and arrays are never closed: expected ]}"),
        ('{"a": [1, -', "The text ends within a value, and 2 objects and arrays are never closed: expected ]}"),
    ],
)
def test_where_input_ran_out_the_end_is_pointed_at(text: str, message: str) -> None:
    (fault,) = read(text).syntax
    assert (fault.span.start, fault.span.end, fault.message) == (len(text), len(text), message)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, "b": }', {"a": 1}),
        ('{"a": 1, "b"}', {"a": 1}),
        ('{"a": 1, "a": }', {"a": 1}),
        ("[1, , 2]", [1, 2]),
        ("{a: 'x', b: yes, c: some words}", {"a": "x", "b": True, "c": "some words"}),
        ("[01, .5, 1., +1, 0x1F, 1_000]", [1, 0.5, 1, 1, 31, 1000]),
        ('["say "hi" now"]', ['say "hi" now']),
        ("", None),
        ("@", None),
    ],
)
def test_values(text: str, value: object) -> None:
    assert read(text).value == value


# Text that was cut off


@pytest.mark.parametrize(
    "text", [DESK, NOTES, r'{"a": {"b\u00e9\\": ["\ud83d\ude00", -1.5e+7, true]}}'], ids=["desk", "notes", "escapes"]
)
def test_one_hint_repairs_any_truncation(text: str) -> None:
    for end in range(1, len(text.rstrip())):
        cut = text[:end].rstrip()
        (fault,) = read(cut).syntax
        assert len(fault.hint) <= 300
        found = re.match(r"(?s)Add (.*?[\]}])(?=[.,;]| for )|Write (.*?[\]}]) instead of (.*?) at the end", fault.hint)
        assert found is not None, fault.hint
        added, written, partial = found.groups()
        if partial is not None:
            cut = cut.removesuffix("," if partial == "the comma" else partial)
        assert read(cut + (added or written)).valid, (cut[-40:], fault.hint)


# Several documents in one text


@pytest.mark.parametrize(
    ("text", "message", "position"),
    [
        ('{"a": 1}{"b": 2}', "A second document begins here", 8),
        ('{"a": 1}\n{"b": 2}\n{"c": 3}\n', "A second document begins here", 9),
        ('{"a": 1,}\n{"b": 2', "A second document begins here", 10),
        ('{"a": 1},\n{"b": 2}', "Unexpected text and a second document after the document", 8),
        ('{"a": 1}\n---\n{"b": 2}', "Unexpected text and a second document after the document", 9),
        ('{"a": 1}\nOr:\n```json\n{"b": 2}\n```', "Unexpected text and a second document after the document", 9),
    ],
)
def test_a_second_document_is_called_one(text: str, message: str, position: int) -> None:
    fault = read(text).syntax[-1]
    assert (fault.message, fault.span.start) == (message, position)
    assert "Send each document by itself" in fault.hint
    assert "remove" not in fault.hint.lower()


# Incomplete values


@pytest.mark.parametrize(
    ("text", "incomplete"),
    [
        ('{"a": {"b": 1 "c": 2}, "d": {}}', {("a",)}),
        ('{"a": [{"b": }], "d": {}}', {("a", 0)}),
        ('{"a": [1, {"b": 1}', {(), ("a",)}),
        ('{"a": {"b": 1}, "c": [1,]}', {("c",)}),
        ('{"a": {"b": 1}} x', {()}),
        ('{"a": {"x": tru}, "b": {}}', {("a",), ("a", "x")}),
        ('{"a": {"x": "t}, "b": {}}', {("a",), ("a", "x")}),
        ('{"a": [01]}', {("a",), ("a", 0)}),
        (r'{"a": "C:\x"}', {()}),
    ],
)
def test_only_the_innermost_value_is_incomplete(text: str, incomplete: set[object]) -> None:
    assert read(text).incomplete == incomplete


def test_duplicate_keys_of_broken_texts_are_reported() -> None:
    document = read('{"a": {"x": 1, "x": 2}, "a": 1 "b": {"y": 1, "y": 2}}')
    found = [(repeated.path, document.text[slice(*repeated.span)]) for repeated in document.duplicate_keys()]
    assert found == [(("a",), '"a"'), (("a", "x"), '"x"'), (("b", "y"), '"y"')]


# Properties of all documents


@st.composite
def mangled(draw: st.DrawFn) -> str:
    """Draw a valid document and apply a few random edits."""
    text = draw(st.sampled_from([DESK, NOTES]))
    for _ in range(draw(st.integers(1, 8))):
        at = draw(st.integers(0, len(text)))
        gone = draw(st.sampled_from([0, 0, 1, 1, 1, 5, 60]))
        text = (
            text[:at]
            + draw(st.sampled_from([*MARKS, "", "", "x", "\n", "//", "'", "\\", "é", " 1"]))
            + text[at + gone :]
        )
    return text


def check_consistent(document: Document) -> None:
    """Check the properties of all documents."""
    assert document.valid == (not document.syntax)
    assert list(document.syntax) == sorted(document.syntax)
    assert len(document.syntax) <= 100
    for fault in document.syntax:
        assert 0 <= fault.span.start <= fault.span.end <= len(document.text)
        assert fault.span.start < fault.span.end or fault.span.end == len(document.text)
        assert fault.message
        assert fault.hint
    json.dumps(document.value, allow_nan=False, ensure_ascii=False).encode()
    for path, _ in leaves(document.value):
        member = document.find(path)
        assert document.value is None or (member is not None and member.span is not None)
        assert "\n" not in document.text[slice(*document.range_of(path))]
    for path in document.incomplete:
        assert not path or document.find(path) is not None


@given(mangled())
def test_mangled_documents(text: str) -> None:
    check_consistent(read(text))


@given(st.text(alphabet="{}[],:\"\\u0d8 \n\t1-.e/*#truefalsn'“\0\ud800é😀\ufeff\xa0", max_size=40))
def test_anything(text: str) -> None:
    check_consistent(read(text))


def test_too_deep_is_one_error() -> None:
    document = read("[" * 300 + "1" + "]" * 300)
    assert messages(document) == ["Nested deeper than 256 levels"]
    assert document.syntax[0].span == (256, 257)
