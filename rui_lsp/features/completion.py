"""Completion: what may stand at the cursor, with the commas that it needs; documentation when it is asked for."""

from __future__ import annotations

from rui_common.editing.completion import completions_at, texts_in
from rui_common.editing.completion_context import Expects, completion_context_at
from rui_common.editing.hover import prop_text, shape_text
from rui_common.editing.snippets import Layout
from rui_common.syntax.spans import Span
from rui_common.syntax.tree import UNKNOWN
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_lsp.client.convert import offset_from_lsp, range_to_lsp
from rui_lsp.client.markup import markup
from rui_lsp.client.snippet_syntax import to_lsp
from rui_lsp.documents.value_index import get_value_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rui_common.editing.completion import Completion
    from rui_common.editing.completion_context import CompletionContext
    from rui_common.syntax.document import Document
    from rui_lsp.client.client import Client
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import Workspace

_PROPERTY, _VALUE, _SNIPPET = 10, 12, 15  # CompletionItemKind
_PLAIN_FORMAT, _SNIPPET_FORMAT = 1, 2  # InsertTextFormat
_AS_IS, _ADJUST = 1, 2  # InsertTextMode
_ITEM = "textDocument", "completion", "completionItem"


def answer(workspace: Workspace, params: Json) -> list[Json] | Json | None:
    """``textDocument/completion``: everything that may stand at the cursor, the likeliest first.

    While files that may have more to offer are still being looked at, the client is told to ask again.
    """
    opened = workspace.document_of(params)
    cursor = completion_context_at(opened.document, offset_from_lsp(params.get("position"), opened.text))
    if cursor is None:
        return []
    known = get_value_index(workspace)
    is_complete = True

    def others(name: str) -> Iterator[str]:
        nonlocal is_complete
        known.refresh(workspace)
        is_complete = known.is_complete
        yield from known.texts.get(name, ())
        for other in workspace.documents.values():
            yield from texts_in(other.document, name) if other is not opened else ()

    offers = completions_at(opened.document, cursor, others)
    comma_at = Span(cursor.comma_at, cursor.comma_at) if cursor.comma_at not in {UNKNOWN, cursor.span.start} else None
    comma: list[Json] = [] if comma_at is None else [{"range": range_to_lsp(comma_at, opened.text), "newText": ","}]
    writer = _Writer(workspace.client, opened.document, cursor, range_to_lsp(cursor.span, opened.text), comma)
    items = [writer.item(offer, index) for index, offer in enumerate(offers)]
    return items if is_complete else {"isIncomplete": True, "items": items}


def resolve(workspace: Workspace, params: Json) -> Json:
    """``completionItem/resolve``: the item with its documentation."""
    data = params.get("data")
    about = data if isinstance(data, dict) else {}
    shape = VOCABULARY.shapes.get(str(about.get("shape")))
    if shape is None:
        return params
    prop = shape.prop(str(about.get("prop")))
    text = shape_text(shape) if prop is None else prop_text(shape, prop, workspace.client.settings.docs_url)
    return {**params, "documentation": markup(workspace.client, text, *_ITEM[1:], "documentationFormat")}


class _Writer:
    """Writes offers as items, as far as the client can take them.

    Args:
        client: the client.
        document: the document.
        cursor: what may stand where in it.
        where: the range that an item replaces.
        comma: the change that puts a missing comma behind what stands before, on another line.
    """

    def __init__(
        self, client: Client, document: Document, cursor: CompletionContext, where: Json, comma: list[Json]
    ) -> None:
        self._client = client
        self._cursor = cursor
        self._where = where
        self._comma = comma
        self._layout = Layout(document, cursor)
        self._takes_snippets = client.can(*_ITEM, "snippetSupport")
        self._takes_details = client.can(*_ITEM, "labelDetailsSupport")
        self._mode, self._is_told = self._insert_mode()

    def _insert_mode(self) -> tuple[int, bool]:
        """How the client inserts lines, and whether it can be told."""
        modes = self._client.values(*_ITEM, "insertTextModeSupport", "valueSet")
        for mode in (_ADJUST, _AS_IS):
            if mode in modes:
                return mode, True
        usual = self._client.value("textDocument", "completion", "insertTextMode")
        if usual in {_AS_IS, _ADJUST}:
            return int(str(usual)), False
        # What expands snippets indents them, too; plain text it inserts.
        return (_ADJUST if self._takes_snippets else _AS_IS), False

    def item(self, offer: Completion, index: int) -> Json:
        """One item; `index` is its place among all."""
        cursor = self._cursor
        snippet = self._layout.reindent(offer.snippet, relative=self._mode == _ADJUST)
        text = to_lsp(snippet) if self._takes_snippets else snippet.text
        item: Json = {
            "label": offer.label,
            "kind": _SNIPPET if "\n" in snippet.text else _PROPERTY if cursor.expects is Expects.KEY else _VALUE,
            "detail": offer.detail,
            "sortText": f"{index:04}",
            "filterText": f'"{offer.label}"' if cursor.in_string else offer.label,
            "insertTextFormat": _SNIPPET_FORMAT if self._takes_snippets else _PLAIN_FORMAT,
            "data": {"shape": offer.shape, "prop": offer.prop},
        }
        if self._is_told:
            item["insertTextMode"] = self._mode
        if self._takes_details and offer.shape and offer.shape != offer.label:
            item["labelDetails"] = {"description": offer.shape}
        if cursor.comma_at == cursor.span.start:
            text = ", " + text
        elif self._comma:
            item["additionalTextEdits"] = self._comma
        item["textEdit"] = {"range": self._where, "newText": text + ("," if cursor.comma_after else "")}
        return item


HANDLERS = {"textDocument/completion": answer, "completionItem/resolve": resolve}
