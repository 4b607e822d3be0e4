"""Inlay hints: behind the name of a page or a column where it is used, what people call it."""

from collections.abc import Iterator

from lsprotocol import types

from rui_common.nodes.naming import text_of
from rui_common.texts import shorten
from rui_lsp.convert import to_position, to_span
from rui_lsp.server import RuiLanguageServer
from rui_lsp.session.documents import OpenDocument

MAX_LABEL = 40  # characters of a hint


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_INLAY_HINT)(inlay_hint)


def inlay_hint(ls: RuiLanguageServer, params: types.InlayHintParams) -> list[types.InlayHint]:
    """Return the hints in a range: the title of the page after a `pageId`, the label of the column after a `field`.

    There is none if the name is defined more than once, or is the text itself.
    """
    document = ls.documents.get(params.text_document)
    if not ls.settings_for(document.uri).inlay_hints:
        return []
    span = to_span(params.range, document.positions)
    hints = []
    for offset, text in _texts(document):
        if span.start <= offset <= span.end:
            label = shorten(text, MAX_LABEL)
            hints.append(types.InlayHint(to_position(offset, document.positions), label, padding_left=True))
    return hints


def _texts(document: OpenDocument) -> Iterator[tuple[int, str]]:
    """Yield the offset behind each name that is used, and the text of what it names."""
    analysis = document.analysis
    for name in analysis.names.below(()):
        definitions = name.scope.defined.get(name.text, ())
        if not name.is_use or len(definitions) != 1:
            continue
        node = definitions[0].node
        text = text_of(node.members, node.shape)
        if text and text.casefold() != name.text.casefold():
            yield analysis.document.range_of(name.path).end, text
