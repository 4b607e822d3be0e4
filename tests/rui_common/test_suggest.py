"""Suggestions of similar names (“did you mean …”), and the cost of the search."""

from difflib import SequenceMatcher

import pytest

from rui_common import suggest
from rui_common.suggest import MAX_TITLE, SearchBudget, kebab_case, nearest

PROPERTIES = ["id", "type", "title", "label", "columns", "binding", "filter", "method", "row", "description"]


@pytest.mark.parametrize(("word", "expected"), [
    ("ID", "id"), ("tilte", "title"), ("lable", "label"), ("colmuns", "columns"), ("Column", "columns"),
    ("bindng", "binding"), ("methode", "method"), ("rwo", "row"), ("desciption", "description"), ("", None),
    ("x", None), ("url", None), ("table", None), ("direction", None), ("value", None), ("di", None),
    ("columns" * 20, None),
])  # fmt: skip
def test_misspellings(word: str, expected: str | None) -> None:
    assert nearest(word, PROPERTIES) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("Order List", "order-list"), ("orderList", "order-list"), ("stöck", "stock"), ("7 days", ""), ("日本", ""),
    ("a" * 64, "a" * 64), ("a" * 65, ""), ("a".ljust(MAX_TITLE), "a"), ("a".ljust(MAX_TITLE + 1), ""),
])  # fmt: skip
def test_ids_made_of_texts(text: str, expected: str) -> None:
    """Long texts are none: an id of 260 KB took 60 times as long as reading it."""
    assert kebab_case(text) == expected


def test_two_names_that_are_as_similar() -> None:
    assert nearest("page-3", ["page-1", "page-2"]) is None
    assert nearest("pgae-1", ["page-1", "home"]) == "page-1"
    assert nearest("pgae", ["page", "page", "home"]) == "page"


def test_numbers_are_no_misspellings() -> None:
    assert nearest("page-3", ["page-1"]) is None
    assert nearest("pgae-1", ["page-1"]) == "page-1"


@pytest.mark.parametrize(("word", "name"), [
    ("first_name", "last_name"), ("prev_marker", "next_marker"), ("min_value", "max_value"), ("minPrice", "maxPrice"),
    ("open-orders", "closed-orders"), ("incoming_requests", "outgoing_requests"), ("unit_price", "list_price"),
])  # fmt: skip
def test_another_word_is_no_misspelling(word: str, name: str) -> None:
    """A safe fix would show the last name in place of a first name that the API no longer has."""
    assert nearest(word, [name]) is None
    assert nearest(name, [word]) is None


@pytest.mark.parametrize(("word", "name"), [
    ("frist_name", "first_name"), ("first_nmae", "first_name"), ("page_di", "page_id"), ("valuePaht", "valuePath"),
    ("order-lsit", "order-list"), ("HTMLBody", "htmlBody"), ("firstname", "first_name"), ("open-order", "open-orders"),
])  # fmt: skip
def test_misspellings_of_several_words(word: str, name: str) -> None:
    assert nearest(word, [name]) == name


HOSTILE = {
    "many near ids": ("p" * 60 + "1", ["p" * 59 + str(number) for number in range(3000)]),
    "shifted": ("ab" * 32, ["ba" * 31 + str(number) for number in range(3000)]),
    "long": ("ab" * 50_000, ["ba" * 50_000] * 3),
    "one short": ("x", [str(number) for number in range(100_000)]),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_cost_is_bounded(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All searches of one answer compare at most `MAX_WORK` letter pairs."""
    word, names = HOSTILE[case]
    work = [0]

    class Counted(SequenceMatcher[str]):
        def ratio(self) -> float:
            work.append(len(self.a) * len(self.b))
            return super().ratio()

    monkeypatch.setattr(suggest, "SequenceMatcher", Counted)
    budget = SearchBudget()
    for _ in range(3):
        nearest(word, names, budget)
    assert sum(work) <= suggest.MAX_WORK
