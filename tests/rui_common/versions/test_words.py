"""The words that differ between two texts, written as [word]."""

import re

import pytest

from rui_common.syntax.spans import Span
from rui_common.versions.sentences import MAX_WORDS, differing_words


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


def test_of_many_words_the_middle_is_one_range() -> None:
    old = " ".join(["same", *["a", "b"] * MAX_WORDS, "end"])
    new = " ".join(["same", *["a", "c"] * MAX_WORDS, "end"])
    olds, news = differing_words(old, new)
    assert [len(olds), len(news)] == [1, 1]
    assert old[: olds[0].start] == new[: news[0].start] == "same a "
    assert old[olds[0].end :] == new[news[0].end :] == " end"
