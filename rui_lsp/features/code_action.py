"""Code actions: quick fixes of diagnostics, everything that is safe to fix, and refactorings."""

from collections.abc import Sequence
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from rui_common.editing.edits import indent_at, reindent
from rui_common.editing.snippets import placeholder_snippet
from rui_common.fixes.apply import Fix
from rui_common.fixes.fix_all import find_safe_edits
from rui_common.fixes.quick_fixes import find_fixes
from rui_common.fixes.refactorings import Refactoring, RefactoringKind, refactorings
from rui_common.project.discovery import CONFIGURATION_FILE
from rui_common.syntax.paths import format_path
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.diagnostics import Diagnostic, is_error
from rui_lsp.commands.editing import FIX_ALL as FIX_ALL_COMMAND
from rui_lsp.commands.editing import SHOW_NODE, show_fix_note
from rui_lsp.convert import to_lsp, to_range, to_span
from rui_lsp.protocol.parameters import SOURCE
from rui_lsp.server import DOCUMENT_CHANGES, RuiLanguageServer, workspace_edit
from rui_lsp.session.diagnostics import to_diagnostic
from rui_lsp.session.documents import OpenDocument
from rui_lsp.session.ignoring import IgnoreHere, entry_for, ignore_here

QUICK_FIX = "quickfix"
FIX_ALL = "source.fixAll.rui"
FIX_ALL_TITLE = "Fix all that is safe to fix"
REFACTORINGS = {
    RefactoringKind.EXTRACT: "refactor.extract.rui",
    RefactoringKind.DUPLICATE: "refactor.rewrite.duplicate.rui",
    RefactoringKind.MOVE: "refactor.move.rui",
    RefactoringKind.DERIVE_ID: "refactor.rewrite.id.rui",
}

RESOLVE = "text_document.code_action.resolve_support"
RESOURCE_OPERATIONS = "workspace.workspace_edit.resource_operations"
CREATE = types.ResourceOperationKind.Create
LITERALS = "text_document.code_action.code_action_literal_support"
"""The client's capability to apply the edits of an action; another one runs commands alone."""

SNIPPET_EDITS = "workspace.workspace_edit.snippet_edit_support"

MAX_DIAGNOSTICS = 30  # how many diagnostics of a range get quick fixes at most
MAX_IGNORED = 10  # how many of its warnings can be ignored. Bounds the time: each is tried in the text of `rui.toml`.


def register(server: RuiLanguageServer) -> None:
    options = types.CodeActionOptions(
        code_action_kinds=[QUICK_FIX, *REFACTORINGS.values(), FIX_ALL], resolve_provider=True
    )
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)(code_action)
    server.feature(types.CODE_ACTION_RESOLVE)(resolve_code_action)


def code_action(ls: RuiLanguageServer, params: types.CodeActionParams) -> list[types.CodeAction] | list[types.Command]:
    document = ls.documents.get(params.text_document)
    if not ls.supports(LITERALS):
        return _commands(ls, document)
    actions = _Actions(ls, document, to_span(params.range, document.positions), params.context)
    several = actions.fix_several()
    return [
        *actions.quick_fixes(),
        *several,
        *actions.ignore_here(),
        *actions.refactorings(),
        *actions.fix_all(is_offered=bool(several)),
    ]


def _commands(ls: RuiLanguageServer, document: OpenDocument) -> list[types.Command]:
    """Return what a client of before LSP 3.8 can run: the command that fixes all, if there is something to fix."""
    if not ls.supports("workspace.apply_edit") or not find_safe_edits(document.analysis).edits:
        return []
    return [types.Command(FIX_ALL_TITLE, FIX_ALL_COMMAND, arguments=[document.uri])]


def resolve_code_action(ls: RuiLanguageServer, action: types.CodeAction) -> types.CodeAction:
    """Return the same action with its edits; one that this server has not left without edits, as it is.

    Raises:
        JsonRpcContentModified: the document has changed since, or has been closed.
    """
    data: Any = action.data
    if not isinstance(data, dict):
        return action
    document = ls.documents.find(str(data.get("uri")))
    if document is None or document.version != data.get("version"):
        raise JsonRpcContentModified(f"{action.title}: the document has changed since. Ask for its actions again.")
    safe = find_safe_edits(document.analysis)
    show_fix_note(ls, document, safe)  # The author has chosen the action, and would see no effect.
    action.edit = workspace_edit(ls, document, safe.edits)
    return action


