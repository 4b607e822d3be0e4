"""Formatting of a document, and while typing: a new line after a value gets the comma that is missing there."""

import re

from lsprotocol import types

from rui_common.editing.formatter import CannotFormatError, format_document
from rui_common.syntax.document import Document
from rui_common.syntax.spans import Edit, Span
from rui_lsp.convert import to_offset, to_text_edits
from rui_lsp.protocol.errors import RequestFailedError
from rui_lsp.server import RuiLanguageServer
from rui_lsp.session.uris import name_of

NEW_LINE = "\n"  # the character that triggers the feature

_BLANKS = " \t\r\n"
_GAP = re.compile(r"[ \t\r\n]*")
_KEY_OR_VALUE = re.compile(r"[\"{\[\d-]|(?:true|false|null)\b")
_LINE_END = re.compile(r"\r\n|\r|\n")
_LINE_ENDS = ("\r", "\n")


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_FORMATTING)(formatting)
    options = types.DocumentOnTypeFormattingOptions(first_trigger_character=NEW_LINE)
    server.feature(types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, options)(on_type_formatting)


def formatting(ls: RuiLanguageServer, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
    """Return one edit with the canonical order and layout of the whole text. Editors apply only what differs.

    Raises:
        RequestFailedError: the document has no canonical text, as it has a syntax error or a duplicate key.
    """
    document = ls.documents.get(params.text_document)
    text = document.source
    try:
        formatted = format_document(document.analysis)
    except CannotFormatError as error:
        line = document.positions.position(error.offset)[0] + 1
        message = f"Not formatted. Line {line}: {error}"
        if ls.quirks.shows_format_errors:
            raise RequestFailedError(message) from None
        ls.show_message(types.MessageType.Warning, f"{name_of(document.uri)}: {message}")
        return None
    inserts_final_newline = ls.quirks.inserts_final_newline and params.options.insert_final_newline is not False
    if not inserts_final_newline and not text.endswith(_LINE_ENDS):
        formatted = formatted.rstrip("\r\n")
    if formatted == text:
        return []
    return to_text_edits([Edit(Span(0, len(text)), formatted)], document.positions)


def on_type_formatting(
    ls: RuiLanguageServer, params: types.DocumentOnTypeFormattingParams
) -> list[types.TextEdit] | None:
    document = ls.documents.get(params.text_document)
    if params.ch != NEW_LINE:
        return None
    edit = missing_comma(document.document, to_offset(params.position, document.positions))
    if edit is None:
        return None
    return to_text_edits([edit], document.positions)


def missing_comma(document: Document, offset: int) -> Edit | None:
    """Return the comma that is missing after the value before the cursor, when the cursor is on a new line.

    It is missing only if another key or value follows. At the end of an object or array, and before a word that the
    author has begun, it would be an error for now. Completion adds it there.

    Args:
        document: the document, which probably has syntax errors.
        offset: the cursor.
    """
    text = document.text
    end = len(text[:offset].rstrip(_BLANKS))
    if not end or len(_LINE_END.findall(text, end, offset)) != 1:
        return None
    gap = _GAP.match(text, offset)
    if gap is None or not _KEY_OR_VALUE.match(text, gap.end()):
        return None
    path = document.path_at(end - 1)
    member = document.find(path)
    while path and text[end - 1] in "}]" and (member is None or member.end != end):
        path = path[:-1]  # What the bracket closes, not what touches it.
        member = document.find(path)
    if not path or member is None or member.span is None or member.span.end != end or member.is_open:
        return None
    is_whole = text[member.start] != '"' or (end - member.start > 1 and text[end - 1] == '"')
    if is_whole:
        return Edit(Span(end, end), ",")
    return None
