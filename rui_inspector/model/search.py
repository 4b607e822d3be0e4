"""Searching a document: which nodes have the words, and which stand around these."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rui_common.vocabulary.kinds import ListKind, ObjectKind
from rui_inspector.model.overview import menus_of
from rui_inspector.model.view import members_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.vocabulary.schema import Kind
    from rui_inspector.model.view import Named, Node, View

MAX_WORDS = 10
MAX_LENGTH = 200
"""Words of a search and characters in all that count; nobody types more."""


class Search:
    """A search over all that the tree shows of a node: id, type, path, and every text of its own properties.

    A node is found when all words occur in these, capitals or not; a page by its labels in the navigation, too.

    Args:
        view: the document.
        text: what is searched for; blanks separate words.

    Attributes:
        words: the words; empty if nothing is searched for.
        hits: the nodes that have them all.
    """

    def __init__(self, view: View, text: str) -> None:
        self.words = text[:MAX_LENGTH].casefold().split()[:MAX_WORDS]
        self.hits: list[Node] = []
        self._kept: set[int] = set()
        if self.words:
            texts = _texts(view)
            self.hits = [node for node in view.nodes if all(word in texts[id(node)] for word in self.words)]
            found = {id(node) for node in self.hits}
            for nodes in view.nested.values():
                for node in nodes:
                    self._keep(node, found)

    def is_kept(self, node: Node) -> bool:
        """Whether a node was found, or one in it."""
        return id(node) in self._kept

    def _keep(self, node: Node, found: set[int]) -> bool:
        kept = [self._keep(child, found) for child in node.children]
        if any(kept) or id(node) in found:
            self._kept.add(id(node))
            return True
        return False


def _texts(view: View) -> dict[int, str]:
    """What each node is found by: all that its part of the tree shows, and what the navigation calls it."""
    texts = {
        id(node): [node.id, node.type, node.label, node.path, *_shown([
            (name, value, prop) for name, value, prop in node.members if name not in node.nested
        ])]
        for node in view.nodes
    }  # fmt: skip
    for menu in menus_of(view):
        for entry in menu.entries:
            if entry.node is not None:
                texts[id(entry.node)].append(entry.label)
    return {key: "\n".join(parts).casefold() for key, parts in texts.items()}


def _shown(members: list[Named]) -> Iterator[str]:
    """Every text in these properties. Their names are the page's words, unless the author made them up."""
    waiting: list[tuple[object, Kind | None]] = []
    for name, value, prop in members:
        if prop is None:
            yield name
        waiting.append((value, prop.kind if prop is not None else None))
    while waiting:  # no recursion: what stands in a document may be nested as deeply as it likes
        value, kind = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for name, inner, prop in members_of(value, kind.shape if isinstance(kind, ObjectKind) else None):
                if prop is None:
                    yield name
                waiting.append((inner, prop.kind if prop is not None else None))
        elif isinstance(value, list):
            waiting += [(inner, kind.items if isinstance(kind, ListKind) else None) for inner in value]
        else:
            yield json.dumps(value)
