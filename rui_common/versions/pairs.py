"""Pairs of elements of two versions that are the same, found by keys."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import NamedTuple

from rui_common.versions.elements import Element

Key = Callable[[Element], Hashable | None]
"""Returns what two elements have in common that are the same; None if there is nothing to compare."""


class Tie(NamedTuple):
    """Elements of which each old one could be each new one, and their numbers differ."""

    olds: list[Element]
    news: list[Element]


class Pairs:
    """Which elements are the same. An element with a partner keeps it, unless the pair is removed."""

    def __init__(self) -> None:
        self.to_new: dict[Element, Element] = {}  # element of the old version → its partner
        self.to_old: dict[Element, Element] = {}  # the other way around
        self.ties: dict[Element, Tie] = {}  # element of the old version → the tie in which its partner was chosen

    def add(self, old: Element, new: Element) -> None:
        self.ties.pop(old, None)
        self.to_new[old] = new
        self.to_old[new] = old

    def remove(self, old: Element) -> None:
        del self.to_old[self.to_new.pop(old)]

    def match(self, olds: Iterable[Element], news: Iterable[Element], key: Key, *, is_anywhere: bool = False) -> None:
        """Pair free elements with equal keys in order; of several with one key, those with equal content first.

        They are in lists with the same name, unless `is_anywhere`.
        """
        for old_group, new_group in self._groups(olds, news, key, is_anywhere=is_anywhere):
            if len(old_group) > 1 or len(new_group) > 1:
                self._match_equal(old_group, new_group)
            left = [old for old in old_group if old not in self.to_new]
            free = [new for new in new_group if new not in self.to_old]
            self._match_in_order(left, free)

    def _match_in_order(self, olds: list[Element], news: list[Element]) -> None:
        """Pair elements of which each old one could be each new one."""
        for old, new in zip(olds, news, strict=False):
            if is_comparable(old, new):
                self.add(old, new)
        if news and len(olds) != len(news):
            self.ties.update(dict.fromkeys(olds, Tie(olds, news)))

    def match_only(
        self, olds: Iterable[Element], news: Iterable[Element], key: Key, *, is_anywhere: bool = False
    ) -> None:
        """Pair free elements if one of each version has a key."""
        for old_group, new_group in self._groups(olds, news, key, is_anywhere=is_anywhere):
            if len(old_group) == len(new_group) == 1 and is_comparable(old_group[0], new_group[0]):
                self.add(old_group[0], new_group[0])
            else:
                self.ties.update(dict.fromkeys(old_group, Tie(old_group, new_group)))

    def _groups(
        self, olds: Iterable[Element], news: Iterable[Element], key: Key, *, is_anywhere: bool
    ) -> Iterator[tuple[list[Element], list[Element]]]:
        """Yield the free elements of both versions that have one key."""
        free = [old for old in olds if old not in self.to_new]
        if not free:
            return
        candidates: dict[Hashable, list[Element]] = defaultdict(list)
        for new in news:
            if new not in self.to_old and (name := key(new)) is not None:
                candidates[is_anywhere or new.list_name, name].append(new)
        groups: dict[Hashable, list[Element]] = defaultdict(list)
        for old in free:
            if (name := key(old)) is not None:
                groups[is_anywhere or old.list_name, name].append(old)
        for group, members in groups.items():
            if group in candidates:
                yield members, candidates[group]

    def _match_equal(self, olds: list[Element], news: list[Element]) -> None:
        """Pair elements with equal content."""
        equal: dict[str, tuple[list[Element], list[Element]]] = defaultdict(lambda: ([], []))
        for elements, version in ((olds, 0), (news, 1)):
            for element in elements:
                equal[element.digest][version].append(element)
        for old_group, new_group in equal.values():
            self._match_in_order(old_group, new_group)


def is_comparable(old: Element, new: Element) -> bool:
    """Return whether two elements may be the same: a page is no block, and text is no object."""
    if isinstance(old.value, dict) != isinstance(new.value, dict):
        return False
    return old.kind is new.kind or (old.shape is not None and old.shape is new.shape)
