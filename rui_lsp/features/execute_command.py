"""Commands: what the server can do besides answering questions; one module a command."""

from __future__ import annotations

from importlib import import_module

from rui_lsp.protocol.errors import InvalidParamsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import Workspace

METHOD = "workspace/executeCommand"

MODULES = {
    "rui.publish": "publish",
    "rui.showNormalized": "show_normalized",
    "rui.explainRule": "explain_rule",
    "rui.newDocument": "new_document",
    "rui.preview": "preview",
}
"""The module of `rui_lsp.commands` for every command; loaded when it is wanted, as HTTP takes its time."""


async def answer(workspace: Workspace, params: Json) -> object:
    """Run a command.

    Raises:
        LspError: there is no such command, or its arguments are not what it takes, or it cannot be done.
    """
    name = str(params.get("command"))
    if name not in MODULES:
        raise InvalidParamsError(f"no command is called {name!r:.100}")
    module = import_module(f"rui_lsp.commands.{MODULES[name]}")
    return await module.run(workspace, params)
