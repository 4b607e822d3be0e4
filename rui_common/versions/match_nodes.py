"""Match the nodes of two versions: pages, sections and blocks. It is built for how agents work: all ids may be new.

1. By id, in the whole document, unless ids were numbered anew.
2. By content, equal apart from ids and references: in lists of matched nodes, then anywhere, if it is the only one of
   its kind and says enough (`_is_telling`).
3. Containers by what is in them: more than half of their telling blocks on both sides are matched with each other, and
   at least two of them, or one by its id; or more than half of the nodes directly in them, by their ids.
4. From the root inwards, in lists of matched nodes, by what is still the same: label, data, the words of a text. In a
   page that is the same, half of the blocks of a section are enough, or something in a section without a title that is
   the only one left.

What is still left is gone, or new. A small text that moves is the same if its old and its new parent are matched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from typing import TypeGuard

from rui_common.versions.elements import Element, blocks_in, container_of
from rui_common.versions.pairs import Key, Pairs

MIN_WORDS = 5  # minimum number of words of a text that is recognised anywhere


class NodeMatcher:
    """Matches nodes step by step."""

    def __init__(self, olds: list[Element], news: list[Element], pairs: Pairs) -> None:
        self._root = olds[0]
        self._olds = [element for element in olds if element.is_node]
        self._news = [element for element in news if element.is_node]
        self._pairs = pairs  # at first those of the roots

    def match(self, *, by_index: bool) -> None:
        """Match the nodes; if `by_index`, those without an id, and with nothing else in common, by their index."""
        self._match_by_id()
        self._match_in_lists(_content)
        self._pairs.match_only(self._olds, self._news, _telling_content, is_anywhere=True)
        self._match_in_lists(_content)
        for _ in range(2):  # Blocks that are matched in the first round tell more about pages and sections.
            for node in reversed(self._olds):
                self._match_container(node)
            self._match_from_root()
        if by_index:
            self._match_in_lists(index_of_unnamed)
        self._pairs.match_only(self._olds, self._news, self._content_in_matched, is_anywhere=True)
        self._pairs.match(self._olds, self._news, _name, is_anywhere=True)

    # By id ------------------------------------------------------------------------------------------------------------

    def _match_by_id(self) -> None:
        """Match nodes by id, but not those whose ids were numbered anew.

        They were if the new content had another id, or if the old content has another one now and neither label nor
        data are the same.
        """
        self._pairs.match(self._olds, self._news, _name, is_anywhere=True)
        changed = [
            (old, new) for old, new in self._pairs.to_new.items()
            if old.is_node and old.value != new.value and old.digest != new.digest
        ]  # fmt: skip
        if not changed:
            return
        free_olds = [*(old for old, _ in changed), *(old for old in self._olds if old not in self._pairs.to_new)]
        free_news = [*(new for _, new in changed), *(new for new in self._news if new not in self._pairs.to_old)]
        old_contents = {_recognised_content(old) for old in free_olds}
        new_contents = {_recognised_content(new) for new in free_news}
        for old, new in changed:
            if new.digest in old_contents or (old.digest in new_contents and not _is_similar(old, new)):
                self._pairs.remove(old)

    # In lists of matched nodes ----------------------------------------------------------------------------------------

    def _matched(self) -> Iterator[tuple[Element, Element]]:
        """Yield the root and the matched nodes, from the root inwards, also those that are matched meanwhile."""
        for old in (self._root, *self._olds):
            if old in self._pairs.to_new:
                yield old, self._pairs.to_new[old]

    def _match_in_lists(self, key: Key) -> None:
        for old, new in self._matched():
            self._pairs.match(old.nodes, new.nodes, key)

    def _match_from_root(self) -> None:
        for old, new in self._matched():
            olds = [child for child in old.nodes if child not in self._pairs.to_new]
            if not olds:
                continue
            news = [child for child in new.nodes if child not in self._pairs.to_old]
            for key in (_content, type_label_and_data, _type_and_blocks, type_and_data):
                self._pairs.match(olds, news, key)
            self._pairs.match_only(olds, news, type_and_label)
            if old is not self._root:
                for child in olds:
                    self._match_container(child, new)
                self._pairs.match_only(olds, news, _type_and_inner_content)
                self._match_last_container(olds, news)
            self._match_texts(olds, news)

    def _match_last_container(self, olds: list[Element], news: list[Element]) -> None:
        """Match a node without a label if it is the only one left on both sides, and something in it is the same."""
        left, free = (
            [node for node in nodes if node not in partners and node.nodes and not node.label]
            for nodes, partners in ((olds, self._pairs.to_new), (news, self._pairs.to_old))
        )
        if len(left) == len(free) == 1 and left[0].shape is free[0].shape and _has_common(left[0], free[0]):
            self._pairs.add(left[0], free[0])

    def _match_texts(self, olds: list[Element], news: list[Element]) -> None:
        """Match texts in order if there are as many on both sides, and at least half of their words are the same."""
        sides = []
        for nodes, partners in ((olds, self._pairs.to_new), (news, self._pairs.to_old)):
            sides.append([node for node in nodes if node not in partners and _is_text(node)])
        if len(sides[0]) != len(sides[1]):
            return
        for old, new in zip(*sides, strict=True):
            if _is_similar_text(old, new):
                self._pairs.add(old, new)

    # Containers -------------------------------------------------------------------------------------------------------

    def _match_container(self, old: Element, parent: Element | None = None) -> None:
        """Match a node by what is in it; if given, only with a node in `parent`."""
        if old not in self._pairs.to_new and old.nodes:
            new = self._container_with_blocks(old, parent) or self._container_with_children(old, parent)
            if new is not None:
                self._pairs.add(old, new)

    def _container_with_blocks(self, old: Element, parent: Element | None) -> Element | None:
        """Return the node that has most of the blocks in a node."""
        blocks = [*self._telling_blocks(old)]
        partners = [self._pairs.to_new[block] for block in blocks if block in self._pairs.to_new]
        containers = [container_of(partner, old.shape) for partner in partners]
        counts = Counter(container for container in containers if self._is_free(container, parent))
        for new, count in counts.most_common(1):
            most = max(len(blocks), len([*self._telling_blocks(new)]))
            if parent is not None:
                return new if count * 2 >= most else None
            if count * 2 > most and (count > 1 or self._has_id_of_partner(partners[0])):
                return new
        return None

    def _container_with_children(self, old: Element, parent: Element | None) -> Element | None:
        """Return the node that has more than half of the nodes directly in a node, on both sides, by their ids."""
        parents = [self._pairs.to_new[child].parent for child in old.nodes if self._has_id_of_partner(child)]
        counts = Counter(
            candidate for candidate in parents if self._is_free(candidate, parent) and candidate.shape is old.shape
        )
        for new, count in counts.most_common(1):
            if count * 2 > max(len(old.nodes), len(new.nodes)):
                return new
        return None

    def _is_free(self, new: Element | None, parent: Element | None) -> TypeGuard[Element]:
        """Return whether a node has no partner; if given, only in `parent`."""
        return new is not None and new not in self._pairs.to_old and (parent is None or new.parent is parent)

    def _telling_blocks(self, node: Element) -> Iterator[Element]:
        """Return the nodes in a node that contain none, and from which it can be recognised."""
        return (block for block in blocks_in(node) if _is_telling(block) or self._has_id_of_partner(block))

    def _has_id_of_partner(self, node: Element) -> bool:
        partner = self._pairs.to_new.get(node) or self._pairs.to_old.get(node)
        return partner is not None and partner.name == node.name

    def _content_in_matched(self, node: Element) -> Hashable | None:
        """Return the content of a node in a matched one."""
        if node.parent in self._pairs.to_new or node.parent in self._pairs.to_old:
            return node.digest
        return None


# Keys: what two nodes have in common that are the same ----------------------------------------------------------------


def _name(node: Element) -> Hashable | None:
    return node.name


def _content(node: Element) -> Hashable | None:
    return node.digest


def _telling_content(node: Element) -> Hashable | None:
    return node.digest if _is_telling(node) else None


def _recognised_content(node: Element) -> Hashable | None:
    """Return the content of a node that has a text or says enough; not that of an empty section."""
    return node.digest if node.words or _is_telling(node) else None


def type_label_and_data(node: Element) -> Hashable | None:
    """Return the type with the label and all data in a node; None without one of these."""
    label, data = type_and_label(node), type_and_data(node)
    return None if label is None or data is None else (label, data)


def type_and_data(node: Element) -> Hashable | None:
    """Return the type with all data in a node; None without any."""
    return None if node.shape is None or not node.data else (node.shape.name, node.data)


def _type_and_blocks(node: Element) -> Hashable | None:
    """Return the type with types, labels and data of the nodes in a node; None without nodes, or without any data.

    It tells sections that read the same data apart.
    """
    if node.shape is None or not node.nodes or not node.data:
        return None
    return node.shape.name, tuple((child.shape and child.shape.name, child.label, child.data) for child in node.nodes)


def type_and_label(node: Element) -> Hashable | None:
    """Return the type with the label of a node; None without a label."""
    return None if node.shape is None or not node.label else (node.shape.name, node.label)


def _type_and_inner_content(node: Element) -> Hashable | None:
    """Return the type with the content of the elements in a node; of a block, such as a table, also its label."""
    if node.shape is None or not node.children:
        return None
    label = "" if node.nodes else node.label
    return node.shape.name, label, tuple((child.list_name, child.digest) for child in node.children)


def index_of_unnamed(element: Element) -> Hashable | None:
    """Return the index of an element without a name."""
    return element.path[-1] if element.name is None else None


def _is_similar(old: Element, new: Element) -> bool:
    """Return whether two nodes have the same label or the same data."""
    return any(key(old) is not None and key(old) == key(new) for key in (type_and_label, type_and_data))


def is_related(old: Element, new: Element) -> bool:
    """Return whether two nodes with one id have something else in common: label, data, words, or something in them."""
    if _is_similar(old, new) or _has_common(old, new) or (_is_text(old) and _is_similar_text(old, new)):
        return True
    named = {child.name: child for child in old.children if child.name is not None}
    pairs = [(named[child.name], child) for child in new.children if child.name in named]
    return any(not old_child.is_node or is_related(old_child, new_child) for old_child, new_child in pairs)


def _is_telling(node: Element) -> bool:
    """Return whether a node can be recognised anywhere: data, or some words, are in it or in a node in it."""
    return bool(node.data) or len(node.words) >= MIN_WORDS or any(map(_is_telling, node.nodes))


def _is_text(node: Element) -> bool:
    return bool(node.words) and not node.label and not node.data and not node.nodes


def _is_similar_text(old: Element, new: Element) -> bool:
    """Return whether at least half of the words of two texts are the same."""
    common = (Counter(old.words) & Counter(new.words)).total()
    return old.shape is new.shape and common * 2 >= max(len(old.words), len(new.words))


def _has_common(old: Element, new: Element) -> bool:
    """Return whether a node in one of two nodes has something that one in the other has, too."""
    keys = (_content, type_and_label, type_and_data, _type_and_inner_content)
    found = {key(child) for child in old.nodes for key in keys} - {None}
    if any(key(child) in found for child in new.nodes for key in keys):
        return True
    return any(
        _is_text(old_child) and _is_similar_text(old_child, new_child)
        for old_child, new_child in zip(old.nodes, new.nodes, strict=False)
    )
