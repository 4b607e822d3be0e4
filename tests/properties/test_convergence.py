"""Fixing every reported error makes a document valid, nearly always in one round (docs/decisions.md, section 3).

`python -m benchmarks diagnostics` measures this on more documents.
"""

from __future__ import annotations

import random

from rui_common.validation.validator import validate
from tests.inputs.breaking import broken
from tests.inputs.convergence import MOST_BREAKS, TARGET, measure, rounds_to_fix, share, trial
from tests.inputs.sample import sample


def test_nearly_every_document_is_fixed_in_one_round_and_all_in_two() -> None:
    by_number = measure(range(12))
    for rounds in by_number.values():
        assert max(rounds) <= 2
    assert sum(share(rounds) for rounds in by_number.values()) / MOST_BREAKS >= TARGET


def test_one_fault_is_always_fixed_in_one_round() -> None:
    assert {trial(seed, 1) for seed in range(100)} == {1}


def test_every_break_of_several_is_a_fault() -> None:
    """Each break alone makes the document invalid, so the number of breaks is the number of errors."""
    for seed in range(20):
        mutant, done = broken(sample(3_000, seed=seed), random.Random(seed), 5)
        assert len(done) == 5
        assert validate(mutant)


def test_fixing_is_measured_honestly() -> None:
    """A repair changes only the reported place, so an unreported error remains."""
    original = sample(3_000, seed=1)
    mutant, _ = broken(original, random.Random(1), 3)
    mutant["meta"]["title"] = "changed, but no fault"
    assert rounds_to_fix(mutant, original) == 1
    assert mutant["meta"]["title"] == "changed, but no fault"
