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
    Names within one edit are searched first, which is much cheaper, then those within two.
    """
    wanted = word.lower()
    if len(wanted) > MAX_LENGTH:
        return None
    candidates = _candidates(wanted, names)
    if not candidates:
        return None
    searched = 0
    work = MAX_WORK
    for max_distance in (1, 2, len(wanted)):
        candidates = [candidate for candidate in candidates if candidate[2] > searched]
        match, is_unique, work = _closest(wanted, candidates, max_distance, work)
        if match is not None:
            return match if is_unique else None
        searched = max_distance
    return None


def _candidates(wanted: str, names: Iterable[str]) -> list[tuple[str, str, int]]:
    """Return the names of a similar length, each in lower case too, and with the maximum number of edits."""
    size = len(wanted)
    candidates = []
    for name in islice(names, MAX_NAMES):
        max_edits = max(1, (max(len(name), size) + 1) // 3)
        if len(name) <= MAX_LENGTH and abs(len(name) - size) <= max_edits:
            candidates.append((name, name.lower(), max_edits))
    return candidates


def _closest(
    wanted: str, candidates: list[tuple[str, str, int]], max_distance: int, work: int
) -> tuple[str | None, bool, int]:
    """Return the closest candidate within a distance or None, whether all others are farther, and the work left."""
    letters = set(wanted)
    best = None
    best_distance = max_distance
    is_unique = True
    for name, lower, max_edits in candidates:
        limit = min(max_edits, best_distance)  # names farther away than the best one do not matter
        # One edit changes at most two letters of the symmetric difference.
        if len(letters.symmetric_difference(lower)) > 2 * limit:
            continue
        if work <= 0:
            break
        distance, cost = edit_distance(wanted, lower, limit)
        work -= cost
        if distance > limit:
            continue
        if best is None or distance < best_distance:
            best = name
            best_distance = distance
            is_unique = True
        elif name != best:
            is_unique = False
    return best, is_unique, work


def edit_distance(a: str, b: str, limit: int) -> tuple[int, int]:
    """Compute the restricted Damerau–Levenshtein distance: insert, delete, replace, swap two neighbours.

    The common start and end of the words are skipped, because most misspellings differ in one place.

    Returns:
        The distance, or a number above `limit`; and the number of letter pairs that were compared.
    """
    shorter = min(len(a), len(b))
    start = 0
    while start < shorter and a[start] == b[start]:
        start += 1
    end = 0
    while end < shorter - start and a[-1 - end] == b[-1 - end]:
        end += 1
    a = a[start : len(a) - end]
    b = b[start : len(b) - end]
    if (len(a) <= 1 and len(b) <= 1) or not a or not b:
        return max(len(a), len(b)), start + end + 1
    if len(a) == 2 and a == b[::-1]:
        return 1, start + end + 2
    if limit < 2:
        return 2, start + end + 1  # all words within one edit have been recognized
    distance, work = _banded_distance(a, b, limit)
    return distance, start + end + work


def _banded_distance(a: str, b: str, limit: int) -> tuple[int, int]:
    """Compute the distance in the band around the diagonal: outside of it every distance is above the limit."""
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
    words = text
    if not text.islower():
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", text)
    joined = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")
    return joined.lstrip("-0123456789")[:64].rstrip("-")


def probably_meant(word: str, names: Iterable[str]) -> str | None:
    """Return the nearest name if it has the same digits: ``page-9`` is no misspelling of ``page-1``."""
    name = nearest(word, names)
    if name is None or _digits(name) != _digits(word):
        return None
    return name


def _digits(text: str) -> str:
    return "".join(letter for letter in text if letter.isdigit())
