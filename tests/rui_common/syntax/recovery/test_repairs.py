"""Syntax errors carry their repair: all edits of a text together make it JSON with the recovered value."""

import json
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rui_common.editing.edits import apply
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.syntax.document import read
from rui_common.syntax.errors import FaultKind
from rui_common.validation.analysis import Analysis
from tests.inputs.breaking_text import broken_texts
from tests.inputs.repairing import FAILURES, NO_EDITS, REPAIRED, VALID, as_json, broken_text, outcome
from tests.rui_common.syntax.recovery.broken_cases import FOLDER, Case, cases
from tests.support.nightly import NIGHTLY, seeds

CASES = cases()
DESK = (FOLDER / "desk.json").read_text(encoding="utf-8")
ALPHABET = "{}[],:\"\\u0d8 \n\t1-.e/*#truefalsn'“\0é\ufeff\xa0ab;=()>，：«»「」"
COMMAND = re.compile(r"(Write|Put|Add|Remove) ")


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_corpus_is_repaired(case: Case) -> None:
    assert outcome(case.broken) == REPAIRED


def test_single_breaks_are_repaired() -> None:
    counts = Counter(outcome(broken_text(seed)) for seed in seeds(1_000))
    assert counts[REPAIRED] >= 0.99 * (counts.total() - counts[VALID])
    assert not any(counts[failure] for failure in FAILURES), counts


# Texts with words between two brackets, of which only the author knows where they belong.
STRAY_WORDS = (74040501385, 74040502355)


def test_the_fix_of_one_error_removes_it_and_keeps_the_value() -> None:
    counts: Counter[str] = Counter()
    for seed in (*seeds(200), *STRAY_WORDS):
        document = read(broken_text(seed))
        for fault in document.syntax[:5]:
            if not fault.edits:
                counts["without a fix"] += 1
                continue
            after = read(apply(document.text, fault.edits))
            is_better = len(after.all_syntax) < len(document.all_syntax)
            is_kept = as_json(after, document) == as_json(document, document)
            counts["fixed" if is_better and is_kept else "not fixed"] += 1
            assert is_better or len(document.all_syntax) > 1, seed
    assert counts["fixed"] >= 0.98 * counts.total()


@pytest.mark.parametrize(("indent", "end_of_line"), [(1, "\n"), ("\t", "\r\n")])
def test_the_indentation_tells_a_missing_comma_from_missing_brackets(indent: int | str, end_of_line: str) -> None:
    """Also where the text is cut off, which any number of missing brackets would fit."""
    text = json.dumps(json.loads(DESK), indent=indent).replace("\n", end_of_line)
    for comma in re.finditer(r",(?=\s*\n\s*(\S))", text):
        for cut in [*range(comma.start(1) + 3, len(text), 1 if NIGHTLY else 301), len(text)]:
            broken = text[: comma.start()] + text[comma.start() + 1 : cut]
            missing = [fault for fault in read(broken).all_syntax if fault.kind == FaultKind.MISSING_COMMA]
            assert [fault.edits[0].span.start for fault in missing] == [comma.start()], broken[-200:]


@given(broken_texts() | st.text(ALPHABET, max_size=60))
def test_any_text_is_repaired_unless_only_its_author_can(text: str) -> None:
    assert outcome(text) not in FAILURES


@given(broken_texts() | st.text(ALPHABET, max_size=60))
def test_a_hint_commands_only_what_the_fix_does(text: str) -> None:
    analysis = Analysis(read(text))
    for diagnostic in analysis.diagnostics:
        if diagnostic.fault is None or diagnostic.fault.kind == FaultKind.EMPTY:
            continue
        assert bool(diagnostic.fault.edits) == bool(diagnostic.fault.title) == bool(find_fixes(analysis, diagnostic))
        assert diagnostic.fault.edits or not COMMAND.match(diagnostic.hint), diagnostic.hint


@pytest.mark.parametrize("text", ["\xff{}", "words and\nmore words", "[" * 300 + "]" * 300])
def test_what_only_the_author_can_repair_has_no_edits(text: str) -> None:
    assert outcome(text.encode("latin-1").decode("latin-1")) in {NO_EDITS, REPAIRED}
    assert [fault.edits for fault in read(text.encode("latin-1")).syntax if not COMMAND.match(fault.hint)] == [()]


# What is missing in a text → the kind of its error.
MISSING = {
    '",\n': {FaultKind.NO_CLOSING_QUOTE},
    "},\n": {FaultKind.MISSING_CLOSER},
    "],\n": {FaultKind.MISSING_CLOSER},
    " {\n": {FaultKind.MISSING_OPENER},
    " [\n": {FaultKind.MISSING_OPENER, FaultKind.EXTRA_CLOSER},
    ",\n": {FaultKind.MISSING_COMMA},
}


@pytest.mark.parametrize(("missing", "kinds"), MISSING.items(), ids=MISSING)
def test_what_is_missing_is_added(missing: str, kinds: set[FaultKind]) -> None:
    """One error has one fix, which restores the document."""
    offsets = [match.start() for match in re.finditer(re.escape(missing), DESK)]
    assert offsets
    restored = 0
    for offset in offsets:
        line_end = "\n" if missing.endswith("\n") else ""
        document = read(DESK[:offset] + line_end + DESK[offset + len(missing) :])
        (fault,) = document.syntax
        assert fault.kind in kinds
        restored += read(apply(document.text, fault.edits)).value == json.loads(DESK)
    # The only element of a list without [ is read as what it is.
    assert restored == len(offsets) or (missing == " [\n" and restored)


@pytest.mark.parametrize(("text", "repaired"), [
    ('{"a": "b}', '{"a": "b"}'),
    ('{"a": 1 "b": "c', '{"a": 1, "b": "c"}'),
    ('{"a": [1, 2, x]}', '{"a": [1, 2, "x"]}'),
    ('[1, @]', "[1]"),
    ('{"a": tr', '{"a": true}'),
    (r'{"a": "b\u00', '{"a": "b"}'),
    (r'{"a": "\x and \y"}', r'{"a": "\\x and \\y"}'),
    ('{"a": {"b": 1 ;}}', '{"a": {"b": 1}}'),
    ('{"a": {"b": 100;}}', '{"a": {"b": 100}}'),
    ('{"a": [-1.5e3; true; null]}', '{"a": [-1.5e3, true, null]}'),
    ('{"a": nul; "b": True;\n"c": Yes; }', '{"a": "nul", "b": true,\n"c": "Yes" }'),
    ('{"a": Sums; and more, "b": 2}', '{"a": "Sums; and more", "b": 2}'),
    ('{"a": {"b", "c": 1}}', '{"a": {"b": null, "c": 1}}'),
    ('{"a": [{"b": 1}, "b": 2}]}', '{"a": [{"b": 1}, {"b": 2}]}'),
    ('{"a": 1 = "}', '{"a": 1, "": null}'),
    ("[1,,,2]", "[1,2]"),
    ("[1,/* x */,2]", "[1,2]"),
    ("{'a': \u201cb\u201d, c = True}", '{"a": "b", "c" : true}'),
])  # fmt: skip
def test_repaired_text(text: str, repaired: str) -> None:
    edits = [edit for fault in read(text).syntax for edit in fault.edits]
    assert json.loads(apply(text, edits)) == json.loads(repaired)
