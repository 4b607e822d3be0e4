"""`Document.first_errors`: the errors of a full reading, for a bounded amount of work."""

import json

import pytest

from rui_common.syntax.document import read
from rui_common.syntax.reader import Source
from rui_common.syntax.recovery.budget import SUMMARY_ERRORS, Budget
from rui_common.syntax.recovery.parser import recover
from rui_common.validation.diagnostics import where_broken
from tests.inputs.hostile_bodies import hostile_bodies
from tests.inputs.sample import sample_text

TEXT = sample_text(40_000)
LINES = TEXT.splitlines(keepends=True)
MIDDLE = len("".join(LINES[: len(LINES) // 2]))


def spoiled(old: str, new: str) -> str:
    """Return `TEXT` with `new` instead of the first `old` in its second half."""
    at = TEXT.index(old, MIDDLE)
    return TEXT[:at] + new + TEXT[at + len(old) :]


@pytest.mark.parametrize("text", [
    spoiled('"label"', "'label'"), spoiled('"label"', "label"), spoiled('"label": ', '"label" '), spoiled(",\n", "\n"),
    spoiled(",\n", ",,\n"), spoiled('"number"', "True"), spoiled('"number"', "undefined"), spoiled('"number"', "01"),
    spoiled('"number"', "1e999"), spoiled('"number"', "NaN"), spoiled('"number"', '"a\tb"'),
    spoiled('"number"', '"\\x"'),
    spoiled('"number"', '"\\ud800"'), spoiled('"number"', ""), spoiled('"label"', '// words\n"label"'),
    spoiled('"label"', '/* words */"label"'), spoiled('"number"', "“number”"), TEXT + "}", TEXT + "{}", TEXT + " x",
    spoiled('"label": "', '"label": "a "b" c'), "x" + TEXT, "", " ", "[" * 300, TEXT[:-4], "[1,2" * 5_000,
], ids=lambda text: None)  # fmt: skip
def test_errors_are_those_of_a_full_reading(text: str) -> None:
    document = read(text.encode())
    assert not document.valid
    errors = document.first_errors()
    assert errors
    assert errors == read(text.encode()).syntax[: len(errors)]


def test_hostile_bodies_have_one_verdict_and_an_error() -> None:
    """The limited reading does not change the verdict of the strict reader."""
    bodies = hostile_bodies()
    assert len(bodies) > 250
    for name, body in list(bodies.items())[::14]:
        document = read(body)
        if not document.valid:
            fault = document.first_errors()[0]
            assert fault.message, name
            assert document._recovered is None, name
        else:
            json.loads(body)


LONG = "a" * 9_000


@pytest.mark.parametrize("text", [
    f"{{'{LONG}': 1}}", f'{{"a": \'{LONG}\'}}', f"{{{LONG}: 1}}", f'{{"a": {LONG}}}', f'{{"a": “{LONG}”}}',
    f"{LONG}\n{{}}",
    f'{{"a": 0{"1" * 9_000}}}', f'{{"a": +{"1" * 9_000}}}', f'{{"a": 0x{"f" * 9_000}}}', f'{{"a": {"yes " * 2_000}}}',
    f'{{"a": \'{LONG}"{LONG[:2_000]}\'}}', f'{{"a": 1, ...{LONG}}}', f"/*{LONG}*/{{}}", f'{{}} "{LONG}"',
], ids=lambda text: text[:9])  # fmt: skip
def test_long_tokens_are_shortened(text: str) -> None:
    document = read(text)
    assert len(where_broken(document)) < 1_000
    assert max(len(fault.hint) for fault in document.syntax) < 500


@pytest.mark.parametrize("unit", ["01,", "+1,", '"\\x",', '"a"=1,', "nul,", "tru "])
def test_the_parser_stops_after_the_last_error_that_is_reported(unit: str) -> None:
    source = Source("[" + unit * (16_384 // len(unit) - 1))
    budget = Budget(10**9, SUMMARY_ERRORS)
    recovered = recover(source, budget)
    assert 1 <= len(recovered.errors) <= SUMMARY_ERRORS + 10
    assert 10**9 - budget.steps < 200 * SUMMARY_ERRORS


@pytest.mark.parametrize("end", [",,]", " 1 1]", "1e999]", "}"])
def test_an_error_after_the_budget_is_spent_is_where_the_strict_reader_stops(end: str) -> None:
    text = "[" + "0," * 100_000 + "1" + end
    [fault] = read(text.encode()).first_errors()
    assert len(text) - 8 <= fault.span.start <= len(text)
    assert fault.message == "This is not JSON here"
