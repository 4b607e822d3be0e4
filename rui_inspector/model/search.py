"""Search the nodes of a document."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rui_common.syntax.paths import format_path
from rui_common.vocabulary.schema import Kind
from rui_inspector.model.overview import menus_of
from rui_inspector.model.shapes import item_kind, kind_of, object_shape
from rui_inspector.model.view import View, ViewMember, ViewNode, members_of

MAX_WORDS = 10
MAX_LENGTH = 200
"""Maximum number of words and characters of a search; the rest is ignored."""


class FoundOnPage(NamedTuple):
    """What matches on a page: the page, or another node directly below the root, and the nodes in document order."""

    page: ViewNode
    hits: list[ViewNode]


class Search:
    """A search in everything that the tree shows of a node: id, type, and every text of its own properties.

    A node matches if all words occur in these texts, regardless of case. A page also matches by its labels in the
    navigation. A word with a bracket, such as ``pages[2]``, may also occur in the path: every path has words such as
    `children`.

    Args:
        text: the words, separated by white space.
    """

    def __init__(self, view: View, text: str) -> None:
        self.words = text[:MAX_LENGTH].lower().split()[:MAX_WORDS]  # empty without a search
        self.hits: list[ViewNode] = []
        self._shown: set[ViewNode] = set()
        if not self.words:
            return
        labels: dict[ViewNode | None, list[str]] = defaultdict(list)
        for menu in menus_of(view):
            for entry in menu.entries:
                labels[entry.node].append(entry.label)
        for node in view.nodes:
            if self._matches(node, labels[node]):
                self.hits.append(node)
                self._shown |= {node, *node.ancestors()}

    @property
    def pages(self) -> list[FoundOnPage]:
        """The pages with a match."""
        found: dict[ViewNode, list[ViewNode]] = defaultdict(list)
        for hit in self.hits:
            found[[hit, *hit.ancestors()][-1]].append(hit)
        return [FoundOnPage(page, hits) for page, hits in found.items()]

    def is_shown(self, node: ViewNode) -> bool:
        """Return whether a node or one of its descendants matches; True without a search."""
        return not self.words or node in self._shown

    def _matches(self, node: ViewNode, labels: Sequence[str]) -> bool:
        members = [member for member in node.members if member[0] not in node.nested]
        text = "\n".join((node.id, node.type, node.label, *labels, *_texts(members))).lower()
        path = format_path(node.path).lower()
        return all(word in text or ("[" in word and word in path) for word in self.words)


def _texts(members: Sequence[ViewMember]) -> Iterator[str]:
    """Yield every text in these properties, and the names that the vocabulary does not declare."""
    yield from (name for name, _, prop in members if prop is None)
    stack: list[tuple[object, Kind | None]] = [(value, kind_of(prop)) for _, value, prop in members]
    while stack:  # an invalid document may be nested too deeply for recursion
        value, kind = stack.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            inner_members = members_of(value, object_shape(kind))
            yield from (name for name, _, prop in inner_members if prop is None)
            stack += [(inner, kind_of(prop)) for _, inner, prop in inner_members]
        elif isinstance(value, list):
            stack += [(inner, item_kind(kind)) for inner in value]
        else:
            yield json.dumps(value)