class _Actions:
    """The actions of one request."""

    def __init__(
        self, server: RuiLanguageServer, document: OpenDocument, span: Span, context: types.CodeActionContext
    ) -> None:
        self._server = server
        self._document = document
        self._span = span
        # lsprotocol reads any value as a kind.
        self._only = [kind for kind in context.only or () if isinstance(kind, str)]
        self._client_diagnostics = context.diagnostics

    def _wants(self, kind: str) -> bool:
        """Return whether the client wants actions of a kind: of all kinds, of this one, or of one that includes it."""
        if not self._only:
            return True
        return any(kind == wanted or kind.startswith(wanted + ".") or not wanted for wanted in self._only)

    def quick_fixes(self) -> list[types.CodeAction]:
        """Return the fixes of diagnostics, the preferred ones first. One edit that fixes several is one action."""
        if not self._wants(QUICK_FIX):
            return []
        actions: dict[tuple[Edit, ...], types.CodeAction] = {}
        uri = self._document.uri
        settings = self._server.settings_for(uri)
        for diagnostic in self._chosen_diagnostics()[:MAX_DIAGNOSTICS]:
            item = to_diagnostic(diagnostic, uri, self._document.positions, settings)
            for fix in find_fixes(self._document.analysis, diagnostic):
                action = actions.get(fix.edits)
                if action is None:
                    action = self._fix_action(fix, diagnostic)
                    action.diagnostics = []
                    actions[fix.edits] = action
                action.diagnostics = [*(action.diagnostics or ()), item]
                if fix.is_safe or fix.is_in_hint:
                    action.is_preferred = True
        return sorted(actions.values(), key=lambda action: not action.is_preferred)

    def ignore_here(self) -> list[types.CodeAction]:
        """Return an action for each warning that ignores it in the `rui.toml`, in a workspace that is trusted."""
        server, document = self._server, self._document
        if not self._wants(QUICK_FIX) or not server.configuration.is_trusted:
            return []
        items: dict[str, list[types.Diagnostic]] = {}
        settings = server.settings_for(document.uri)
        for diagnostic in self._chosen_diagnostics()[:MAX_DIAGNOSTICS]:
            entry = entry_for(document, diagnostic)
            if entry:
                item = to_diagnostic(diagnostic, document.uri, document.positions, settings)
                items.setdefault(entry, []).append(item)
        can_create = CREATE in server.capability_list(RESOURCE_OPERATIONS)
        folders = server.documents.folder_uris
        file = ignore_here(document, folders, server.apis, can_create=can_create) if items else None
        if file is None:
            return []
        server.apis.start_poll()  # The author will look for the effect.
        actions: list[types.CodeAction] = []
        for entry, ignored in list(items.items())[:MAX_IGNORED]:
            has_newline = server.quirks.inserts_final_newline
            edits = file.edits(entry, server.documents.encoding, has_final_newline=has_newline)
            if edits is not None:
                edit = _edit_of_file(file, edits, has_changes=server.supports(DOCUMENT_CHANGES))
                title = f"Ignore here, in {CONFIGURATION_FILE}: {entry}"
                actions.append(types.CodeAction(title, QUICK_FIX, diagnostics=ignored, edit=edit))
        return actions

    def _fix_action(self, fix: Fix, diagnostic: Diagnostic) -> types.CodeAction:
        """Return the action of a fix. Its placeholders are tab stops, as only the author knows their values."""
        snippet = None
        is_insertion = len(fix.edits) == 1 and fix.edits[0].span.start == fix.edits[0].span.end
        if self._server.supports(SNIPPET_EDITS) and is_insertion and not fix.is_safe:
            start = fix.edits[0].span.start
            indent = indent_at(self._document.source[:start], start)  # The client adds it to each further line.
            text = reindent(fix.edits[0].text, indent, "")
            snippet = placeholder_snippet(text, self._document.analysis.vocabulary)
        if snippet is None:
            return self._action(fix.title, QUICK_FIX, fix.edits)
        if self._document.api is not None:
            from rui_openapi.editing.completion import choices_at, with_choices  # only with a description

            choices = choices_at(self._document.analysis, diagnostic.path, self._document.api)
            snippet = with_choices(snippet, choices)
        value = types.StringValue(value=to_lsp(snippet))
        edit = types.SnippetTextEdit(range=to_range(fix.edits[0].span, self._document.positions), snippet=value)
        identifier = types.OptionalVersionedTextDocumentIdentifier(self._document.uri, self._document.version)
        changes = types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, [edit])])
        return types.CodeAction(fix.title, QUICK_FIX, edit=changes)

    def _chosen_diagnostics(self) -> list[Diagnostic]:
        """Return the diagnostics in the range that the client sends along, else all in the range.

        If the range has none, those that the client sends: some clients send all of the line that the cursor is in.
        """
        diagnostics = self._document.diagnostics
        span = self._span
        in_range = [item for item in diagnostics if item.span.start <= span.end and span.start <= item.span.end]
        return [item for item in in_range or diagnostics if self._is_sent(item)] or in_range

    def _is_sent(self, diagnostic: Diagnostic) -> bool:
        """Return whether the client sends a diagnostic along; it may have lost a part of it."""
        path = format_path(diagnostic.path)
        diagnostic_range = to_range(diagnostic.span, self._document.positions)
        return any(
            item.code == diagnostic.code and (_path_of(item) == path or item.range == diagnostic_range)
            for item in self._client_diagnostics
            if item.source in {None, SOURCE}
        )

    def refactorings(self) -> list[types.CodeAction]:
        """Return changes of structure that keep a valid document valid."""
        if not any(self._wants(kind) for kind in REFACTORINGS.values()):
            return []
        return [
            self._refactoring(refactoring)
            for refactoring in refactorings(self._document.analysis, self._span)
            if self._wants(REFACTORINGS[refactoring.kind])
        ]

    def _refactoring(self, refactoring: Refactoring) -> types.CodeAction:
        """Return the action of a refactoring; it moves the cursor to the element that the author continues with."""
        action = self._action(refactoring.title, REFACTORINGS[refactoring.kind], refactoring.edits)
        if refactoring.shown is not None and self._server.supports("window.show_document.support"):
            arguments = [{"uri": self._document.uri, "path": format_path(refactoring.shown)}]
            action.command = types.Command(refactoring.title, SHOW_NODE, arguments=arguments)
        return action

    def fix_several(self) -> list[types.CodeAction]:
        """Return the quick fix for everything that is safe to fix, for a client that can resolve it later."""
        if not self._wants(QUICK_FIX) or not self._server.supports(RESOLVE) or not self._chosen_diagnostics():
            return []
        title = FIX_ALL_TITLE
        errors = self._errors()
        if len(errors) <= MAX_DIAGNOSTICS:
            count = len({fix.edits for error in errors for fix in self._only_safe(error)})
            if count < 2:  # The only one has an action of its own.
                return []
            title = f"Fix all {count} problems"
            if count < len(errors):
                title += " that are safe to fix"
        return [self._unresolved(title, QUICK_FIX)]

    def _errors(self) -> list[Diagnostic]:
        """Return the errors of the document, without its warnings."""
        return [item for item in self._document.analysis.diagnostics if is_error(item)]

    def _only_safe(self, diagnostic: Diagnostic) -> list[Fix]:
        """Return the safe fix of a diagnostic; none if there are several."""
        safe = [fix for fix in find_fixes(self._document.analysis, diagnostic) if fix.is_safe]
        if len(safe) == 1:
            return safe
        return []

    def fix_all(self, *, is_offered: bool) -> list[types.CodeAction]:
        """Return the action for everything that is safe to fix.

        Finding the edits takes long. A client that does not ask for this kind gets the action without edits, if it
        can resolve it later. Such a client may list all kinds in one menu, as Neovim does. So it gets the action only
        if there is no quick fix with the same effect (`is_offered`), and if a fix is safe, unless there are too many
        errors to tell.
        """
        if not self._wants(FIX_ALL) or not self._document.analysis.diagnostics:
            return []
        if self._only:
            safe = find_safe_edits(self._document.analysis)
            if safe.note:
                show_fix_note(self._server, self._document, safe)
            if safe.edits:
                return [self._action(FIX_ALL_TITLE, FIX_ALL, safe.edits)]
            return []
        if is_offered or not self._server.supports(RESOLVE):
            return []
        errors = self._errors()
        if len(errors) <= MAX_DIAGNOSTICS and not any(map(self._only_safe, errors)):
            return []
        return [self._unresolved(FIX_ALL_TITLE, FIX_ALL)]

    def _unresolved(self, title: str, kind: str) -> types.CodeAction:
        """Return an action for everything that is safe to fix, whose edits `resolve_code_action` adds."""
        return types.CodeAction(title, kind, data={"uri": self._document.uri, "version": self._document.version})

    def _action(self, title: str, kind: str, edits: Sequence[Edit]) -> types.CodeAction:
        return types.CodeAction(title, kind, edit=workspace_edit(self._server, self._document, edits))


def _edit_of_file(file: IgnoreHere, edits: list[types.TextEdit], *, has_changes: bool) -> types.WorkspaceEdit:
    if (
        not has_changes and not file.is_new
    ):  # A client that can create files has `documentChanges`, said or not: Neovim.
        return types.WorkspaceEdit(changes={file.uri: edits})
    identifier = types.OptionalVersionedTextDocumentIdentifier(file.uri, file.version)
    change = types.TextDocumentEdit(identifier, [*edits])
    if not file.is_new:
        return types.WorkspaceEdit(document_changes=[change])
    created = types.CreateFile(file.uri, options=types.CreateFileOptions(ignore_if_exists=True))
    return types.WorkspaceEdit(document_changes=[created, change])


def _path_of(item: types.Diagnostic) -> object:
    """Return the path that `to_diagnostic` has put into a diagnostic; None for a syntax error, which has none."""
    if not isinstance(item.data, dict):
        return None
    return item.data.get("path") or None
