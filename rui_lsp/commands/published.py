"""``rui.published``: the service of a document, and the text of its last publication."""

from __future__ import annotations

import json

from rui_common.client import Client as Service
from rui_common.client import SavedSpec, ServiceError
from rui_common.editing.formatter import CannotFormatError, format_document
from rui_common.json_values import JsonObject
from rui_common.publishing import replaced_id_of, without_replaced_id
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_lsp.commands.arguments import Arguments
from rui_lsp.commands.publish import TIMEOUT, describe, fetch_last
from rui_lsp.protocol.errors import RequestFailedError
from rui_lsp.server import RuiLanguageServer
from rui_lsp.session.uris import name_of


async def published(ls: RuiLanguageServer, *values: object) -> JsonObject:
    """Return the service that a document is published to: ``[uri]``; or its last publication: ``[{uri, last}]``.

    `last` is the ``specId`` that ``rui.publish`` has returned.

    Returns:
        ``{server}``; with `last`, ``{server, text, viewUrl, createdAt}``. The text has the layout of ``rui format``,
        and no ``meta.replaces`` if the document has none.
    """
    arguments = Arguments(values, "uri", texts=("last",))
    uri = arguments.text("uri")
    server = ls.settings_for(uri).server_url
    last = arguments.text("last")
    if not last:
        return {"server": server}
    document = arguments.analysis(ls.documents).document
    try:
        spec = await fetch_last(Service(server, timeout=TIMEOUT, retries=2, user_agent="rui lsp"), last)
    except (ServiceError, ValueError) as error:
        raise RequestFailedError(f"The last publication of {name_of(uri)} is not read: {describe(error)}") from None
    if spec is None:
        raise RequestFailedError(f"{server} does not have the last publication of {name_of(uri)} any more: {last}")
    try:
        text = _text(spec, keeps_replaced_id=bool(replaced_id_of(document.value)))
    except CannotFormatError as error:
        raise RequestFailedError(f"{server} has no JSON as the last publication of {name_of(uri)}: {error}") from None
    return {"server": server, "text": text, "viewUrl": spec.view_url, "createdAt": spec.created_at}


def _text(spec: SavedSpec, *, keeps_replaced_id: bool) -> str:
    value: object = spec.normalized_rui
    if not keeps_replaced_id:
        value = without_replaced_id(value)
    return format_document(Analysis(read(json.dumps(value, ensure_ascii=False))))
