"""A reader who follows the sentences of hints about broken strings loses no word, nor does a safe fix.

`python -m tests.inputs.keeping_words` measures it for more texts.
"""

from tests.inputs.keeping_words import measure


def test_hints_and_safe_fixes_keep_every_word() -> None:
    outcomes = [*measure(range(60))]
    assert [outcome for outcome in outcomes if outcome.lost or outcome.lost_by_fixes] == []
    assert sum(outcome.requests is not None for outcome in outcomes) > 50
