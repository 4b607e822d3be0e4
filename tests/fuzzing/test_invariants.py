"""The invariants of the fuzzer on the corpus, and on what the fuzzer has found."""

import pytest

from tests.fuzzing.invariants import CHECKS, SEPARATOR
from tests.support.corpus import read_cases

FOUND = {
    "fix": [
        '{"version": "0.1", "x""y": {}}',
        '{"version": "0.1", "meta": {}, "navigation": {"items": [null, {"pageId": "b"}]}, "pages": [{"id": "a"}]}',
    ],
    "merge": [SEPARATOR.join(['{"a": [1]}', '{"a": [1, 2]}', '{"a": []}'])],
    "read": [
        '{"version": "0.1", "navigation": {"items": [null]": "a"}, {"pageId": "b"}]}, "pages": []}',
        '{"["t"]":""}]}',
        '{a[],","r:""',
        'navigation":[n],","c":"',
    ],
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
