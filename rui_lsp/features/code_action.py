"""Code actions: quick fixes of diagnostics, everything that is safe to fix at once, and refactorings.

What there is to offer comes from the core; here it is chosen by range and kind, and written as the protocol does.
"""

from __future__ import annotations

from rui_common.fixes.quick_fixes import FixFinder
from rui_common.syntax.paths import format_path
from rui_common.syntax.spans import Span
from rui_lsp.client.convert import SOURCE, diagnostic_to_lsp, edits_to_lsp, range_from_lsp, range_to_lsp
from rui_lsp.documents.offload import aside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rui_common.editing.edits import Edit
    from rui_common.syntax.document import Document
    from rui_common.validation.diagnostics import Diagnostic
    from rui_lsp.client.convert import Json
    from rui_lsp.documents.workspace import OpenDocument, Workspace
    from rui_lsp.protocol.framing import Encoded

QUICK_FIX = "quickfix"
FIX_ALL = "source.fixAll.rui"
ORGANIZE = "source.organizeProperties.rui"
REFACTORINGS = {"extract": "refactor.extract.rui", "move": "refactor.move.rui", "duplicate": "refactor.rewrite.rui"}

MAX_DIAGNOSTICS = 30
"""So many diagnostics of a range get their quick fixes at most; whoever selects more wants all of them fixed."""


def answer(workspace: Workspace, params: Json) -> list[Json] | None:
    """``textDocument/codeAction``: what can be done in a range."""
    document = workspace.document_of(params)
    start, end = range_from_lsp(params.get("range"))
    span = Span(*sorted((document.text.offset(*start), document.text.offset(*end))))
    context = params.get("context")
    return list(_Actions(workspace, document, span, context if isinstance(context, dict) else {}).all())


def resolve(workspace: Workspace, params: Json) -> Json:
    """``codeAction/resolve``: the same action with its changes."""
    data = params.get("data")
    document = workspace.documents.get(str(data.get("uri"))) if isinstance(data, dict) else None
    if document is None or document.version != (data.get("version") if isinstance(data, dict) else None):
        return params  # It was offered for a text that is no more.
    edits = _SOURCES[str(params.get("kind"))][1](document.document) if params.get("kind") in _SOURCES else []
    return {**params, "edit": workspace_edit(workspace, document, edits)}


def workspace_edit(workspace: Workspace, document: OpenDocument, edits: Sequence[Edit]) -> Json:
    """Changes of one document as the protocol writes them; with its version, if the client can tell versions apart."""
    written = edits_to_lsp(edits, document.text)
    if workspace.client.can("workspace", "workspaceEdit", "documentChanges"):
        item = {"uri": document.uri, "version": document.version}
        return {"documentChanges": [{"textDocument": item, "edits": written}]}
    return {"changes": {document.uri: written}}


