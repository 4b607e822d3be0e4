"""Generates docs/language-server.md: ``python -m rui_lsp.reference_page docs``."""

from __future__ import annotations

import inspect
import json
import re
import sys
from importlib import import_module
from pathlib import Path

from rui_common.describe.markdown import block, code, page, table
from rui_lsp.client.convert import MAX_DIAGNOSTICS_WITH_FIXES, MAX_TEXT_WITH_FIXES
from rui_lsp.client.settings import SETTINGS
from rui_lsp.features import FEATURES, handlers_of, module_of
from rui_lsp.features.execute_command import MODULES
from rui_lsp.main import USAGE
from rui_lsp.runtime.handshake import initialize_result

NAME = "language-server.md"

_OF_SERVER = {
    "positionEncoding": (
        "initialize",
        "The first encoding of the client's list that is UTF-8, UTF-16 or UTF-32.",
    ),
    "textDocumentSync": (
        "textDocument/didOpen textDocument/didChange textDocument/didClose textDocument/publishDiagnostics",
        "Incremental document synchronization. A client that cannot pull diagnostics receives them after each change, "
        "with the version of the document, and for files that are not open.",
    ),
}
"""Capabilities that are not a feature's: capability → (methods, description)."""

SETTINGS_OF_CAPABILITIES = {
    "textDocumentSync": ("severities", "docs_url"),
    "diagnosticProvider": ("severities", "docs_url"),
    "workspace.workspaceFolders": ("severities", "docs_url"),
    "codeActionProvider": ("severities", "docs_url"),
    "completionProvider": ("docs_url",),
    "hoverProvider": ("docs_url",),
    "documentLinkProvider": ("severities", "docs_url"),
    "executeCommandProvider": ("server_url", "docs_url"),
    "codeLensProvider": ("server_url",),
}
"""The settings that a capability depends on."""


def capabilities() -> list[list[str]]:
    """Return the rows of the table of capabilities: names, methods, description, settings."""
    rows = [_row([name], methods.split(), text) for name, (methods, text) in _OF_SERVER.items()]
    for feature, announced in FEATURES.items():
        text = _first_paragraph(inspect.getdoc(import_module(module_of(feature))))
        rows.append(_row(_names(announced), list(handlers_of(feature)), text))
    return rows


def _row(names: list[str], methods: list[str], text: str) -> list[str]:
    attributes = [attribute for name in names for attribute in SETTINGS_OF_CAPABILITIES.get(name, ())]
    settings = [SETTINGS[attribute].name for attribute in attributes]
    return [_list(names), _list(methods), text, _list(settings) or "—"]


def _names(announced: dict[str, object]) -> list[str]:
    """Return the names of capabilities. Those in `workspace` are listed one by one."""
    names = []
    for name, value in announced.items():
        if name == "workspace" and isinstance(value, dict):
            names += [f"{name}.{inner}" for inner in value]
        else:
            names.append(name)
    return names


def announced() -> set[str]:
    """Return the names of all capabilities in the result of `initialize`, as in the table."""
    server_capabilities = initialize_result("utf-16")["capabilities"]
    if not isinstance(server_capabilities, dict):
        return set()
    return set(_names(server_capabilities))


def language_server_markdown() -> str:
    """Return the text of docs/language-server.md."""
    return page(
        "# The language server",
        "Capabilities, settings and commands of the server. Generated from the server's tables by `make docs`; edit "
        "those.",
        block(USAGE.strip(), "text"),
        "## Capabilities",
        table(["Capability", "Methods", "Description", "Settings"], capabilities()),
        "All features also work in broken JSON, on the part of the document that could be recovered.",
        "`data` of a diagnostic contains the `path` in the value and the number of the `rule`. In well-formed JSON of "
        f"up to {MAX_TEXT_WITH_FIXES} characters and {MAX_DIAGNOSTICS_WITH_FIXES} diagnostics it also contains "
        "`fixes`: `{title, isPreferred, edits}`, for the text that the diagnostics belong to. Elsewhere, request "
        "code actions: finding every fix after each keystroke would take longer than the diagnostics.",
        "Formatting produces the layout of `rui format`: two spaces of indentation, properties in canonical order. The "
        "options of a formatting request (`tabSize`, `insertSpaces` and others) are ignored. Set the editor to two "
        "spaces, so that new lines match.",
        "A change whose version is not higher than the previous version is logged and applied. Messages arrive in "
        "order, so only the number can be wrong.",
        "## Settings",
        table(["Setting", "Default", "Meaning"], [_setting(name) for name in SETTINGS]),
        "The initial values are those of `initializationOptions`, nested or by full names. If the client supports "
        "`workspace/configuration`, the server requests the section `rui` for the workspace and for each folder, at "
        "the start and after each `workspace/didChangeConfiguration`. Otherwise it uses the content of that "
        "notification. Changed settings apply at once. An invalid value is reported to the user, and the default is "
        "used.",
        "## Commands",
        "Commands are called by `workspace/executeCommand`. Invalid arguments are an error with code -32602, failures "
        "an error with code -32803.",
        *(part for name in MODULES for part in _command(name)),
    )


def _setting(attribute: str) -> list[str]:
    setting = SETTINGS[attribute]
    default = "not set" if setting.default is None else code(json.dumps(setting.default))
    return [code(setting.name), default, setting.doc]


def _command(name: str) -> list[str]:
    module = import_module(f"rui_lsp.commands.{MODULES[name]}")
    call, _, result = str(inspect.getdoc(module.run)).partition("Returns:")
    purpose = _first_paragraph(inspect.getdoc(module)).partition(": ")[2]
    return [
        f"### {name}",
        f"{purpose[:1].upper()}{purpose[1:]}",
        _one_line(call),
        f"Result: {_one_line(result)}",
    ]


def _first_paragraph(text: str | None) -> str:
    return _one_line(str(text).split("\n\n")[0])


def _one_line(docstring: str) -> str:
    """Return text of a docstring as one line of Markdown."""
    return re.sub(r"\s+", " ", docstring.replace("``", "`")).strip()


def _list(names: list[str]) -> str:
    return ", ".join(map(code, names))


def main(arguments: list[str]) -> int:
    """Write the page into the folder given as the only argument. Returns the exit code, 2 for wrong usage."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m rui_lsp.reference_page FOLDER\n")
        return 2
    (Path(arguments[0]) / NAME).write_text(language_server_markdown(), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
