"""Did you mean …? The nearest of the names that would have been right."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_NAMES = 500
MAX_LENGTH = 100
MAX_WORK = 10_000
"""So many names, of so many letters, are looked at, and so many pairs of letters compared, at most: a hint must not
cost more than the check that it belongs to, whatever a hostile document holds."""


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The one of `names` that `word` was meant to be, or None when that is anybody's guess.

    Names are compared without case. One is suggested only if it lies within a third of its own length
    (at least one edit) and clearly nearer than every other. A slip of one or two edits is looked for
    everywhere before anything farther is.
    """
    wanted = word.lower()
    if len(wanted) > MAX_LENGTH:
        return None
    taken = zip(range(MAX_NAMES), names, strict=False)
    listed = [(name, name.lower()) for _, name in taken if len(name) <= MAX_LENGTH]
    work = MAX_WORK
    for farthest in (2, len(wanted)):
        best, best_distance, tied = None, farthest + 1, False
        for name, lower in listed:
            # What is farther than the best so far cannot change the answer.
            limit = min(max(1, (max(len(lower), len(wanted)) + 1) // 3), best_distance)
            if abs(len(lower) - len(wanted)) > limit or _unlike(wanted, lower, limit):
                continue
            if work <= 0:
                break
            distance, cost = _edit_distance(wanted, lower, limit)
            work -= cost
            if distance > limit:
                continue
            if distance < best_distance:
                best, best_distance, tied = name, distance, False
            elif name != best:
                tied = True
        if best is not None:
            return None if tied else best
    return None


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
    return _edit_distance(a, b, limit)[0]


def _edit_distance(a: str, b: str, limit: int) -> tuple[int, int]:
    """The distance, and how many pairs of letters were compared for it.

    Only the band around the diagonal is looked at: outside of it every distance is above the limit.
    """
    far = limit + 1
    before: list[int] = []
    previous = [min(j, far) for j in range(len(b) + 1)]
    work = 0
    for i, letter in enumerate(a, 1):
        first, last = max(1, i - limit), min(len(b), i + limit)
        current = [far] * (len(b) + 1)
        current[0] = min(i, far)
        for j in range(first, last + 1):
            other = b[j - 1]
            cost = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            current[j] = cost
        work += last - first + 2
        if min(current) > limit and min(previous) > limit:
            return far, work
        before, previous = previous, current
    return previous[-1], work


def kebab_case(text: str) -> str:
    """`text` as a lowercase kebab-case id, as near as it gets; ``""`` when nothing of it can stay.

    >>> kebab_case("Order_Total 2")
    'order-total-2'
    """
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", text)
    joined = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")
    return joined.lstrip("-0123456789")[:64].rstrip("-")


def probably_meant(word: str, names: Iterable[str]) -> str | None:
    """The nearest name, if it has the same digits: who writes ``page-9`` does not mean ``page-1``."""
    name = nearest(word, names)
    return name if name is not None and _digits(name) == _digits(word) else None


def _digits(text: str) -> str:
    return "".join(letter for letter in text if letter.isdigit())
