"""Edits between two texts."""

import itertools
import random

import pytest

from rui_common.editing.edits import apply
from rui_common.editing.text_diff import text_edits


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("{}", "{}", []),
        ('{"a": 1, "b": 2}', '{"a": 1, "c": 2}', [('"b"', '"c"')]),
        ('{\n"a": 1\n}\n', '{\n  "a": 1\n}\n', [("", "  ")]),
        (f"[{'1,' * 100}2]", f"[{'1,' * 100}3]", [(f"[{'1,' * 100}2]", f"[{'1,' * 100}3]")]),
    ],
)
def test_edits(before: str, after: str, expected: list[tuple[str, str]]) -> None:
    edits = text_edits(before, after)
    assert [(before[edit.span.start : edit.span.end], edit.text) for edit in edits] == expected


def test_differences_of_any_texts() -> None:
    chance = random.Random(5)
    pieces = ['"a"', ",", "{", "}", "\r", "\n", "\r\n", " ", "1", "x\u2028", '"', "\\", "\t", '"b c"', "😀"]
    texts = ["".join(chance.choices(pieces, k=chance.randrange(30))) for _ in range(300)]
    for before, after in itertools.pairwise(texts):
        edits = text_edits(before, after)
        assert apply(before, edits) == after
