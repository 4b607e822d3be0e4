"""The words that differ between two texts, written as [word]."""

import re

import pytest

from rui_common.syntax.spans import Span
from rui_common.versions.sentences import (
    CONTEXT,
    MAX_NAME,
    MAX_WORDS,
    Verb,
    different_texts,
    different_words,
    differing_words,
    sentence_of,
)


def marked(text: str, ranges: list[Span]) -> str:
    for start, end in reversed(ranges):
        text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
    return text


@pytest.mark.parametrize(("old", "new"), [
    ("Every [five] minutes", "Every [ten] minutes"),
    ("Open orders", "Open orders [today]"),
    ("[All open] orders", "orders"),
    ("a [b] c [d] e", "a [x] c [y] e"),
    ("/api/orders/[closed]", "/api/orders/[done]"),
    ("data.[count]", "data.[stillOpen]"),
    ("/api/[v1]/orders", "/api/[v2]/orders"),
    ("[Customer]", "[Client]"),
    ("", "[all of it]"),
    ("same", "same"),
    ("white  space\n only", "white space only"),
    ("ends with a sign[.]", "ends with a sign[!]"),
    ("größe [café]", "größe [naïve]"),
    ("طلبات [مفتوحة]", "طلبات [مغلقة]"),
    ("[👩‍💻] at work", "[👨‍💻] at work"),
])  # fmt: skip
def test_words_that_differ(old: str, new: str) -> None:
    plain = [re.sub(r"[\[\]]", "", text) for text in (old, new)]
    ranges = differing_words(*plain)
    assert [marked(*pair) for pair in zip(plain, ranges, strict=True)] == [old, new]


@pytest.mark.parametrize(("count", "ranges"), [(MAX_WORDS, MAX_WORDS // 2), (MAX_WORDS + 2, 1)])
def test_words_up_to_a_limit_are_compared_one_by_one(count: int, ranges: int) -> None:
    old = " ".join(["a", "b"] * (count // 2))
    new = " ".join(["c", "b"] * (count // 2 - 1) + ["c", "d"])
    assert len(differing_words(old, new)[0]) == ranges


def test_of_many_words_the_middle_is_one_range() -> None:
    old = " ".join(["same", *["a", "b"] * MAX_WORDS, "end"])
    new = " ".join(["same", *["a", "c"] * MAX_WORDS, "end"])
    olds, news = differing_words(old, new)
    assert [len(olds), len(news)] == [1, 1]
    assert old[: olds[0].start] == new[: news[0].start] == "same a "
    assert old[olds[0].end :] == new[news[0].end :] == " end"


# Words of two versions → what a sentence quotes.
QUOTED = {
    "one equal word around the others": ("a b old c d", "a b new c d", "b old c", "b new c"),
    "at both ends": ("old a b old", "new a b new", "old a b old", "new a b new"),
    "at the start": ("old a b", "new a b", "old a", "new a"),
    "a word that is added": ("a b c d", "a b new c d", "b c", "b new c"),
}


@pytest.mark.parametrize(("old", "new", "old_part", "new_part"), QUOTED.values(), ids=QUOTED)
def test_the_words_that_a_sentence_quotes(old: str, new: str, old_part: str, new_part: str) -> None:
    assert different_words(old, new) == (old_part, new_part)


@pytest.mark.parametrize(("count", "is_cut"), [(MAX_NAME - CONTEXT - 1, False), (MAX_NAME - CONTEXT, True)])
def test_a_long_equal_start_is_cut(count: int, is_cut: bool) -> None:
    start = "…" + "a" * CONTEXT if is_cut else "a" * count
    assert different_texts("a" * count + "b", "a" * count + "c") == (start + "b", start + "c")


SUBJECTS = {
    1: "A is new.", 2: "A and b are new.", 3: "A, b and c are new.", 4: "A, b, c and d are new.",
    5: "A, b, c and 2 more are new.", 6: "A, b, c and 3 more are new.",
}  # fmt: skip


@pytest.mark.parametrize("count", SUBJECTS)
def test_of_many_subjects_the_first_are_named(count: int) -> None:
    assert sentence_of("abcdef"[:count], Verb.IS, "new") == SUBJECTS[count]
