"""Completion: what may stand at the cursor, with the commas that it needs; documentation when it is asked for."""

from __future__ import annotations

from rui_common.cursor import cursor_at
from rui_common.explain import prop_text, shape_text
from rui_common.members import UNKNOWN, Span
from rui_common.offers import offers_at, plain
from rui_common.vocabulary import VOCABULARY
from rui_lsp.convert import offset_from_lsp, range_to_lsp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.cursor import Cursor
    from rui_common.offers import Offer
    from rui_lsp.convert import Json
    from rui_lsp.workspace import OpenDocument, Workspace

_PROPERTY, _VALUE, _SNIPPET = 10, 12, 15  # CompletionItemKind
_PLAIN_FORMAT, _SNIPPET_FORMAT = 1, 2  # InsertTextFormat


def answer(workspace: Workspace, params: Json) -> list[Json] | None:
    """``textDocument/completion``: everything that may stand at the cursor, the likeliest first."""
    opened = workspace.document_of(params)
    if opened is None:
        return None
    cursor = cursor_at(opened.document, offset_from_lsp(params.get("position"), opened.text))
    if cursor is None:
        return []
    others = [other.document for other in workspace.documents.values() if other is not opened]
    offers = offers_at(opened.document, cursor, others)
    snippets = workspace.client.can("textDocument", "completion", "completionItem", "snippetSupport")
    return [_item(offer, index, cursor, opened, snippets=snippets) for index, offer in enumerate(offers)]


def resolve(workspace: Workspace, params: Json) -> Json:
    """``completionItem/resolve``: the item with its documentation."""
    data = params.get("data")
    about = data if isinstance(data, dict) else {}
    shape = VOCABULARY.shapes.get(str(about.get("shape")))
    if shape is None:
        return params
    prop = shape.prop(str(about.get("prop")))
    text = shape_text(shape) if prop is None else prop_text(shape, prop, workspace.client.settings.docs_url)
    return {**params, "documentation": {"kind": "markdown", "value": text}}


def _item(offer: Offer, index: int, cursor: Cursor, opened: OpenDocument, *, snippets: bool) -> Json:
    text = offer.snippet if snippets else plain(offer.snippet)
    item: Json = {
        "label": offer.label,
        "kind": _SNIPPET if "\n" in text else _PROPERTY if cursor.expects == "key" else _VALUE,
        "detail": offer.detail,
        "sortText": f"{index:04}",
        "filterText": f'"{offer.label}"' if cursor.in_string else offer.label,
        "insertTextFormat": _SNIPPET_FORMAT if snippets else _PLAIN_FORMAT,
        "insertTextMode": 2,  # adjustIndentation
        "data": {"shape": offer.shape, "prop": offer.prop},
    }
    if cursor.comma_at == cursor.span.start:
        text = ", " + text
    elif cursor.comma_at != UNKNOWN:
        where = range_to_lsp(Span(cursor.comma_at, cursor.comma_at), opened.text)
        item["additionalTextEdits"] = [{"range": where, "newText": ","}]
    if cursor.comma_behind:
        text += ","
    item["textEdit"] = {"range": range_to_lsp(cursor.span, opened.text), "newText": text}
    return item


HANDLERS = {"textDocument/completion": answer, "completionItem/resolve": resolve}
