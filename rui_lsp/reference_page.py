"""The server's own tables → docs/language-server.md; ``python -m rui_lsp.reference_page docs`` writes it."""

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

_OF_SESSION = {
    "positionEncoding": (
        "initialize",
        "Of the client's encodings the first that is known: UTF-8, UTF-16, UTF-32.",
    ),
    "textDocumentSync": (
        "textDocument/didOpen textDocument/didChange textDocument/didClose textDocument/publishDiagnostics",
        "Documents as they are typed, edit by edit. A client that cannot ask for diagnostics is told them, with the "
        "version that they belong to and without any delay, of files that are not open, too.",
    ),
}
"""What the session serves itself: capability → methods and what it does."""

_USES = {
    "textDocumentSync": ("severities", "docs_url"),
    "diagnostics": ("severities", "docs_url"),
    "workspace_diagnostics": ("severities", "docs_url"),
    "code_actions": ("severities", "docs_url"),
    "completion": ("docs_url",),
    "hover": ("docs_url",),
    "document_links": ("severities", "docs_url"),
    "commands": ("server_url", "docs_url"),
    "code_lens": ("server_url",),
}
"""The settings that count for a capability."""


def capabilities() -> list[list[str]]:
    """The rows of the table of capabilities: what `initialize` announces, the methods, what it does, the settings."""
    rows = [_row([name], methods.split(), text, name) for name, (methods, text) in _OF_SESSION.items()]
    for feature, announced in FEATURES.items():
        text = _first_paragraph(inspect.getdoc(import_module(module_of(feature))))
        rows.append(_row(_names(announced), list(handlers_of(feature)), text, feature))
    return rows


def _row(announced: list[str], methods: list[str], text: str, feature: str) -> list[str]:
    settings = [SETTINGS[name].name for name in _USES.get(feature, ())]
    return [_list(announced), _list(methods), text, _list(settings) or "—"]


def _names(announced: dict[str, object]) -> list[str]:
    """What a feature announces; of `workspace`, which many share, what of it."""
    names = []
    for name, value in announced.items():
        names += [f"{name}.{inner}" for inner in value] if name == "workspace" and isinstance(value, dict) else [name]
    return names


def announced() -> set[str]:
    """The names of everything that `initialize` announces, as the table writes them."""
    found = initialize_result("utf-16")["capabilities"]
    return set(_names(found)) if isinstance(found, dict) else set()


def language_server_markdown() -> str:
    """The text of docs/language-server.md."""
    return page(
        "# The language server",
        "What the server announces, which commands and settings there are. Generated from the server's own tables by "
        "`make docs`: edit those.",
        block(USAGE.strip(), "text"),
        "## Capabilities",
        table(["Announced", "Methods", "What it does", "Settings"], capabilities()),
        "All of it works in broken JSON, too, on as much of the document as could be made out.",
        "`data` of a diagnostic contains the `path` in the value and the number of the `rule`. In well-formed JSON of "
        f"up to {MAX_TEXT_WITH_FIXES} characters and {MAX_DIAGNOSTICS_WITH_FIXES} diagnostics it also contains "
        "`fixes`: `{title, isPreferred, edits}`, for the text that the diagnostics belong to. Elsewhere, request "
        "code actions: finding every fix after each keystroke would take longer than the diagnostics.",
        "Formatting writes the one layout that `rui format` writes, too: indented by two spaces, properties in "
        "canonical order. The options of a formatting request (`tabSize`, `insertSpaces` and the others) therefore "
        "count for nothing; set the editor to two spaces for what you type yourself.",
        "A change whose version is not higher than the one before is logged, and it counts: messages cannot overtake "
        "each other, so the number is wrong and not the order.",
        "## Settings",
        table(["Setting", "Default", "Meaning"], [_setting(name) for name in SETTINGS]),
        "The first values are those of `initializationOptions`, nested or by full names. A client that knows "
        "`workspace/configuration` is asked for the section `rui`, for the workspace and for every folder of it, at "
        "the start and whenever it says `workspace/didChangeConfiguration`; of any other client, what that "
        "notification carries counts. What changes is shown at once. Of a value that makes no sense the user is told, "
        "and the default holds.",
        "## Commands",
        "`workspace/executeCommand`; arguments that make no sense are an error of the protocol (-32602), what cannot "
        "be done is one, too (-32803).",
        *(part for name in MODULES for part in _command(name)),
    )


def _setting(attribute: str) -> list[str]:
    setting = SETTINGS[attribute]
    default = "not set" if setting.default is None else code(json.dumps(setting.default))
    return [code(setting.name), default, setting.doc]


def _command(name: str) -> list[str]:
    module = import_module(f"rui_lsp.commands.{MODULES[name]}")
    what, _, returns = str(inspect.getdoc(module.run)).partition("Returns:")
    purpose = _first_paragraph(inspect.getdoc(module)).partition(": ")[2]
    return [
        f"### {name}",
        f"{purpose[:1].upper()}{purpose[1:]}",
        _plain(what),
        f"Result: {_plain(returns)}",
    ]


def _first_paragraph(text: str | None) -> str:
    return _plain(str(text).split("\n\n")[0])


def _plain(text: str) -> str:
    """Text of a docstring as Markdown on one line."""
    return re.sub(r"\s+", " ", text.replace("``", "`")).strip()


def _list(names: list[str]) -> str:
    return ", ".join(map(code, names))


def main(arguments: list[str]) -> int:
    """Write the page into the folder that is named; 2 when none is."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m rui_lsp.reference_page FOLDER\n")
        return 2
    (Path(arguments[0]) / NAME).write_text(language_server_markdown(), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
