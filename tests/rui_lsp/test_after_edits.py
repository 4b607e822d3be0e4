"""Features return the same results for an edited text as for the same text opened new."""

import random

import pytest
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from tests.rui_lsp.marked import DOCUMENT, any_params, document_requests, opened

METHODS = document_requests()
PIECES = [
    "",
    '"',
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "a",
    "1",
    "\n",
    "\r",
    "😀",
    '"id": "home"',
    '{"pageId": "stock"},',
    "\\",
]


def answers(at):
    for method in METHODS:
        try:
            result = at.ask(method, any_params(at))
        except JsonRpcException as error:
            assert error.code != JsonRpcInvalidParams.CODE, f"{method} needs more of `any_params`: {error}"
            result = str(error)
        yield method, result


@pytest.mark.parametrize("seed", range(40))
def test_random_edits(seed):
    chance = random.Random(seed)
    at = opened(DOCUMENT)
    assert at.document.document.valid
    for version in range(8, 20):
        start = chance.randrange(len(at.text))
        end = min(len(at.text), start + chance.choice([0, 0, 1, 1, 2, 9]))
        where = {
            name: dict(zip(("line", "character"), at.document.positions.position(offset), strict=True))
            for name, offset in (("start", start), ("end", end))
        }
        at.change(version, [{"range": where, "text": chance.choice(PIECES)}])
        at.cursor = chance.randrange(len(at.text))
        fresh = opened(at.text)
        fresh.cursor = at.cursor
        assert list(answers(at)) == list(answers(fresh))
        if chance.random() < 0.2:  # Random edits destroy the document, so return to a valid one from time to time.
            at.change(version, [{"text": DOCUMENT}])
