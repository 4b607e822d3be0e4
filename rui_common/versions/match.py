"""Match the elements of two versions of a document: nodes, and elements of lists such as columns.

``match(old, new, by_index=…)`` takes two parsed JSON values, valid or not, and returns a `Matching`. The nodes are
matched by `match_nodes`. Elements that are no nodes are matched in the lists of matched elements: those that refer to a
node by that node, others by their naming property (a defined name, or their first text), unless they have exchanged
what people read. What is left is matched by content, apart from that property, if it has a label: all columns that have
only a key are alike. If `by_index`,
what has no name is matched by its index.

A match by content means a renamed id or name. Equal candidates are matched in order. The time is linear.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property

from rui_common.syntax.paths import Path
from rui_common.versions.elements import Element, elements_of
from rui_common.versions.match_nodes import NodeMatcher, index_of_unnamed
from rui_common.versions.pairs import Pairs, Tie
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Vocabulary


@dataclass(frozen=True, eq=False)
class Matching:
    """Which elements of two versions are the same."""

    olds: list[Element]  # all elements of the old version, elements before those in them; first the root
    news: list[Element]  # all elements of the new version, in the same order
    # element of the old version → the same one in the new version, in the order of `olds`
    partners: dict[Element, Element]
    ties: dict[Element, Tie]  # element of the old version → the tie in which its partner was chosen, if there was one

    @cached_property
    def removed(self) -> frozenset[Path]:
        """The paths of elements that only the old version has; also those in removed elements."""
        return frozenset(old.path for old in self.olds if old not in self.partners)

    @cached_property
    def to_new(self) -> dict[Path, Path]:
        """Path of an element in the old version → its path in the new one."""
        return {old.path: new.path for old, new in self.partners.items()}

    @cached_property
    def to_old(self) -> dict[Path, Path]:
        """Path of an element in the new version → its path in the old one."""
        return {new: old for old, new in self.to_new.items()}


def match(old: object, new: object, vocabulary: Vocabulary = VOCABULARY, *, by_index: bool) -> Matching:
    """Match the elements of two documents, any JSON values.

    What has no name is matched by its index if `by_index`; not in a merge, where that would mix different elements.
    """
    olds, news = elements_of(old, vocabulary), elements_of(new, vocabulary)
    pairs = Pairs()
    pairs.add(olds[0], news[0])
    NodeMatcher(olds, news, pairs).match(by_index=by_index)
    _match_others(olds, pairs, by_index=by_index)
    partners = {element: pairs.to_new[element] for element in olds if element in pairs.to_new}
    return Matching(olds, news, partners, pairs.ties)


def _match_others(olds: list[Element], pairs: Pairs, *, by_index: bool) -> None:
    """Match the elements that are no nodes, in the lists of matched elements."""
    numbers: dict[Element | None, int] = {}
    for number, pair in enumerate(pairs.to_new.items()):
        numbers.update(dict.fromkeys(pair, number))

    def name_or_target(element: Element) -> Hashable | None:
        """Return the number of the matched node that an element refers to, else its name."""
        return numbers.get(element.target, element.name)

    for old in olds:
        if old not in pairs.to_new:
            continue
        children = [child for child in old.children if not child.is_node]
        new_children = [child for child in pairs.to_new[old].children if not child.is_node]
        pairs.match(children, new_children, name_or_target)
        _release_exchanged(children, pairs)
        pairs.match(children, new_children, _content_of_unnamed)
        if by_index:
            pairs.match(children, new_children, index_of_unnamed)


def _release_exchanged(olds: list[Element], pairs: Pairs) -> None:
    """Remove pairs of elements that have exchanged their names, or pages: what people read is at another name now."""
    changed: list[tuple[Element, Hashable, Hashable]] = []
    for old in olds:
        new = pairs.to_new.get(old)
        if new is not None and old.value != new.value and old.has_label and new.has_label:
            before, after = _content_of_unnamed(old), _content_of_unnamed(new)
            if before != after:
                changed.append((old, before, after))
    old_contents = {before for _, before, _ in changed}
    new_contents = {after for _, _, after in changed}
    for old, before, after in changed:
        if before in new_contents and after in old_contents:
            pairs.remove(old)


def _content_of_unnamed(element: Element) -> Hashable | None:
    """Return the content without the name; None for an element that has only a name."""
    if element.name is not None and not element.has_label:
        return None
    return element.digest_without(element.naming_prop)
