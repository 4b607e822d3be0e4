"""The features of the server, named after LSP methods; `FEATURES` lists them.

A feature is a function ``(ls, params) -> result`` with lsprotocol's types, and ``register(server)`` registers it with
pygls. The parameter of the server is called ``ls``, by which pygls recognises it.

- ``ls.documents.get(params.text_document)`` is the open document; it refuses the request if there is none.
- A request that cannot be served raises a `JsonRpcException`: `RequestFailedError` with a reason for the author.
- A result with thousands of objects is plain data: lsprotocol's types take ten times as long.
"""

from rui_lsp import commands
from rui_lsp.features import (
    code_action,
    completion,
    diagnostics,
    document_symbol,
    folding_range,
    formatting,
    hover,
    inlay_hint,
    names,
    selection_range,
    semantic_tokens,
    text_synchronization,
    workspace,
    workspace_symbol,
)
from rui_lsp.server import RuiLanguageServer

FEATURES = (
    workspace,
    text_synchronization,
    code_action,
    formatting,
    completion,
    hover,
    names,
    document_symbol,
    workspace_symbol,
    inlay_hint,
    folding_range,
    selection_range,
    commands,
    semantic_tokens,
    diagnostics,
)


def create_server() -> RuiLanguageServer:
    """Create a server and register all features. The client decides whether diagnostics are pulled or pushed."""
    server = RuiLanguageServer()
    for feature in FEATURES:
        feature.register(server)
    return server
