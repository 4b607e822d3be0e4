"""Recovery of broken texts: few and precise errors, all values recovered, bounded time."""

import json
import random
import re
import statistics
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rui_common.syntax.document import Document, read
from tests.inputs.breaking_text import broken_texts
from tests.rui_common.syntax.recovery.broken_cases import FOLDER, Case, cases, leaves, single_breaks
from tests.support.nightly import NIGHTLY

CASES = cases()
DESK = (FOLDER / "desk.json").read_text(encoding="utf-8")
NOTES = (FOLDER / "notes.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_corpus(case: Case) -> None:
    """A case without messages has one error, whatever its message."""
    document = read(case.broken)
    assert not document.valid
    found = [fault.message for fault in document.syntax]
    assert found == list(case.faults) or (not case.faults and len(found) == 1)


# One character wrong


@pytest.mark.parametrize(
    ("layout", "single", "there"),
    [("indented", 0.995, 0.99), ("on one line", 0.995, 0.98)],
)
def test_one_wrong_character_is_one_error(layout: str, single: float, there: float) -> None:
    value = json.loads(DESK)
    value["pages"] = value["pages"][1:]
    text = json.dumps(value, ensure_ascii=False, indent=2 if layout == "indented" else None)
    wanted = set(leaves(value))
    counts: list[int] = []
    lost = 0
    for done, broken in single_breaks(text, random.Random(1), 400):
        document = read(broken)
        if not document.valid:
            assert document.syntax, done
            counts.append(len(document.syntax))
            lost += len(wanted - set(leaves(document.value)))
    share_of_one, share_kept = Counter(counts)[1] / len(counts), 1 - lost / len(counts) / len(wanted)
    assert share_of_one >= single
    assert statistics.median(counts) <= 2
    assert share_kept >= there


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, "b": }', {"a": 1}),
        ('{"a": 1, "b"}', {"a": 1}),
        ('{"a": 1, "a": }', {"a": 1}),
        ("[1, , 2]", [1, 2]),
        ("{a: 'x', b: yes, c: some words}", {"a": "x", "b": "yes", "c": "some words"}),
        ("[01, .5, 1., +1, 0x1F, 1_000]", [1, 0.5, 1, 1, 31, 1000]),
        ('[1"2, 0x1"2, -0X1f"0]', [12, 18, -496]),
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
    for end in range(1, len(text.rstrip()), 1 if NIGHTLY else 1 + len(text) // 1_000):
        cut = text[:end].rstrip()
        (fault,) = read(cut).syntax
        assert len(fault.hint) <= 300
        found = re.match(r"(?s)Add (.*?[\]}])(?=[.,;]| for )|Write (.*?[\]}]) instead of (.*?) at the end", fault.hint)
        assert found is not None, fault.hint
        added, written, partial = found.groups()
        if partial is not None:
            cut = cut.removesuffix("," if partial == "the comma" else partial)
        assert read(cut + (added or written)).valid, (cut[-40:], fault.hint)


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


# Properties of all documents


def check_consistent(document: Document) -> None:
    """Check the properties of all documents."""
    assert document.valid == (not document.syntax)
    spans = [fault.span for fault in document.syntax]
    assert spans == sorted(spans)
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


@given(broken_texts() | st.text(alphabet="{}[],:\"\\u0d8 \n\t1-+_.ex/*#truefalsn'“\0\ud800é😀\ufeff\xa0", max_size=40))
def test_anything(text: str) -> None:
    check_consistent(read(text))