class _Actions:
    """The actions of one request."""

    def __init__(self, workspace: Workspace, document: OpenDocument, span: Span, context: Json) -> None:
        self._workspace = workspace
        self._document = document
        self._span = span
        only, given = context.get("only"), context.get("diagnostics")
        self._only = [kind for kind in only if isinstance(kind, str)] if isinstance(only, list) else None
        self._given = [item for item in given if isinstance(item, dict)] if isinstance(given, list) else []

    def all(self) -> Iterator[Json]:
        """The most likely first."""
        found = self._document.diagnostics if self._wants(QUICK_FIX) or self._wants(FIX_ALL) else []
        if self._wants(QUICK_FIX):
            yield from self._quick_fixes(found)
        if any(self._wants(kind) for kind in REFACTORINGS.values()):
            from rui_common.fixes.refactorings import refactorings  # noqa: PLC0415  quick fixes do without

            for one in refactorings(self._document.document, self._span):
                if self._wants(REFACTORINGS[one.kind.value]):
                    yield self._action(one.title, REFACTORINGS[one.kind.value], one.edits)
        yield from self._sources(found)

    def _wants(self, kind: str) -> bool:
        """Whether the client asks for actions of a kind: for all, for this one, or for some that it is one of."""
        return self._only is None or any(kind == one or kind.startswith(one + ".") or not one for one in self._only)

    def _quick_fixes(self, found: list[Diagnostic]) -> Iterator[Json]:
        fix_finder = FixFinder(self._document.document)
        here = [one for one in found if self._is_here(one)]
        # Where nothing is wrong, what the client sends along counts: some send all of the line that the cursor is in.
        chosen = [one for one in here or found if self._is_given(one)] or here
        # One edit that mends several faults is one action.
        found_before: dict[tuple[object, ...], Json] = {}
        for diagnostic in chosen[:MAX_DIAGNOSTICS]:
            item = self._to_lsp(diagnostic)
            for fix in fix_finder.find(diagnostic):
                key = (fix.title, *fix.edits)
                action = found_before.get(key)
                if action is None:
                    action = {**self._action(fix.title, QUICK_FIX, fix.edits), "diagnostics": []}
                    found_before[key] = action
                action["diagnostics"].append(item)  # type: ignore[attr-defined]
                if fix.is_safe:
                    action["isPreferred"] = True
        yield from found_before.values()

    def _is_here(self, diagnostic: Diagnostic) -> bool:
        return diagnostic.span.start <= self._span.end and self._span.start <= diagnostic.span.end

    def _is_given(self, diagnostic: Diagnostic) -> bool:
        """Whether the client asks about it: it sends back what it was sent, except for what it does not keep."""
        return any(
            item.get("code") == diagnostic.code
            and (_path_of(item) == format_path(diagnostic.path) or item.get("range") == self._range(diagnostic))
            for item in self._given
            if item.get("source", SOURCE) == SOURCE
        )

    def _range(self, diagnostic: Diagnostic) -> Json:
        return range_to_lsp(diagnostic.span, self._document.text)

    def _to_lsp(self, diagnostic: Diagnostic) -> Json:
        settings = self._workspace.client.settings_for(self._document.uri)
        return diagnostic_to_lsp(diagnostic, self._document.uri, self._document.text, settings)

    def _sources(self, found: list[Diagnostic]) -> Iterator[Json]:
        """What concerns the whole document. It takes longer: without being asked for it, only who can wait gets it."""
        can_wait = self._workspace.client.can("textDocument", "codeAction", "resolveSupport")
        for kind, (title, edits_of) in _SOURCES.items():
            if not self._wants(kind) or (kind == FIX_ALL and not found):
                continue
            if self._only is None:
                if can_wait:
                    data = {"uri": self._document.uri, "version": self._document.version}
                    yield {"title": title, "kind": kind, "data": data}
                continue
            edits = edits_of(self._document.document)
            if edits:
                yield self._action(title, kind, edits)

    def _action(self, title: str, kind: str, edits: Sequence[Edit]) -> Json:
        return {"title": title, "kind": kind, "edit": workspace_edit(self._workspace, self._document, edits)}


def _path_of(item: Json) -> object:
    """The path that `diagnostic_to_lsp` put into a diagnostic; None for a fault of the text, which has none."""
    data = item.get("data")
    return (data.get("path") or None) if isinstance(data, dict) else None


def _fix_all(document: Document) -> list[Edit]:
    from rui_common.editing.text_diff import text_edits  # noqa: PLC0415  only who fixes all needs it
    from rui_common.fixes.fix_all import apply_safe_fixes  # noqa: PLC0415

    return text_edits(document.text, apply_safe_fixes(document).text)


def _organize(document: Document) -> list[Edit]:
    from rui_common.editing.sort_properties import sort_properties  # noqa: PLC0415

    return sort_properties(document)


_SOURCES = {
    FIX_ALL: ("Fix all that is safe to fix", _fix_all),
    ORGANIZE: ("Put properties into canonical order", _organize),
}


async def answer_in_time(workspace: Workspace, params: Json) -> list[Json] | Encoded | None:
    """`answer`; what concerns the whole document takes longer, so it is found aside."""
    opened, context = workspace.document_of(params), params.get("context")
    only = context.get("only") if isinstance(context, dict) else None
    if not isinstance(only, list) or not any(str(kind).startswith("source") for kind in only):
        return answer(workspace, params)
    return await aside(workspace, opened, answer, params)


async def resolve_in_time(workspace: Workspace, params: Json) -> Json | Encoded:
    """`resolve`, aside."""
    data = params.get("data")
    opened = workspace.documents.get(str(data.get("uri"))) if isinstance(data, dict) else None
    return params if opened is None else await aside(workspace, opened, resolve, params)


HANDLERS = {"textDocument/codeAction": answer_in_time, "codeAction/resolve": resolve_in_time}
