"""What features say of a text that was edited is what they say of the same text when it is opened."""

import inspect
import random

import pytest

from rui_lsp.features import (
    code_lens,
    definition,
    document_highlight,
    document_link,
    document_symbol,
    folding_range,
    inlay_hint,
    references,
    rename,
    selection_range,
    semantic_tokens,
    workspace_symbol,
)
from rui_lsp.protocol.errors import LspError
from tests.rui_lsp.marked import DOCUMENT, in_time, opened

ANSWERS = [
    code_lens.answer,
    definition.answer,
    document_link.answer,
    folding_range.answer,
    document_highlight.answer,
    inlay_hint.answer,
    document_symbol.answer,
    references.answer,
    rename.prepare,
    rename.answer,
    selection_range.answer,
    semantic_tokens.part,
    semantic_tokens.full,
    workspace_symbol.answer,
]
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
LINES = {"start": {"line": 3, "character": 0}, "end": {"line": 20, "character": 5}}


def answers(at):
    position = at.params()["position"]
    params = at.params(newName="new", range=LINES, positions=[position], query="", context={"includeDeclaration": True})
    for answer in ANSWERS:
        try:
            result = answer(at.workspace, params)
            if inspect.iscoroutine(result):
                result = in_time(result)
        except LspError as error:
            result = str(error)
        if isinstance(result, dict):
            result.pop("resultId", None)
        yield answer.__module__, result


@pytest.mark.parametrize("seed", range(40))
def test_random_edits(seed):
    chance = random.Random(seed)
    at = opened(DOCUMENT)
    assert at.document.document.valid
    for version in range(8, 20):
        start = chance.randrange(len(at.text))
        end = min(len(at.text), start + chance.choice([0, 0, 1, 1, 2, 9]))
        where = {
            name: dict(zip(("line", "character"), at.document.text.position(offset), strict=True))
            for name, offset in (("start", start), ("end", end))
        }
        before = at.text
        at.document.change(version, [{"range": where, "text": chance.choice(PIECES)}])
        at.cursor = chance.randrange(len(at.text))
        fresh = opened(at.text)
        fresh.cursor = at.cursor
        found = list(answers(at))
        if fresh.document.document.valid:
            assert found == list(answers(fresh))
        else:  # Back to what was sound: of a broken text, more is known when its pages are.
            at.document.change(version, [{"text": before}] if chance.random() < 0.3 else [])
            if at.text != before and chance.random() < 0.7:
                at = opened(DOCUMENT)
                assert at.document.document.valid
