"""Document symbols: the nodes of a document as a tree, each with its label.

A document of 250 KB has thousands of symbols: they are plain data.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

from lsprotocol import types

from rui_common.editing.traversal import declared_members
from rui_common.json_values import JsonObject
from rui_common.nodes.naming import own_name_of
from rui_common.nodes.node import Node, NodeTree
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import Member
from rui_common.texts import shorten
from rui_common.vocabulary.kinds import ListKind, ObjectKind
from rui_common.vocabulary.schema import Kind, Prop
from rui_lsp.convert import Positions, range_data
from rui_lsp.server import RuiLanguageServer
from rui_lsp.session.symbols import symbol_kind

HIERARCHICAL = "text_document.document_symbol.hierarchical_document_symbol_support"
"""The client's capability to show symbols as a tree; another one gets a list."""

MAX_NAME = 80  # characters of a label that are shown


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(document_symbol)


def document_symbol(ls: RuiLanguageServer, params: types.DocumentSymbolParams) -> list[JsonObject]:
    """Return the symbols at the top of a document, each with the tree below it; a list for a client without trees.

    Shown are nodes, the elements of lists that define or use a name, and the properties that hold such lists.
    """
    document = ls.documents.get(params.text_document)
    root = document.document.find(())
    if root is None or root.is_missing:
        return []
    tree = document.analysis.tree
    symbols = list(_SymbolTree(tree, document.positions).children(tree.root, root))
    if ls.supports(HIERARCHICAL):
        return symbols
    return list(_flat(symbols, document.uri))


def _flat(symbols: list[Any], uri: str, container: str = "") -> Iterator[JsonObject]:
    """Yield the symbols of trees as LSP had them before trees (`SymbolInformation`), each before those inside it."""
    for symbol in symbols:
        location = {"uri": uri, "range": symbol["range"]}
        flat: JsonObject = {"name": symbol["name"], "kind": symbol["kind"], "location": location}
        if container:
            flat["containerName"] = container
        yield flat
        yield from _flat(symbol.get("children", []), uri, symbol["name"])


class _SymbolTree:
    """Builds the symbols of one document."""

    def __init__(self, tree: NodeTree, positions: Positions) -> None:
        self._tree = tree
        self._positions = positions

    def children(self, node: Node, member: Member) -> Iterator[JsonObject]:
        for child in declared_members(self._tree, node, member):
            if child.node is not None:
                yield from self._symbols_of(child.node, child.member)

    def _symbols_of(self, node: Node, member: Member) -> Iterator[JsonObject]:
        if isinstance(node.value, list):
            yield from self.children(node, member)
        elif _is_shown(node.kind):
            yield self._symbol(node, member)

    def _symbol(self, node: Node, member: Member) -> JsonObject:
        shape = node.shape
        children, name_span = self._content(node, member)
        name = own_name_of(node.members, node.shape)
        type_name = shape.name if shape is not None and shape.is_node else ""
        label = node.name or type_name or str(node.step)
        span = Span(member.start if member.key_span is None else member.key_span.start, member.end)
        if name_span is None or not span.start <= name_span.start <= name_span.end <= span.end:
            name_span = Span(span.start, span.start)
        symbol: JsonObject = {
            "name": shorten(label, MAX_NAME),
            "kind": int(symbol_kind(node)),
            "range": range_data(span, self._positions),
            "selectionRange": range_data(name_span, self._positions),
        }
        detail = " ".join(word for word in (type_name, name) if word and word != label)
        if detail:
            symbol["detail"] = detail
        if children:
            symbol["children"] = children
        return symbol

    def _content(self, node: Node, member: Member) -> tuple[list[JsonObject], Span | None]:
        """Return the symbols inside an object, and the span of its id or key."""
        children: list[JsonObject] = []
        name_span: Span | None = None
        for child in declared_members(self._tree, node, member):
            if child.prop is not None and _is_name(child.prop) and isinstance(child.value, str):
                name_span = child.member.span
            elif child.node is not None:
                children += self._symbols_of(child.node, child.member)
        return children, name_span


@cache
def _is_shown(kind: Kind) -> bool:
    """Return whether objects are shown: nodes, what defines or uses a name, and what contains a list of them."""
    if not isinstance(kind, ObjectKind):
        return True
    shapes = [kind.shape]
    for prop in kind.shape.props.values():
        if isinstance(prop.kind, ListKind):
            shapes += prop.kind.items.inner_shapes
    return any(_is_name(prop) for shape in shapes for prop in shape.props.values())


def _is_name(prop: Prop) -> bool:
    return prop.defines is not None or prop.uses is not None
