"""Commands of the server, see below.

The result of a command is for the client; the server shows the author a message or a page, as the client supports it.
"""

from collections.abc import Awaitable, Callable

from rui_common.json_values import JsonObject
from rui_lsp.commands.editing import FIX_ALL, SHOW_NODE, fix_all, show_node
from rui_lsp.commands.explain_rule import explain_rule
from rui_lsp.commands.new_document import new_document
from rui_lsp.commands.preview import preview, preview_cursor
from rui_lsp.commands.publish import publish, published
from rui_lsp.server import RuiLanguageServer

COMMANDS: dict[str, Callable[..., Awaitable[JsonObject | None]]] = {
    "rui.publish": publish,
    "rui.published": published,
    "rui.explainRule": explain_rule,
    "rui.newDocument": new_document,
    "rui.preview": preview,
    "rui.previewCursor": preview_cursor,
    FIX_ALL: fix_all,
    SHOW_NODE: show_node,
}


def register(server: RuiLanguageServer) -> None:
    for name, command in COMMANDS.items():
        server.command(name)(command)
