"""Search the nodes of a document."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rui_common.vocabulary.schema import Kind
from rui_inspector.model.overview import menus_of
from rui_inspector.model.shapes import item_kind, kind_of, object_shape
from rui_inspector.model.view import Member, Node, View, members_of

MAX_WORDS = 10
MAX_LENGTH = 200
"""Maximum number of words and characters of a search; the rest is ignored."""


class Search:
    """A search in everything that the tree shows of a node: id, type, path, and every text of its own properties.

    A node matches if all words occur in these texts, regardless of case. A page also matches by its labels in the
    navigation.

    Args:
        view: the document.
        text: the words, separated by white space.

    Attributes:
        words: the words; empty without a search.
        hits: the nodes that match.
    """

    def __init__(self, view: View, text: str) -> None:
        self.words = text[:MAX_LENGTH].casefold().split()[:MAX_WORDS]
        self.hits: list[Node] = []
        self._shown: set[int] = set()
        if self.words:
            texts = _texts(view)
            self.hits = [node for node in view.nodes if all(word in texts[id(node)] for word in self.words)]
            hit_ids = {id(node) for node in self.hits}
            for nodes in view.nested.values():
                for node in nodes:
                    self._mark_shown(node, hit_ids)

    def is_shown(self, node: Node) -> bool:
        """Return whether a node or one of its descendants matches; True without a search."""
        return not self.words or id(node) in self._shown

    def _mark_shown(self, node: Node, hit_ids: set[int]) -> bool:
        is_shown = id(node) in hit_ids
        for child in node.children:
            if self._mark_shown(child, hit_ids):
                is_shown = True
        if is_shown:
            self._shown.add(id(node))
        return is_shown


def _texts(view: View) -> dict[int, str]:
    """Return id(node) → its searchable texts, one a line."""
    texts = {}
    for node in view.nodes:
        own_members = [member for member in node.members if member[0] not in node.nested]
        texts[id(node)] = [node.id, node.type, node.label, node.path, *_member_texts(own_members)]
    for menu in menus_of(view):
        for entry in menu.entries:
            if entry.node is not None:
                texts[id(entry.node)].append(entry.label)
    return {key: "\n".join(lines).casefold() for key, lines in texts.items()}


def _member_texts(members: list[Member]) -> Iterator[str]:
    """Yield every text in these properties, and the names that the vocabulary does not declare."""
    stack: list[tuple[object, Kind | None]] = []
    for name, value, prop in members:
        if prop is None:
            yield name
        stack.append((value, kind_of(prop)))
    while stack:  # an invalid document may be nested too deeply for recursion
        value, kind = stack.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for name, inner, prop in members_of(value, object_shape(kind)):
                if prop is None:
                    yield name
                stack.append((inner, kind_of(prop)))
        elif isinstance(value, list):
            stack += [(inner, item_kind(kind)) for inner in value]
        else:
            yield json.dumps(value)
