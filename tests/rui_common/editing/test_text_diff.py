"""Edits between two texts."""

import itertools
import random

import pytest

from rui_common.editing.edits import apply
from rui_common.editing.text_diff import text_edits


def check(before: str, after: str, *expected: tuple[str, str]) -> None:
    """Check that the edits replace these pieces of `before`."""
    edits = text_edits(before, after)
    assert apply(before, edits) == after
    assert [(before[edit.span.start : edit.span.end], edit.text) for edit in edits] == [*expected]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("{}", "{}", []),
        ("", "{}", [("", "{}")]),
        ('{"a": 1, "b": 2}', '{"a": 1, "c": 2}', [('"b"', '"c"')]),
        ('{\n"a": 1\n}\n', '{\n  "a": 1\n}\n', [("", "  ")]),
        ("1\r\n2\r\n", "1\n2\r\n", [("\r\n", "\n")]),
        (f"[{'1,' * 100}2]", f"[{'1,' * 100}3]", [(f"[{'1,' * 100}2]", f"[{'1,' * 100}3]")]),
    ],
    ids=["equal", "empty", "one token", "white space", "line end", "many tokens"],
)
def test_edits(before: str, after: str, expected: list[tuple[str, str]]) -> None:
    check(before, after, *expected)


def test_differences_of_any_texts() -> None:
    chance = random.Random(5)
    pieces = ['"a"', ",", "{", "}", "\r", "\n", "\r\n", " ", "1", "x\u2028", '"', "\\", "\t", '"b c"', "😀"]
    texts = ["".join(chance.choices(pieces, k=chance.randrange(30))) for _ in range(300)]
    for before, after in itertools.pairwise(texts):
        edits = text_edits(before, after)
        assert apply(before, edits) == after
