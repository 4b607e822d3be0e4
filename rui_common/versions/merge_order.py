"""The order of a list that two sides have changed: members, positions, or both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import TypeVar

MAX_REORDERED = 500
"""Maximum number of elements that both sides reorder. The time grows with its square."""

T = TypeVar("T", bound=Hashable)


def merge_order(base: Sequence[T], ours: Sequence[T], theirs: Sequence[T], *, prefer_ours: bool) -> list[T]:
    """Return the members of `ours` and `theirs` in an order that contains the changes of both sides.

    Where both sides add elements, those of `ours` come first. If the changes of the order contradict each other, or
    both sides add an element at two places, one side counts.
    """
    in_both = {*ours} & {*theirs}
    in_all = in_both & {*base}
    orders = [[one for one in order if one in in_all] for order in (base, ours, theirs)]
    merged = _merge_common(*orders, prefer_ours=prefer_ours)
    new_in_both = [one for one in (ours if prefer_ours else theirs) if one in in_both]
    merged = _insert(merged, new_in_both, in_all)
    merged = _insert(merged, ours, {*theirs})
    return _insert(merged, theirs, {*base, *theirs})


def _merge_common(base: list[T], ours: list[T], theirs: list[T], *, prefer_ours: bool) -> list[T]:
    """Merge three orders of the same elements."""
    preferred = ours if prefer_ours else theirs
    if base == ours or ours == theirs:
        return theirs
    if base == theirs:
        return ours
    if len(base) > MAX_REORDERED:
        return preferred
    # Of each pair the order counts that a side has changed. These orders of pairs may contradict each other.
    positions = [{one: index for index, one in enumerate(order)} for order in (base, ours, theirs)]
    followers = {
        one: sum(_is_before(one, other, positions) for other in base if other is not one) for one in base
    }
    if len({*followers.values()}) != len(base):
        return preferred
    return sorted(base, key=lambda one: -followers[one])


def _is_before(one: T, other: T, positions: list[dict[T, int]]) -> bool:
    base, ours, theirs = (order[one] < order[other] for order in positions)
    return ours if theirs == base else theirs


def _insert(order: list[T], side: Sequence[T], stays_after: set[T]) -> list[T]:
    """Insert the elements of a side that are missing, after the one that precedes them in the side.

    At the start and at the end of the side they stay there. Elements that are not in `stays_after` remain before them.
    """
    known = {*order}
    runs: dict[T | None, list[T]] = defaultdict(list)
    first: list[T] = []
    previous: T | None = None
    for one in side:
        if one in known:
            if previous is None:
                first = runs.pop(None, [])
            previous = one
        else:
            runs[previous].append(one)
    last = runs.pop(previous, [])
    return [*_with_runs(first, order, runs, stays_after), *last]


def _with_runs(first: list[T], order: list[T], runs: dict[T | None, list[T]], stays_after: set[T]) -> Iterator[T]:
    pending = first
    for one in order:
        if one in stays_after:
            yield from pending
            pending = []
        yield one
        pending = pending + runs.get(one, [])
    yield from pending
