"""The content of published diagnostics. tests/test_corpus.py compares codes, ranges and severities of all cases."""

import asyncio
import json

import pytest

from rui_common.describe import minimal_example
from rui_common.describe.examples import broken_example
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.rules import RULES
from rui_lsp.session.pauses import Pauses
from tests.rui_lsp.conversation import Conversation
from tests.rui_lsp.marked import opened

BROKEN = [broken_example(rule) for rule in RULES.values() if read(broken_example(rule)).valid]
MINIMAL = json.dumps(minimal_example() | {"meta": {}}, ensure_ascii=False)
TYPO = MINIMAL.replace('"0.1"', "0.1")


def published(text):
    """Return the diagnostics for a client without capabilities."""
    conversation = Conversation()
    conversation.open(text)
    return conversation.sent[-1]["params"]["diagnostics"]


def with_unknown(count):
    """Return a document with `count` errors."""
    return json.dumps({**minimal_example(), **{f"unknown-{number}": 1 for number in range(count)}})


def test_what_a_diagnostic_holds():
    [found] = published(TYPO)
    assert (found["source"], "codeDescription" in found, "tags" in found) == ("rui", False, False)
    [warning] = published(MINIMAL.replace('"meta": {}', '"meta": {"a": 1, "a": 2}'))
    assert (warning["code"], warning["tags"]) == ("DUPLICATE_KEY", [1])


@pytest.mark.parametrize("text", BROKEN)
def test_diagnostics_that_the_client_sends_back_have_their_fixes(text):
    editor = opened(text)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
    first, again = [
        editor.ask(
            "textDocument/codeAction", editor.params(range=whole, context={"only": ["quickfix"], "diagnostics": items})
        )
        for items in ([], published(text))
    ]
    assert first == again
    analysis = Analysis(read(text))
    assert bool(first) == any(find_fixes(analysis, diagnostic) for diagnostic in analysis.diagnostics)


def test_of_thousands_of_diagnostics_the_number_of_those_left_out_is_shown():
    assert len(published(with_unknown(2_000))) == 2_000
    *shown, last = published(with_unknown(3_005))
    assert len(shown) == 2_000
    assert "1,005 " in last["message"]
    # It is where the first of them is, and as severe as the most severe one.
    assert last["range"]["start"]["character"] > shown[-1]["range"]["start"]["character"]
    assert last["severity"] == 1


def test_several_edits_end_the_pause_once():
    ended = []

    async def edit():
        pauses = Pauses(ended.append)
        for _ in range(3):
            pauses.restart("file:///a", 0)
        await pauses.wait("file:///a")
        await asyncio.sleep(0.01)  # time for further timers

    asyncio.run(edit())
    assert ended == ["file:///a"]
