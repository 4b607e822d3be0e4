"""Semantic tokens: the meaning of strings: node types, names and their definitions, enum values, paths."""

from collections.abc import Iterator

from lsprotocol import types
from lsprotocol.types import SemanticTokenModifiers, SemanticTokenTypes

from rui_common.editing.traversal import DeclaredMember, declared_members
from rui_common.syntax.spans import Span
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.kinds import TextKind
from rui_lsp.convert import to_span
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

DECLARATION = 1  # the modifier of the definition of a name


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)(semantic_tokens_full)
    server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE)(semantic_tokens_range)


def semantic_tokens_full(ls: RuiLanguageServer, params: types.SemanticTokensParams) -> types.SemanticTokens:
    document = ls.documents.get(params.text_document)
    return _encoded(document, Span(0, len(document.source)))


def semantic_tokens_range(ls: RuiLanguageServer, params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
    document = ls.documents.get(params.text_document)
    return _encoded(document, to_span(params.range, document.positions))


def _encoded(document: OpenDocument, span: Span) -> types.SemanticTokens:
    """Return the tokens of a part of a document, without quotes.

    LSP has five integers for each; its line and character are relative to those of the previous one.
    """
    data: list[int] = []
    positions = document.positions
    previous_line = previous_character = 0
    for string in _strings(document.analysis, span):
        meaning = _meaning(string)
        token = _without_quotes(string, document.source)
        if meaning is None or token is None:
            continue
        line, character = positions.position(token.start)
        if (line, character) < (previous_line, previous_character):
            continue  # Error recovery has put a value in front of an earlier one; LSP cannot express that.
        if line != previous_line:
            previous_character = 0
        length = positions.position(token.end)[1] - character
        data += (line - previous_line, character - previous_character, length, *meaning)
        previous_line = line
        previous_character = character
    return types.SemanticTokens(data)


def _strings(analysis: Analysis, span: Span) -> Iterator[DeclaredMember]:
    """Yield the declared strings of a part of a document in text order."""
    tree = analysis.tree
    member = analysis.document.find(())
    if member is None or member.is_missing:
        return
    stack = [declared_members(tree, tree.root, member)]
    while stack:
        declared = next(stack[-1], None)
        if declared is None or declared.member.start >= span.end:
            stack.pop()
        elif declared.member.end <= span.start:
            continue
        elif declared.node is not None:
            stack.append(declared_members(tree, declared.node, declared.member))
        elif isinstance(declared.value, str):
            yield declared


def _without_quotes(string: DeclaredMember, text: str) -> Span | None:
    """Return the span of a string without its quotes; None if it is empty, or has several lines as its end is lost."""
    start = string.member.start
    end = string.member.end
    if text[start] == '"':
        start += 1
        if end > start and text[end - 1] == '"':
            end -= 1
    if end <= start or "\n" in text[start:end] or "\r" in text[start:end]:
        return None
    return Span(start, end)


def _meaning(string: DeclaredMember) -> tuple[int, int] | None:
    """Return the token type and the modifiers of a string; None if the vocabulary gives it no meaning."""
    prop = string.prop
    kind = string.kind
    owner = string.owner.shape
    if prop is None:
        return None
    if prop.defines is not None or prop.uses is not None:
        return VARIABLE, DECLARATION if prop.defines is not None else 0
    if string.value in kind.values:
        if owner is not None and owner.is_node and kind.values == (owner.name,):
            return CLASS, 0
        return ENUM_MEMBER, 0
    if isinstance(kind, TextKind) and kind.pattern is not None:
        return PROPERTY, 0
    return None
