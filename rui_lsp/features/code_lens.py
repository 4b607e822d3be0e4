"""Code lens: at the top, to publish the document; above every page, how many entries refer to it."""

from __future__ import annotations

from rui_common.editing.references import reference_index
from rui_common.syntax.spans import Span
from rui_lsp.client.convert import range_to_lsp
from rui_lsp.features.inlay_hint import counted_symbols

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.syntax.paths import Path
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import OpenDocument, Workspace

METHOD = "textDocument/codeLens"

PUBLISH = "rui.publish"

SHOW_REFERENCES = "editor.action.showReferences"
"""The client's own command, as VS Code and others call it: (address, position, locations)."""


def answer(workspace: Workspace, params: Json) -> list[Json] | None:
    """``textDocument/codeLens``: one lens to publish the document, and one for everything that a rule wants to be used.

    A click shows the references if the client says that it can (``experimental.commands.commands``, as other servers
    have it); else the lens is only to be read.
    """
    opened = workspace.document_of(params)
    names = reference_index(opened.document)
    commands = workspace.client.capabilities
    for name in ("experimental", "commands", "commands"):
        commands = commands.get(name) if isinstance(commands, dict) else None
    can_show = isinstance(commands, list) and SHOW_REFERENCES in commands
    publish = {"title": "Publish", "command": PUBLISH, "arguments": [opened.uri]}
    return [
        {"range": range_to_lsp(opened.document.range_of(()), opened.text), "command": publish},
        *(_lens(opened, path, can_show=can_show) for path in names.defined(counted_symbols())),
    ]


def _lens(opened: OpenDocument, path: Path, *, can_show: bool) -> Json:
    names = reference_index(opened.document)
    uses = names.uses(path)
    around = opened.document.span_of(path[:-1]) or names.span(path)
    where = range_to_lsp(Span(around.start, around.start + 1), opened.text)
    command: Json = {"title": "1 reference" if len(uses) == 1 else f"{len(uses)} references", "command": ""}
    if can_show and uses:
        locations = [{"uri": opened.uri, "range": range_to_lsp(names.span(use), opened.text)} for use in uses]
        position = range_to_lsp(names.span(path), opened.text)["start"]
        command = {**command, "command": SHOW_REFERENCES, "arguments": [opened.uri, position, locations]}
    return {"range": where, "command": command}
