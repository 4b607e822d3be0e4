"""``rui.preparePaste``: what a paste needs: commas, indentation, and ids where the pasted ones would be duplicates."""

from __future__ import annotations

from dataclasses import dataclass

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from rui_common.editing.pasting import prepare_paste as prepare
from rui_common.json_values import JsonObject
from rui_lsp.convert import to_span, to_text_edits
from rui_lsp.server import RuiLanguageServer

LABEL = "Paste with commas and indentation"
LABEL_OF_NEW_IDS = "Paste with new ids"


@dataclass
class PasteParams:
    """What the author pastes, and where."""

    uri: str
    range: types.Range
    text: str


async def prepare_paste(ls: RuiLanguageServer, paste: PasteParams | None = None) -> JsonObject | None:
    """Prepare a paste into an open document: ``[{uri, range, text}]``, where the range is empty for a cursor.

    Returns:
        ``{edits, label}``: the edits of the document in place of the paste, of which the first one replaces the range,
        and what they do, for a menu. ``null`` if the text is to be pasted as it is.
    """
    if paste is None:
        raise JsonRpcInvalidParams("rui.preparePaste needs a document, a range and a text")
    document = ls.documents.get(types.TextDocumentIdentifier(paste.uri))
    found = prepare(document.analysis, to_span(paste.range, document.positions), paste.text)
    if found is None:
        return None
    label = LABEL_OF_NEW_IDS if found.has_new_names else LABEL
    return {"edits": to_text_edits(found.edits, document.positions), "label": label}
