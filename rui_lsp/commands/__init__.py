"""Commands of the server, see below.

Each has a module here. Its result is for the client; the server shows the author a message or a page, as the client
supports it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from rui_common.json_values import JsonObject
from rui_lsp.commands import (
    explain_rule,
    fix_all,
    new_document,
    prepare_paste,
    preview,
    preview_cursor,
    publish,
    published,
    show_node,
)
from rui_lsp.server import RuiLanguageServer

COMMANDS: dict[str, Callable[..., Awaitable[JsonObject | None]]] = {
    "rui.publish": publish.publish,
    "rui.published": published.published,
    "rui.explainRule": explain_rule.explain_rule,
    "rui.newDocument": new_document.new_document,
    "rui.preview": preview.preview,
    "rui.previewCursor": preview_cursor.preview_cursor,
    "rui.preparePaste": prepare_paste.prepare_paste,
    "rui.fixAll": fix_all.fix_all,
    show_node.SHOW_NODE: show_node.show_node,
}


def register(server: RuiLanguageServer) -> None:
    for name, command in COMMANDS.items():
        server.command(name)(command)
