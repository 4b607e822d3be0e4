"""The symbols of all documents: their pages, blocks and endpoints."""

import os
from collections.abc import Iterator
from typing import NamedTuple

from lsprotocol.types import SymbolKind

from rui_common.document_files import read_file
from rui_common.editing.names import name_span
from rui_common.nodes.naming import own_name_of, text_of
from rui_common.nodes.node import Node
from rui_common.nodes.requests import request_of, requests_in
from rui_common.syntax.document import read
from rui_common.syntax.spans import Span
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.kinds import NodeKind, ObjectKind
from rui_common.vocabulary.schema import NodeRole, Prop, Shape
from rui_lsp.convert import Positions
from rui_lsp.protocol.log import logger
from rui_lsp.session.documents import OpenDocument, OpenDocuments
from rui_openapi.reading.files import FileVersion, version_of


class DocumentSymbol(NamedTuple):
    """A symbol of one document."""

    name: str  # its text or id; method and path of an endpoint
    other_name: str  # its id, by which it is found, too
    kind: SymbolKind
    container: str  # the name of the page of a block, and of the block of an endpoint
    span: tuple[int, int, int, int]  # line and character of its start and end


class AllSymbols:
    """The symbols of open documents and files. Those of a file are kept until it changes."""

    def __init__(self, documents: OpenDocuments) -> None:
        self._documents = documents
        self._of_files: dict[str, tuple[FileVersion | None, list[DocumentSymbol]]] = {}

    def of(self, uri: str, path: str | None) -> list[DocumentSymbol]:
        """Return the symbols of a document, as it is open, else as it is in its file; none if it cannot be read."""
        document = self._documents.find(uri)
        if document is not None:
            return list(symbols_of(document.analysis, document.positions, _file_name(document)))
        if path is None:
            return []
        version = version_of(path)
        if path not in self._of_files or self._of_files[path][0] != version:
            self._of_files[path] = (version, self._read(path))
        return self._of_files[path][1]

    def _read(self, path: str) -> list[DocumentSymbol]:
        try:
            analysis = Analysis(read(read_file(path)))
        except OSError:  # The request for diagnostics reports it.
            return []
        try:
            positions = Positions(analysis.document.lines, self._documents.encoding)
            return list(symbols_of(analysis, positions, os.path.basename(path)))  # noqa: PTH119
        except Exception:  # The author still gets those of all other files.
            logger.exception("internal fault: cannot find the symbols of %s", path)
            return []


def _file_name(document: OpenDocument) -> str:
    return os.path.basename(document.real_path or document.uri)  # noqa: PTH119


def symbols_of(analysis: Analysis, positions: Positions, file_name: str) -> Iterator[DocumentSymbol]:
    """Yield the pages and blocks of a document in its order, each before the endpoints that it reads."""
    page = file_name
    for node in analysis.tree:
        if not isinstance(node.kind, NodeKind) or node.shape is None:
            continue
        is_page = node.kind.defines is not None
        if node.shape.role is NodeRole.LAYOUT and not is_page:
            continue
        other_name = own_name_of(node.members, node.shape)
        name = text_of(node.members, node.shape) or other_name or node.shape.name
        container = file_name if is_page else page
        yield DocumentSymbol(name, other_name, symbol_kind(node), container, _lines(span_of(analysis, node), positions))
        if is_page:
            page = name
        for prop, names in requests_in(node.shape):
            request = request_of(node.members.get(prop), names)
            if request is not None:
                span = analysis.document.range_of((*node.path, prop, names.endpoint))
                text = f"{request.method} {request.path}"
                yield DocumentSymbol(text, "", SymbolKind.Interface, name, _lines(span, positions))


def symbol_kind(node: Node) -> SymbolKind:
    """Return the kind of the symbol of an object, by the declarations of its shape. Editors show it as an icon."""
    props: list[Prop] = []
    if node.shape is not None:
        props = list(node.shape.props.values())
    if isinstance(node.kind, NodeKind):
        return _node_kind(node.kind, node.shape, props)
    if any(prop.defines is not None for prop in props):
        return SymbolKind.Field
    if any(prop.uses is not None for prop in props):
        return SymbolKind.Key
    return SymbolKind.Object


def _node_kind(kind: NodeKind, shape: Shape | None, props: list[Prop]) -> SymbolKind:
    if kind.defines is not None:
        return SymbolKind.Module
    if shape is None or shape.role is NodeRole.LAYOUT:
        return SymbolKind.Namespace
    if shape.scope:
        return SymbolKind.Struct
    if any(isinstance(prop.kind, ObjectKind) for prop in props):
        return SymbolKind.Variable
    return SymbolKind.String


def span_of(analysis: Analysis, node: Node) -> Span:
    """Return the span of the id or key of an object, or of all of it."""
    for prop in () if node.shape is None else node.shape.all_props:  # the one that names the object is the first
        if isinstance(node.members.get(prop.name), str):
            return name_span(analysis, (*node.path, prop.name))
    return analysis.document.range_of(node.path)


def _lines(span: Span, positions: Positions) -> tuple[int, int, int, int]:
    return (*positions.position(span.start), *positions.position(span.end))
