"""Suggestions of similar names (“did you mean …”), and the cost of the search."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rui_common import suggest
from rui_common.suggest import edit_distance, nearest

WORDS = st.text("abcd", max_size=8)


def whole_distance(a: str, b: str) -> int:
    """Return the edit distance by its definition, without a limit."""
    rows = [[i + j if not i or not j else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            rows[i][j] = min(
                rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
            )  # fmt: skip
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
    return rows[-1][-1]


@given(WORDS, WORDS, st.integers(0, 6))
def test_distance(a: str, b: str, limit: int) -> None:
    expected = whole_distance(a, b)
    found, _ = edit_distance(a, b, limit)
    assert found == expected if expected <= limit else found > limit


@given(WORDS, st.lists(WORDS, max_size=6))
def test_nearest_is_alone_in_being_so_near(word: str, names: list[str]) -> None:
    near = {
        name: distance
        for name in names
        if (distance := whole_distance(word, name)) <= max(1, (max(len(name), len(word)) + 1) // 3)
    }
    closest = [name for name, distance in near.items() if distance == min(near.values())]
    assert nearest(word, names) == (closest[0] if len(closest) == 1 else None)


HOSTILE = {
    "many near ids": ("p" * 60 + "1", ["p" * 59 + str(number) for number in range(3000)]),
    "shifted": ("ab" * 32, ["ba" * 31 + str(number) for number in range(3000)]),
    "long": ("ab" * 50_000, ["ba" * 50_000] * 3),
    "one short": ("x", [str(number) for number in range(100_000)]),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_cost_is_bounded(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One hint compares at most `MAX_WORK` letters. The last comparison may exceed that."""
    word, names = HOSTILE[case]
    work = [0]
    compare = suggest.edit_distance

    def counted(a: str, b: str, limit: int) -> tuple[int, int]:
        distance, cost = compare(a, b, limit)
        work.append(cost)
        return distance, cost

    monkeypatch.setattr(suggest, "edit_distance", counted)
    nearest(word, names)
    assert sum(work) <= suggest.MAX_WORK + suggest.MAX_LENGTH**2
