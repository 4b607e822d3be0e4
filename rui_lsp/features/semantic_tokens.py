"""Semantic tokens: the meaning of strings: node types, names and their definitions, enum values, paths."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lsprotocol import types
from lsprotocol.types import SemanticTokenModifiers, SemanticTokenTypes

from rui_common.editing.traversal import DeclaredMember, declared_members
from rui_common.syntax.spans import Span
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.kinds import TextKind
from rui_lsp.convert import Positions, to_span
from rui_lsp.server import RuiLanguageServer
from rui_lsp.session.documents import OpenDocument

LEGEND = types.SemanticTokensLegend(
    token_types=[
        SemanticTokenTypes.Class,
        SemanticTokenTypes.Variable,
        SemanticTokenTypes.EnumMember,
        SemanticTokenTypes.Property,
    ],
    token_modifiers=[SemanticTokenModifiers.Declaration],
)

# Indexes of token types in the legend: types of nodes; ids, keys and references to them; other enum values; texts with
# a pattern, such as the paths of bindings.
CLASS, VARIABLE, ENUM_MEMBER, PROPERTY = range(4)

DECLARATION = 1
"""The modifier of the definition of a name."""


class SemanticToken(NamedTuple):
    """A token of a document."""

    start: int
    end: int
    token_type: int
    modifiers: int


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)(semantic_tokens_full)
    server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE)(semantic_tokens_range)


def semantic_tokens_full(ls: RuiLanguageServer, params: types.SemanticTokensParams) -> types.SemanticTokens:
    document = ls.documents.get(params.text_document)
    return _encoded(document, Span(0, len(document.source)))


def semantic_tokens_range(ls: RuiLanguageServer, params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
    """Return the tokens in the lines that are visible."""
    document = ls.documents.get(params.text_document)
    return _encoded(document, to_span(params.range, document.positions))


def _encoded(document: OpenDocument, span: Span) -> types.SemanticTokens:
    encoder = Encoder(document.positions)
    for token in tokens(document.analysis, span.start, span.end):
        encoder.add(token)
    return types.SemanticTokens(encoder.data)


def tokens(analysis: Analysis, start: int, end: int) -> Iterator[SemanticToken]:
    """Yield the tokens of a part of a document in text order, without quotes.

    Args:
        analysis: that of the document, which may have syntax errors.
        start: the offset where the part begins.
        end: the offset where it ends.
    """
    tree = analysis.tree
    member = analysis.document.find(())
    if member is None or member.is_missing:
        return
    stack = [declared_members(tree, tree.root, member)]
    while stack:
        one = next(stack[-1], None)
        if one is None or one.member.start >= end:
            stack.pop()
        elif one.member.end <= start:
            continue
        elif one.node is not None:
            stack.append(declared_members(tree, one.node, one.member))
        elif isinstance(one.value, str):
            token = _token(one, analysis.document.text)
            if token is not None:
                yield token


def _token(one: DeclaredMember, text: str) -> SemanticToken | None:
    meaning = _meaning(one)
    if meaning is None:
        return None
    start = one.member.start
    end = one.member.end
    if text[start] == '"':
        start += 1
        if end > start and text[end - 1] == '"':
            end -= 1
    if end <= start or "\n" in text[start:end] or "\r" in text[start:end]:
        return None
    return SemanticToken(start, end, *meaning)


def _meaning(one: DeclaredMember) -> tuple[int, int] | None:
    """Return the token type and the modifiers of a string; None if the vocabulary gives it no meaning."""
    prop = one.prop
    kind = one.kind
    owner = one.owner.shape
    if prop is None:
        return None
    if prop.defines is not None or prop.uses is not None:
        return VARIABLE, DECLARATION if prop.defines is not None else 0
    if one.value in kind.values:
        if owner is not None and owner.is_node and kind.values == (owner.name,):
            return CLASS, 0
        return ENUM_MEMBER, 0
    if isinstance(kind, TextKind) and kind.pattern is not None:
        return PROPERTY, 0
    return None


class Encoder:
    """Encodes tokens as LSP does: five integers each, lines and characters relative to the previous token."""

    def __init__(self, positions: Positions) -> None:
        self.data: list[int] = []
        self._positions = positions
        self._line = 0
        self._character = 0

    def add(self, token: SemanticToken) -> None:
        line, character = self._positions.position(token.start)
        length = self._positions.position(token.end)[1] - character
        if (line, character) < (self._line, self._character):
            return  # Error recovery has put a value in front of an earlier one; LSP cannot express that.
        previous_character = 0
        if line == self._line:
            previous_character = self._character
        self.data += (line - self._line, character - previous_character, length, token.token_type, token.modifiers)
        self._line = line
        self._character = character
