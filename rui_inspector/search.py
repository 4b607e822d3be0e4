"""Searching a document: which nodes have the words, and which stand around these."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rui_inspector.view import Node, View

MAX_WORDS = 10
MAX_LENGTH = 200
"""Words of a search and characters in all that count; nobody types more."""


class Search:
    """A search over ids, types, labels and paths: those in the document and those of endpoints.

    A node is found when all words occur in these, capitals or not.

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
    """What each node is found by."""
    texts = {id(node): f"{node.id}\n{node.type}\n{node.label}\n{node.path}" for node in view.nodes}
    for node, request in view.requests:
        texts[id(node)] += f"\n{request.method} {request.path} {request.select}"
    return {key: text.casefold() for key, text in texts.items()}
