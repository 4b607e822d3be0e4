"""Hover: the documentation of the property under the cursor, of what a reference names, and of a node's type.

Of a property with an error, also the rule that it breaks; of a request, the operation, value or column in the OpenAPI
description.
"""

from lsprotocol import types

from rui_common.editing.hover import SEPARATOR, hover_at
from rui_lsp.convert import markup, to_offset, to_range
from rui_lsp.server import RuiLanguageServer


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_HOVER)(hover)


def hover(ls: RuiLanguageServer, params: types.HoverParams) -> types.Hover | None:
    document = ls.documents.get(params.text_document)
    offset = to_offset(params.position, document.positions)
    docs_url = ls.settings_for(document.uri).docs_url
    found = hover_at(document.analysis, offset, docs_url)
    if found is None:
        return None
    text = found.text
    if document.api is not None:
        from rui_openapi.editing.hover import api_hover  # only with a description

        about_api = api_hover(document.analysis, document.document.path_at(offset), document.api)
        if about_api is not None:
            text = f"{about_api}{SEPARATOR}{text}"
    contents = markup(text, ls.capability_list("text_document.hover.content_format"))
    return types.Hover(contents, to_range(found.span, document.positions))
