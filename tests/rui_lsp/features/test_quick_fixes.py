"""Each quick fix removes the error that it is for."""

import re
from collections import Counter

import pytest

from rui_common.describe.examples import broken_example
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_common.validation.diagnostics import Diagnostic, without_placeholders
from rui_common.vocabulary.rules import PLANNED, RULES
from tests.rui_lsp.marked import actions, done, opened
from tests.support.corpus import read_cases

CASES = [case for case in read_cases() if case.file.stem != "aliases"]


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.number)
def test_every_rule_has_a_quick_fix(rule) -> None:
    # What a later version can do has no counterpart, and the example of R13 is a text in the place of a block.
    assert bool(check(broken_example(rule))) == (rule.number not in {PLANNED, "R13"})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_each_quick_fix_in_the_corpus_removes_its_error(case) -> None:
    check(read(case.source).text)


def check(text: str) -> list[str]:
    """Apply every quick fix of every diagnostic; return their titles."""
    titles = []
    before = keys(text)
    editor = opened(text)
    for diagnostic in without_placeholders(Analysis(read(text)).diagnostics):
        key = key_of(diagnostic)
        editor.cursor = diagnostic.span.start
        for action in actions(editor, diagnostic.span.end, only=["quickfix"]):
            about = [
                (item["code"], item["message"].startswith(diagnostic.message)) for item in action.get("diagnostics", ())
            ]
            if (diagnostic.code, True) in about:
                fixed = done(editor, action)
                after = keys(fixed)
                # Of several superfluous commas, the next one takes the place of the one that is removed.
                is_fewer = after[key] < before[key] or (key[0] == "INVALID_JSON" and after.total() < before.total())
                # A document that is taken out of another value has errors of its own.
                is_taken_out = read(fixed).is_rui and not read(text).is_rui
                assert is_fewer or is_taken_out, action["title"]
                titles.append(action["title"])
    return titles


def keys(text: str) -> Counter[tuple[str, str, str]]:
    return Counter(key_of(diagnostic) for diagnostic in without_placeholders(Analysis(read(text)).diagnostics))


def key_of(diagnostic: Diagnostic) -> tuple[str, str, str]:
    """Return a key of a diagnostic that does not depend on its position."""
    return diagnostic.code, diagnostic.rule, re.sub(r"\[\d+\]", "[]", diagnostic.message)
