"""The order of a list that two sides have changed: members, positions, or both."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from heapq import heappop, heappush
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

MAX_REORDERED = 500  # maximum number of elements that both sides reorder. The time grows with its square.

T = TypeVar("T", bound=Hashable)


class Moved(NamedTuple, Generic[T]):
    """The elements of a list that a side has moved in it, if it has moved as few as possible."""

    surely: Set[T] = frozenset()  # the elements that it has moved in any case
    perhaps: Set[T] = frozenset()  # these, and those that it has moved unless it has moved others in their place


def moved(base: Sequence[T], side: Sequence[T]) -> Moved[T]:
    """Return which elements a side has moved: those outside of a longest sequence of elements that both orders have."""
    positions = {element: index for index, element in enumerate(base)}
    elements = [element for element in side if element in positions]
    order = [positions[element] for element in elements]
    if order == sorted(order):
        return Moved()
    lengths = increasing_lengths(order)
    rests = increasing_lengths([-position for position in reversed(order)])[::-1]
    longest = max(lengths)
    is_kept = [length + rest - 1 == longest for length, rest in zip(lengths, rests, strict=True)]
    alternatives = Counter(length for length, kept in zip(lengths, is_kept, strict=True) if kept)
    surely = {element for element, kept in zip(elements, is_kept, strict=True) if not kept}
    perhaps = {element for element, length in zip(elements, lengths, strict=True) if alternatives[length] > 1}
    return Moved(surely, surely | perhaps)


def increasing_lengths(order: list[int]) -> list[int]:
    """Return the length of the longest increasing sequence that ends with each of some distinct numbers."""
    tops: list[int] = []
    lengths: list[int] = []
    for number in order:
        pile = bisect_left(tops, number)
        tops[pile : pile + 1] = [number]
        lengths.append(pile + 1)
    return lengths


def merge_order(base: Sequence[T], ours: Sequence[T], theirs: Sequence[T], *, prefer_ours: bool) -> list[T]:
    """Return the members of `ours` and `theirs` in an order that contains the changes of both sides.

    An element that only one side has removed keeps its place: what the other side has put before or after it stays
    there, and what the same side has added in its place directly follows it. Where both sides add elements, those of
    `ours` come first. If the changes of the order contradict each other, or both sides add an element at two places,
    one side counts.
    """
    if ours == theirs:
        return [*ours]
    members = {*ours, *theirs}
    common = [element for element in base if element in members]
    in_base = {*common}
    orders = [_with_removed(common, side) for side in (ours, theirs)]
    preferred = orders[0 if prefer_ours else 1]
    merged = merge_common(
        common, *([element for element in order if element in in_base] for order in (*orders, preferred))
    )
    known = in_base | ({*ours} & {*theirs})
    merged = _insert(merged, [element for element in preferred if element in known], known)
    replacements: list[list[T]] = []
    additions: list[list[T]] = []
    for order, side, other in zip(orders, (ours, theirs), (theirs, ours), strict=True):
        removed = in_base.difference(side)
        anchored = _without_moved(order, removed, known, moved(common, other))
        replacing = _replacements(anchored, removed, known)
        replacements.append([element for element in anchored if element in known or element in replacing])
        additions.append([element for element in anchored if element not in replacing])
    for order in replacements:
        merged = _insert(merged, order, known, keep_end=False)
    for order in additions:
        merged = _insert(merged, order, known)
    return merged


def merge_names(ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """Return the names of properties of both sides: those of ours in their order, then or between them the others."""
    in_ours = {*ours}
    return merge_order([name for name in theirs if name in in_ours], ours, theirs, prefer_ours=True)


class Gap(NamedTuple, Generic[T]):
    """What a side has removed, and what it has, between two elements that it has not moved."""

    removed: list[T]
    elements: list[T]
    end: list[T]  # the second of these elements; empty at the end of the list


def gaps(base: Sequence[T], side: Sequence[T], unmoved: Set[T] | None = None) -> Iterator[Gap[T]]:
    """Yield the gaps of a side from the start to the end of the list.

    They are between those of its elements that it surely has not moved, or between others.
    """
    positions = {element: index for index, element in enumerate(base)}
    present = {*side}
    if unmoved is None:
        unmoved = (present & positions.keys()) - moved(base, side).perhaps
    elements: list[T] = []
    start = 0
    for element in side:
        if element not in unmoved:
            elements.append(element)
            continue
        end = positions[element]
        yield Gap([other for other in base[start:end] if other not in present], elements, [element])
        elements = []
        start = end + 1
    yield Gap([other for other in base[start:] if other not in present], elements, [])


def _with_removed(base: Sequence[T], side: Sequence[T]) -> list[T]:
    """Return the order of a side with the elements that it has removed, before what it has added at their place."""
    positions = {element: index for index, element in enumerate(base)}
    order: list[T] = []
    for gap in gaps(base, side):
        order += [*_fill(gap, positions), *gap.end]
    return order


def _fill(gap: Gap[T], positions: Mapping[T, int]) -> list[T]:
    """Return the elements of a gap with those that are removed; `positions` are those in the base.

    If different elements may be the moved ones, those are that are not between removed and added elements.
    """
    if not gap.removed:
        return gap.elements
    of_base = [(positions[element], element) for element in gap.elements if element in positions]
    before = [*gap.removed, *(element for _, element in of_base)]
    before.sort(key=positions.__getitem__)
    best: list[T] = []
    most = -1
    for unmoved in (
        longest_increasing(of_base),
        longest_increasing([(-position, element) for position, element in of_base[::-1]]),
    ):
        order: list[T] = []
        replaced = 0
        for inner in gaps(before, gap.elements, {*unmoved}):
            added = [index for index, element in enumerate(inner.elements) if element not in positions]
            index = added[0] if added else 0
            order += [*inner.elements[:index], *inner.removed, *inner.elements[index:], *inner.end]
            replaced += bool(added and inner.removed)
        if replaced > most:
            best, most = order, replaced
    return best


def _without_moved(order: Sequence[T], removed: Set[T], known: Set[T], by_other: Moved[T]) -> list[T]:
    """Return an order without elements that the other side has moved, and what is added after them should not follow.

    It should not if the side has removed the element, or if the next element is not moved: then it stays before that.
    """
    kept: list[T] = []
    next_is_moved = True
    for element in reversed(order):
        if element not in known:
            kept.append(element)
            continue
        is_moved = element in (by_other.perhaps if element in removed else by_other.surely)
        if not is_moved or (next_is_moved and element not in removed):
            kept.append(element)
        next_is_moved = element in by_other.surely
    return kept[::-1]


def _replacements(order: Sequence[T], removed: Set[T], known: Set[T]) -> set[T]:
    """Return the elements of an order that are not known and follow a removed element."""
    found: set[T] = set()
    follows_removed = False
    for element in order:
        if element in known:
            follows_removed = element in removed
        elif follows_removed:
            found.add(element)
    return found


def align(ours: Sequence[T], theirs: Sequence[T]) -> Iterator[tuple[list[T], list[T]]]:
    """Yield runs of two orders of distinct elements: either the same element in both, or what is between two of these.

    If both have some elements in two orders, all from the first to the last of these are in one run.
    """
    in_ours, in_theirs = {*ours}, {*theirs}
    common = [element for element in ours if element in in_theirs]
    their_common = [element for element in theirs if element in in_ours]
    differing = [index for index, pair in enumerate(zip(common, their_common, strict=True)) if pair[0] != pair[1]]
    if differing:
        del common[differing[0] : differing[-1] + 1]
    start = other_start = 0
    for element in common:
        end, other_end = ours.index(element, start), theirs.index(element, other_start)
        if end > start or other_end > other_start:
            yield [*ours[start:end]], [*theirs[other_start:other_end]]
        yield [element], [element]
        start, other_start = end + 1, other_end + 1
    if start < len(ours) or other_start < len(theirs):
        yield [*ours[start:]], [*theirs[other_start:]]


def longest_increasing(pairs: list[tuple[int, T]]) -> list[T]:
    """Return the second items of the longest sequence whose first items increase (patience sorting)."""
    tops: list[int] = []
    ends: list[int] = []
    previous: list[int | None] = []
    last: int | None = None
    for index, (number, _) in enumerate(pairs):
        pile = bisect_left(tops, number)
        previous.append(ends[pile - 1] if pile else None)
        tops[pile : pile + 1] = [number]
        ends[pile : pile + 1] = [index]
        last = ends[-1]
    found: list[T] = []
    while last is not None:
        found.append(pairs[last][1])
        last = previous[last]
    return found[::-1]


def merge_common(base: list[T], ours: list[T], theirs: list[T], preferred: list[T]) -> list[T]:
    """Merge three orders of the same elements; `preferred` is the one of a side that counts in a contradiction."""
    if ours in (base, theirs):
        return theirs
    if base == theirs:
        return ours
    if len(base) > MAX_REORDERED:
        return preferred
    # Of each pair the order counts that a side has changed. These orders of pairs may contradict each other.
    positions = [{element: index for index, element in enumerate(order)} for order in (base, ours, theirs)]
    followers = {element: sum(_is_before(element, other, positions) for other in base) for element in base}
    if len({*followers.values()}) != len(base):
        return _with_changed_pairs(base, ours, theirs) or preferred
    return sorted(base, key=lambda element: -followers[element])


def _with_changed_pairs(base: list[T], ours: list[T], theirs: list[T]) -> list[T]:
    """Return the order nearest to the base in which each pair is in order that a side has reversed.

    It is empty if there is none, or if another pair is reversed than one of which each side may have moved one element,
    or if an element that a side has moved is no longer between its neighbours there.
    """
    positions = [{element: index for index, element in enumerate(order)} for order in (base, ours, theirs)]
    following: dict[int, list[int]] = {index: [] for index in range(len(base))}
    preceding = [0] * len(base)  # the number of elements that have to precede each one
    for index, element in enumerate(base):
        for later_index in range(index + 1, len(base)):
            if _is_before(base[later_index], element, positions):
                following[later_index].append(index)
                preceding[index] += 1
    ready = [index for index, number in enumerate(preceding) if not number]
    merged: list[T] = []
    while ready:
        index = heappop(ready)
        merged.append(base[index])
        for later in following[index]:
            preceding[later] -= 1
            if not preceding[later]:
                heappush(ready, later)
    if len(merged) < len(base):
        return []
    indices = {element: index for index, element in enumerate(merged)}
    moves = [moved(base, side) for side in (ours, theirs)]
    by_each = {(first, second) for first in moves[0].perhaps for second in moves[1].perhaps}
    for index, first in enumerate(base):
        for second in base[index + 1 :]:
            is_reversed = indices[second] < indices[first] and not _is_before(second, first, positions)
            if is_reversed and by_each.isdisjoint(((first, second), (second, first))):
                return []
    for side, move in zip((ours, theirs), moves, strict=True):
        for first, second in pairwise(side):
            is_reversed = indices[second] < indices[first] and _is_before(first, second, positions)
            if is_reversed and not move.surely.isdisjoint((first, second)):
                return []
    return merged


def _is_before(first: T, second: T, positions: list[dict[T, int]]) -> bool:
    base, ours, theirs = (order[first] < order[second] for order in positions)
    if theirs == base:
        return ours
    return theirs


def _insert(order: list[T], side: Sequence[T], known: Set[T], *, keep_end: bool = True) -> list[T]:
    """Insert the elements of a side that are missing, after the one that precedes them in the side.

    Elements of the order that are not known remain before them. At the start of the side they stay there, and at its
    end if `keep_end`.
    """
    present = {*order}
    runs: dict[T | None, list[T]] = defaultdict(list)
    previous: T | None = None
    for element in side:
        if element in present:
            previous = element
        else:
            runs[previous].append(element)
    last = runs.pop(previous, []) if keep_end else []
    pending = runs.pop(None, [])
    merged: list[T] = []
    for element in order:
        if element in known:
            merged += pending
            pending = []
        merged.append(element)
        pending = pending + runs.get(element, [])
    return [*merged, *pending, *last]
