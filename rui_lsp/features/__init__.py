"""The registry of what the server can do beyond diagnostics: one module a feature, one line of this table a module.

`FEATURES` is the one place that says what `initialize` announces; it imports nothing, so that the reply is not held
up. (A feature module does not repeat its capability.) A module in this package has

- ``METHOD = "textDocument/hover"`` and ``answer(workspace, params)``, or, when it serves several methods,
  ``HANDLERS = {method: function}``; a method may be a notification, too, and its function's result is then dropped;
- `params` and result are plain data, just as LSP writes them; pygls has checked `params` against the protocol's types;
- ``workspace.document_of(params)`` gives the open document that they are about; of one that is not open, it
  refuses the request;
- a request that cannot be served raises `errors.LspError`; any other exception is logged and answered as a
  fault of ours;
- what may take longer than 5 ms is an ``async def`` that has it done in the second process (`offload`), or pauses
  when a slice of time is over (`idle.Slices`), so that it delays nothing else; the client's cancellation ends
  it there.

``workspace.client`` is the client: what it can do, its settings, notifications and requests to it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Handler = Callable[[Any, Any], object]

# The name of a module in this package → what `initialize` announces for it.
FEATURES: dict[str, dict[str, object]] = {
    "code_action": {
        "codeActionProvider": {
            "codeActionKinds": [
                "quickfix",
                "refactor.extract.rui",
                "refactor.move.rui",
                "refactor.rewrite.rui",
                "source.fixAll.rui",
                "source.organizeProperties.rui",
            ],
            "resolveProvider": True,
        }
    },
    "formatting": {"documentFormattingProvider": True, "documentRangeFormattingProvider": True},
    "on_type_formatting": {"documentOnTypeFormattingProvider": {"firstTriggerCharacter": "\n"}},
    "diagnostics.pull": {
        "diagnosticProvider": {
            "identifier": "rui",
            "interFileDependencies": False,
            "workspaceDiagnostics": True,
            "workDoneProgress": True,
        },
    },
    "diagnostics.pull_workspace": {"workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}}},
    "completion": {"completionProvider": {"triggerCharacters": ['"', ":", "{", "["], "resolveProvider": True}},
    "hover": {"hoverProvider": True},
    "definition": {"definitionProvider": True},
    "references": {"referencesProvider": True},
    "document_highlight": {"documentHighlightProvider": True},
    "rename": {"renameProvider": {"prepareProvider": True}},
    "document_symbol": {"documentSymbolProvider": True},
    "workspace_symbol": {"workspaceSymbolProvider": True},
    "folding_range": {"foldingRangeProvider": True},
    "selection_range": {"selectionRangeProvider": True},
    "document_link": {"documentLinkProvider": {}},
    "inlay_hint": {"inlayHintProvider": True},
    "code_lens": {"codeLensProvider": {}},
    "execute_command": {
        "executeCommandProvider": {
            "commands": ["rui.publish", "rui.showNormalized", "rui.explainRule", "rui.newDocument", "rui.preview"],
            "workDoneProgress": True,
        }
    },
    "semantic_tokens": {
        "semanticTokensProvider": {
            "legend": {
                "tokenTypes": ["class", "variable", "enumMember", "property"],
                "tokenModifiers": ["declaration"],
            },
            "full": {"delta": True},
            "range": True,
        },
    },
}


def capabilities() -> dict[str, object]:
    """What all features announce; objects that several give, such as ``workspace``, are put together."""
    merged: dict[str, object] = {}
    for announced in FEATURES.values():
        for name, value in announced.items():
            before = merged.get(name)
            merged[name] = {**before, **value} if isinstance(before, dict) and isinstance(value, dict) else value
    return merged


def handlers() -> dict[str, Handler]:
    """The function for every method; imports all features. Of a notification several may want to know."""
    found: dict[str, Handler] = {}
    for name in FEATURES:
        for method, function in handlers_of(name).items():
            found[method] = _both(found[method], function) if method in found else function
    return found


def handlers_of(feature: str) -> dict[str, Handler]:
    """The function for every method of one feature, which is imported."""
    from importlib import import_module  # noqa: PLC0415  nothing is imported before `initialize` is answered

    module = import_module(module_of(feature))
    table: dict[str, Handler] | None = getattr(module, "HANDLERS", None)
    return {module.METHOD: module.answer} if table is None else table


def _both(first: Handler, second: Handler) -> Handler:
    from asyncio import iscoroutinefunction  # noqa: PLC0415

    def both(*about: object) -> None:
        first(*about)
        second(*about)

    async def both_in_time(*about: object) -> None:
        for function in (first, second):
            result: Any = function(*about)
            if iscoroutinefunction(function):
                await result

    return both_in_time if iscoroutinefunction(first) or iscoroutinefunction(second) else both


def module_of(feature: str) -> str:
    """Return the module that implements a feature."""
    return f"rui_lsp.{feature}" if "." in feature else f"{__name__}.{feature}"
