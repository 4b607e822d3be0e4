"""`Document.first_errors`: the errors of a full reading, for a bounded amount of work."""

import pytest

from rui_common.describe.unreadable import where_broken
from rui_common.syntax.document import read
from rui_common.syntax.line_index import LineIndex
from rui_common.syntax.reader import Source
from rui_common.syntax.recovery.budget import SUMMARY_ERRORS, Budget
from rui_common.syntax.recovery.parser import recover
from tests.inputs.sample import sample_text
from tests.rui_common.syntax.recovery.broken_cases import cases
from tests.support.corpus import read_cases

TEXT = sample_text(40_000)
CASES = [case.source for case in read_cases() if not read(case.source).valid]


@pytest.mark.parametrize("source", [
    *CASES, *[case.broken.encode() for case in cases()], b"x" + TEXT.encode(), (TEXT + " x").encode(),
    TEXT.replace(",\n", "\n", 50).encode(), TEXT.replace('"label"', "'label'", 50).encode(),
    b"[" * 300, b"[1,2" * 5_000,
], ids=lambda source: None)  # fmt: skip
def test_errors_are_those_of_a_full_reading(source: bytes) -> None:
    errors, is_complete = read(source).first_errors()
    assert errors
    assert is_complete == (errors == read(source).all_syntax)
    assert errors == read(source).all_syntax[: len(errors)]


LONG = "a" * 9_000


@pytest.mark.parametrize("text", [
    f"{{'{LONG}': 1}}", f'{{"a": \'{LONG}\'}}', f"{{{LONG}: 1}}", f'{{"a": {LONG}}}', f'{{"a": “{LONG}”}}',
    f"{LONG}\n{{}}",
    f'{{"a": 0{"1" * 9_000}}}', f'{{"a": +{"1" * 9_000}}}', f'{{"a": 0x{"f" * 9_000}}}', f'{{"a": {"yes " * 2_000}}}',
    f'{{"a": \'{LONG}"{LONG[:2_000]}\'}}', f'{{"a": 1, ...{LONG}}}', f"/*{LONG}*/{{}}", f'{{}} "{LONG}"',
], ids=lambda text: text[:9])  # fmt: skip
def test_long_tokens_are_shortened(text: str) -> None:
    document = read(text)
    assert len(where_broken(document)) < 1_000 + len(where_broken(read("[,]")))
    assert max(len(fault.hint) for fault in document.syntax) < 500


@pytest.mark.parametrize("unit", ["01,", "+1,", '"\\x",', '"a"=1,', "nul,", "tru "])
def test_the_parser_stops_after_the_last_error_that_is_reported(unit: str) -> None:
    source = Source("[" + unit * (16_384 // len(unit) - 1))
    budget = Budget(10**9, SUMMARY_ERRORS)
    recovered = recover(source, budget, LineIndex(source.text))
    assert 1 <= len(recovered.errors) <= SUMMARY_ERRORS + 10
    assert 10**9 - budget.steps < 200 * SUMMARY_ERRORS


@pytest.mark.parametrize("end", [",,]", " 1 1]", "1e999]", "}"])
def test_an_error_after_the_budget_is_spent_is_where_the_strict_reader_stops(end: str) -> None:
    text = "[" + "0," * 100_000 + "1" + end
    [fault], is_complete = read(text.encode()).first_errors()
    assert not is_complete
    assert len(text) - 8 <= fault.span.start <= len(text)
    assert fault.message == "This is not JSON here"
