"""The edits of the order of lists in a history, and which of them a document has lost, independent of the product.

An edit is a pair of elements, the first of which the side has put before the second one:

- elements that the base has in the opposite order;
- an element that is new in its list, or that was moved in it, and its neighbours there.
"""

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

Orders = dict[str, list[str]]
"""Name of a list → the names of its elements, which are unique in the document."""


class Moved(NamedTuple):
    """The elements of a list that a side has moved in it."""

    surely: set[str]  # those that were moved in each explanation of the order with the fewest moves
    perhaps: set[str]  # those that were moved in one of them


class Lists:
    """The lists of a document, in which elements are looked up. A choice at a conflict may have an element twice."""

    def __init__(self, orders: Orders) -> None:
        self.orders = orders
        self.places: dict[str, list[tuple[str, int]]] = {}
        for name, elements in orders.items():
            for index, element in enumerate(elements):
                self.places.setdefault(element, []).append((name, index))

    def are_together(self, first: str, second: str) -> bool:
        """Return whether two elements are in one list."""
        return not {name for name, _ in self.places.get(first, ())}.isdisjoint(
            name for name, _ in self.places.get(second, ())
        )

    def is_before(self, first: str, second: str) -> bool:
        """Return whether an element precedes another one in a list."""
        return any(
            name == other_name and index < other_index
            for name, index in self.places.get(first, ())
            for other_name, other_index in self.places.get(second, ())
        )


def moved(before: list[str], after: list[str]) -> Moved:
    """Return the elements that were moved between two orders: those outside of a longest sequence that both have."""
    known = {name: index for index, name in enumerate(before)}
    names = [name for name in after if name in known]
    lengths = [0] * len(names)  # of the longest sequence that ends with the element
    rests = [0] * len(names)  # of the longest one that begins with it
    for index in range(len(names)):
        lengths[index] = 1 + max((lengths[i] for i in range(index) if known[names[i]] < known[names[index]]), default=0)
    for index in reversed(range(len(names))):
        later = range(index + 1, len(names))
        rests[index] = 1 + max((rests[i] for i in later if known[names[i]] > known[names[index]]), default=0)
    longest = max(lengths, default=0)
    kept = [index for index in range(len(names)) if lengths[index] + rests[index] - 1 == longest]
    alone = {index for index in kept if [lengths[i] for i in kept].count(lengths[index]) == 1}
    return Moved(
        {names[index] for index in range(len(names)) if index not in kept},
        {names[index] for index in range(len(names)) if index not in alone},
    )


def lost(base: Orders, side: Orders, other: Orders, result: Orders) -> Iterator[str]:
    """Yield the edits of the order by a side that a document does not have, in words.

    What the other side has done to one of two elements may contradict an edit.
    """
    lists = [Lists(orders) for orders in (base, side, other, result)]
    yield from _lost_pairs(*lists)
    yield from _lost_neighbours(*lists)
    yield from _lost_moves(*lists)


def _reversed_pairs(base: Lists, side: Lists) -> Iterator[tuple[str, str]]:
    """Yield the pairs in a list of the base that a side has in one list, in the opposite order."""
    for elements in base.orders.values():
        for first, second in combinations(elements, 2):
            if side.is_before(second, first):
                yield second, first


def _lost_pairs(base: Lists, side: Lists, _: Lists, result: Lists) -> Iterator[str]:
    for first, second in _reversed_pairs(base, side):
        if result.are_together(first, second) and not result.is_before(first, second):
            yield f"{first} before {second}"


def _lost_neighbours(base: Lists, side: Lists, other: Lists, result: Lists) -> Iterator[str]:
    for name, elements in side.orders.items():
        before = base.orders.get(name, [])
        placed = moved(before, elements).surely | {*elements} - {*before}
        perhaps_moved = moved(before, other.orders.get(name, [])).perhaps
        broken = []
        for pair in pairwise(elements):
            if placed.isdisjoint(pair) or not result.are_together(*pair) or result.is_before(*pair):
                continue
            broken.append(pair)
            if not _is_contradicted(pair, base, other, perhaps_moved):
                yield f"{pair[0]} directly before {pair[1]}"
        for first, second in pairwise(broken):
            if first[1] == second[0]:
                yield f"{first[1]} between {first[0]} and {second[1]}"


def _is_contradicted(pair: tuple[str, str], base: Lists, other: Lists, perhaps_moved: set[str]) -> bool:
    """Return whether the other side has put two elements into another order, or one of them to another place."""
    if base.are_together(*pair):
        return other.is_before(pair[1], pair[0]) and not base.is_before(pair[1], pair[0])
    return not perhaps_moved.isdisjoint(pair) or any(
        element in base.places and not other.are_together(element, element) for element in pair
    )


def _lost_moves(base: Lists, side: Lists, _: Lists, result: Lists) -> Iterator[str]:
    """Yield the elements that a side has moved in a list, and that are gone, or in another list alone."""
    kept = {element for pair in _reversed_pairs(base, side) if result.is_before(*pair) for element in pair}
    for name, elements in base.orders.items():
        for element in moved(elements, side.orders.get(name, [])).surely:
            lists = [list_name for list_name, _ in result.places.get(element, ())]
            if name not in lists and (not lists or element not in kept):
                yield f"{element} moved in {name}"
