"""Code lens: at the top of a valid document, to publish it; above every page, the number of references to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from rui_common.editing.references import reference_index
from rui_common.syntax.spans import Span
from rui_common.validation.diagnostics import is_error
from rui_common.vocabulary.rui_0_1 import VOCABULARY
from rui_lsp.client.convert import to_position, to_range

if TYPE_CHECKING:
    from rui_common.syntax.paths import Path
    from rui_lsp.documents.document import OpenDocument
    from rui_lsp.server.server import RuiLanguageServer

PUBLISH = "rui.publish"

SHOW_REFERENCES = "editor.action.showReferences"
"""The client's own command, as VS Code and others call it: (address, position, locations)."""


def register(server: RuiLanguageServer) -> None:
    server.feature(types.TEXT_DOCUMENT_CODE_LENS)(code_lens)


def code_lens(ls: RuiLanguageServer, params: types.CodeLensParams) -> list[types.CodeLens]:
    """One lens to publish a valid document, and one for every definition of a name that a rule wants to be used.

    A click shows the references if the client has the command (``experimental.commands.commands``, as other servers
    expect it); else the lens is only to be read.
    """
    document = ls.workspace.get(params.text_document)
    names = reference_index(document.document)
    lenses = []
    if not any(is_error(diagnostic) for diagnostic in document.analysis.diagnostics):
        publish = types.Command(title="Publish", command=PUBLISH, arguments=[document.uri])
        lenses.append(types.CodeLens(to_range(document.document.range_of(()), document.text), command=publish))
    can_show = _can_show_references(ls)
    counted = [symbol for symbol in VOCABULARY.symbols if symbol.unused is not None]
    lenses += [_reference_lens(document, path, can_show=can_show) for path in names.definitions_of(counted)]
    return lenses


def _can_show_references(ls: RuiLanguageServer) -> bool:
    commands = ls.capability("experimental")
    for name in ("commands", "commands"):
        if not isinstance(commands, dict):
            return False
        commands = commands.get(name)
    return isinstance(commands, list) and SHOW_REFERENCES in commands


def _reference_lens(document: OpenDocument, path: Path, *, can_show: bool) -> types.CodeLens:
    names = reference_index(document.document)
    uses = names.uses(path)
    parent = document.document.span_of(path[:-1]) or names.span(path)
    command = types.Command(title=f"{len(uses)} references", command="")
    if len(uses) == 1:
        command.title = "1 reference"
    if can_show and uses:
        locations = [types.Location(document.uri, to_range(names.span(use), document.text)) for use in uses]
        command.command = SHOW_REFERENCES
        command.arguments = [document.uri, to_position(names.span(path).start, document.text), locations]
    return types.CodeLens(to_range(Span(parent.start, parent.start + 1), document.text), command=command)
