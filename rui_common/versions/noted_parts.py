"""Find the parts of an old version in a new one as users see them, also those with a new id."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator
from functools import cached_property
from typing import NamedTuple

from rui_common.syntax.paths import Path
from rui_common.versions.changes import Change, ChangeKind
from rui_common.versions.match import Element, Matching
from rui_common.versions.sentences import text_with_role, top_of
from rui_common.versions.visible import visible_digests, visible_part
from rui_common.vocabulary.schema import Role


class Place(NamedTuple):
    """Where a part of the old version is in the new one."""

    path: Path
    node: Element  # the node, or the root, that contains the part
    # whether the node is another one than that with which the old node is matched, and the part is the same for users
    is_equal_node: bool


class _List(NamedTuple):
    """A list of elements in both versions."""

    old: Path
    new: Path
    elements: list[Element]  # those of the new version


class NotedParts:
    """The parts of two versions.

    A node is the one with which it is matched. If there is none, or one with another label and other data, it is the
    node that users see as the same and that no other node of the old version is: an agent has written its page anew, or
    has numbered the ids anew.
    """

    def __init__(self, matching: Matching) -> None:
        self._matching = matching
        self._partners = matching.partners
        self._to_old = {new: old for old, new in matching.partners.items()}
        self._unmoved: dict[Path, set[Element]] = {}  # the path of a list → its elements that have not moved
        self._olds = {one.path: one for one in matching.olds}
        self._news = {one.path: one for one in matching.news}
        self._digests = visible_digests(matching.olds) | visible_digests(matching.news)

    def element_around(self, path: Path) -> Element:
        """Return the innermost element of the old version at or around a path."""
        return _owner(path, self._olds)[0]

    def node_around(self, path: Path) -> Element:
        """Return the innermost node of the old version at or around a path; the root if there is none."""
        one = self.element_around(path)
        while not one.is_node and one.parent is not None:
            one = one.parent
        return one

    def place_of(self, path: Path) -> Place | None:
        """Return where a part of the old version is in the new one; None if it is gone."""
        node = self.node_around(path)
        rest = path[len(node.path) :]
        if same := self._same_nodes.get(node):
            return Place((*same.path, *rest), same, is_equal_node=True)
        partner = self._partners.get(node)
        if partner is not None:
            new_path = self._path_in(path, node)
            return None if new_path is None else Place(new_path, partner, is_equal_node=False)
        if not rest:
            return None
        for similar in self._similar_nodes(node):
            new_path = self._named_path(path, node, similar)
            if new_path is not None and self.is_same(path, new_path):
                return Place(new_path, similar, is_equal_node=True)
        return None

    def is_same(self, old: Path, new: Path) -> bool:
        """Return whether users see the same in a part of each version."""
        before, after = [
            visible_part(*_owner(path, elements), self._digests)
            for path, elements in ((old, self._olds), (new, self._news))
        ]
        return before == after

    def has_new_id(self, path: Path) -> bool:
        """Return whether the part is a node that is matched with one of another id."""
        node = self._olds.get(path)
        partner = self._partners.get(node) if node is not None else None
        return partner is not None and node is not None and node.is_node and node.name != partner.name

    def is_move_in_list_of(self, path: Path, change: Change) -> bool:
        """Return whether a move is that of an element, or one in its list, which both versions have."""
        if change.old == path:
            return path in self._olds
        both = self._list_of(path)
        if both is None or change.old is None or change.new is None:
            return False
        return (both.old, both.new) in ((change.old, change.new), (change.old[:-1], change.new[:-1]))

    def may_have_moved(self, path: Path) -> bool:
        """Return whether an element is in another list, or moved in its list.

        If others may have moved as well as this one, such as one of two that change places, it may have.
        """
        both = self._list_of(path)
        if both is None:
            return True
        if both.old not in self._unmoved:
            olds = [self._to_old[new] for new in both.elements if new in self._to_old]
            places = [(int(old.path[-1]), old) for old in olds if old.path[:-1] == both.old]
            self._unmoved[both.old] = {*in_each_longest_increasing(places)}
        return self._olds[path] not in self._unmoved[both.old]

    def is_equal_link(self, change: Change) -> bool:
        """Return whether a change is one of a reference, and both targets have the same label."""
        if change.old is None or change.new is None or change.kind is not ChangeKind.CHANGED:
            return False
        old, new = self._olds.get(change.old[:-1]), self._news.get(change.new[:-1])
        if old is None or new is None or old.naming_prop is None or old.naming_prop.name != change.old[-1]:
            return False
        label = _label_of(old.target)
        return bool(label) and label == _label_of(new.target)

    def _list_of(self, path: Path) -> _List | None:
        """Return the list of an element; None if it is no element, or in another list in the new version."""
        old = self._olds.get(path)
        if old is None or old.parent is None or old not in self._partners:
            return None
        new = self._partners[old]
        if self._partners.get(old.parent) is not new.parent or new.parent is None or old.list_name != new.list_name:
            return None
        elements = [one for one in new.parent.children if one.list_name == new.list_name]
        return _List(old.path[:-1], new.path[:-1], elements)

    def _path_in(self, path: Path, node: Element) -> Path | None:
        """Return the path of a part of a matched node in the new version; None if an element around it is gone."""
        new_path = self._matching.to_new[node.path]
        for length in range(len(node.path) + 1, len(path) + 1):
            element = self._olds.get(path[:length])
            if element is None:
                new_path = (*new_path, path[length - 1])
            elif partner := self._partners.get(element) or self._equal_link(element):
                new_path = partner.path
            else:
                return None
        return new_path

    def _equal_link(self, old: Element) -> Element | None:
        """Return the link in the list of an unmatched one that users see as the same; None if there is none."""
        parent = self._partners.get(old.parent) if old.parent is not None else None
        if parent is None or old.target is None:
            return None
        return next(
            (
                new
                for new in parent.children
                if new not in self._to_old and new.list_name == old.list_name and self._is_equal_link(old, new)
            ),
            None,
        )

    def _is_equal_link(self, old: Element, new: Element) -> bool:
        label = _label_of(old.target)
        return bool(label) and label == _label_of(new.target) and self._digests[old] == self._digests[new]

    def _named_path(self, path: Path, node: Element, similar: Element) -> Path | None:
        """Return the path of a part of a node in a similar node: elements by their names; None without one."""
        new_path = similar.path
        for length in range(len(node.path) + 1, len(path) + 1):
            element = self._olds.get(path[:length])
            new_path = (*new_path, path[length - 1])
            if element is None or element.name is None:
                continue
            named = self._named.get((new_path[:-1], element.name))
            if named is None:
                return None
            new_path = named.path
        return new_path

    def _similar_nodes(self, node: Element) -> list[Element]:
        """Return the nodes that only the new version has, and that have the type and the label or data of a node."""
        return [one for key in _label_and_data(node) for one in self._unmatched[key]]

    @cached_property
    def _unmatched(self) -> dict[Hashable, list[Element]]:
        """The nodes that only the new version has, by type and label, and by type and data."""
        matched = {*self._partners.values(), *self._same_nodes.values()}
        unmatched: dict[Hashable, list[Element]] = defaultdict(list)
        for one in self._matching.news:
            if one.is_node and one not in matched:
                for key in _label_and_data(one):
                    unmatched[key].append(one)
        return unmatched

    @cached_property
    def _named(self) -> dict[tuple[Path, str | None], Element]:
        """The elements of the new version by the path of their list and their name."""
        return {(one.path[:-1], one.name): one for one in reversed(self._matching.news)}

    @cached_property
    def _same_nodes(self) -> dict[Element, Element]:
        """Node of the old version that is not matched, or with another node → the node that users see as the same."""
        lost = [one for one in self._matching.olds if one.is_node and self._is_lost(one)]
        kept = {new for old, new in self._partners.items() if self._digests[old] == self._digests[new]}
        free = [one for one in self._matching.news if one.is_node and one not in kept]
        same: dict[Element, Element] = {}
        for place in (_page_and_section, _page, _anywhere):
            candidates: dict[Hashable, list[Element]] = defaultdict(list)
            taken = {*same.values()}
            for new in reversed([one for one in free if one not in taken]):
                candidates[self._digests[new], place(new)].append(new)
            for old in lost:
                found = candidates[self._digests[old], place(old)]
                if old not in same and found:
                    same[old] = found.pop()
        return same

    def _is_lost(self, node: Element) -> bool:
        partner = self._partners.get(node)
        if partner is None:
            return True
        return self._digests[node] != self._digests[partner] and not _label_and_data(node) & _label_and_data(partner)


def _owner(path: Path, elements: dict[Path, Element]) -> tuple[Element, Path]:
    """Return the innermost element at or around a path, and the path from there."""
    for length in range(len(path), 0, -1):
        if path[:length] in elements:
            return elements[path[:length]], path[length:]
    return elements[()], path


def in_each_longest_increasing(pairs: list[tuple[int, Element]]) -> Iterator[Element]:
    """Yield the second items that every longest sequence contains whose first items increase."""
    places = [place for place, _ in pairs]
    before = _lengths(places)  # of the longest sequence that ends with each item
    after = _lengths([-place for place in reversed(places)])[::-1]  # of the longest that begins with it
    longest = max(before, default=0)
    counts = Counter(one for one, other in zip(before, after, strict=True) if one + other - 1 == longest)
    for (_, item), one, other in zip(pairs, before, after, strict=True):
        if one + other - 1 == longest and counts[one] == 1:
            yield item


def _lengths(places: list[int]) -> list[int]:
    """Return the length of the longest increasing sequence that ends with each of some distinct numbers."""
    tops: list[int] = []
    lengths = []
    for place in places:
        pile = bisect_left(tops, place)
        tops[pile : pile + 1] = [place]
        lengths.append(pile + 1)
    return lengths


def _label_and_data(node: Element) -> set[Hashable]:
    """Return what two nodes have in common of which users may say that they are the same, each with the type."""
    if node.shape is None:
        return set()
    return {(node.shape.name, content) for content in (_label_of(node), node.data) if content}


def _label_of(one: Element | None) -> str:
    return "" if one is None else " ".join(text_with_role(one, Role.LABEL).split())


def _page_and_section(one: Element) -> Hashable:
    return _label_of(top_of(one)), _label_of(one.parent)


def _page(one: Element) -> Hashable:
    return _label_of(top_of(one))


def _anywhere(_: Element) -> Hashable:
    return None
