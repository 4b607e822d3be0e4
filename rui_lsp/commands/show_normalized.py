"""``rui.showNormalized``: the document as a service would store it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rui_common.editing.formatter import format_document
from rui_common.editing.normal_form import normalize
from rui_common.hashing import content_hash
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose, is_error
from rui_lsp.commands.arguments import Arguments
from rui_lsp.commands.show_in_client import name_of, show_text
from rui_lsp.documents.files_on_disk import SUFFIX
from rui_lsp.protocol.errors import RequestFailedError

if TYPE_CHECKING:
    from lsprotocol import types

    from rui_lsp.client.convert import Json
    from rui_lsp.server.server import RuiLanguageServer


async def show_normalized(ls: RuiLanguageServer, params: types.ExecuteCommandParams) -> Json:
    """Normalize a document: ``[uri]``, or ``[{uri, show}]``.

    Returns:
        ``{text, contentHash, valid}``: the normal form in canonical layout, the hash that the service would give it,
        and whether it would store it. The text is also opened, if the client shows documents and ``show`` is not
        false.
    """
    arguments = Arguments(params.arguments, "uri", flags=("show",))
    document = arguments.document(ls.workspace)
    if not document.valid or not isinstance(document.value, dict):
        raise RequestFailedError(f"{name_of(arguments.text('uri'))} is broken JSON; it has no normal form.")
    value = normalize(document.value)
    text = format_document(read(json.dumps(value, ensure_ascii=False)))
    if arguments.flag("show", default=True):
        name = name_of(arguments.text("uri")).removesuffix(SUFFIX)
        await show_text(ls, f"{name}.normalized{SUFFIX}", text)
    is_valid = not any(is_error(diagnostic) for diagnostic in diagnose(document))
    return {"text": text, "contentHash": content_hash(value), "valid": is_valid}
