"""Code actions: quick fixes of diagnostics, one or all of a kind, everything that is safe to fix, and refactorings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types

from rui_common.editing.sort_properties import sort_properties
from rui_common.editing.text_diff import text_edits
from rui_common.fixes.fix_all import apply_safe_fixes
from rui_common.fixes.fix_kind import apply_kind, has_others, kind_of
from rui_common.fixes.open_values import open_snippet
from rui_common.fixes.quick_fixes import FixFinder
from rui_common.fixes.refactorings import refactorings
from rui_common.syntax.document import read
from rui_common.syntax.paths import format_path
from rui_lsp.client.convert import SOURCE, to_diagnostic, to_range, to_span
from rui_lsp.client.snippet_syntax import to_lsp
from rui_lsp.documents.offload import run_for_document
from rui_lsp.server.workspace_edit import workspace_edit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rui_common.editing.edits import Edit
    from rui_common.fixes.model import Fix
    from rui_common.syntax.document import Document
    from rui_common.syntax.spans import Span
    from rui_common.validation.diagnostics import Diagnostic
    from rui_lsp.documents.document import OpenDocument
    from rui_lsp.server.server import RuiLanguageServer

QUICK_FIX = "quickfix"
FIX_ALL = "source.fixAll.rui"
ORGANIZE = "source.organizeProperties.rui"
REFACTORINGS = {
    "extract": "refactor.extract.rui",
    "move": "refactor.move.rui",
    "duplicate": "refactor.rewrite.rui",
    "delete": "refactor.rewrite.delete.rui",
}

EXPLAIN = "rui.explainRule"
RESOLVE = "text_document.code_action.resolve_support"
SNIPPET_EDITS = "workspace.workspace_edit.snippet_edit_support"

NOTHING_TO_CHANGE = "No change: choose a fix for each error, as none is safe to apply without review."

MAX_DIAGNOSTICS = 30
"""How many diagnostics of a range get quick fixes at most."""


class SourceAction(NamedTuple):
    """An action on the whole document."""

    title: str
    find_edits: Callable[[Document], list[Edit]]


def register(server: RuiLanguageServer) -> None:
    options = types.CodeActionOptions(
        code_action_kinds=[QUICK_FIX, *REFACTORINGS.values(), FIX_ALL, ORGANIZE], resolve_provider=True
    )
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)(code_action)
    server.feature(types.CODE_ACTION_RESOLVE)(resolve_code_action)


async def code_action(ls: RuiLanguageServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The actions for a range."""
    document = ls.workspace.get(params.text_document)
    actions = _Actions(ls, document, to_span(params.range, document.text), params.context)
    return [*actions.quick_fixes(), *actions.refactorings(), *await actions.source_actions()]


async def resolve_code_action(ls: RuiLanguageServer, action: types.CodeAction) -> types.CodeAction:
    """The same action with its edits; without, if the document has changed since."""
    data: Any = action.data if isinstance(action.data, dict) else {}
    document = ls.workspace.find(str(data.get("uri")))
    if document is None or document.version != data.get("version"):
        return action
    if "fixKind" in data:
        edits = await run_for_document(document, _find_edits_of_kind, str(data["fixKind"]))
    elif action.kind in _SOURCE_ACTIONS:
        edits = await _source_edits(document, action.kind)
    else:
        return action
    if not edits and action.kind != ORGANIZE:  # The author has chosen the action, and would see no effect.
        ls.show_message(types.MessageType.Info, NOTHING_TO_CHANGE)
    action.edit = workspace_edit(ls, document, edits)
    return action


async def _source_edits(document: OpenDocument, kind: str) -> list[Edit]:
    return await run_for_document(document, _find_source_edits, kind)


def _find_source_edits(text: str, kind: str) -> list[Edit]:
    return _SOURCE_ACTIONS[kind].find_edits(read(text))


def _find_edits_of_kind(text: str, kind: str) -> list[Edit]:
    return text_edits(text, apply_kind(read(text), kind).text)


