"""The features of the server, one file per LSP method; `FEATURES` lists them.

A feature is a function ``(ls, params) -> result`` with lsprotocol's types, and ``register(server)`` registers it with
pygls. The parameter of the server is called ``ls``, by which pygls recognises it.

- ``ls.documents.get(params.text_document)`` is the open document; it refuses the request if there is none.
- A request that cannot be served raises a `JsonRpcException`: `RequestFailedError` with a reason for the author.
- A result with thousands of objects is plain data: lsprotocol's types take ten times as long.
"""

from rui_lsp.features import (
    code_action,
    completion,
    definition,
    document_highlight,
    document_symbol,
    execute_command,
    folding_range,
    formatting,
    hover,
    initialize,
    linked_editing_range,
    on_type_formatting,
    references,
    rename,
    selection_range,
    semantic_tokens,
    text_synchronization,
    workspace_changes,
    workspace_diagnostic,
)

FEATURES = (
    initialize,
    text_synchronization,
    code_action,
    formatting,
    on_type_formatting,
    workspace_changes,
    completion,
    hover,
    definition,
    references,
    document_highlight,
    rename,
    linked_editing_range,
    document_symbol,
    folding_range,
    selection_range,
    execute_command,
    semantic_tokens,
    workspace_diagnostic,  # plugins request it, whether or not their editor does
)
"""The modules of the features that every client gets. `initialize` registers `diagnostic` for those that request it."""
