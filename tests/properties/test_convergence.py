"""Fixing every reported error makes a document valid, nearly always in one round (docs/decisions.md, section 3).

`python -m benchmarks diagnostics` measures this on more documents.
"""

from tests.inputs.convergence import MOST_BREAKS, TARGET, measure, share, trial
from tests.support.nightly import seeds


def test_nearly_every_document_is_fixed_in_one_round_and_all_in_two() -> None:
    by_number = measure(seeds(20))
    for rounds in by_number.values():
        assert max(rounds) <= 2
    assert sum(share(rounds) for rounds in by_number.values()) / MOST_BREAKS >= TARGET


def test_one_fault_is_always_fixed_in_one_round() -> None:
    assert {trial(seed, 1) for seed in seeds(60)} == {1}
