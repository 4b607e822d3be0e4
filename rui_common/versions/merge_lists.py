"""The lists of a merged document: what a side has moved in them, and their order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from rui_common.versions.merge_inputs import OTHER, SIDES, Entry, Place, Side, Versions
from rui_common.versions.merge_order import Gap, Moved, gaps, merge_common, merge_order, moved
from rui_common.vocabulary.schema import Shape


class MergedLists:
    """The lists of the merged document, for the preference for one side."""

    def __init__(self, versions: Versions, prefer: Side) -> None:
        self._versions = versions
        self._prefer = prefer
        self._other = OTHER[prefer]
        self._orders: dict[Place, list[Entry]] = {}
        self._moved = self._find_moved()

    def _find_moved(self) -> Moved[Entry]:
        """Return what the preferred side has moved within lists."""
        surely: set[Entry] = set()
        perhaps: set[Entry] = set()
        for place, entries in self._versions.lists[Side.BASE].items():
            side = self._versions.in_list(self._prefer, place)
            in_list = moved(entries, side)
            perhaps |= in_list.perhaps
            # Elements that are replaced may have been passed, so that another explanation is the right one.
            may_be_replaced = not {*side}.issuperset(entries) and not {*entries}.issuperset(side)
            surely |= in_list.perhaps if may_be_replaced else in_list.surely
        return Moved(surely, perhaps)

    def is_moved(self, entry: Entry) -> bool:
        """Return whether the preferred side has surely moved an entry within its list."""
        return entry in self._moved.surely

    def may_be_moved(self, entry: Entry) -> bool:
        """Return whether the preferred side has moved an entry within its list, or others in its place."""
        return entry in self._moved.perhaps

    def is_moved_alone(self, entry: Entry) -> bool:
        """Return whether the preferred side has surely moved an entry within a list that it leaves in the other side.

        An entry that goes to another list together with one that it has passed is not alone: their order is merged.
        """
        if not self.is_moved(entry):
            return False
        place = self._versions.place_of(entry.of(self._other))
        groups = [] if place is None else self._moved_together(place, self._other)
        group = next((group for group in groups if entry in group), [])
        return not any(self._is_passed(entry, other) for other in group)

    def _is_passed(self, entry: Entry, other: Entry) -> bool:
        """Return whether the preferred side has reversed the order of two entries of a list."""
        base, new = (
            self._versions.index_of(entry, side) < self._versions.index_of(other, side)
            for side in (Side.BASE, self._prefer)
        )
        return base != new

    def replaced_beside(self) -> Iterator[Entry]:
        """Yield the entries that the other side may have replaced, if the preferred order may be lost.

        The preferred side has put an element before or after them, and the merged order has it on the other side of
        what the other side has added at their place.
        """
        for place, base in self._versions.lists[Side.BASE].items():
            preferred = self._versions.in_list(self._prefer, place)
            other = self._versions.in_list(self._other, place)
            in_base = {*base}
            neighbours: list[tuple[Entry, Entry, bool]] = []
            for first, second in pairwise(preferred):
                neighbours += [(first, second, True), (second, first, False)]
            neighbours_of: dict[Entry, list[tuple[Entry, bool]]] = defaultdict(list)
            for entry, neighbour, is_after in neighbours:
                if self._other not in entry.elements and (neighbour not in in_base or self.may_be_moved(neighbour)):
                    neighbours_of[entry].append((neighbour, is_after))
            if neighbours_of:
                yield from self._contradicted(place, gaps(base, other), neighbours_of)

    def _contradicted(
        self, place: Place, gaps_of_other: Iterable[Gap[Entry]], neighbours_of: Mapping[Entry, list[tuple[Entry, bool]]]
    ) -> Iterator[Entry]:
        """Yield the removed entries of gaps whose new neighbours are on the wrong side of what was added in the gap.

        `neighbours_of` are the neighbours of entries, and whether each follows the entry.
        """
        order = {entry: index for index, entry in enumerate(self.order(place))}
        for gap in gaps_of_other:
            added: dict[Shape | None, list[int]] = defaultdict(list)
            for entry in gap.elements:
                if entry.elements.keys() == {self._other}:
                    added[entry.elements[self._other].shape].append(order[entry])
            ends = {shape: (min(indices), max(indices)) for shape, indices in added.items()}
            for entry in gap.removed:
                first, last = ends.get(entry.elements[Side.BASE].shape, (None, None))
                if first is None or last is None:
                    continue
                for neighbour, is_after in neighbours_of.get(entry, ()):
                    if order[neighbour] < last if is_after else first < order[neighbour]:
                        yield entry

    def replacing_removed(self) -> Iterator[Entry]:
        """Yield what the other side has added at the place of an entry of the same type that both sides have removed.

        It may be that entry with another name: one side has deleted it, and the other one has changed it.
        """
        for place, base in self._versions.lists[Side.BASE].items():
            for gap in gaps(base, self._versions.in_list(self._other, place)):
                removed = [entry for entry in gap.removed if entry.elements.keys() == {Side.BASE}]
                in_both = [entry for entry in gap.elements if entry.elements.keys() == OTHER.keys()]
                counts = Counter(entry.elements[Side.BASE].shape for entry in removed)
                counts.subtract(entry.elements[self._other].shape for entry in in_both)
                for entry in gap.elements:
                    if entry.elements.keys() == {self._other} and counts[entry.elements[self._other].shape] > 0:
                        yield entry

    def order(self, place: Place) -> list[Entry]:
        """Return the merged order of all entries that a side has in a list, also of those that the other has not."""
        if place not in self._orders:
            base, ours, theirs = (self._versions.in_list(side, place) for side in Side)
            orders = {Side.OURS: ours, Side.THEIRS: theirs}
            for side in SIDES:
                orders[side] = self._with_order_of_other(place, side)
            self._orders[place] = merge_order(base, *orders.values(), prefer_ours=self._prefer is Side.OURS)
        return self._orders[place]

    def _with_order_of_other(self, place: Place, side: Side) -> list[Entry]:
        """Return a list of a side. What it has moved there, and the other side has reordered, is in the new order."""
        order = self._versions.in_list(side, place)
        for group in self._moved_together(place, side):
            merged = self._merge_group(group, side)
            start = order.index(group[0])
            is_run = order[start : start + len(group)] == group
            if is_run or side is self._other:
                following = iter(merged)
                members = {*group}
                order = [next(following) if entry in members else entry for entry in order]
        return order

    def _moved_together(self, place: Place, side: Side) -> Iterator[list[Entry]]:
        """Yield the entries that a side has moved to a list, in its order, by the list in which the other has them."""
        groups: dict[Place, list[Entry]] = defaultdict(list)
        for entry in self._versions.in_list(side, place):
            if len(entry.elements) == len(Side):
                base = self._versions.place_of(entry.of(Side.BASE))
                other = self._versions.place_of(entry.of(OTHER[side]))
                if base is not None and base == other != place:
                    groups[base].append(entry)
        yield from (group for group in groups.values() if len(group) > 1)

    def _merge_group(self, group: list[Entry], side: Side) -> list[Entry]:
        base = sorted(group, key=lambda entry: self._versions.index_of(entry, Side.BASE))
        other = sorted(group, key=lambda entry: self._versions.index_of(entry, OTHER[side]))
        return merge_common(base, group, other, group if side is self._prefer else other)
