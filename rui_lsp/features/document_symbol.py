"""Outline: the nodes of a document as a tree, each with what it is called on the screen."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from rui_common.editing.traversal import DocumentTraversal, label_of
from rui_common.syntax.spans import Span
from rui_common.vocabulary.kinds import ListKind, NodeKind, ObjectKind
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_lsp.client.convert import Positions, range_to_lsp
from rui_lsp.protocol.framing import Encoded, encoded
from rui_lsp.scheduling.idle import Slices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from typing import Any

    from rui_common.editing.traversal import TypedMember
    from rui_common.syntax.document import Document
    from rui_common.vocabulary.schema import Kind, Shape, Vocabulary
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.text_buffer import Position, TextBuffer
    from rui_lsp.documents.workspace import OpenDocument, Workspace

METHOD = "textDocument/documentSymbol"

# SymbolKind: editors show an icon for each.
MODULE, NAMESPACE, FIELD, VARIABLE, STRING, OBJECT, KEY, STRUCT = 2, 3, 8, 13, 15, 19, 20, 23

MAX_NAME = 80
"""Characters of a label that are shown."""


async def answer(workspace: Workspace, params: Json) -> Encoded | None:
    """``textDocument/documentSymbol``: a tree for clients that can show one, else a list."""
    opened = workspace.document_of(params)
    is_tree = workspace.client.can("textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport")
    written: list[bytes] = []
    async for symbol in gathered(opened):
        if not is_tree:
            written += [encoded(one) for one in _flat([symbol], opened.uri, "")]
        else:
            written.append(symbol.encoded() if isinstance(symbol, _Whole) else encoded(symbol))
    return Encoded(b"[%b]" % b",".join(written))


async def gathered(opened: OpenDocument) -> AsyncIterator[Json]:
    """The symbols at the top of a document, each with the tree below it; others have their turn in between."""
    slices = Slices()
    # Where the parts of the document stand: so few positions do not need all lines to be counted.
    for symbol in symbols(opened.document, opened.text.snapshot()):
        yield symbol
        if slices.is_over:
            await slices.pause()


def symbols(
    document: Document, positions: Positions | TextBuffer, vocabulary: Vocabulary = VOCABULARY
) -> Iterator[Json]:
    """The symbols of a document, those at the top one by one, each with the tree below it.

    Shown are nodes, the elements of lists that define or use a name, and the properties that hold such lists.

    Args:
        document: the document, broken or not.
        positions: its positions in the client's encoding.
        vocabulary: what says what is a node.
    """
    tour = DocumentTraversal(document, vocabulary)
    return iter(()) if tour.root is None else _Outline(tour, positions, vocabulary).below(tour.root)


class _Whole(dict[str, object]):
    """The symbol of a part of a text that is read by itself; it is encoded once."""

    __slots__ = ("_encoded",)

    def __init__(self, symbol: Json) -> None:
        super().__init__(symbol)
        self._encoded: Encoded | None = None

    def encoded(self) -> Encoded:
        """The symbol as it goes out."""
        if self._encoded is None:
            self._encoded = encoded(self)
        return self._encoded


class _Kept:
    """The symbol of a part of a text that is read by itself, wherever that now stands.

    Args:
        about: what it depends on beside that part.
        symbol: the symbol, with the positions that it has in that part.
    """

    __slots__ = ("_by", "_moved", "_symbol", "about")

    def __init__(self, about: tuple[object, ...], symbol: Json) -> None:
        self.about = about
        self._symbol = self._moved = _Whole(symbol)
        self._by = (0, 0)

    def at(self, inside: Position, there: Position) -> Json:
        """The symbol, when what has one position in the part has another in the text."""
        # What follows on the line that the part begins in moves along that line, too.
        by = there[0] - inside[0], there[1] - inside[1] if inside[0] == 0 else 0
        if by != self._by:
            self._by, self._moved = by, _Whole(_moved(self._symbol, *by))
        return self._moved


_in_piece: WeakKeyDictionary[Document, _Kept] = WeakKeyDictionary()


def _moved(symbol: Json, lines: int, characters: int) -> Json:
    """The same symbol so many lines further down, and on the first line so many characters further on."""
    tree: dict[str, Any] = symbol
    moved: Json = tree.copy()
    for name in ("range", "selectionRange"):
        moved[name] = {
            end: {
                "line": at["line"] + lines,
                "character": at["character"] + characters if at["line"] == 0 else at["character"],
            }
            for end, at in tree[name].items()
        }
    if "children" in tree:
        moved["children"] = [_moved(child, lines, characters) for child in tree["children"]]
    return moved


class _Outline:
    def __init__(self, tour: DocumentTraversal, positions: Positions | TextBuffer, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._tour = tour
        self._positions = positions
        self._shown: dict[Kind, bool] = {}

    def below(self, placed: TypedMember) -> Iterator[Json]:
        """The symbols inside an object or array."""
        for below in self._tour.inside(placed, self._tour.shape_of(placed)):
            yield from self._of(below)

    def _of(self, placed: TypedMember) -> Iterator[Json]:
        if isinstance(placed.value, list):
            yield from self.below(placed)
        elif isinstance(placed.value, dict) and self._is_shown(placed):
            piece = self._tour.fragment_of(placed)
            yield self._symbol(placed) if piece is None else self._kept(placed, piece)

    def _kept(self, placed: TypedMember, piece: Document) -> Json:
        """The symbol of a part of the text that is read by itself, from the last time that part was gone through."""
        inside = Positions(piece, self._positions.encoding)
        known = _in_piece.get(piece)
        about = (self._positions.encoding, placed.kind, placed.step)
        if known is None or known.about != about:
            symbol = _Outline(DocumentTraversal(piece, self._vocabulary), inside, self._vocabulary)._symbol(
                placed._replace(shift=0)
            )
            known = _in_piece[piece] = _Kept(about, symbol)
        return known.at(inside.position(placed.member.start), self._positions.position(placed.start))

    def _inside(self, placed: TypedMember, shape: Shape | None) -> tuple[list[Json], Span | None]:
        """The symbols inside, and where the id of the object, or its key, stands."""
        found: list[Json] = []
        name: Span | None = None
        for below in self._tour.inside(placed, shape):
            prop = below.prop
            if prop is not None and (prop.defines or prop.uses) is not None and isinstance(below.value, str):
                name = Span(below.start, below.end)
            else:
                found += self._of(below)
        return found, name

    def _is_shown(self, placed: TypedMember) -> bool:
        """Whether an object is shown: a node, what defines or uses a name, and a property that holds a list of them."""
        kind = placed.kind
        if not isinstance(kind, ObjectKind):
            return True
        known = self._shown.get(kind)
        if known is None:
            lists = (prop.kind.items for prop in kind.shape.props.values() if isinstance(prop.kind, ListKind))
            shapes = (kind.shape, *(shape for items in lists for shape in items.inner_shapes))
            props = (prop for shape in shapes for prop in shape.props.values())
            known = self._shown[kind] = any(prop.defines is not None or prop.uses is not None for prop in props)
        return known

    def _symbol(self, placed: TypedMember) -> Json:
        shape = self._tour.shape_of(placed)
        children, name = self._inside(placed, shape)
        value = placed.value
        given = _name_of(value, shape)
        sort = "" if shape is None else shape.name if shape.is_node else ""
        label = label_of(value, shape) or given or sort or str(placed.step)
        key = placed.member.key_span
        span = Span(placed.start if key is None else key.start + placed.shift, placed.end)
        if name is None or not span.start <= name.start <= name.end <= span.end:
            name = Span(span.start, span.start)
        symbol: Json = {
            "name": label if len(label) <= MAX_NAME else label[: MAX_NAME - 1] + "…",
            "kind": kind_of(placed, shape),
            "range": range_to_lsp(span, self._positions),
            "selectionRange": range_to_lsp(name, self._positions),
        }
        detail = " ".join(word for word in (sort, given) if word and word != label)
        if detail:
            symbol["detail"] = detail
        if children:
            symbol["children"] = children
        return symbol


def _name_of(value: object, shape: Shape | None) -> str:
    """The id of an object, or its key, or what it refers to."""
    if isinstance(value, dict):
        names = () if shape is None else (prop.name for prop in shape.props.values() if prop.defines or prop.uses)
        for name in (*names, "id"):
            given = value.get(name)
            if isinstance(given, str) and given.strip():
                return given
    return ""


def kind_of(placed: TypedMember, shape: Shape | None) -> int:
    """The SymbolKind of an object: what stands for it depends on what it holds, not on its type."""
    props = () if shape is None else tuple(shape.props.values())
    if isinstance(placed.kind, NodeKind):
        if placed.kind.defines is not None:
            return MODULE  # of a sort that something else refers to
        if shape is None or shape.role == "layout":
            return NAMESPACE
        if shape.scope:
            return STRUCT
        return VARIABLE if any(isinstance(prop.kind, ObjectKind) for prop in props) else STRING
    if any(prop.defines is not None for prop in props):
        return FIELD
    return KEY if any(prop.uses is not None for prop in props) else OBJECT


def _flat(tree: list[Json], uri: str, container: str) -> Iterator[Json]:
    for symbol in tree:
        name = str(symbol["name"])
        yield {
            "name": name,
            "kind": symbol["kind"],
            "location": {"uri": uri, "range": symbol["range"]},
            "containerName": container,
        }
        below = symbol.get("children")
        yield from _flat(below if isinstance(below, list) else [], uri, name)
