"""The invariants of the fuzzer on the corpus, and on what the fuzzer has found."""

import pytest

from tests.fuzzing.invariants import CHECKS, SEPARATOR
from tests.support.corpus import read_cases

FOUND = {
    "fix": ['{"version": "0.1", "x""y": {}}'],
    "merge": [SEPARATOR.join(['{"a": [1]}', '{"a": [1, 2]}', '{"a": []}'])],
    "read": [],
    "format": [],
}
"""Inputs that broke an invariant."""


@pytest.mark.parametrize("target", ["read", "fix", "format"])
def test_the_invariants_hold_for_the_corpus(target: str) -> None:
    for case in read_cases():
        CHECKS[target](case.text)


@pytest.mark.parametrize(("target", "text"), [(target, text) for target, texts in FOUND.items() for text in texts])
def test_what_was_found_is_repaired(target: str, text: str) -> None:
    CHECKS[target](text)
