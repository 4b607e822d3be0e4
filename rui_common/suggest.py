"""Did you mean …? The nearest of the names that would have been right."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_NAMES = 500
"""So many names are compared at most: a hint must not cost more than the check it belongs to."""


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The one of `names` that `word` was meant to be, or None when that is anybody's guess.

    Names are compared without case. One is suggested only if it lies within a third of its own length
    (at least one edit) and clearly nearer than every other.
    """
    wanted = word.lower()
    best: str | None = None
    best_distance = runner_up = 1_000
    for _, name in zip(range(MAX_NAMES), names, strict=False):
        allowed = max(1, (max(len(name), len(wanted)) + 1) // 3)
        if abs(len(name) - len(wanted)) > allowed or _unlike(wanted, name.lower(), allowed):
            continue
        distance = edit_distance(wanted, name.lower(), allowed)
        if distance > allowed:
            continue
        if distance < best_distance:
            best, best_distance, runner_up = name, distance, best_distance
        elif name != best:
            runner_up = min(runner_up, distance)
    return best if best_distance < runner_up else None


def _unlike(a: str, b: str, allowed: int) -> bool:
    """A cheap lower bound: every edit brings at most two new letters together."""
    return len(set(a) ^ set(b)) > 2 * allowed


def edit_distance(a: str, b: str, limit: int) -> int:
    """Restricted Damerau–Levenshtein distance: insert, delete, replace, swap two neighbours.

    Args:
        a, b: the strings.
        limit: distances above it are not told apart.

    Returns:
        The distance, or some number above `limit`.
    """
    before: list[int] = []
    previous = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        current = [i]
        for j, other in enumerate(b, 1):
            cost = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        if min(current) > limit and min(previous) > limit:
            return limit + 1
        before, previous = previous, current
    return previous[-1]


def kebab_case(text: str) -> str:
    """`text` as a lowercase kebab-case id, as near as it gets; ``""`` when nothing of it can stay.

    >>> kebab_case("Order_Total 2")
    'order-total-2'
    """
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", text)
    joined = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")
    return joined.lstrip("-0123456789")[:64].rstrip("-")
