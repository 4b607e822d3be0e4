"""Commands of the server, see below.

`rui_lsp.commands` has one module for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rui_lsp.commands import explain_rule, new_document, paste, preview, preview_cursor, publish, show_normalized

if TYPE_CHECKING:
    from rui_lsp.server.server import RuiLanguageServer

COMMANDS = {
    "rui.publish": publish.publish,
    "rui.showNormalized": show_normalized.show_normalized,
    "rui.explainRule": explain_rule.explain_rule,
    "rui.newDocument": new_document.new_document,
    "rui.preview": preview.preview,
    "rui.paste": paste.paste,
    "rui.previewCursor": preview_cursor.preview_cursor,
}


def register(server: RuiLanguageServer) -> None:
    """Register all commands; pygls announces and runs them."""
    for name, command in COMMANDS.items():
        server.command(name)(command)
