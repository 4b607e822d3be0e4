"""No surface changes a text that is no RUI, and each says what it lacks; a RUI with such text around it is repaired.

`python -m tests.inputs.other_texts` sends more texts through the same surfaces.
"""

import random
from pathlib import Path

import pytest

from rui_common.fixes.fix_all import apply_safe_fixes
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from tests.inputs.other_texts import SORTS, fenced, keys_of_a_rui, other_text, outcome, sentence
from tests.inputs.sample import sample_text
from tests.rui_api.live import Service
from tests.rui_lsp.conversation import URI, Conversation
from tests.support.nightly import seeds

TEXTS = seeds(8 * len(SORTS))
FEW = seeds(len(SORTS))


def test_the_texts_are_no_rui() -> None:
    found = [keys_of_a_rui(other_text(number)[1]) for number in TEXTS]
    assert all(keys in (set(), {"version"}, {"meta"}) for keys in found)
    assert sum(bool(keys) for keys in found) >= len(TEXTS) // 10


@pytest.mark.parametrize("sort", SORTS)
def test_nothing_changes_them(sort: str, tmp_path: Path) -> None:
    texts = {number: text for number in TEXTS for name, text in [other_text(number)] if name == sort}
    outcomes = {number: outcome(text, tmp_path) for number, text in texts.items()}
    assert {number: found.changed for number, found in outcomes.items() if found.changed} == {}
    assert all(found.first_error for found in outcomes.values())


def test_nothing_changes_them_over_the_wire(service: Service) -> None:
    author = Conversation({"workspace": {"applyEdit": True}})
    author.results["workspace/applyEdit"] = {"applied": True}
    for number in FEW:
        _, text = other_text(number)
        assert service.client.post("/playground/fix-all", content=text.encode()).json()["edits"] == [], number
        author.open(text)
        assert author.run("rui.fixAll", URI) == {"fixed": 0}, number
        author.shut()
    assert author.received("workspace/applyEdit") == []


def test_no_hint_about_them_removes_the_text_around_an_object() -> None:
    for number in TEXTS:
        analysis = Analysis(read(other_text(number)[1]))
        for diagnostic in analysis.diagnostics[:20]:
            assert "Remove everything" not in diagnostic.hint, number
            assert not [fix for fix in find_fixes(analysis, diagnostic) if fix.title.startswith("Remove everything")]


def test_a_rui_in_a_text_is_taken_out() -> None:
    for number in range(40):
        chance = random.Random(number)
        text = sample_text(1_500, seed=number)
        broken = text.replace(",\n", "\n", 1) if number % 2 else text
        if number % 3 == 0:
            broken = fenced(broken, chance)
        start = chance.choice(("Here is the RUI:", "Orders\n======", "Sure!\n\nThe RUI:"))
        end = chance.choice(("", "Shall I go on?", "It has two pages."))
        fixed = apply_safe_fixes(Analysis(read(f"{start}\n\n{broken}\n\n{end}\n")))
        assert fixed.document.value == read(text).value, number
        assert fixed.diagnostics == [], number


def test_of_two_ruis_none_is_taken_out() -> None:
    for number in range(10):
        chance = random.Random(number)
        first, second = (sample_text(900, seed=seed) for seed in (number, number + 1))
        parts = ("The first:", fenced(first, chance), sentence(chance), fenced(second, chance))
        for text in (f"{first}\n{second}", "\n\n".join(parts)):
            analysis = Analysis(read(text))
            assert apply_safe_fixes(analysis) is analysis
            assert not any(
                fix.is_safe for diagnostic in analysis.diagnostics for fix in find_fixes(analysis, diagnostic)
            )