class _Actions:
    """The actions of one request."""

    def __init__(
        self, server: RuiLanguageServer, document: OpenDocument, span: Span, context: types.CodeActionContext
    ) -> None:
        self._server = server
        self._document = document
        self._span = span
        self._only = context.only
        self._client_diagnostics = context.diagnostics

    def _wants(self, kind: str) -> bool:
        """Whether the client wants actions of a kind: of all kinds, of this one, or of one that includes it."""
        if self._only is None:
            return True
        return any(kind == wanted or kind.startswith(wanted + ".") or not wanted for wanted in self._only)

    def quick_fixes(self) -> list[types.CodeAction]:
        """The fixes of diagnostics. One edit that fixes several is one action."""
        if not self._wants(QUICK_FIX):
            return []
        finder = FixFinder(self._document.document)
        actions: dict[tuple[object, ...], types.CodeAction] = {}
        chosen = self._chosen_diagnostics()[:MAX_DIAGNOSTICS]
        kinds: dict[str, types.CodeAction] = {}
        can_resolve = self._server.supports(RESOLVE)
        for diagnostic in chosen:
            item = self._to_lsp(diagnostic)
            for fix in [*finder.find(diagnostic), *self._field_fixes(diagnostic)]:
                key = (fix.title, *fix.edits)
                action = actions.get(key)
                if action is None:
                    action = self._fix_action(fix)
                    action.diagnostics = []
                    actions[key] = action
                action.diagnostics = [*(action.diagnostics or ()), item]
                if fix.is_safe:
                    action.is_preferred = True
                kind = kind_of(diagnostic, fix)
                if (
                    can_resolve
                    and kind not in kinds
                    and has_others(diagnostic, kind, self._document.analysis.diagnostics, finder)
                ):
                    kinds[kind] = self._all_of_kind(kind, item)
        return [*actions.values(), *kinds.values(), *self._explanations(chosen)]

    def _field_fixes(self, diagnostic: Diagnostic) -> list[Fix]:
        """The fix that inserts what the rows of the response have, where a list of their fields has a fault."""
        if self._document.api is None:
            return []
        from rui_openapi.editing.fixes import field_fixes  # noqa: PLC0415  only with a description

        return field_fixes(self._document.document, diagnostic.path, self._document.api)

    def _fix_action(self, fix: Fix) -> types.CodeAction:
        """A fix. Placeholders that it inserts are tab stops, as only the author knows their values."""
        snippet = None
        is_insertion = len(fix.edits) == 1 and fix.edits[0].span.start == fix.edits[0].span.end
        if self._server.supports(SNIPPET_EDITS) and is_insertion and not fix.is_safe:
            snippet = open_snippet(fix.edits[0].text)
        if snippet is None:
            return self._action(fix.title, QUICK_FIX, fix.edits)
        text = types.StringValue(value=to_lsp(snippet))
        edit = types.SnippetTextEdit(range=to_range(fix.edits[0].span, self._document.text), snippet=text)
        identifier = types.OptionalVersionedTextDocumentIdentifier(self._document.uri, self._document.version)
        changes = types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, [edit])])
        return types.CodeAction(fix.title, QUICK_FIX, edit=changes)

    def _all_of_kind(self, kind: str, item: types.Diagnostic) -> types.CodeAction:
        """The action that applies all fixes of a kind; its edits are found when it is resolved."""
        title = f"{kind.partition(' ')[2]}: all in the document"
        data = {"uri": self._document.uri, "version": self._document.version, "fixKind": kind}
        return types.CodeAction(title, QUICK_FIX, diagnostics=[item], data=data)

    def _explanations(self, diagnostics: list[Diagnostic]) -> list[types.CodeAction]:
        """Actions that show the pages of the rules that are broken."""
        rules = {diagnostic.rule or diagnostic.code: diagnostic for diagnostic in diagnostics}
        actions = []
        for rule, diagnostic in rules.items():
            title = f"Explain {rule}" if rule == diagnostic.code else f"Explain {rule} {diagnostic.code}"
            command = types.Command(title=title, command=EXPLAIN, arguments=[{"rule": rule, "show": True}])
            actions.append(types.CodeAction(title, QUICK_FIX, diagnostics=[self._to_lsp(diagnostic)], command=command))
        return actions

    def _chosen_diagnostics(self) -> list[Diagnostic]:
        """The diagnostics in the range that the client sends along, else all in the range.

        If the range has none, those that the client sends: some clients send all of the line that the cursor is in.
        """
        diagnostics = self._document.diagnostics
        span = self._span
        in_range = [one for one in diagnostics if one.span.start <= span.end and span.start <= one.span.end]
        return [one for one in in_range or diagnostics if self._is_sent(one)] or in_range

    def _is_sent(self, diagnostic: Diagnostic) -> bool:
        """Whether the client sends a diagnostic along; it may have lost a part of it."""
        path = format_path(diagnostic.path)
        diagnostic_range = to_range(diagnostic.span, self._document.text)
        return any(
            item.code == diagnostic.code and (_path_of(item) == path or item.range == diagnostic_range)
            for item in self._client_diagnostics
            if item.source in {None, SOURCE}
        )

    def _to_lsp(self, diagnostic: Diagnostic) -> types.Diagnostic:
        uri = self._document.uri
        return to_diagnostic(diagnostic, uri, self._document.text, self._server.settings_for(uri))

    def refactorings(self) -> list[types.CodeAction]:
        """Changes of structure that keep a valid document valid."""
        if not any(self._wants(kind) for kind in REFACTORINGS.values()):
            return []
        return [
            self._action(one.title, REFACTORINGS[one.kind.value], one.edits)
            for one in refactorings(self._document.document, self._span)
            if self._wants(REFACTORINGS[one.kind.value])
        ]

    async def source_actions(self) -> list[types.CodeAction]:
        """Actions on the whole document. Their edits take long: they are found now only for a client that wants these.

        Any other gets the actions without edits, if it can resolve them later.
        """
        can_resolve = self._server.supports(RESOLVE)
        actions = []
        for kind, source_action in _SOURCE_ACTIONS.items():
            if not self._wants(kind) or (kind == FIX_ALL and not self._document.analysis.diagnostics):
                continue
            if self._only is not None:
                edits = await _source_edits(self._document, kind)
                if edits:
                    actions.append(self._action(source_action.title, kind, edits))
            elif can_resolve:
                data = {"uri": self._document.uri, "version": self._document.version}
                actions.append(types.CodeAction(source_action.title, kind, data=data))
        return actions

    def _action(self, title: str, kind: str, edits: Sequence[Edit]) -> types.CodeAction:
        return types.CodeAction(title, kind, edit=workspace_edit(self._server, self._document, edits))


def _path_of(item: types.Diagnostic) -> object:
    """The path that `to_diagnostic` has put into a diagnostic; None for a syntax error, which has none."""
    if not isinstance(item.data, dict):
        return None
    return item.data.get("path") or None


def _fix_all(document: Document) -> list[Edit]:
    if not document.valid:
        document = read(document.text)  # the fixes depend on the text, not on the edits that led to it
    return text_edits(document.text, apply_safe_fixes(document).text)


_SOURCE_ACTIONS = {
    FIX_ALL: SourceAction("Fix all that is safe to fix", _fix_all),
    ORGANIZE: SourceAction("Put properties into canonical order", sort_properties),
}
