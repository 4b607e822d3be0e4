"""Find the parts of an old version in a new one as users see them, also those with a new id."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator
from functools import cached_property
from typing import NamedTuple

from rui_common.syntax.paths import Path
from rui_common.versions.elements import Element, blocks_in, container_of
from rui_common.versions.match import Matching
from rui_common.versions.match_nodes import type_and_data, type_and_label, type_label_and_data
from rui_common.versions.merge_order import increasing_lengths
from rui_common.versions.pairs import Key
from rui_common.versions.sentences import top_of
from rui_common.versions.visible import visible_digests, visible_part


class Place(NamedTuple):
    """Where a part of the old version is in the new one."""

    path: Path
    node: Element  # the node, or the root, that contains the part
    is_matched: bool  # whether the matching has the same element there, so that the changes are about it


class NotedParts:
    """The parts of two versions.

    A node is the one with which it is matched. If there is none, or one that users do not see as the same, an agent has
    written its page anew, or has numbered the ids anew. Then it is, of the nodes that no other one has become:

    1. the one that users see as equal;
    2. the only one of its type that has its label or its data;
    3. the one that has more than half of the blocks in it.
    """

    def __init__(self, matching: Matching) -> None:
        self._matching = matching
        self._olds = {element.path: element for element in matching.olds}
        self._news = {element.path: element for element in matching.news}
        self._digests = visible_digests(matching.olds) | visible_digests(matching.news)
        # element of the old version → what it is in the new one, and the other way around
        self._now = dict(matching.partners)
        self._before = {new: old for old, new in matching.partners.items()}
        self._doubtful: set[Element] = set()  # nodes of the old version of which only the id is the same
        self._find_lost()
        self._unmoved: dict[Path, set[Element]] = {}  # the path of a list → its elements that have not moved

    def element_around(self, path: Path) -> Element:
        """Return the innermost element of the old version at or around a path."""
        return _owner(path, self._olds)[0]

    def node_around(self, path: Path) -> Element:
        """Return the innermost node of the old version at or around a path; the root if there is none."""
        node = self.element_around(path)
        while not node.is_node and node.parent is not None:
            node = node.parent
        return node

    def is_removed(self, path: Path) -> bool:
        """Return whether the matching has no element around a path in the new version."""
        return self.element_around(path).path in self._matching.removed

    def place_of(self, path: Path) -> Place | None:
        """Return where a part of the old version is in the new one; None if it is gone."""
        node = self.node_around(path)
        new = self._now.get(node)
        if new is None:
            return None
        is_matched = new is self._matching.partners.get(node)
        new_path = new.path
        for length in range(len(node.path) + 1, len(path) + 1):
            element = self._olds.get(path[:length])
            new_path = (*new_path, path[length - 1])
            if element is None:
                continue
            found = self._now.get(element)
            if not is_matched:
                found = self._named.get((new_path[:-1], element.name or new_path))
            found = found or self._labelled(element, new_path[:-1])
            if found is None:
                return None
            is_matched = is_matched and found is self._matching.partners.get(element)
            new_path = found.path
        return Place(new_path, new, is_matched)

    @cached_property
    def _named(self) -> dict[tuple[Path, Path | str], Element]:
        """The elements of the new version by the path of their list and their name; without a name by their path."""
        return {(element.path[:-1], element.name or element.path): element for element in reversed(self._matching.news)}

    def _labelled(self, old: Element, new_list: Path) -> Element | None:
        """Return the element of a list of the new version that has the label of an old one, and another name."""
        label = _label_of(old)
        siblings = [] if old.parent is None else old.parent.children
        names = {sibling.name for sibling in siblings if sibling.path[:-1] == old.path[:-1]}
        candidates = [element for element in self._lists[new_list] if element.name not in names]
        labelled = [candidate for candidate in candidates if label and _label_of(candidate) == label]
        return labelled[0] if len(labelled) == 1 else None

    @cached_property
    def _lists(self) -> dict[Path, list[Element]]:
        """The lists of the new version by their path."""
        lists: dict[Path, list[Element]] = defaultdict(list)
        for element in self._matching.news:
            lists[element.path[:-1]].append(element)
        return lists

    def is_same(self, old: Path, new: Path) -> bool:
        """Return whether users see the same in a part of each version."""
        (before, steps), (after, new_steps) = _owner(old, self._olds), _owner(new, self._news)
        prop = before.naming_prop
        if before.target is not None and prop is not None and steps in ((), (prop.name,)):
            is_same_page = after.target is not None and self._is_same_page(before.target, after.target)
            if not is_same_page or steps:
                return is_same_page
        return visible_part(before, steps, self._digests) == visible_part(after, new_steps, self._digests)

    def has_moved(self, path: Path, place: Place) -> bool:
        """Return whether an element is at another place for users, and has kept its id.

        If others may have moved as well as this one, such as one of two that change places, it has. Nothing tells an
        element with a new id from an equal one that was added in another place.
        """
        old, new = self._olds.get(path), self._news.get(place.path)
        if old is None or old.parent is None or new is None or new.parent is None or old.name != new.name:
            return False
        if not old.is_node:
            return old not in self._unmoved_in(old.parent, new.parent, old.list_name)
        if self._now.get(old.parent) is not new.parent or old.list_name != new.list_name:
            return not self._is_same_place(old, new)
        is_hidden = old.parent.parent is None
        return not is_hidden and old not in self._unmoved_in(old.parent, new.parent, old.list_name)

    def is_of_list(self, path: Path, old: Path, new: Path) -> bool:
        """Return whether two paths are those of the list of an element, or of elements of that list."""
        element = self._olds.get(path)
        partner = self._now.get(element) if element is not None else None
        if partner is None:
            return False
        lists = path[:-1], partner.path[:-1]
        return lists in ((old, new), (old[:-1], new[:-1]))

    def _unmoved_in(self, parent: Element, new_parent: Element, list_name: Path) -> set[Element]:
        """Return the elements of a list of the old version that have not moved."""
        key = (*parent.path, *list_name)
        if key not in self._unmoved:
            olds = {child: int(child.path[-1]) for child in parent.children if child.list_name == list_name}
            if any(self._has_given_id_away(child) for child in olds):  # an id alone says nothing in this list
                olds = {child: position for child, position in olds.items() if child not in self._doubtful}
            named = {child.name or self._digests[child]: child for child in olds if not child.is_node}
            known = {self._before.get(new) for new in new_parent.children}
            pairs = []
            for new in new_parent.children:
                old = self._before.get(new)
                if old not in olds:  # it is another node, which has had the id
                    old = named.get(new.name or self._digests[new])
                    old = None if old in known else old
                if old is not None and new.list_name == list_name:
                    pairs.append((olds[old], old))
            self._unmoved[key] = {*_in_each_longest_increasing(pairs)}
        return self._unmoved[key]

    def _has_given_id_away(self, old: Element) -> bool:
        """Return whether a node of the new version has the id of an old one, which is another one now."""
        partner = self._matching.partners.get(old)
        return partner is not None and self._now.get(old, partner) is not partner

    def _is_same_place(self, old: Element, new: Element) -> bool:
        """Return whether the page and the section around two nodes, which are in different lists, are called the same.

        Only those of pages and sections that are lost: they may be the same.
        """
        pairs = [(top_of(old), top_of(new)), (old.parent, new.parent)]
        return all(
            self._now.get(before) is after or self._may_be(before, after)
            for before, after in pairs
            if before is not None
        )

    def _may_be(self, old: Element, new: Element | None) -> bool:
        return old not in self._now and new not in self._before and _label_of(old) == _label_of(new)

    def _is_same_page(self, old: Element, new: Element) -> bool:
        label = _label_of(old)
        return self._now.get(old) is new or (bool(label) and label == _label_of(new))

    # What is written anew ---------------------------------------------------------------------------------------------

    def _find_lost(self) -> None:
        """Find what has become of nodes and links that users do not see in those with which they are matched."""
        lost = [element for element in self._matching.olds if _is_node_or_link(element) and self._is_lost(element)]
        for element in lost:
            self._release(element)
        self._find(lost, self._look)
        for similarity in (_label_and_data, _type_and_label, _data_of_block):
            self._find(lost, similarity, is_alone=True)
        for element in reversed(lost):
            self._find_by_blocks(element)
        for element in lost:  # nothing is the same but the id: that may be an edit
            partner = self._matching.partners.get(element)
            if element not in self._now and partner is not None and partner not in self._before:
                self._pair(element, partner)
                self._doubtful.add(element)

    def _is_lost(self, element: Element) -> bool:
        partner = self._now.get(element)
        if partner is None:
            return True
        if self._look(element) == self._look(partner):
            return False
        if self._look(partner) in self._old_looks:  # it is what another one was
            return True
        if (
            _label_and_data(element) != _label_and_data(partner)
            and _label_and_data(partner) in self._old_labels_and_data
        ):
            return True
        return all(key(element) is None or key(element) != key(partner) for key in (_type_and_label, _data_of_block))

    def _release(self, old: Element) -> None:
        partner = self._now.pop(old, None)
        if partner is not None:
            del self._before[partner]

    def _pair(self, old: Element, new: Element) -> None:
        self._now[old] = new
        self._before[new] = old

    def _find(self, lost: list[Element], key: Key, *, is_alone: bool = False) -> None:
        """Pair lost elements with free ones of the same key in their order; if `is_alone`, only one with one."""
        groups: dict[Hashable, tuple[list[Element], list[Element]]] = defaultdict(lambda: ([], []))
        olds = [element for element in lost if element not in self._now]
        news = [element for element in self._matching.news if _is_node_or_link(element) and element not in self._before]
        for side, elements in enumerate((olds, news)):
            for element in elements:
                if (name := key(element)) is not None:
                    groups[name][side].append(element)
        for old, new in groups.values():
            if not is_alone or len(old) == len(new) == 1:
                for pair in zip(old, new, strict=False):
                    self._pair(*pair)

    def _find_by_blocks(self, old: Element) -> None:
        """Pair a lost node with a free one of its type that has more than half of the blocks in it, also of its own."""
        blocks = [*blocks_in(old)]
        counts = Counter(container_of(self._now[block], old.shape) for block in blocks if block in self._now)
        for new, count in counts.most_common(1):
            if old in self._now or new is None or new in self._before:
                continue
            if count * 2 > max(len(blocks), len([*blocks_in(new)])):
                self._pair(old, new)

    @cached_property
    def _old_looks(self) -> set[Hashable]:
        return {self._look(element) for element in self._matching.olds}

    @cached_property
    def _old_labels_and_data(self) -> set[Hashable]:
        return {_label_and_data(element) for element in self._matching.olds} - {None}

    def _look(self, element: Element) -> Hashable:
        """Return what users see of an element; of a link also the title of the page that it opens."""
        return self._digests[element], _label_of(element.target)


def _owner(path: Path, elements: dict[Path, Element]) -> tuple[Element, Path]:
    """Return the innermost element at or around a path, and the path from there."""
    for length in range(len(path), 0, -1):
        if path[:length] in elements:
            return elements[path[:length]], path[length:]
    return elements[()], path


def _in_each_longest_increasing(pairs: list[tuple[int, Element]]) -> Iterator[Element]:
    """Yield the second items that every longest sequence contains whose first items increase."""
    positions = [position for position, _ in pairs]
    # The lengths of the longest sequence that ends with each item, and of the longest that begins with it.
    before = increasing_lengths(positions)
    after = increasing_lengths([-position for position in reversed(positions)])[::-1]
    longest = max(before, default=0)
    counts = Counter(length for length, rest in zip(before, after, strict=True) if length + rest - 1 == longest)
    for (_, item), length, rest in zip(pairs, before, after, strict=True):
        if length + rest - 1 == longest and counts[length] == 1:
            yield item


def _is_node_or_link(element: Element) -> bool:
    return element.is_node or element.target is not None


def _type_and_label(element: Element) -> Hashable | None:
    """Return type and label of a node; None for a link, which is the page that it opens."""
    return type_and_label(element) if element.is_node else None


def _data_of_block(element: Element) -> Hashable | None:
    """Return type and data of a node without nodes in it. Those of another one are elsewhere if a block moves."""
    return type_and_data(element) if element.is_node and not element.nodes else None


def _label_and_data(element: Element) -> Hashable | None:
    """Return type, label and data of a node without nodes in it."""
    return type_label_and_data(element) if element.is_node and not element.nodes else None


def _label_of(element: Element | None) -> str:
    return "" if element is None else element.label
