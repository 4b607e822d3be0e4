"""The order of a list that two sides have changed: members, positions, or both."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence, Set
from typing import TypeVar

MAX_REORDERED = 500  # maximum number of elements that both sides reorder. The time grows with its square.

T = TypeVar("T", bound=Hashable)


def merge_order(base: Sequence[T], ours: Sequence[T], theirs: Sequence[T], *, prefer_ours: bool) -> list[T]:
    """Return the members of `ours` and `theirs` in an order that contains the changes of both sides.

    Where both sides add elements, those of `ours` come first. If the changes of the order contradict each other, or
    both sides add an element at two places, one side counts.
    """
    in_both = {*ours} & {*theirs}
    in_all = in_both & {*base}
    preferred = theirs
    if prefer_ours:
        preferred = ours
    merged = _merge_common(*([one for one in order if one in in_all] for order in (base, ours, theirs, preferred)))
    merged = _insert(merged, [one for one in preferred if one in in_both], in_all)
    merged = _insert(merged, ours, {*theirs})
    return _insert(merged, theirs, {*base, *theirs})


def align(ours: Sequence[T], theirs: Sequence[T], unmoved: Set[T]) -> list[tuple[list[T], list[T]]]:
    """Return runs of two orders of distinct elements: either the same element in both, or what only one side has there.

    As many elements as possible are in both; those that are unmoved come first.
    """
    places = {one: index for index, one in enumerate(theirs)}
    kept = {*longest_increasing([(places[one], one) for one in ours if one in places and one in unmoved])}
    runs: list[tuple[list[T], list[T]]] = []
    start = other_start = 0
    for one in _fit([one for one in ours if one in places], places, kept):
        end, other_end = ours.index(one, start), places[one]
        if end > start or other_end > other_start:
            runs.append(([*ours[start:end]], [*theirs[other_start:other_end]]))
        runs.append(([one], [one]))
        start, other_start = end + 1, other_end + 1
    if start < len(ours) or other_start < len(theirs):
        runs.append(([*ours[start:]], [*theirs[other_start:]]))
    return runs


def longest_increasing(pairs: list[tuple[int, T]]) -> list[T]:
    """Return the second items of the longest sequence whose first items increase (patience sorting)."""
    tops: list[int] = []
    ends: list[int] = []
    previous: list[int | None] = []
    at: int | None = None
    for index, (place, _) in enumerate(pairs):
        pile = bisect_left(tops, place)
        previous.append(ends[pile - 1] if pile else None)
        tops[pile : pile + 1] = [place]
        ends[pile : pile + 1] = [index]
        at = ends[-1]
    found: list[T] = []
    while at is not None:
        found.append(pairs[at][1])
        at = previous[at]
    return found[::-1]


def _fit(order: Sequence[T], places: dict[T, int], kept: set[T]) -> Iterator[T]:
    """Yield the elements of an order in increasing places: all that are kept, and as many others as possible."""
    between: list[T] = []
    last = -1
    for one in (*order, None):
        if one is not None and one not in kept:
            between.append(one)
            continue
        end = len(places) if one is None else places[one]
        yield from longest_increasing([(places[other], other) for other in between if last < places[other] < end])
        between = []
        if one is not None:
            yield one
            last = end


def _merge_common(base: list[T], ours: list[T], theirs: list[T], preferred: list[T]) -> list[T]:
    """Merge three orders of the same elements; `preferred` is the one of a side that counts in a contradiction."""
    if ours in (base, theirs):
        return theirs
    if base == theirs:
        return ours
    if len(base) > MAX_REORDERED:
        return preferred
    # Of each pair the order counts that a side has changed. These orders of pairs may contradict each other.
    positions = [{one: index for index, one in enumerate(order)} for order in (base, ours, theirs)]
    followers = {one: sum(_is_before(one, other, positions) for other in base) for one in base}
    if len({*followers.values()}) != len(base):
        return preferred
    return sorted(base, key=lambda one: -followers[one])


def _is_before(one: T, other: T, positions: list[dict[T, int]]) -> bool:
    base, ours, theirs = (order[one] < order[other] for order in positions)
    if theirs == base:
        return ours
    return theirs


def _insert(order: list[T], side: Sequence[T], stays_after: set[T]) -> list[T]:
    """Insert the elements of a side that are missing, after the one that precedes them in the side.

    At the start and at the end of the side they stay there. Elements that are not in `stays_after` remain before them.
    """
    known = {*order}
    runs: dict[T | None, list[T]] = defaultdict(list)
    previous: T | None = None
    for one in side:
        if one in known:
            previous = one
        else:
            runs[previous].append(one)
    last = runs.pop(previous, [])
    pending = runs.pop(None, [])
    merged: list[T] = []
    for one in order:
        if one in stays_after:
            merged += pending
            pending = []
        merged.append(one)
        pending = pending + runs.get(one, [])
    return [*merged, *pending, *last]
