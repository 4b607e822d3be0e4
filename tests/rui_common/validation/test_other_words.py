"""Documents in the words of other systems keep their content when hints are followed literally.

`python -m benchmarks other_words` measures this over HTTP, on more documents.
"""

import json
from itertools import islice

import pytest

from benchmarks.other_words import run, summary
from eval.transcripts import mechanical, names, reader
from rui_common.validation.run import validate
from rui_common.vocabulary.rules import MAX_ERRORS

DOCUMENTS = 30


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
