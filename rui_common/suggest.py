"""Did you mean …? Find the closest match for a misspelt name."""

from __future__ import annotations

import re
from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_NAMES = 500
"""Maximum number of names that are compared."""

MAX_LENGTH = 100
"""Maximum length of a name that is compared."""

MAX_WORK = 10_000
"""Maximum number of letter pairs that are compared. The limits bound the time for hostile documents."""


def nearest(word: str, names: Iterable[str]) -> str | None:
    """Return the one of `names` that `word` is probably a misspelling of, or None.

    Case is ignored. A name must be within a third of its length (at least one edit), and closer than every other.
    Names within two edits are searched first.
    """
    wanted = word.lower()
    if len(wanted) > MAX_LENGTH:
        return None
    candidates = [(name, name.lower()) for name in islice(names, MAX_NAMES) if len(name) <= MAX_LENGTH]
    work = MAX_WORK
    for max_distance in (2, len(wanted)):
        best = None
        best_distance = max_distance + 1
        tied = False
        for name, lower in candidates:
            # Names farther away than the best one do not matter.
            limit = min(max(1, (max(len(lower), len(wanted)) + 1) // 3), best_distance)
            if abs(len(lower) - len(wanted)) > limit or _differs_more_than(wanted, lower, limit):
                continue
            if work <= 0:
                break
            distance, cost = edit_distance(wanted, lower, limit)
            work -= cost
            if distance > limit:
                continue
            if distance < best_distance:
                best = name
                best_distance = distance
                tied = False
            elif name != best:
                tied = True
        if best is not None:
            return None if tied else best
    return None


def _differs_more_than(a: str, b: str, edits: int) -> bool:
    """A cheap lower bound: one edit changes at most two letters of the symmetric difference."""
    return len(set(a) ^ set(b)) > 2 * edits


def edit_distance(a: str, b: str, limit: int) -> tuple[int, int]:
    """Compute the restricted Damerau–Levenshtein distance: insert, delete, replace, swap two neighbours.

    Only the band around the diagonal is computed: outside of it every distance is above the limit.

    Returns:
        The distance, or a number above `limit`; and the number of letter pairs that were compared.
    """
    far = limit + 1
    before: list[int] = []
    previous = [min(j, far) for j in range(len(b) + 1)]
    work = 0
    for i, letter in enumerate(a, 1):
        first = max(1, i - limit)
        last = min(len(b), i + limit)
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
        before = previous
        previous = current
    return previous[-1], work


def kebab_case(text: str) -> str:
    """Return `text` as a lowercase kebab-case id, ``""`` if it contains no usable letter.

    >>> kebab_case("Order_Total 2")
    'order-total-2'
    """
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", text)
    joined = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")
    return joined.lstrip("-0123456789")[:64].rstrip("-")


def probably_meant(word: str, names: Iterable[str]) -> str | None:
    """Return the nearest name if it has the same digits: ``page-9`` is no misspelling of ``page-1``."""
    name = nearest(word, names)
    return name if name is not None and _digits(name) == _digits(word) else None


def _digits(text: str) -> str:
    return "".join(letter for letter in text if letter.isdigit())
