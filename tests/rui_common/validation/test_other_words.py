"""Documents in the words of other systems keep their content when hints are followed literally.

`python -m benchmarks other_words` measures this over HTTP, on more documents.
"""

import json
import random
from itertools import islice

import pytest

from benchmarks.hint_client import rounds
from benchmarks.other_words import MOST_ROUNDS, run, summary
from eval.transcripts import mechanical, names, reader
from rui_common.validation.run import validate
from rui_common.vocabulary.rules import MAX_ERRORS
from tests.strategies import mutate, restructure, sound_document

DOCUMENTS = 30
FAULTY = 300


def post(text: str) -> dict[str, object]:
    findings = list(islice(validate(json.loads(text)), MAX_ERRORS))
    return {"valid": not findings, "errors": [finding.to_item() for finding in findings]}


def test_following_hints_keeps_the_content() -> None:
    figures = summary(run(post, range(DOCUMENTS)))
    assert figures.is_within_limits, figures


@pytest.mark.parametrize("name", names())
def test_a_draft_needs_three_rounds_at_most(name: str) -> None:
    transcript = mechanical(name, post)
    assert transcript.is_within_limit, transcript.summary()


@pytest.mark.parametrize("name", names())
def test_a_reader_of_the_responses_needs_three_rounds_at_most(name: str) -> None:
    transcript = reader(name, post)
    assert transcript is not None
    assert transcript.is_within_limit, transcript.summary()


def test_following_hints_literally_causes_no_fault_and_suggests_nothing_that_was_sent() -> None:
    for seed in range(FAULTY):
        chance = random.Random(seed)
        document = sound_document(chance)
        if seed % 2:
            restructure(document, chance)
        session = rounds(post, json.dumps(mutate(document, chance, chance.randint(0, 3))))
        assert session.rounds <= MOST_ROUNDS
        assert session.misled == []
        for item in (item for answer in session.answers for item in answer):
            suggested, _, got = item["hint"].partition("For example ")[2].rpartition(". Got ")
            assert not suggested or suggested != got.removesuffix("."), item
