"""Generates docs/language-server.md: ``python -m editors.make_reference_page docs``."""

import inspect
import json
import re
import sys
from pathlib import Path
from types import ModuleType

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.protocol import default_converter

from rui_common.describe.markdown import block, code, page, table
from rui_lsp import commands
from rui_lsp.commands import COMMANDS
from rui_lsp.features import (
    FEATURES,
    diagnostics,
    text_synchronization,
    workspace,
)
from rui_lsp.main import USAGE
from rui_lsp.server import RuiLanguageServer
from rui_lsp.session.apis import POLL_SECONDS
from rui_lsp.session.settings import SETTINGS

NAME = "language-server.md"

_BUILT_IN = {
    text_synchronization: ["textDocumentSync"],
    workspace: ["workspace.workspaceFolders"],
    commands: ["executeCommandProvider"],
}
"""The capabilities that pygls announces in any case, by the module that they belong to."""


def capabilities() -> list[list[str]]:
    """Return the rows of the table of capabilities: names, methods, description."""
    encodings = "The first encoding of the client's list that is UTF-8, UTF-16 or UTF-32."
    return [
        _row(["positionEncoding"], ["initialize"], encodings),
        *(_feature_row(feature) for feature in FEATURES),
    ]


def _feature_row(feature: ModuleType) -> list[str]:
    server = RuiLanguageServer()
    in_any_case = announced(server)
    feature.register(server)
    if feature is diagnostics:
        diagnostics.register_pull(server)
    names = [name for name in announced(server) if name not in in_any_case] + _BUILT_IN.get(feature, [])
    methods = list(server.protocol.fm.features)
    if server.protocol.fm.commands:
        methods.append(types.WORKSPACE_EXECUTE_COMMAND)
    return _row(names, methods, _first_paragraph(inspect.getdoc(feature)))


def _row(names: list[str], methods: list[str], text: str) -> list[str]:
    return [_list(names) or "—", _list(methods), text]


def _names(announced: dict[str, object]) -> list[str]:
    """Return the names of capabilities. Those in `workspace` are listed one by one."""
    names = []
    for name, value in announced.items():
        if name == "workspace" and isinstance(value, dict):
            names += [f"{name}.{inner}" for inner in value]
        else:
            names.append(name)
    return names


def announced(server: RuiLanguageServer) -> list[str]:
    """Return the names of the capabilities that a server announces, as in the table."""
    manager = server.protocol.fm
    builder = ServerCapabilitiesBuilder(
        types.ClientCapabilities(),
        {*manager.features, *manager.builtin_features},
        manager.feature_options,
        list(manager.commands),
        types.TextDocumentSyncKind.Incremental,
    )
    names = _names(default_converter().unstructure(builder.build()))  # type: ignore[no-untyped-call]
    return [name for name in names if name != "workspace.fileOperations"]  # pygls announces empty options


def language_server_markdown() -> str:
    """Return the text of docs/language-server.md."""
    return page(
        "# The language server",
        "Capabilities, settings and commands of the server. Generated from the server's tables by `make docs`; edit "
        "those.",
        block(USAGE.strip(), "text"),
        "## Capabilities",
        table(["Capability", "Methods", "Description"], capabilities()),
        "All features but formatting also work in broken JSON, on the part of the document that could be recovered.",
        "`data` of a diagnostic contains the `path` in the value and the number of the `rule`.",
        "Formatting produces the layout of `rui format`: two spaces of indentation, properties in canonical order. Of "
        "the options of a formatting request, `insertFinalNewline` alone is used: if it is false, a text without a "
        "line end at its end gets none. Set the editor to two spaces, so that new lines match.",
        "A client that requests diagnostics, and can refresh them, receives none otherwise. A request waits until the "
        "pause after the last edit is over; a later request for the same document ends it with `ServerCancelled`.",
        "## Settings",
        table(["Setting", "Default", "Meaning"], [_setting(name) for name in SETTINGS]),
        "The initial values are those of `initializationOptions`, nested or by full names. If the client supports "
        "`workspace/configuration`, the server requests the section `rui` for the workspace and for each folder, at "
        "the start and after each `workspace/didChangeConfiguration`. Otherwise it uses the content of that "
        "notification. Changed settings apply at once. An invalid value is reported to the user, and the default is "
        "used.",
        "The nearest `rui.toml` above a document decides, as on the command line: `rui check --help` describes it. "
        "What it excludes has no diagnostics and no workspace symbols, an entry in its `[rules]` comes before "
        "`rui.diagnostics.severity`, and "
        "one in `[per-file-ignores]` removes a warning. The quick fix *Ignore here* adds such an entry to the file, or "
        "creates it. If a client can register for the text of an open `rui.toml`, that counts before it is saved. "
        "Clients that watch files report its changes; else it is read again after a document was opened "
        f"or saved, and every {POLL_SECONDS:g} seconds while a document has one.",
        'With `"isWorkspaceTrusted": false` in `initializationOptions`, every `rui.toml` is ignored. Files of other '
        "computers, such as `file://host/share/a.rui.json`, are never opened.",
        "## Commands",
        "Commands are called by `workspace/executeCommand`. Invalid arguments are an error with code -32602, failures "
        "an error with code -32803.",
        *(part for name in COMMANDS for part in _command(name)),
    )


def _setting(attribute: str) -> list[str]:
    setting = SETTINGS[attribute]
    return [code(setting.name), code(json.dumps(setting.default)), setting.doc]


def _command(name: str) -> list[str]:
    call, _, result = str(inspect.getdoc(COMMANDS[name])).partition("Returns:")
    return [f"### {name}", _one_line(call), f"Result: {_one_line(result)}"]


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
        sys.stderr.write("usage: python -m editors.make_reference_page FOLDER\n")
        return 2
    (Path(arguments[0]) / NAME).write_text(language_server_markdown(), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
