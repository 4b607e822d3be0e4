"""Completion: what can be inserted at the cursor, with the commas that it needs; documentation when it is resolved."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from lsprotocol import types

from rui_common.editing.completion import Completion, completions_at
from rui_common.editing.completion_context import CompletionContext, Expects, completion_context_at
from rui_common.editing.requests import KnownRequest, known_requests
from rui_common.editing.snippets import Layout
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import UNKNOWN
from rui_common.vocabulary.schema import Vocabulary
from rui_lsp.convert import markup, to_lsp, to_offset, to_range, to_text_edits
from rui_lsp.server import RuiLanguageServer
from rui_lsp.session.documents import OpenDocument
from rui_lsp.session.uris import name_of

MAX_ITEMS = 100  # maximum number of items of a list, before the client requests it again for more typed text
MAX_REQUESTS = 500  # maximum number of requests of other documents that are considered

_ITEM = "text_document.completion.completion_item"


def register(server: RuiLanguageServer) -> None:
    options = types.CompletionOptions(trigger_characters=['"', ":", "{", "["], resolve_provider=True)
    server.feature(types.TEXT_DOCUMENT_COMPLETION, options)(completion)
    server.feature(types.COMPLETION_ITEM_RESOLVE)(resolve_completion_item)


def completion(
    ls: RuiLanguageServer, params: types.CompletionParams
) -> list[types.CompletionItem] | types.CompletionList:
    """Return what can be inserted at the cursor, the likeliest first; in a long list, what contains the typed text."""
    document = ls.documents.get(params.text_document)
    offset = to_offset(params.position, document.positions)
    context = completion_context_at(document.document, offset)
    if context is None:
        return []
    other_requests = islice(_requests_of_others(ls, document), MAX_REQUESTS)
    completions = completions_at(document.analysis, context, other_requests)
    if document.api is not None:
        from rui_openapi.editing.completion import add_api_completions  # only with a description

        completions = add_api_completions(document.analysis, context, document.api, completions)
    is_incomplete = len(completions) > MAX_ITEMS
    if is_incomplete:
        typed = document.source[context.span.start : offset].strip('"').lower()
        completions = sorted(completions, key=lambda proposed: typed not in proposed.label.lower())[:MAX_ITEMS]
    builder = _ItemBuilder(ls, document, context)
    items = [builder.item(completion, index) for index, completion in enumerate(completions)]
    if is_incomplete:
        return types.CompletionList(is_incomplete=True, items=items)
    return items


def _requests_of_others(ls: RuiLanguageServer, document: OpenDocument) -> Iterator[KnownRequest]:
    """Yield the requests of other documents: of the open ones, edited last first, then of files, changed last first.

    Those of files are known when their diagnostics have been computed; no file is read for completion.
    """
    for other in sorted(ls.documents, key=lambda document: -document.last_edit):
        if other is not document:
            yield from known_requests(other.analysis, name_of(other.uri))
    yield from ls.closed_files.requests()


def resolve_completion_item(ls: RuiLanguageServer, item: types.CompletionItem) -> types.CompletionItem:
    from rui_common.describe.entries import entry_text  # 14 ms of the start

    data: Any = item.data if isinstance(item.data, dict) else {}

    text = entry_text(str(data.get("shape")), str(data.get("prop")))
    if text:
        item.documentation = markup(text, ls.capability_list(f"{_ITEM}.documentation_format"))
    return item


def _is_placeholder(written: str, vocabulary: Vocabulary) -> bool:
    """Return whether a string is one that the author has not set yet, quotes included."""
    text = written[1:-1]
    return written == f'"{text}"' and any(prop.is_placeholder(text) for _, prop in vocabulary.props)


class _ItemBuilder:
    """Builds the items of one request, as far as the client supports their parts."""

    def __init__(self, server: RuiLanguageServer, document: OpenDocument, context: CompletionContext) -> None:
        self._context = context
        self._layout = Layout(document.document, context)
        self._range = to_range(context.span, document.positions)
        self._with_choices = server.quirks.shows_first_choice
        self._takes_snippets = server.supports(f"{_ITEM}.snippet_support")
        self._takes_details = server.supports(f"{_ITEM}.label_details_support")
        self._mode, self._sends_mode = self._insert_mode(server)
        self._document = document
        self._comma_edits: list[types.TextEdit] = []
        if context.comma_at not in {UNKNOWN, context.span.start}:
            comma_range = to_range(Span(context.comma_at, context.comma_at), document.positions)
            self._comma_edits = [types.TextEdit(comma_range, ",")]

    def _insert_mode(self, server: RuiLanguageServer) -> tuple[types.InsertTextMode, bool]:
        """Return how the client inserts lines, and whether an item can choose that."""
        modes = server.capability_list(f"{_ITEM}.insert_text_mode_support.value_set")
        for mode in (types.InsertTextMode.AdjustIndentation, types.InsertTextMode.AsIs):
            if mode in modes:
                return mode, True
        default_mode = server.capability("text_document.completion.insert_text_mode")
        if isinstance(default_mode, types.InsertTextMode):
            return default_mode, False
        if self._takes_snippets:  # Clients that expand snippets indent them; simple text they insert as it is.
            return types.InsertTextMode.AdjustIndentation, False
        return types.InsertTextMode.AsIs, False

    def item(self, completion: Completion, index: int) -> types.CompletionItem:
        """Return one item; `index` is its place among all."""
        context = self._context
        item = types.CompletionItem(
            completion.label,
            kind=self._kind(completion),
            detail=completion.detail,
            sort_text=f"{index:04}",
            filter_text=completion.label,
            insert_text_format=types.InsertTextFormat.PlainText,
            text_edit=types.TextEdit(self._range, self._new_text(completion)),
            data={"shape": completion.shape, "prop": completion.prop},
        )
        # Clients match it with the text that is replaced.
        replaced = self._document.source[context.span.start : context.span.end]
        if context.in_string:
            item.filter_text = f'"{completion.label}"'
        elif replaced.startswith("{"):
            item.filter_text = f"{{{completion.label}"
        # The author is at a tab stop, and has not typed yet.
        if _is_placeholder(replaced, self._document.analysis.vocabulary):
            item.filter_text = f"{replaced} {item.filter_text}"
        if self._takes_snippets:
            item.insert_text_format = types.InsertTextFormat.Snippet
        if self._sends_mode:
            item.insert_text_mode = self._mode
        note = completion.note or completion.shape
        if self._takes_details and note and note != completion.label:
            item.label_details = types.CompletionItemLabelDetails(description=note)
        edits = self._use_edits(completion)
        if context.comma_at != context.span.start:
            edits += self._comma_edits
        item.additional_text_edits = edits or None
        return item

    def _use_edits(self, completion: Completion) -> list[types.TextEdit]:
        """Return the edit that uses the new name where a rule wants it to be used, such as in the navigation."""
        if completion.unused is None:
            return []
        from rui_common.editing.names import add_uses  # new pages are rare

        document = self._document.document
        symbol, name = completion.unused
        edit = add_uses(self._document.analysis, symbol, [name])
        if edit is None:
            return []
        edited = document.path_at(edit.span.start)[:1]
        if any(path[:1] == edited for path in document.incomplete):
            return []
        return to_text_edits([edit], self._document.positions)

    def _kind(self, completion: Completion) -> types.CompletionItemKind:
        if "\n" in completion.snippet.text:
            return types.CompletionItemKind.Snippet
        if self._context.expects is Expects.KEY:
            return types.CompletionItemKind.Property
        return types.CompletionItemKind.Value

    def _new_text(self, completion: Completion) -> str:
        is_relative = self._mode == types.InsertTextMode.AdjustIndentation
        snippet = self._layout.adapt(completion.snippet, relative=is_relative)
        if self._takes_snippets:
            return to_lsp(snippet, with_choices=self._with_choices)
        return snippet.text
