"""Document symbols: the nodes of a document as a tree, each with its label.

A document of 250 KB has thousands of symbols: they are plain data.
"""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types
from lsprotocol.types import SymbolKind

from rui_common.editing.traversal import TypedMember, label_of, typed_children, typed_root
from rui_common.syntax.document import Document
from rui_common.syntax.spans import Span
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.lookup import shape_of
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_common.vocabulary.schema import Kind, Prop, Shape, Vocabulary
from rui_lsp.client.convert import Json, Positions, range_data
from rui_lsp.server.server import RuiLanguageServer

MAX_NAME = 80
"""Characters of a label that are shown."""


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(document_symbol)


def document_symbol(ls: RuiLanguageServer, params: types.DocumentSymbolParams) -> list[Json]:
    """The nodes as a tree."""
    document = ls.documents.get(params.text_document)
    return list(symbols(document.document, document.positions))


def symbols(document: Document, positions: Positions, vocabulary: Vocabulary = VOCABULARY) -> Iterator[Json]:
    """The symbols at the top of a document one by one, each with the tree below it.

    Shown are nodes, the elements of lists that define or use a name, and the properties that hold such lists.

    Args:
        document: the document, which may have syntax errors.
        positions: its positions in the client's encoding.
        vocabulary: defines the nodes.
    """
    root = typed_root(document, vocabulary)
    if root is None:
        return iter(())
    return _SymbolTree(vocabulary, positions).children(root)


class _SymbolTree:
    """Builds the symbols of one document."""

    def __init__(self, vocabulary: Vocabulary, positions: Positions) -> None:
        self._vocabulary = vocabulary
        self._positions = positions
        self._shown_kinds: dict[Kind, bool] = {}

    def children(self, member: TypedMember) -> Iterator[Json]:
        """The symbols inside an object or array."""
        for child in typed_children(member, self._shape_of(member)):
            yield from self._symbols_of(child)

    def _shape_of(self, member: TypedMember) -> Shape | None:
        return shape_of(member.value, member.kind, self._vocabulary)

    def _symbols_of(self, member: TypedMember) -> Iterator[Json]:
        if isinstance(member.value, list):
            yield from self.children(member)
        elif isinstance(member.value, dict) and self._is_shown(member):
            yield self._symbol(member)

    def _is_shown(self, member: TypedMember) -> bool:
        """Whether an object is shown: a node, what defines or uses a name, and a property that holds a list of them."""
        kind = member.kind
        if not isinstance(kind, ObjectKind):
            return True
        is_shown = self._shown_kinds.get(kind)
        if is_shown is None:
            shapes = [kind.shape]
            for prop in kind.shape.props.values():
                if isinstance(prop.kind, ListKind):
                    shapes += prop.kind.items.inner_shapes
            is_shown = any(_is_name(prop) for shape in shapes for prop in shape.props.values())
            self._shown_kinds[kind] = is_shown
        return is_shown

    def _symbol(self, member: TypedMember) -> Json:
        shape = self._shape_of(member)
        children, name_span = self._content(member, shape)
        name = _name_of(member.value, shape)
        type_name = shape.name if shape is not None and shape.is_node else ""
        label = label_of(member.value, shape) or name or type_name or str(member.step)
        span = self._span(member)
        if name_span is None or not span.start <= name_span.start <= name_span.end <= span.end:
            name_span = Span(span.start, span.start)
        symbol: Json = {
            "name": _shortened(label),
            "kind": int(symbol_kind(member, shape)),
            "range": range_data(span, self._positions),
            "selectionRange": range_data(name_span, self._positions),
        }
        detail = " ".join(word for word in (type_name, name) if word and word != label)
        if detail:
            symbol["detail"] = detail
        if children:
            symbol["children"] = children
        return symbol

    def _content(self, member: TypedMember, shape: Shape | None) -> tuple[list[Json], Span | None]:
        """The symbols inside an object, and the span of its id or key."""
        children: list[Json] = []
        name_span: Span | None = None
        for child in typed_children(member, shape):
            if child.prop is not None and _is_name(child.prop) and isinstance(child.value, str):
                name_span = Span(child.start, child.end)
            else:
                children += self._symbols_of(child)
        return children, name_span

    @staticmethod
    def _span(member: TypedMember) -> Span:
        """The span of a member, with its key."""
        key = member.member.key_span
        if key is None:
            return Span(member.start, member.end)
        return Span(key.start, member.end)


def _is_name(prop: Prop) -> bool:
    return prop.defines is not None or prop.uses is not None


def _name_of(value: object, shape: Shape | None) -> str:
    """The id of an object, or its key, or the name that it refers to."""
    if not isinstance(value, dict):
        return ""
    names = ["id"]
    if shape is not None:
        names = [prop.name for prop in shape.props.values() if _is_name(prop)] + names
    for name in names:
        text = value.get(name)
        if isinstance(text, str) and text.strip():
            return text
    return ""


def _shortened(label: str) -> str:
    if len(label) <= MAX_NAME:
        return label
    return label[: MAX_NAME - 1] + "…"


def symbol_kind(member: TypedMember, shape: Shape | None) -> SymbolKind:
    """The kind of the symbol of an object, for which editors show an icon. It depends on what the shape declares."""
    props: list[Prop] = []
    if shape is not None:
        props = list(shape.props.values())
    if isinstance(member.kind, NodeKind):
        return _node_kind(member.kind, shape, props)
    if any(prop.defines is not None for prop in props):
        return SymbolKind.Field
    if any(prop.uses is not None for prop in props):
        return SymbolKind.Key
    return SymbolKind.Object


def _node_kind(kind: NodeKind, shape: Shape | None, props: list[Prop]) -> SymbolKind:
    if kind.defines is not None:
        return SymbolKind.Module
    if shape is None or shape.role == "layout":
        return SymbolKind.Namespace
    if shape.scope:
        return SymbolKind.Struct
    if any(isinstance(prop.kind, ObjectKind) for prop in props):
        return SymbolKind.Variable
    return SymbolKind.String
