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
from rui_lsp.session.diagnostics import MAX_DIAGNOSTICS_WITH_FIXES, MAX_TEXT_WITH_FIXES
from rui_lsp.session.pauses import Pauses
from tests.rui_lsp.conversation import Conversation
from tests.rui_lsp.marked import opened

BROKEN = [broken_example(rule) for rule in RULES.values() if read(broken_example(rule)).valid]
MINIMAL = json.dumps(minimal_example(), ensure_ascii=False)
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
def test_fixes_are_the_quick_fixes(text):
    """Titles and edits equal those of the code actions."""
    at = opened(text)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
    items = published(text)
    for diagnostics in ([], items):  # The server accepts the diagnostics that a client sends back.
        context = {"only": ["quickfix"], "diagnostics": diagnostics}
        found = at.ask("textDocument/codeAction", at.params(range=whole, context=context))
        offered = [action for action in found if "edit" in action]
        expected = sorted((one["title"], edits(one), one.get("isPreferred", False)) for one in offered)
        fixes = [fix for item in items for fix in item["data"].get("fixes", [])]
        assert sorted((fix["title"], json.dumps(fix["edits"]), fix["isPreferred"]) for fix in fixes) == expected
        analysis = Analysis(read(text))
        assert bool(expected) == any(find_fixes(analysis, one) for one in analysis.diagnostics)


def edits(action):
    [changed] = action["edit"]["changes"].values()
    return json.dumps(changed)


@pytest.mark.parametrize(
    "text", [TYPO[:-1], TYPO + " " * MAX_TEXT_WITH_FIXES, with_unknown(MAX_DIAGNOSTICS_WITH_FIXES + 1)]
)
def test_what_would_take_long_is_left_to_code_actions(text):
    assert published(text)
    assert not [item for item in published(text) if "fixes" in item["data"]]
    items = published(with_unknown(MAX_DIAGNOSTICS_WITH_FIXES))
    assert [len(item["data"]["fixes"]) for item in items] == [1] * MAX_DIAGNOSTICS_WITH_FIXES


def test_a_fault_in_a_fix_costs_nobody_the_diagnostics(monkeypatch, caplog):
    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("rui_common.fixes.quick_fixes.find_fixes", fail)
    [item] = published(TYPO)
    assert "fixes" not in item["data"]
    assert "ZeroDivisionError" in caplog.text


def test_the_first_thousands_of_diagnostics_are_shown():
    assert len(published(with_unknown(2_001))) == 2_000


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
